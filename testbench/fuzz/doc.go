// Package fuzz compares what etch's engines, passes and back ends make of random
// circuits, and makes a small case of every mismatch.
//
//	judges, err := fuzz.Lookup("interp,native,passes,iverilog")
//	sum, err := fuzz.Run(ctx, fuzz.Options{N: 1000, Seed: 1, Judges: judges, Dir: "found"})
//	sum.Print(os.Stdout)
//
// The command etch fuzz does this.
//
// # Cases
//
// A [Case] is a circuit of package randcircuit and a [Stimulus]: steps that set
// all inputs, which rest at 0 before, and let clocks rise, and fall. The seed alone, with a size, makes the case,
// whoever judges it; see [NewCase] for the kinds there are. All outputs are
// compared before and after every edge, and what statements say where the judge
// carries them. The reference is the interpreter of package sim. State without
// initial value starts as 0, or, where judges inside this process allow it and the
// seed is odd, at random.
//
// # Judges
//
//	interp     the reference itself: the design is valid, and says the same twice
//	native     machine code: outputs, statements, coverage; state in lock step
//	passes     after each pass of passes.Table, on top of those before it, and after
//	           Optimize; statements and coverage too
//	iverilog   emitted Verilog under Icarus Verilog, which must not warn; statements too
//	verilator  emitted Verilog under Verilator
//	yosys      emitted Verilog after yosys synth, under Icarus Verilog; small circuits
//	slang      emitted Verilog is read and elaborated by circt-verilog without a warning
//	firtool    emitted FIRRTL compiled by firtool, under Icarus Verilog
//	firrtl     emitted FIRRTL read back by our own reader, interpreted
//
// Tools get batches: one Verilog design holds many circuits, each in a module that
// has its stimulus and prints its outputs (harness.go). Under Icarus Verilog the
// circuits move one after another, so that what statements say can be told apart;
// a model of Verilator's moves them all at once.
//
// What a judge cannot follow it skips, with a named reason that the summary
// counts. Of emitted Verilog (see its documentation) and FIRRTL: black boxes, whose
// Verilog there is not; a clock that enters an instance with memories twice; clocks
// that rise together and write to one memory. Of FIRRTL: latches, and nets with several drivers, which are Verilog of their own there. Of Icarus Verilog,
// also after yosys: latches that close as what they take changes, or that a net with
// glitches opens (latches.go). Of yosys 0.23: memories on two clocks, large circuits.
// FIRRTL says nothing of values at power-up and firtool takes registers that only
// hold their reset value for constants; its judges therefore look at a form of the
// circuit that starts as 0 or as it is reset (zero.go). Of firtool 1.155: data that
// comes from an asynchronous reset. Of Icarus Verilog 11: x / 1 of more than 64 bits,
// which is guarded; of what firtool writes: falling edges. Of Verilator 5.48 nothing:
// its optimisations over graphs and of gates are off, and two macros of its run-time
// library are mended (verilator_mistakes.go).
//
// # Mismatches
//
// [Shrink] makes a mismatch small, as long as the judge that found it says the same
// kind of thing: it cuts the stimulus, flattens, and goes over the netlist with
// edits (edit.go) that a remaker (remake.go) makes together: nodes become inputs
// with the values that they had, constants or one of their arguments; outputs,
// statements, ports of memories, resets and contents go; all values of one width
// get narrower. [Case.Save] writes the netlist and the stimulus as text, with the
// seed in a comment; [Load] reads them. Cases of mistakes that were mended are in
// testdata/fixedbugs, those of tools' mistakes in testdata/toolbugs, and tests have
// all judges look at them.
//
// With ETCH_KEEP=DIR in the environment all that tools were given stays in DIR.
//
// The package imports sim, passes, the back ends, ir and below, testbench/cosim
// for Verilator's run-time library, testbench/tools and testbench/randcircuit;
// never hw nor testing.
package fuzz
