// Package backends holds the languages that a netlist leaves and enters by:
//
//	verilog  writes Verilog-2005, timing constraints and contents of memories.
//	firrtl   writes FIRRTL 4.0.0 and reads FIRRTL of any version; the reader
//	         is packages syntax and lower below it, which the writer does not use.
//	yosys    reads Verilog: yosys elaborates it, internal/cells makes a netlist of its cells,
//	         internal/drivers of its tri-state drivers, internal/attribute of its attributes.
//	aiger    writes and reads AIGER, the format of hardware model checkers.
//
// The package itself is empty. They import ir, passes and packages below them, never hw or sim.
package backends
