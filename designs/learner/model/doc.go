// Package model is the arithmetic of a learner on chip, bit for bit, on Go integers:
// forward and backward passes of small networks, the losses of DQN and DDPG, stochastic
// gradient descent and target networks. The architecture is that of Zhang, Kuppannagari
// and Prasanna's on-chip replay and learner, with one change: one rounding a result.
//
// Numbers are raw two's-complement values of three formats (see [Formats]). Products and
// sums are exact. Each value is rounded half up and saturated once, where it is stored:
// an activation, a gradient of a layer's output, a weight. So results depend neither on
// the order of sums nor on how many multipliers a circuit has, and one model serves all
// configurations of it. Discounts and importance weights are U1.16: 65536 is 1.
//
// A network's layers are dense; hidden ones end in a rectifier (relu), the last one in
// nothing, or in tanh for an actor.
//
// The package imports hw/fixed and hw/float for its formats, and the standard library.
package model
