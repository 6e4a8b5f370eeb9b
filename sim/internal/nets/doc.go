// Package nets makes the net of an event from a program: the graph of 64-bit operations that
// machine code is compiled from.
//
// [For] makes the net of the events of some clocks, [Of] one that computes values without an
// event, [ForLanes] the one that lanes run, and [ForClass] those of instances that share code.
// All begin with a [Builder], which translates the program's instructions (build.go, with tables
// and memories in tables.go and memory.go); then the registers, memory ports and statements of the clocks are added (events.go), with the
// order in which asynchronous resets act (resets.go) and the journal that prints are
// recorded in (journal.go).
//
// The package imports ir, sim/internal/program, sim/net and, for the type Class, sim/native.
package nets
