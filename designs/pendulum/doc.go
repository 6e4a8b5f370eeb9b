// Package pendulum is the swing-up task that the controllers of this module
// are trained and judged on: the physics of the public environment
// Pendulum-v1, seeded episode starts, and a value-iteration reference.
//
// The equations, limits and start ranges are those of the public environment:
// observation (cos θ, sin θ, θ'), torque ±2 N·m, 0.05 s steps, 200 steps an
// episode, reward −(θ² + 0.1·θ'² + 0.001·u²). Only the random generator of the
// starts is our own.
//
// Returns depend heavily on the starts (the reference itself moves by several
// points between sets of 1000), so controllers are compared with the reference
// on the same starts:
//
//	starts := pendulum.Starts(1000, 1)
//	ref := pendulum.Solve()
//	gap := ref.Score(starts).Mean - pendulum.Evaluate(starts, policy).Mean
//
// Results are the same bits on every architecture and for every number of
// processors. The package imports designs/trig and the standard library.
package pendulum
