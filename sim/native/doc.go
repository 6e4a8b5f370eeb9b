// Package native compiles a word netlist ([net.Net]) to machine code.
//
// The way of a net through the package:
//
//	pack      takes out repeated parts: vectors of registers, computed last (pack*.go)
//	gather    makes banks of look-ups that do not depend on each other (net)
//	schedule  orders the nodes into structured code: muxes become branches where
//	          that pays, what only one arm needs sinks into it, registers are
//	          written in place, readers before writers
//	hazards   finds the registers that are read on some path after they were
//	          written: they are copied when the cycle begins
//	allocate  gives values machine registers, by linear scan
//	emit      writes the instructions of one machine, behind [target]
//
// [Compile] makes plain code of that: one body that runs any number of cycles.
// [Engine] runs a net and adapts (specialise.go, adapt.go): it samples the registers that
// choose (control.go), plans which values of which of them are worth a body of
// their own (plan.go), also words of memories that they address (reads.go), grows
// the code of a body as a tree over conditions of the cycle (tree.go), and chains
// bodies by jumps (bodies.go). [Class] does that for many instances of one module
// over their own state (class.go).
//
// What has neither control state nor repetition gets plain code, and where it is
// large, code with gates when that is faster ([Gated]): regions of the net whose
// inputs have not changed are skipped (net.Regions).
//
// There are two targets. On amd64 (x86*.go) all of that is done; on arm64 (a64*.go)
// every net gets plain code without packs and banks, and [Adapts] says so.
//
// Code runs on the state that the caller owns: 64-bit words, of which a net's
// registers and memories name their places. It is called for a bounded number
// of cycles and keeps nothing between calls but what is in the state and in its
// scratch words.
//
// The package imports net, native/exec and the assemblers; never sim.
package native
