// Package why explains values: it goes back from a signal at a cycle of a recorded run through
// all that decided its value.
//
//	e := why.New(run)                        // a *replay.Run
//	c, err := e.Explain(line, 15, 10)        // a sim.Signal of run.Sim(), its cycle, the rows wanted
//	fmt.Print(e.Text(c))
//
// An explanation is a dynamic slice: the part of the design that this value depended on in this
// run. Of a multiplexer it has the condition and the arm that was taken, of an and that is 0 one
// operand that is 0, of a register the edge at which it took its value and the conditions that
// have kept it since, of a read the address and the write that stored the word. It goes through
// instances, and ends at inputs of the top, constants, resets, black boxes and the begin of the
// run. Whatever is left out did not matter: any other value of it, at that cycle, leaves the
// explained value as it is.
//
// A [Cause] is a value with its reasons. They are found nearest first, by the number of steps from
// the signal, so that a short text has the nearest ones, and the time for it does not depend on
// the size of the whole slice. In a text the latest come first. A counter's equal steps, and a
// value's way through registers that one line made, are one row; so are equal conditions of
// several cycles.
//
//	explain.go   the order in which causes are found
//	walk.go      within a cycle: operands that decided an operation
//	state.go     across edges: registers, memories
//	probe.go, ages.go, companions.go, fold.go
//	             values that are followed back, since when, and the equal steps that led there
//	value.go     values of any node at a cycle
//	text.go      rows with the user's lines
//
// An Explainer is not safe for concurrent use, and moves the run. The package imports sim, ir
// and ir/bits.
package why
