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
// cycle 2.9 s of processor time after the start and runs at 2 to 17 k. Single steps (Step(1)) run at
// 425 k. On arm64 there are no parts yet.
//
// Since then vectors of registers with an index are memories inside of the parts (net.Vectors):
// SmallBoom takes 1.4 times less processor time a cycle, on a loaded machine, old and new binaries in
// turn; Rocket is unchanged. With fewer branches that are mispredicted it takes 22 to 31 µs of
// processor time a cycle in place of 32 to 48, at load 8 to 20, where GSIM takes 13.
//
// Measured on 28 November 2026 at commit 04ffca1, on two virtual Intel cores with 2 MB of L2 each that
// other work loaded to 3 to 6: µs of processor time a cycle, medians of three runs in turn, Verilator
// 5.048 and GSIM (3b19dc1) built with clang-19 at -O3. Ours are timed behind the learning, from cycle
// 1,000,000 on (SmallBoom 200,000), GSIM's on Rocket too; Verilator runs the first 300,000 cycles at most
// on Rocket, 1,000,000 on ysyx3 and 30,000 on SmallBoom, GSIM the first 2,000,000 and 200,000 on these:
//
//	                   etch          GSIM    Verilator, Verilog of firtool    of etch
//	Rocket, coremark   2.9, 3.3      3.6     13.9                             19.9
//	Rocket, fp         2.2, 2.3      1.9     12.4                             19.7
//	ysyx3, coremark    0.87, 1.21    1.42    1.8                              1.40, 1.35
//	SmallBoom          32            12.6    28.9                             not built
//
// Two figures are two series: the first beside Verilator at load 3, the second beside GSIM at load 4 to 6.
// So with the Verilog that suits it better Verilator takes 4.8 times our time on Rocket (fp 5.6 times),
// 1.6 and 1.1 times on ysyx3, 0.9 times on SmallBoom. With g++ 12 ysyx3 takes 1.43; Rocket and
// SmallBoom were not built with it. That series was made by hand. Since then the race does the same:
// etch bench -firrtl gives Verilator both forms of Verilog, and races GSIM where ETCH_GSIM names its
// program.
//
// Later that day SmallBoom took 26.1 to 26.6 µs in place of 30.7 to 35.1, in turn in a harness of the
// code alone (RATIONALE.md, rare arms).
//
// fp is n-body, a solution of linear equations and a loop in single precision, for ever (gcc 12,
// rv64gc), since this Rocket has units for single and double precision. The first million cycles with
// learning take 4.0 µs each (GSIM 2.0). Microbench ends between cycles 500,000 and 600,000, and
// the learning takes part of that: its first 500,000 cycles take 5.4 µs each (GSIM 3.8), 400,000 to
// 500,000 take 4.5 (3.6). Longer runs measure the loop at its end.
//
// The race compares the outputs of every cycle and, with GSIM, the first 4 M words of the memories
// that -mem fills: equal for Rocket after 1,000,000 cycles of coremark, ysyx3 after 500,000,
// SmallBoom after 200,000. In the series by hand the lower 2 MB of the memory were equal in all
// simulators at each cycle where two were compared, and the first results of fp are bit for bit
// those of the same program on the host. After 90,000 cycles
// of it every word of state under parts is that of the interpreter. Verilator with
// --threads 2 needs two free cores: under this load it made 300 cycles a second; the quickest of its
// runs of 100 cycles took 16.4 to 22.2 µs a cycle by the clock (four series), with one thread 17.1 to
// 24.7 (five), so these runs show no gain.
//
// The package imports hw, designs/examples and below; never sim.
package bench
