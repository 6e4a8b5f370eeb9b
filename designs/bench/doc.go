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
// All have the ports clk, rst and [Ports]. All keep their hierarchy: an element,
// a core or a layer is a module of its own, with an instance for each use, and
// those that are equal share their module.
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
// package bench/tool is the command that prints the table.
//
// # Large cores
//
// Large cores (etch bench -firrtl core.fir -mem soc.ram=program.bin) are cut into parts that run
// when a value which they read has changed. Rocket's TestHarness under coremark, from FIRRTL of
// jaypiper/gsim-ready-to-run: imported and started in 0.5 s, 588 k cycles/s once the parts are
// learned (within 1.5 s of the start), 113 k without them. Beside GSIM built with clang-19,
// alternately on the same quiet machine, three runs each, by the clock, ours with learning, GSIM's
// without its build: Rocket 464 to 504 k (GSIM 334 to 339 k), ysyx3 1.58 to 1.76 M (0.92 to 0.95
// M), NutShell, which keeps its specialised bodies, 2.1 to 2.3 M (0.86 to 0.87 M), SmallBoom 24 to
// 26 k (85 to 90 k), where too much runs in a cycle; LargeBoom, on a loaded machine, has its first
// cycle 2.9 s of processor time after the start and runs at 2 to 17 k; Rocket under microbench, on
// a loaded machine and per second of processor time, 453 to 461 k (415 to 422 k). Single steps
// (Step(1)) run at 425 k. On arm64 there are no parts yet.
//
// Since then vectors of registers with an index are memories inside of the parts (net.Vectors):
// SmallBoom takes 1.4 times less processor time a cycle, on a loaded machine, old and new binaries in
// turn; Rocket is unchanged. With fewer branches that are mispredicted it takes 22 to 31 µs of
// processor time a cycle in place of 32 to 48, at load 8 to 20, where GSIM takes 13.
//
// The package imports hw, designs/examples and below; never sim.
package bench
