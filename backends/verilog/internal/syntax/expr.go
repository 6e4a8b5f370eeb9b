package syntax

import "etch/ir/bits"

// Kind is the form of an expression.
type Kind uint8

const (
	// Later is an operand that is only counted: its form is not known yet.
	Later Kind = iota
	// Literal is Val: 8'd5.
	Literal
	// SignedLiteral is Val for a signed operation: -8'sd3.
	SignedLiteral
	// Table is Val in hexadecimal with all digits.
	Table
	// Number is N in decimal, without a width.
	Number
	// Name is a declared name.
	Name
	// Text is Name as it stands, such as a string or 8'bz.
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
	Limit  int32 // column after which a Concat is broken; 0: as other lines
	N, Lo  int
	Name   []byte
	Val    bits.Value
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

// IsCompare reports whether e compares two values.
func (e *Expr) IsCompare() bool { return e.Kind == Binary && e.Op >= Eq && e.Op <= Ge }

// IsLiteral reports whether e is a constant in digits.
func (e *Expr) IsLiteral() bool { return e.Kind >= Literal && e.Kind <= Table }

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
