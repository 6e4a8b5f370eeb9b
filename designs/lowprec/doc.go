// Package lowprec makes circuits that train in sixteen bits: the six methods of Bjorck
// et al., "Low-Precision Reinforcement Learning: Running Soft Actor-Critic in Half
// Precision" (2021), as units of designs/float, each with a model that it agrees with
// bit for bit.
//
//	unit                method
//	Optimizer           hAdam, Kahan-gradients
//	OptimizerMemory     the same for n weights in block RAM, with compound rescaling
//	LossScaler          compound loss scaling: one scale for each group of weights
//	Detector            whether a gradient is finite
//	Kahan, SoftUpdate   Kahan summation, Kahan-momentum
//	Jacobian            softplus-fix
//	Normal              normal-fix
//	PolicyHead          a policy's action and its log-probability
//	PolicyGradient      and their gradient
//
// # One text, three meanings
//
// A method is written once, as a function over [ops], in roundings to the nearest even
// that are never contracted. Over numbers of a [float.Flow] it is the circuit, over
// codes the model, over stages the latency:
//
//	func kahan[V any](u ops[V], s, c, v V) (sum, rest V) {
//		y := u.Sub(v, c)
//		t := u.Add(s, y)
//		return t, u.Sub(u.Sub(t, s), y)
//	}
//
// So model and circuit cannot differ in the order of operations. That this order is the intended one
// is tested by vectors of codes, and by a trainer that computes in float32 (package sac) and shares
// no text with them.
//
// The package imports hw, hw/float, hw/pipe, designs/float, designs/float/function and the standard
// library.
package lowprec
