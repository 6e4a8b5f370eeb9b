// Package interp is the reference interpreter: it runs a program slot by slot, in the order in
// which package program lists the instructions. Everything else is compared with it, so speed comes
// after what a reader can check.
//
// A [State] holds the values and memories. [State.Eval] computes all combinational values,
// [State.AsyncResets] applies asynchronous resets and latches, and [State.Act] moves registers,
// read ports, memories and black boxes by one event, whose [Work] names them. Machine code works
// on the same words, so either may continue where the other stopped.
//
//	eval.go, wide.go   instructions on single words, and on wide values
//	work.go            an event
//	packed.go          large memories, in pages outside of the state
//	random.go          the state at power-up
//	box.go             black boxes that a Model of the user's runs
//
// The package imports ir, ir/bits, sim/internal/program and sim/pages.
package interp
