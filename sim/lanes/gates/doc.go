// Package gates is the graph of one-bit functions that the bit-sliced lanes are
// compiled from: with many instances side by side, one bit of each in a vector,
// a gate is one instruction.
//
// A [Graph] has leaves and gates of two operands (and, xor) for processors that
// have only these, or of any function of three operands for those with a ternary
// instruction. A [Lit] is a node or its negation, so that inverters do not exist
// until instructions are chosen. Gates are shared: equal ones are made once, and
// what is constant, repeated or without effect is folded.
//
//	g := gates.New(2)
//	a, b := g.Leaf(), g.Leaf()
//	sum, carry := g.Xor(a, b), g.And(a, b)
//
// Operands of a gate come before it. The package imports the standard library
// only.
package gates
