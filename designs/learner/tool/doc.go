// Package tool gives the etch command its learners: the designs with their reports, the
// measurement of their area, and the search for the fastest one that fits a device.
//
// The search has exact cycles of all configurations from the learner's schedule, and cells
// of the fastest from a model of package area, fitted when the command runs to the
// learners in points.jsonl. A learner that the model was not fitted to differs from
// synthesis by up to 6 % in LUT and FF for xc7, by up to 11 % in LUT and 6 % in FF for
// ecp5; its multipliers are exact. The points of DQN have 64 hidden neurons and
// numbers of 18 bits. DDPG and, with -replay, the memory are estimated by the same
// factors.
//
// With -quality the bit-exact model of each number format learns an environment with all
// seeds before the search, which then has only the formats that learn. Runs are lines of a
// journal of package explore. By
//
//	etch explore learner -quality cartpole:8 -formats 16 -device xc7a35t
//
// 16 bits learn with 8 of 8 seeds, in 2,700 gradient steps on average (3 s of processor
// time).
package tool
