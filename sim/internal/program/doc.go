// Package program lowers a design to a flat program, which the interpreter runs and of which
// package nets makes the graphs that machine code is compiled from.
//
// A value is one or more slots: words of 64 bits, lowest first. Constants, inputs and state
// come first (the leaves), combinational values behind them. [Compile] (compile.go) runs these steps:
//
//	tree.go, kind.go        the instances, and the data common to the instances of a module
//	class.go                instances that may share machine code
//	leaves.go               slots of constants, inputs and state
//	schedule.go, latch.go   an order in which every operand comes before its use
//	lower.go, code.go       instructions of single words, and of wide values
//	state.go, statements.go registers, memory ports and statements with their clocks
//	edges.go                registers that move when a clock falls
//	layout.go, prints.go    the words of memories, counters and the journal behind the state
//	model.go                black boxes that a Model of the user's runs
//
// A Program does not change while it runs, so any number of simulators may share it. It knows
// nothing of engines. The package imports ir, ir/bits, ir/pads and sim/pages.
package program
