// Package gates is the graph of one-bit functions from which bit-sliced lanes are compiled. With
// many instances side by side, one bit of each in a vector, a gate is one instruction.
//
// A [Graph] has leaves and gates: gates of two operands (and, xor), or any function of three
// operands for processors with a ternary instruction. A [Lit] is a node or its negation, so
// inverters do not exist until instructions are chosen. Equal gates are shared; constant,
// repeated and ineffective operands are folded.
//
//	g := gates.New(2)
//	a, b := g.Leaf(), g.Leaf()
//	sum, carry := g.Xor(a, b), g.And(a, b)
//
// Operands of a gate have smaller numbers than the gate. The package imports the standard
// library only.
package gates
