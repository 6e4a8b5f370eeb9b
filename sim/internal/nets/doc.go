// Package nets makes the net of an event from a program: the graph of 64-bit operations that
// machine code is compiled from.
//
// [For] makes the net of the events of some clocks, [Of] a net that computes values without an
// event, [ForLanes] the net that lanes run, and [ForClass] the nets of instances that share
// code. All begin with a [Builder], which translates the program's instructions. Then the
// registers, memory ports and statements of the clocks are added.
//
//	build.go      the builder, with tables (tables.go) and memories (memory.go)
//	events.go     registers, memory ports and statements at an event
//	resets.go     the order in which asynchronous resets act
//	stops.go      assertions whose conditions are rarely true
//	journal.go    the journal that prints are recorded in
//	class.go      the nets of instances that share code
//	boxes.go      the inputs and outputs of black boxes that a Model runs
//	lanes_net.go  the net that lanes run
//
// The package imports ir, ir/disjoint, sim/internal/program, sim/net and, for the type Class, sim/native.
package nets
