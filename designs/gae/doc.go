// Package gae is generalized advantage estimation in hardware, after HEPPO (Taha and
// Abdelhadi, McMaster University): rows of a memory and a processing element each
// take a step of a trajectory every cycle.
//
//	sys := model.Paper()                    // 64 rows of 1024 steps, 8-bit codes, k = 2
//	hw.Build(gae.Accelerator{System: sys})  // behind an AXI4-Lite port
//
// # The recurrence
//
// A_t = δ_t + γλ·A_{t+1} allows one step per trip around a multiplier, an adder and
// a saturation. [Element] looks k steps ahead, so that the loop spans k cycles and
// may have k registers (forms direct and factored), or takes k trajectories in turn
// (c-slow). Which steps belong together is told by two bits a step; the last step of
// a vector is a cut like any other, so that vectors follow each other without a gap.
// Package gae/model has the equations and the arithmetic bit for bit.
//
// # From the host to the host
//
//	host → Load → Row: memory → restore → Element → store → memory → host
//
// [Load] standardises and quantises the host's samples (or passes them on), [Schedule] gives each
// vector the row with the least work, [Row] keeps steps in one block RAM and bootstrap values in a
// small stack, pops them backwards in time and puts results
// where the steps were. [Statistics] measures, exactly, and settles means and scales;
// [Welford] is the running recurrence of the paper, for comparison. [Core] is all of
// it behind a stream of register accesses ([model.Register] lists them, with their
// addresses), [Accelerator] behind AXI4-Lite, [TwoClocks] with the core on a clock of
// its own. Package gae/host is the driver.
//
// # Cycles
//
// From Start to done a drain takes as many cycles as the fullest row has steps, and
// RowLatency more: 1 to start, 1 for the memory, 3 to restore, Element's Latency (8
// at k = 2), 1 for the result: 1,038 for rows of 1024 steps. Loading takes a cycle a
// step, by the stream of steps; so does measuring; results leave by a stream of their
// own, a cycle each, or by registers.
//
// # Conventions
//
// The host's estimator follows stable-baselines3 unless told otherwise: a truncated
// episode goes on with the value of its final observation, which the row's stack of
// bootstrap values holds. With CleanRL's convention, cut and end are the same.
//
// # Area
//
// yosys 0.23, synth_xilinx -family xcup (etch experiment gae-area). LUTs used as memory
// or shift register are not counted. Rows and the whole were measured before results had
// a stream and before a product was rounded and subtracted in one addition:
//
//	                      latency   LUT    FF  DSP  block RAM
//	direct, k = 1               6   300   271    2
//	direct, k = 2               8   356   433    3
//	direct, k = 3               9   440   626    4
//	direct, k = 4               9   495   763    5
//	factored, k = 4             9   469   658    5
//	c-slow, k = 2 to 8          6   300   375    2
//	row, results of 18 bits         910   614    4          1
//	row, results of 9 bits          781   596    4          1
//	paper's element, k = 2          201   849   12
//
// The accelerator of 64 rows, module by module with the hierarchy kept: 64,025 LUT,
// 44,777 FF, 268 DSP, 64 block RAM. Of these loading takes 682 LUT, 416 FF and 4 DSP,
// statistics with divider, multiplier and root 2,731 LUT, 1,861 FF and 8 DSP.
// The paper's 64 elements alone are 12,864 LUT, 54,336 FF and 768 DSP.
//
// An element of 27 bits takes one DSP block a multiplier, k + 1 in all, where the
// paper's 32 bits take four each. The paper's element is without memory, loading and
// restoring.
//
// # Clock
//
// 300 MHz is an assumption of the paper's device, for which there is no open place and
// route. On an ECP5-85 -6, one placement each (etch experiment fmax -seeds 1 -path -p k=4
// gae_element, and so on); the path is clock to output, routing, multiplier, routing and
// the adders behind it:
//
//	                        MHz   LUT    FF  DSP   critical path, ns
//	direct, k = 1          60.1   386   470    4   the whole loop, 16.6
//	direct, k = 2         106.3   497   689    6   0.5 + 1.4 + 3.9 + 1.7 + 1.8
//	direct, k = 4         101.3   768  1047   10   0.5 + 1.7 + 3.9 + 2.0 + 1.7
//	factored, k = 4       105.8   666   942    8   0.5 + 1.7 + 3.9 + 1.6 + 1.8
//	c-slow, k = 4         107.2   386   574    4   0.5 + 1.6 + 3.9 + 1.5 + 1.8
//	split, k = 3          133.2   904   965    8   0.5 + 1.7 + 3.9 + 1.4
//	split, k = 4          126.9  1106  1137   10   0.5 + 2.2 + 3.9 + 1.2
//	split, c-slow, k = 4  131.6   532   600    4   0.5 + 1.7 + 3.9 + 1.5
//	row, k = 2            103.9  1218  1101    8   a result rounded and clipped as stored, 9.6
//	row, split, k = 3     108.0  1908  1459   10   the product that restores a value, 9.2
//	row, split, k = 4     109.0  2113  1631   12   the same, 9.2
//	row, split, c-slow 4  102.0  1505  1129    6   from the stack's memory into the same sum, 9.8
//	statistics             93.1  3396  1925    6   σ's length, a sum and its result's port, 10.7
//
// A multiplier there is 18 by 18 and has no registers that yosys 0.23 would use. A product
// of 27 bits takes two of them and an adder between the same two registers, 9.4 ns, which
// lookahead does not shorten: past k = 2 only its fan-out grows. With Split both parts
// have a register of their own, so that a loop of three cycles is multiply; combine, round
// and subtract; gate, add and saturate. Then the limit is the way into and out of one
// multiplier, 3.9 ns in it and 3 of routing. The adders are shorter, so the fourth cycle
// of the loop with k = 4 gains nothing, and its products of δ, one more, cost routing.
// A row of Split elements rounds a result in one cycle and clips it in the next. Its limit then is
// the product that restores a value, which has one cycle for both multipliers and their sum.
package gae
