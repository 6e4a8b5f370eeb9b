// Package tool gives the etch command its learning systems: the designs rl and rl_ddpg with
// their reports, the demo replay, train, run rl, and three experiments.
//
// # Measured
//
// CartPole counts as solved when the greedy policy keeps the pole up for 475 steps on the
// mean of 20 episodes, and again of 100. Steps are gradient steps of 32 transitions.
//
//	run                                              solved      steps
//	etch experiment rl-formats: model, 18 bits       20 of 20    2,250 ± 832, most 6,100
//	etch experiment rl-formats: model, 16 bits       20 of 20    2,405 ± 1,087, most 9,000
//	etch experiment rl-seeds: circuit, seeds 1–15    15 of 15    600 to 6,100
//
// The last run was cut after 400 s, before seeds 16 to 20; every step of the circuit was
// compared with the model. The pendulum and runs without priorities were not repeated with
// the present seeds of episodes.
//
// With a beat of 32 cycles and batches of 32, a step takes 1,199 cycles: 107 draw, 1,091
// learn, 1 waits for writes. yosys counts 8,632 LUT, 8,518 FF, 53 DSP and 37 block RAM for
// the whole of it (etch report rl, xc7), which is below an xc7a35t's; it was not placed.
package tool
