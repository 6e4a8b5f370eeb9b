package net

import "math/bits"

// Op is an operation on the values a, b, c of a node's arguments.
type Op uint8

// The operations.
const (
	Const     Op = iota // Imm
	Leaf                // word Imm of the state at the start of the cycle
	Read                // word a of memory Imm at the start of the cycle, 0 past its end
	Not                 // ^a mod 2^W
	And                 // a & b
	Or                  // a | b
	Xor                 // a ^ b
	Add                 // a + b mod 2^W
	Sub                 // a - b mod 2^W
	Mul                 // a · b mod 2^W
	MulHi               // a · b / 2^64
	Div                 // a / b; 2^W-1 if b is 0
	Rem                 // a mod b; a if b is 0
	DivS                // signed a / b towards zero, both of Imm bits, mod 2^W; 2^W-1 if b is 0
	RemS                // its remainder mod 2^W; a if b is 0
	Eq                  // a = b
	Ne                  // a ≠ b
	Lt                  // a < b
	Le                  // a ≤ b
	LtS                 // a < b, both signed of Imm bits
	LeS                 // a ≤ b, both signed of Imm bits
	Shl                 // a · 2^b mod 2^W
	Shr                 // a / 2^b
	ShrS                // a / 2^b towards -∞, a signed of Imm bits, mod 2^W
	Mux                 // b if a ≠ 0, else c
	Slice               // a / 2^Imm mod 2^W
	Cat                 // a · 2^Imm + b, b below 2^Imm
	SExt                // a signed of Imm bits, mod 2^W
	Parity              // ones in a mod 2
	Pop                 // ones in a
	Lut                 // the bit of table Imm at the address formed by the operands Pool[A:A+B], first operand lowest
	Tables              // a bank of look-ups: Banks[Imm], operands Pool[A:A+B]; its values are those of its TableWords
	TableWord           // word Imm of Tables a
	NumOps
)

// Mask is a number of w ones, w at most 64.
func Mask(w uint8) uint64 { return ^uint64(0) >> (64 - w) }

// Signed is v, of w bits, as a signed number; w is 1 to 64.
func Signed(v uint64, w uint8) int64 { return int64(v<<(64-w)) >> (64 - w) }

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// Eval is the reference semantics of every op except Leaf, Read, Lut and tables.
func Eval(op Op, w uint8, imm, a, b, c uint64) uint64 {
	// Values are below 2^W on entry; ops that can exceed it cut their result.
	switch op {
	case Const:
		return imm
	case Not:
		return ^a & Mask(w)
	case And:
		return a & b
	case Or:
		return a | b
	case Xor:
		return a ^ b
	case Add:
		return (a + b) & Mask(w)
	case Sub:
		return (a - b) & Mask(w)
	case Mul:
		return a * b & Mask(w)
	case MulHi:
		hi, _ := bits.Mul64(a, b)
		return hi
	case Div, Rem, DivS, RemS:
		return divide(op, w, uint8(imm), a, b)
	case Eq:
		return truth(a == b)
	case Ne:
		return truth(a != b)
	case Lt:
		return truth(a < b)
	case Le:
		return truth(a <= b)
	// Signed operands are stored as their low Imm bits: the sign is bit Imm-1, whatever the width
	// of the node.
	case LtS:
		return truth(Signed(a, uint8(imm)) < Signed(b, uint8(imm)))
	case LeS:
		return truth(Signed(a, uint8(imm)) <= Signed(b, uint8(imm)))
	// Go's shifts by 64 or more give 0, and signed ones copies of the sign, as the ops are defined.
	case Shl:
		return a << b & Mask(w)
	case Shr:
		return a >> b
	case ShrS:
		return uint64(Signed(a, uint8(imm))>>b) & Mask(w)
	case Mux:
		if a != 0 {
			return b
		}
		return c
	case Slice:
		return a >> imm & Mask(w)
	// The parts do not overlap: b is below 2^Imm by the contract of Cat.
	case Cat:
		return a<<imm | b
	case SExt:
		return uint64(Signed(a, uint8(imm))) & Mask(w)
	case Parity:
		return uint64(bits.OnesCount64(a) & 1)
	case Pop:
		return uint64(bits.OnesCount64(a))
	}
	panic("net: no value of op " + op.String())
}

// divide is the divisions; sw is the width of signed operands.
func divide(op Op, w, sw uint8, a, b uint64) uint64 {
	switch {
	case b == 0 && (op == Div || op == DivS):
		return Mask(w)
	case b == 0:
		return a
	case op == Div:
		return a / b
	case op == Rem:
		return a % b
	case op == DivS:
		return uint64(Signed(a, sw)/Signed(b, sw)) & Mask(w)
	}
	return uint64(Signed(a, sw)%Signed(b, sw)) & Mask(w)
}
