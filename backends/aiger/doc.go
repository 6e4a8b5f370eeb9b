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
// An AIGER latch starts at 0, at 1 or with any value; the latter is expressed by its own
// literal as initial value. Not every tool supports it. ABC (Debian's 1.01) reads such a
// latch as don't-care, and pdr, bmc and scorr then let it start at 0: a property that fails
// for another start is "proved", as TestZeroStartTrap shows. [aig.System.ZeroStart] is
// right for every tool: all latches start at 0, and inputs choose the unknown starts in the
// first step, as with yosys's write_aiger -zinit. So
//
//	f, err := aiger.FromSystem(c.System().ZeroStart())
//
// is for ABC; without ZeroStart the file is for tools that support all of AIGER 1.9.
//
// Justice and fairness properties are not supported in either direction; reading one is an
// error.
//
// The package imports passes/aig and the standard library.
package aiger
