package syntax

import (
	"etch/backends/verilog/internal/names"
	"etch/ir/bits"
)

// Kind is the form of an expression.
type Kind uint8

const (
	// Literal is Val: 8'd5.
	Literal Kind = iota + 1
	// SignedLiteral is Val for a signed operation: -8'sd3.
	SignedLiteral
	// Table is Val in hexadecimal with all digits.
	Table
	// Number is N in decimal, without a width.
	Number
	// Name is a declared name.
	Name
	// Text is Text as it stands, such as a string or 8'bz.
	Text
	// Select is N bits of Args[0] from Lo on: x[7:4].
	Select
	// Index is a word of the array Name at Args[0]: mem[addr].
	Index
	// Unary is Op and Args[0].
	Unary
	// Binary is Args with Op between them.
	Binary
	// Cond is Args[0] ? Args[1] : Args[2].
	Cond
	// Concat is {Args…}.
	Concat
	// Repeat is {N{Args…}}.
	Repeat
	// Call is Name, then (Args…).
	Call
	// ToSigned is $signed(Args[0]).
	ToSigned
	// ToUnsigned is $unsigned(Args[0]).
	ToUnsigned
)

// The open forms: their text depends on whether an operand is a name or a tree of its own.
// Package verilog replaces them before printing.
const (
	// Ref is value number N in a place where constants have type Lo. Its Op is AndAnd where a
	// truth value is wanted.
	Ref Kind = iota + ToUnsigned + 1
	// Code is the constant Val of type Lo.
	Code
	// Mux is a Cond whose constants have type Lo. With Gate it is a conjunction, unless it
	// continues the chain of another one.
	Mux
	// Inverse is the value of Args[0] inverted; a comparison takes the opposite operator.
	Inverse
	// Opposite is the condition that Args[0] is false.
	Opposite
	// AsSigned is Args[0] as a signed operand. With Tight, an operation in it keeps its own
	// width.
	AsSigned
	// AsUnsigned is Args[0] as an unsigned operand. With Tight it may stay signed beside an
	// unsigned one.
	AsUnsigned
)

// Expr is an expression. The fields that a form uses stand at its Kind.
type Expr struct {
	Kind   Kind
	Op     Op    // of Unary, Binary
	Break  Break // of Cond
	Flat   Flat  // of Binary and Cond
	Gate   bool  // a Binary that stands for a choice: c & x for c ? x : 0
	Tight  bool  // no line break inside of a Binary or before the second part of a Concat
	Brace  bool  // brackets around it in any case
	Signed bool  // Verilog takes it as signed, by IEEE 1364-2005, 5.5
	Width  int32 // bits of the value; of a comparison, 1
	N, Lo  int32 // N of a Concat: the column after which it is broken; 0: as other lines
	Name   names.ID
	Val    *bits.Value
	Text   *string
	Args   []*Expr
}

// Break is the end of a line inside of a conditional, before its last operand.
type Break uint8

const (
	// BreakLong breaks long lines.
	BreakLong Break = iota
	// BreakAlways breaks the line.
	BreakAlways
	// BreakNever goes on.
	BreakNever
)

// Flat is the operands of a chain that continue it without brackets: a + b + c.
type Flat uint8

const (
	// FlatLeft lets the left operand continue the chain.
	FlatLeft Flat = 1 << iota
	// FlatRight lets every operand but the left one continue the chain.
	FlatRight
)

