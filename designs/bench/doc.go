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
// The package imports hw, designs/examples and below; never sim.
package bench
