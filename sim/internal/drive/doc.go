// Package drive runs a program event by event: by machine code where there is some, else by the
// interpreter.
//
// A [Stepper] is a program with its state, its time and its engine. Package sim gives it names,
// handles, tracers and recordings; package sim/lanes uses one for each lane that runs alone, and one
// that interprets events that vectors cannot run. Neither is known here: a Stepper tells a [Listener]
// of failures, an [Observer] of moments, and a [Recorder] of effects that a replay cannot derive.
//
// # Files
//
//	stepper.go      a Stepper and its making
//	config.go       the choices for it, and their defaults
//	observer.go     the interfaces of those who observe and record it
//	timeline.go     time, periods of clocks
//	run.go          rows of events, by hand and by periods
//	fall.go         falling edges
//	clock_set.go    clocks whose edges come together, and the work of their events
//	edge.go         an event in the interpreter
//	settle.go       values out of date, and up to date
//	statement.go    assertions, covers, stops and prints of an event
//	kind.go         the kinds of engine, and the choice from the environment
//	engine.go       machine code of a Stepper and of its twins
//	block.go        the memory of the state, and its growth
//	compiled.go     machine code by clock set: when it is compiled, and when it goes
//	fast.go         events in machine code
//	call.go         calls of bounded time
//	lasting.go      code that keeps values beside the state between calls
//	look.go         code for values that are read between events
//	loud.go         events in which a statement has a result
//	boxes.go        events of designs with black boxes that a Model runs
//	journal.go      prints of machine code
//	bulk.go         events whose changes are logged for an observer
//	lockstep.go     machine code and interpreter over the same cycles
//	large.go        memories in pages, and their limit
//	fault.go        panics of the compiler
//	report.go       a description of the code
//	twin.go         a second Stepper with the same code
//
// # Invariants
//
// Both engines work on one state, laid out by the program, so either continues where the other
// stopped. Equal programs, configurations and calls make equal machine code; real time decides only
// in contests (package contest) and when the estimate of a call is far too low.
//
// The package imports ir with ir/bits, sim/choose, sim/native with native/cpu, sim/net, sim/pages, and
// the packages interp, nets, program, stopwatch and switches beside it.
package drive
