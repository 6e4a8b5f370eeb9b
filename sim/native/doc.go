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
//	emit      writes the code (cycles.go), the instructions of one kind of
//	          processor behind [writer]
//
// [Compile] makes plain code of that: one body that runs any number of cycles.
// [Engine] runs a net and adapts (specialise.go, adapt.go): it samples the states
// that it goes through (sample.go), finds the registers that choose (control.go),
// plans which of them tell bodies apart (plan.go) and which of their values are worth
// a body of their own (cover.go), also words of memories that they address
// (reads.go), grows the code of a body as a tree over conditions of the cycle
// (fork.go, tree.go), chains bodies by jumps (bodies.go), and gives them up when the clock says
// that plain code is as fast (trial.go). [Class] does that for many instances of one
// module over their own state (class.go), [Team] for machines of a flat net that go
// their own way (team.go).
//
// Compiling is paid for by what it saves: a body is made when it would have saved as
// much by now as making it takes. In runs of a tenth of a second to one second that
// made foreign cores twice as fast as compiling whatever was seen within a share of
// the time. Code of a team is always that of all members, so that they look at their
// bodies together: one after the other took more than half of the time of sixteen
// flat cores' first million cycles.
//
// Compiling in the background was tried and left out. The code that runs meanwhile is
// four to twenty times slower than what it waits for, so that hiding what compiling
// takes gives back a small part of it. Worked out for a second processor with nothing
// else to do (new code waits for as long as making it took), the time of runs of 0.1 to
// 10 million cycles of rv32i, protocol, picorv32, serv and femtorv32 falls by 6 % in the
// mean; where bodies are also made after a fifth of the waste, that of runs of up to a
// million cycles by 8 to 14 %, for a third more processor time. A goroutine in earnest,
// on two processors that others used too: no difference in the mean for the first, runs
// longer by 7 to 29 % for the second.
//
// The words of the state that bodies read and write most live in machine registers
// from cycle to cycle where values can spare those (resident.go): an RV32I core of
// 24 instructions a cycle runs 1.2 to 1.4 times as fast for it, one of 80 of state
// machines 1.1 to 1.2 times. From 240 instructions on it takes more than it gives,
// 3 % to 10 % of the time, and is not done. The count of cycles in a register gave
// nothing.
//
// What has neither control state nor repetition gets plain code, and where it is
// large, code with gates when that is faster ([Gated]): regions of the net whose
// inputs have not changed are skipped (net.Regions).
//
// There are two targets, amd64 (x86*.go) and arm64 (a64*.go). What strings the
// instructions together is common to both; packs are made for AVX2 and for NEON
// (behind [packWriter]).
//
// Code runs on the state that the caller owns: 64-bit words, of which a net's
// registers and memories name their places. It is called for a bounded number
// of cycles and keeps nothing between calls but what is in the state and in its
// scratch words.
//
// The package imports net, native/exec and the assemblers; never sim.
package native
