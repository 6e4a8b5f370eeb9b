// Package tool gives the etch command its learners: the designs with their reports, the
// measurement of their area, and the search for the fastest one that fits a device.
//
// The search has exact cycles of all configurations from the learner's schedule, and cells
// of the fastest from a model of package area, fitted when the command runs to the
// learners in points.jsonl. A learner that the model was not fitted to differs from
// synthesis by up to 7 % in LUT and 6 % in FF for xc7, by up to 12 % in LUT and 6 % in FF
// for ecp5, the one point of DDPG in each among them. Multipliers are exact for DQN; of
// DDPG they are up to 7 % too many. All points of DQN have 64 hidden neurons, those of
// DDPG 16, and all have numbers of 18 bits. With -replay the
// memory is estimated by the same factors, of which there is no point yet.
//
// With -quality the bit-exact model of each number format learns an environment with all
// seeds before the search, which then has only the formats that learn. Runs are lines of a
// journal of package explore. By
//
//	etch explore learner -quality cartpole:8 -formats 18,16,14,12,11,10,9 -device xc7a35t
//
// with mean gradient steps of the seeds that solve CartPole:
//
//	bits   solved    steps
//	18     8 of 8    2,725
//	16     8 of 8    2,700
//	14     8 of 8    2,800
//	12     8 of 8    4,138
//	11     8 of 8    4,675
//	10     8 of 8   15,175
//	9      0 of 8
//
// Eight seeds of 16 bits take 3 s of processor time.
package tool
