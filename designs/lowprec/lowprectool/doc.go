// Package lowprectool has the etch command's verbs for low-precision learning: experiment lowprecision
// and lowprecision-area, and demo lowprecision.
//
// # Returns
//
// The return of a run is the mean of its last five tests of 20 episodes; the tables below are of
// stored runs (etch experiment lowprecision -stored). A mean is one over seeds, with its standard
// error and, by Student's distribution, an interval of 95 %; @1001 is a run whose weights or
// actions were not finite in step 1001. Steps skipped and loss scales are of critics, actor and
// temperature, each the worst of the seeds.
//
// As in the emulation that these settings are from: naive fp16 and loss scaling crash in the
// first update, coercion learns nothing, hAdam alone crashes within fifteen updates,
// Kahan-momentum is the largest single step, without it or without hAdam the pendulum is learned
// late or not, without compound scaling the moments underflow until a run crashes, and
// Kahan-gradients take the temperature from 0.024 to 0.01, which is float32's.
//
// Otherwise than there: of five seeds one run of mixed precision and one of Kahan-momentum crash
// (seed 5, in steps 1959 and 4529), and none with softplus-fix (there one of three of mixed
// precision and of softplus-fix); without normal-fix all seeds learn (there three of four); without
// softplus-fix the actor's scale ends on its floor in three seeds. And all six methods are further
// from float32: there both come to -169 in the mean of four seeds. The difference here comes from the
// dips below, which come with the low temperature: the rows without Kahan-gradients, whose
// temperature stays higher, end at float32's return in every seed. In float32 the low temperature
// does less harm.
//
// The mean of five seeds of all six methods is 41 below float32's, and so misses the 40 that were
// wanted. The mean of ten seeds is 30 below, with a standard error of 18; the interval of 95 %
// reaches to 69. In the tame setting the means of five seeds are 5 apart, no run of Kahan-momentum
// crashes, and hAdam alone crashes in one seed of five. In formats (5, M) the best test of 8000
// steps equals the emulation's; the mean of the last five has tests of before the pendulum was
// learned.
//
// A wider second moment does not help. Its bias in fp16 is real, at a constant gradient it settles at
// 0.68 of it where 13 fraction bits give 0.96, but a factor of the step's length is all that comes
// of it: ten seeds with w, or both moments, in e5m13 end at -192 ± 25 and -196 ± 24, where fp16
// throughout ends at -189 ± 16. It costs 233 LUT and 4 cycles of latency (package lowprec).
//
// Single tests dip, in both formats. In such a test some of the starts end in a rotation past
// the top, of one direction, that the policy does not brake. It is not the mean action's:
// sampled actions do the same. Later steps meet such episodes and mend it. How deep a dip is
// depends on the starts, so every test has twenty of its own, the same in every run. With
// twenty that never change the experiment gave, for 18 seeds, -199 ± 10 in float32 and
// -225 ± 14 with all six, 26 apart, the best test -172 to -176 in both. Rates that fall to 0
// over the last fifth of the steps did not calm the dips (5 seeds of float32 -203 ± 25). A trial
// in C++ that shares no code with this one has dips in both formats, too (12 seeds: -160, -166).
//
// etch experiment lowprecision -check: 1,145,950 records through the circuits in 10 s of processor
// time and 1,500 through the emitted Verilog, 0 differ.
//
// etch demo lowprecision takes 33 s of processor time, most of it yosys's; etch
// experiment lowprecision -short is three runs of 20 s and two that crash.
package lowprectool
