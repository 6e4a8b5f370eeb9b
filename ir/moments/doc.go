// Package moments works out what the nodes of a netlist are within an edge of an input
// clock, for front ends that let state move with clocks that are computed.
//
// # Moments
//
// An edge of an input clock is a row of moments, as in Verilog:
//
//	-1  all is as it was
//	 0  the level of the clock has changed, and the logic that reads it
//	 1  what the clock moves has moved, and what a computed clock moves that rose at 0
//	 2  what a computed clock moves that rose at 1; and so on
//
// Logic is settled at each of them. A register whose clock rose between moments
// k-2 and k-1 has at k what its input was at k-1.
//
// # Bits at rest
//
// [Truth] is what is known of a bit while clocks are low; a computed clock of which
// more than [Held] is not known may rise without an edge of an input clock.
//
// A [Netlist] is a front end's view of the module: which nodes are levels of clocks,
// what moves with computed clocks, and how new nodes are made. The package imports ir
// and the standard library.
package moments