// Derive sets the width and the sign of an operation from its operands, by IEEE 1364-2005,
// 5.4 and 5.5. An operation whose operands change is derived again.
func (e *Expr) Derive() {
	switch e.Kind {
	case Unary:
		// Invert has its width from the value that it stands for.
		e.Signed = e.Args[0].Signed && (e.Op == Invert || e.Op == Minus)
		if e.Op == Minus {
			e.Width = e.Args[0].Width
		}

	// A shift has the sign of its first operand, other operators are signed if all operands
	// are.
	case Binary:
		e.Width, e.Signed = e.Args[0].Width, e.Args[0].Signed
		switch e.Op {
		case Shl, Shr, ShrSigned:
		case Eq, Ne, Lt, Gt, Le, Ge:
			e.Width, e.Signed = 1, false
		default:
			for _, x := range e.Args[1:] {
				e.Signed = e.Signed && x.Signed
			}
		}

	// The condition has no part in it.
	case Cond:
		e.Width, e.Signed = e.Args[1].Width, e.Args[1].Signed && e.Args[2].Signed
	case Select:
		e.Width = e.N
	// Concatenations have no sign.
	case Concat, Repeat:
		e.Width = 0
		for _, x := range e.Args {
			e.Width += x.Width
		}
		if e.Kind == Repeat {
			e.Width *= e.N
		}
	}
}

// IsCompare reports whether e compares two values.
func (e *Expr) IsCompare() bool { return e.Kind == Binary && e.Op >= Eq && e.Op <= Ge }

// Op is an operator.
type Op uint8

// The operators.
const (
	NoOp   Op = iota
	Not       // !, of truth values
	Invert    // ~
	Minus
	AllOnes // &x
	AnyOne  // |x
	Parity  // ^x
	AndAnd
	OrOr
	And
	Or
	Xor
	Add
	Sub
	Mul
	Div
	Rem
	Shl
	Shr
	ShrSigned
	Eq
	Ne
	Lt
	Gt
	Le
	Ge
)

// Precedence of Verilog's operators, weakest first.
const (
	precTernary = iota + 1
	precOrOr
	precAndAnd
	precOr
	precXor
	precAnd
	precEq
	precLess
	precShift
	precAdd
	precMul
	precReduce // reductions are operators, but read badly beside others
	precUnary
	precName
)

// ops is the text of each operator, its precedence, whether a long line may be broken
// behind it, and the comparison that is true where it is false.
var ops = [...]struct {
	text  string
	prec  int
	wraps bool
	not   Op
}{
	Not: {text: "!", prec: precUnary}, Invert: {text: "~", prec: precUnary}, Minus: {text: "-", prec: precUnary},
	AllOnes: {text: "&", prec: precReduce}, AnyOne: {text: "|", prec: precReduce}, Parity: {text: "^", prec: precReduce},
	AndAnd: {"&&", precAndAnd, true, 0}, OrOr: {"||", precOrOr, true, 0},
	And: {"&", precAnd, true, 0}, Or: {"|", precOr, true, 0}, Xor: {"^", precXor, true, 0},
	Add: {"+", precAdd, true, 0}, Sub: {"-", precAdd, true, 0}, Mul: {"*", precMul, true, 0},
	Div: {"/", precMul, false, 0}, Rem: {"%", precMul, false, 0},
	Shl: {"<<", precShift, false, 0}, Shr: {">>", precShift, false, 0}, ShrSigned: {">>>", precShift, false, 0},
	Eq: {"==", precEq, true, Ne}, Ne: {"!=", precEq, true, Eq},
	Lt: {"<", precLess, true, Ge}, Ge: {">=", precLess, true, Lt},
	Gt: {">", precLess, true, Le}, Le: {"<=", precLess, true, Gt},
}

// Inverse is the comparison that is true where op is false.
func (op Op) Inverse() Op { return ops[op].not }

// prec is the precedence of the outermost operator.
func (e *Expr) prec() int {
	switch e.Kind {
	case Unary, Binary:
		return ops[e.Op].prec
	case Cond:
		return precTernary
	}
	return precName
}

// needsBrackets reports whether an operator needs brackets inside another one. It adds some
// that Verilog does not need, where the precedence is not obvious to a reader.
func needsBrackets(inner, outer int) bool {
	switch {
	case outer == 0 || inner == precName:
		return false
	// && inside of || has brackets although it binds tighter: readers mix the two up.
	case outer == precTernary, outer == precOrOr, outer == precAndAnd:
		return inner <= outer || inner == precAndAnd
	case inner == precUnary:
		return outer >= precUnary
	// Products in sums are familiar without brackets.
	case outer == precAdd && inner == precMul:
		return false
	}
	return true
}
