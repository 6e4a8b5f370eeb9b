// Package cartpole is the balancing task that learners of this module are trained and
// judged on: the physics of the public environment CartPole-v1 (Barto, Sutton and
// Anderson 1983, as Gymnasium has it), with seeded episode starts.
//
// A cart on a track pushes left or right by 10 N each 0.02 s to keep a pole upright.
// Each step is rewarded by 1. An episode terminates when the cart leaves ±2.4 m or the
// pole leaves ±12°, and is truncated after 500 steps: the state after a truncation still
// has a value, the state after a termination has none.
//
// The equations, limits and start ranges are those of the public environment; only the
// random generator of the starts is our own. Results are the same bits on every
// architecture. The package imports designs/trig and the standard library.
package cartpole
