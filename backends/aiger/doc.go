// Package aiger writes and reads AIGER 1.9, the format of hardware model checkers:
// latches, inputs, and-gates, outputs, bad states and constraints, as text (aag)
// or in binary (aig), with names.
//
//	c, err := aig.Blast(design, aig.Options{})
//	f, err := aiger.FromSystem(c.System())
//	err = f.WriteBinary(w)
//
// # State without an initial value
//
// An AIGER latch starts at 0, at 1 or at anything: the last is said by its own
// literal in the place of the initial value. Not every tool listens. ABC (Debian's
// 1.01) reads such a latch as one that does not care, and pdr, bmc and scorr then
// take it to start at 0: a property that fails for another start is "proved", which
// TestZeroStartTrap shows. What is right for every tool is [aig.System.ZeroStart]:
// all latches start at 0, and what may start as anything is chosen by inputs in
// the first step. yosys's write_aiger -zinit does the same. So:
//
//	f, err := aiger.FromSystem(c.System().ZeroStart())
//
// is what goes to ABC, and without ZeroStart to tools that know AIGER 1.9 whole.
//
// Justice and fairness properties are neither written nor read: an error says so.
//
// The package imports passes/aig and the standard library.
package aiger
