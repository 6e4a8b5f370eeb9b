// Package cells makes a netlist of package ir from the cells that yosys writes as JSON.
//
// The steps of one module, each of them a file or two:
//
//	netlist.go, scan.go      the JSON as Go values; it is not trusted
//	splitports.go            inputs of several clocks
//	splitpads.go, nets.go    pads, nets with several drivers
//	drivecone.go             the cells that drive such a net, back to where z comes from
//	clocks.go, levels.go     which nets are clocks, clock gates, the level of a clock
//	memories.go, memports.go memories and their ports
//	registers.go, latches.go state: first as nodes without operands, so that logic may read it
//	logic.go, kinds.go       logic cell by cell, operands first; kinds is the table of cells
//	made.go, moments.go      clocks that are made of logic, when all else stands
//	names.go                 the user's names
//
// [Read] goes from the top module down. A module in which a clock is made for others asks
// to be melted into its parents; the caller lets yosys do that and reads again.
//
// The package imports attribute, ir, ir/bits, ir/moments and the standard library.
package cells
