// Package rival runs designs under Verilator and GSIM, the simulators that etch's own is compared
// with. For Verilator, the Verilog that etch writes is built into a program that runs a given
// number of cycles in a tight loop.
//
//	v, err := rival.Find() // Verilator and a C++ compiler or two
//	m, err := v.Build(ctx, design, v.Compilers[0])
//	r, err := m.Run(ctx, 1_000_000)
//	fmt.Printf("%s: %016x, %.0f cycles/s\n", m, r.Sum, r.Rate())
//
// A design must have the ports of etch/designs/bench: clk, rst and a sum of 64
// bits. A run is one edge of clk with rst high and then the given number with
// rst low, as sim.Reset and sim.Step make them; state without initial value
// starts as 0 on both sides.
//
// # Fairness
//
// Verilator is the pinned 5.048 of testbench/tools, where that is installed, with
// -O3 --x-assign fast --x-initial fast --no-assert, one thread; the compiler has
// -O3 -march=native for every file, the run-time library included. The time that
// counts is the processor time of the loop.
//
// # GSIM
//
// GSIM (Chen et al., DAC 2025) reads FIRRTL, so it runs a user's own file as it stands ([Core]),
// not what etch makes of it. ETCH_GSIM names the program; its models are compiled by clang 19,
// with the flags above.
// Its driver folds the same outputs into the same sum, cycle by cycle, and hashes the first
// [MostCompared] words of each memory with contents. A reset by an input, or by logic of inputs,
// takes the same cycles on both sides. A reset that comes from a register, or an AsyncReset, takes
// others, so that such a design may be refused for its sum. The time that counts is that of the
// steps with the outputs' sum.
//
// # Built models
//
// Models are kept in the folder bench of the tools' cache under a hash of the
// Verilog or FIRRTL, the flags, the tools and the processor; the longest unused is
// removed above 1 GB. A build that does not end in its time leaves nothing
// behind.
//
// Imports: backends/verilog, testbench/tools, ir and below; never hw nor sim.
package rival
