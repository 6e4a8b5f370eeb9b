// Package moments computes the values of a netlist's nodes within one edge of an input
// clock, for front ends of languages in which a computed clock may move state.
//
// # Moments
//
// Verilog evaluates an edge of an input clock in steps, here called moments:
//
//	-1  the state before the edge
//	 0  the level of the clock has changed, and the logic that reads it
//	 1  registers of the clock have moved, and those of computed clocks that rose at 0
//	 2  registers of computed clocks that rose at 1 have moved; and so on
//
// Logic is settled at each moment. A register whose clock rose between moments k-2 and k-1
// has at moment k the value that its input had at k-1.
//
// # Bits at rest
//
// [Truth] is the knowledge about a bit while clocks are low. If the knowledge about a
// computed clock is [Wild], it may rise without an edge of an input clock.
//
// A [Netlist] is a front end's view of the module: which nodes are levels of clocks, which
// state moves with computed clocks, and how new nodes are made. The package imports ir and
// the standard library.
package moments
