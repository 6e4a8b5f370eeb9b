// Package learnertool gives the etch command its learners: the designs with their reports, the
// measurement of their area, and the search for the fastest learner that fits a device.
//
// The search has exact cycles of all configurations from the learner's schedule. The Pareto
// front of cycles and multipliers is exact over all combinations of tiles, even 100
// million, because it is found layer by layer (front.go). For each beat, only the smallest
// tiles of a layer that walk its words within the beat are combined: larger tiles save a
// few cycles of latency only. Cells are estimated by a model of package area, fitted when
// the command runs to the learners in points.jsonl: to the counts of each netlist that was
// synthesised and to its cells. A learner that the model was not fitted to differs from
// synthesis by up to 8 % in LUT and 7 % in FF for xc7, by up to 12 % in LUT and 6 % in FF
// for ecp5, DDPG included. Multipliers are exact for DQN; of DDPG they are up to 7 % too
// many. All points have numbers of 18 bits. Points of DQN have 64 hidden neurons, points of
// DDPG 16.
//
// The search ends after 7 s (-time). It finds the fastest configuration that fits by halves,
// as if faster ones were larger, then looks at all faster ones; where time runs out before,
// the answer says how many it did not look at.
//
// With -replay the memory is estimated by the same factors, with no point of its own. One
// system was synthesised (-net 4-16-2 -batch 32 -replay 1024 -device lfe5u-25f -yosys,
// 2026-11-25): it has 13,892 LUT and 10,147 FF, 8 % and 4 % more than the estimate.
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
//
// # Three devices
//
// The fastest learner that fits, the estimate beside yosys (-yosys) and place and route (-pnr
// -seeds 1), of 2026-11-25; no learner of batch 64 is among the points:
//
//	network, batch   device      tiles     cycles   LUT, estimate   yosys     FF, estimate   yosys    DSP   MHz     steps/s
//	8-64-4, 64       xc7a35t     8,2,2,4   2,114            9,370    9,526            8,914   8,971    70     -    47,304 at an assumed 100 MHz
//	8-64-4, 64       lfe5u-45f   8,2,2,4   2,114           16,333   17,612           13,764  13,793    70    41.2   19,508
//	4-64-2, 32       lfe5u-25f   4,1,1,2   2,146            5,314    5,489            5,082   5,007    20   100.9   47,035
//
// The next faster one lacks DSP in each: 138 of 90 on the xc7a35t, 138 of 72 on the lfe5u-45f,
// 38 of 28 on the lfe5u-25f. The clock of the lfe5u-45f is of 2026-11-24, of a learner with 650
// register bits fewer. With 70 of its 72 multipliers taken it is slow, but so it was with half
// of them (-budget dsp=40: tiles 8,1,1,4, 4,194 cycles, 7,823 LUT, 43.3 MHz). For u50 yosys did
// not end within 20 minutes beside other work.
package learnertool
