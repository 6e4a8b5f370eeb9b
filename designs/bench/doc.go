// Package bench holds the designs that simulators are measured by. Each makes its stimulus itself
// and folds its results into one register, so that a simulator runs any number of cycles without
// its host:
//
//	d, _, err := hw.Build(bench.Systolic{N: 16})
//	s, err := sim.New(d)
//	s.Reset()
//	s.Step(1_000_000)
//	fmt.Printf("%016x\n", s.Get(sum)) // every simulator says the same after as many
//
// All have the ports clk, rst and [Ports]. All keep their hierarchy: an element, a core
// or a layer is a module of its own, with an instance for each use, and equal elements
// share their module.
//
//	DWC       two layers of 1024 random look-up tables: wide, shallow, no control
//	Systolic  N×N multiply-accumulate elements: arithmetic, no control
//	RV32I     the processor of examples/rv32i with an endless program
//	Cores     K of them, not in lock step
//	Protocol  the reliable link of examples/protocol: state machines
//	Quiet     pipelines without enables whose inputs seldom change
//
// [Designs] lists them with the sizes that are compared, [Series] is the size
// series. Package bench/rival builds and runs their Verilog under Verilator,
// package benchtool is the command that prints the table.
//
// # Large cores
//
// A large core (etch bench -firrtl core.fir -mem soc.ram=program.bin) is cut into parts, and a part
// runs when a value that it reads has changed. The cut is learned from samples of activity in the
// first seconds of a run. FIRRTL of Rocket, SmallBoom, LargeBoom, ysyx3 and NutShell is in
// jaypiper/gsim-ready-to-run. On arm64 there are no parts yet.
//
// Processor time of a cycle in µs, medians of three runs in turn, on 28 November 2026 (commit
// 04ffca1), on two virtual Intel cores with 2 MB of L2 each that other work loaded to 3 to 6, with
// Verilator 5.048 and GSIM (3b19dc1), both compiled by clang-19 at -O3. Ours is timed behind the
// learning, from cycle 1,000,000 on (SmallBoom 200,000). Verilator had two forms of Verilog:
//
//	                   etch        GSIM   Verilator, Verilog of firtool   Verilog of etch
//	Rocket, coremark   2.9, 3.3    3.6    13.9                            19.9
//	Rocket, fp         2.2, 2.3    1.9    12.4                            19.7
//	ysyx3, coremark    0.87, 1.21  1.42   1.8                             1.35, 1.40
//	SmallBoom          26 to 32    12.6   28.9                            not built
//
// Two figures are two series: the first at load 3 beside Verilator, the second at load 4 to 6 beside
// GSIM. SmallBoom took 32 in these series, and 26 in later runs of its code alone, after a change
// that took it from 31 to 26 there. fp is n-body, a solution of linear equations and a loop in
// single precision (gcc 12, rv64gc), which the units of this Rocket compute.
//
// By core: Rocket under coremark takes 0.9 of GSIM's time and 0.2 of Verilator's; ysyx3 0.85 of
// GSIM's. SmallBoom takes 2.1 to 2.5 times GSIM's time, since too much of it is active in each cycle
// (RATIONALE.md). NutShell keeps its specialised bodies and runs at 2.1 to 2.3 M cycles/s, GSIM at
// 0.87 M (by the clock, on a quiet machine with AVX2, where Rocket ran at 588 k and GSIM at 336 k).
// LargeBoom has its first cycle 2.9 s after the start and runs at 2 to 17 k cycles/s.
//
// Since then, with learning, medians of the command above (30 November; GSIM with the options of its
// Makefile). The first columns are two virtual cores of an EPYC 9004 with 1 MB of L2 each while they
// were quiet; an hour later, when all ran a quarter slower, the ratios were those of the last column:
//
//	                              etch     GSIM     ratio   later
//	Rocket, 1,000,000 cycles      715 k    447 k    1.60    1.33
//	Rocket, microbench, 500,000   465 k    433 k    1.07    0.90
//	Rocket, fp, 1,000,000         726 k    666 k    1.09    1.16
//	ysyx3, 2,000,000              1.91 M   1.02 M   1.87    1.75
//	SmallBoom, 600,000            112 k    115 k    0.97
//	SmallBoom, 2,000,000          130 k    113 k    1.15    1.18
//
// Behind learning SmallBoom takes 6.2 µs a cycle there, GSIM's 8.7. fp is a program as above, made
// again by clang. For NutShell etch and Verilator have the same sum after 2,000,000 cycles, GSIM has
// another one.
//
// Beside Verilator, whose best model counts, of etch's Verilog or of firtool's:
//
//	                              etch     Verilator  ratio
//	Rocket, 1,000,000             662 k    80.4 k     8.23
//	Rocket, without statements    886 k    226 k      3.92
//	ysyx3, 1,000,000              1.94 M   1.16 M     1.68
//	ysyx3, 10,000,000             1.95 M   1.02 M     1.92
//	ysyx3, 30,000,000             2.55 M   954 k      2.67
//	NutShell, 2,000,000           1.72 M   805 k      2.14
//	SmallBoom, 2,000,000          135 k    25 k       5.5
//
// The last two lines of ysyx3, and that of SmallBoom, are from the slower hour; there the rates of
// 30,000,000 cycles, and of SmallBoom with 600,000 cycles for Verilator, are of runs one after the other.
// ysyx3 gets bodies behind 2,300,000 cycles.
//
// Half of Rocket serves prints and assertions alone. Without them (-statements=false) both sides leave
// it out; the memories are public, so that the processor itself stays.
//
// Learning costs: the first 50,000 cycles of Rocket take 7 µs each, the first 20,000 of SmallBoom 36.
// Microbench ends between cycles 500,000 and 600,000. Rocket is imported and started in 0.5 s and has
// its parts within 1.5 s.
//
// The race compares the outputs of every cycle and, with GSIM, the first 4 M words of the memories
// that -mem fills: equal for Rocket after 1,000,000 cycles of coremark and of fp, for ysyx3 and
// SmallBoom after 2,000,000. After 90,000 cycles of fp every word of state under parts equals the
// interpreter's, and its first results equal the host's bit for bit. Verilator with --threads 2
// showed no gain under this load.
//
// The package imports hw, designs/examples, backends/yosys, passes, ir and below; never sim.
package bench
