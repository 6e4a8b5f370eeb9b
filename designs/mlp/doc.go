// Package mlp is multilayer perceptrons in plain Go, in float32 or float64: forward and
// backward passes over batches, Adam and stochastic gradient descent. It serves the trainers
// of etch: PPO in designs/gae/ppo, the critics in designs/dwc/train, and the float baselines
// of DQN and DDPG in designs/rl/baseline.
//
//	n := mlp.New[float64](mlp.ReLU, 0, 4, 64, 2) // 4 inputs, 64 hidden units, 2 outputs
//	n.Uniform(r)
//	t := mlp.NewTape(n, 32) // room for a batch of 32 rows
//	copy(t.Input(), observations)
//	n.Forward(t, 32)
//	… // derivatives of the loss by t.Output() into t.OutputErr()
//	n.Backward(t, 32)
//	mlp.Descend(n.Params, t.Grads, 0.01)
//
// # Invariants
//
// Results are the same bits on every architecture: sums have one order, every product is
// rounded before it is added, and exponential, logarithm and hyperbolic tangent are the
// package's own.
//
// A [Net] is read-only in passes, so several goroutines may share one; each needs a [Tape]
// of its own.
//
// The package imports nothing of etch.
package mlp
