// Package fuzz compares etch's engines, passes and back ends on random circuits, and shrinks
// every mismatch to a small case.
//
//	judges, err := fuzz.Lookup("interp,native,passes,iverilog")
//	sum, err := fuzz.Run(ctx, fuzz.Options{N: 1000, Seed: 1, Judges: judges, Dir: "found"})
//	sum.Print(os.Stdout)
//
// The command etch fuzz does this.
//
// # Cases
//
// A [Case] is a circuit of package randcircuit and a [Stimulus]: steps that set all inputs, then
// let clocks rise and fall; before the first step inputs are 0. The seed, with a size,
// determines the case for every judge; see [NewCase] for the kinds of cases. All outputs are
// compared before and after every edge, and the output of statements where the judge has it.
//
// The reference is the interpreter of package sim. State without initial value starts as 0, or
// at random if the seed is odd and the judge runs inside this process.
//
// # Judges
//
//	interp     the reference itself: the design is valid, and says the same twice
//	native     machine code: outputs, statements, coverage; state in lock step
//	lanes      many instances at once, with inputs of their own, in every form of
//	           vectors; outputs, statements and coverage of three of them
//	passes     after each pass of passes.Table, on top of those before it, and after
//	           Optimize; statements and coverage too
//	iverilog   emitted Verilog under Icarus Verilog, which must not warn; statements too
//	verilator  emitted Verilog under Verilator
//	yosys      emitted Verilog after yosys synth, under Icarus Verilog; small circuits
//	slang      emitted Verilog is read and elaborated by circt-verilog without a warning
//	firtool    emitted FIRRTL compiled by firtool, under Icarus Verilog
//	firrtl     emitted FIRRTL read back by our own reader, interpreted
//
// Tools get batches: one Verilog design holds many circuits, each in a module with its stimulus
// that prints its outputs (harness.go). Under Icarus Verilog the circuits move one after
// another, so that the output of statements can be told apart; in a model of Verilator they move
// all at once.
//
// A judge skips the cases that it cannot follow, with a named reason that the summary counts:
//
//	emitted Verilog     black boxes, which have no Verilog; a clock that enters an
//	                    instance with memories twice; clocks that rise together and
//	                    write to one memory
//	FIRRTL              these, latches, and nets with several drivers, which are
//	                    Verilog of their own there
//	Icarus, yosys       latches that close as their data changes, or that a net with
//	                    glitches opens (latches.go)
//	yosys 0.23          memories on two clocks, large circuits
//	firtool 1.155       data that comes from an asynchronous reset; falling edges
//
// FIRRTL leaves values at power-up open, and firtool takes registers that only hold their reset
// value for constants: their judges see a form of the circuit that starts as 0 or at its reset
// values (zero.go). Icarus Verilog 11 divides x / 1 of more than 64 bits wrongly; the text has a
// guard. Verilator 5.048 skips nothing: its optimisations of graphs and gates are off, and two
// macros of its run-time library are replaced (verilator_mistakes.go).
//
// # Mismatches
//
// [Shrink] makes a mismatch small, as long as the judge that found it gives the same kind of
// verdict. It cuts the stimulus, flattens, and tries edits of the netlist (edit.go), which a
// remaker (remake*.go) applies many at a time: nodes become inputs with the values that they had,
// constants, or one of their arguments; outputs, statements, ports of memories, resets and
// contents go; all values of one width get narrower. This is delta debugging (Zeller and
// Hildebrandt, 2002) on a netlist.
//
// [Case.Save] writes the netlist and the stimulus as text, with the seed in a comment; [Load]
// reads them. Cases of corrected mistakes are in testdata/fixedbugs, cases of tools' mistakes in
// testdata/toolbugs; tests give them to all judges.
//
// With ETCH_KEEP=DIR in the environment all files for tools stay in DIR.
//
// The package imports sim, passes, the back ends, ir and below, testbench/cosim
// for Verilator's run-time library, testbench/tools and testbench/randcircuit;
// never hw nor testing.
package fuzz
