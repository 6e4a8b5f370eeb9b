package syntax

// Op is a primitive operation.
type Op uint8

// The primitive operations.
const (
	NoOp Op = iota
	Add
	Sub
	Mul
	Div
	Rem
	Lt
	Leq
	Gt
	Geq
	Eq
	Neq
	Pad
	AsUInt
	AsSInt
	AsClock
	AsAsyncReset
	AsReset
	Shl
	Shr
	Dshl
	Dshr
	Cvt
	Neg
	Not
	And
	Or
	Xor
	Andr
	Orr
	Xorr
	Cat
	Bits
	Head
	Tail
	Addw  // the Scala compiler's own: add, sub and dshl without growth
	Subw  //
	Dshlw //
	numOps
)

// opForm is the syntax of an operation: its name and its numbers of expressions (-1: any)
// and constants.
type opForm struct {
	name       string
	args, ints int8
}

var opForms = [numOps]opForm{
	Add: {"add", 2, 0}, Sub: {"sub", 2, 0}, Mul: {"mul", 2, 0}, Div: {"div", 2, 0}, Rem: {"rem", 2, 0},
	Lt: {"lt", 2, 0}, Leq: {"leq", 2, 0}, Gt: {"gt", 2, 0}, Geq: {"geq", 2, 0}, Eq: {"eq", 2, 0}, Neq: {"neq", 2, 0},
	Pad: {"pad", 1, 1}, AsUInt: {"asUInt", 1, 0}, AsSInt: {"asSInt", 1, 0}, AsClock: {"asClock", 1, 0},
	AsAsyncReset: {"asAsyncReset", 1, 0}, AsReset: {"asReset", 1, 0},
	Shl: {"shl", 1, 1}, Shr: {"shr", 1, 1}, Dshl: {"dshl", 2, 0}, Dshr: {"dshr", 2, 0},
	Cvt: {"cvt", 1, 0}, Neg: {"neg", 1, 0}, Not: {"not", 1, 0},
	And: {"and", 2, 0}, Or: {"or", 2, 0}, Xor: {"xor", 2, 0},
	Andr: {"andr", 1, 0}, Orr: {"orr", 1, 0}, Xorr: {"xorr", 1, 0},
	Cat: {"cat", -1, 0}, Bits: {"bits", 1, 2}, Head: {"head", 1, 1}, Tail: {"tail", 1, 1},
	Addw: {"addw", 2, 0}, Subw: {"subw", 2, 0}, Dshlw: {"dshlw", 2, 0},
}

// String is the operation's name in FIRRTL.
func (o Op) String() string { return opForms[o].name }
