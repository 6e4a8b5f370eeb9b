package net

// The properties of the operations, a row each. The engines ask here, so that an operation is
// described once; only its code, in each engine, stands elsewhere. TestOps checks every row
// against the reference semantics.

// Immediate is the meaning of a node's Imm.
type Immediate uint8

// Immediates.
const (
	NoImmediate Immediate = iota // 0
	Number                       // a value below 2^W
	Place                        // an index: in Regs, Mems or Banks, or of a bank's word
	Position                     // a bit position, below 64
	SignWidth                    // the width of signed operands, 1 to 64
	Truth                        // a truth table
)

// widthRule says how the width of a result follows.
type widthRule uint8

const (
	cut      widthRule = iota // any width: the result is taken mod 2^W
	own                       // the operation does not cut: W is at least the bound by its operands
	quotient                  // mod 2^W, at least the first operand's width, which a division by 0 may return
	oneBit                    // 1
	declared                  // that of the state, memory, table or constant
)

// pooled is the arity of ops whose arguments are in the pool.
const pooled = -1

// row describes an operation.
type row struct {
	name     string
	arity    int8 // arguments, or pooled
	imm      Immediate
	width    widthRule
	cost     float32 // instructions of its scalar code, about
	commutes bool    // its first two arguments may be exchanged
	packs    bool    // packs compute it, in elements of 32 bits
	words    bool    // lanes have word code for it; all have gates
}

// Costs of simple and of slow operations, in instructions.
const (
	simple = 1.2
	slow   = 25
)

// The last three columns: commutes, packs, words.
var table = [NumOps]row{
	Const:     {"const", 0, Number, declared, 0, false, false, true},
	Leaf:      {"leaf", 0, Place, declared, 0, false, false, true},
	Read:      {"read", 1, Place, declared, 3, false, false, true},
	Not:       {"not", 1, NoImmediate, cut, simple, false, true, true},
	And:       {"and", 2, NoImmediate, own, simple, true, true, true},
	Or:        {"or", 2, NoImmediate, own, simple, true, true, true},
	Xor:       {"xor", 2, NoImmediate, own, simple, true, true, true},
	Add:       {"add", 2, NoImmediate, cut, 1.5, true, true, true},
	Sub:       {"sub", 2, NoImmediate, cut, 1.5, false, true, true},
	Mul:       {"mul", 2, NoImmediate, cut, 3, true, true, true},
	MulHi:     {"mulhi", 2, NoImmediate, own, 3, true, false, false},
	Div:       {"div", 2, NoImmediate, quotient, slow, false, false, false},
	Rem:       {"rem", 2, NoImmediate, own, slow, false, false, false},
	DivS:      {"divs", 2, SignWidth, quotient, slow, false, false, false},
	RemS:      {"rems", 2, SignWidth, quotient, slow, false, false, false},
	Eq:        {"eq", 2, NoImmediate, oneBit, 2, true, true, true},
	Ne:        {"ne", 2, NoImmediate, oneBit, 2, true, true, true},
	Lt:        {"lt", 2, NoImmediate, oneBit, 2, false, true, true},
	Le:        {"le", 2, NoImmediate, oneBit, 2, false, true, true},
	LtS:       {"lts", 2, SignWidth, oneBit, 2, false, true, true},
	LeS:       {"les", 2, SignWidth, oneBit, 2, false, true, true},
	Shl:       {"shl", 2, NoImmediate, cut, 3, false, true, true},
	Shr:       {"shr", 2, NoImmediate, own, 3, false, true, true},
	ShrS:      {"shrs", 2, SignWidth, cut, 3, false, true, true},
	Mux:       {"mux", 3, NoImmediate, own, 3, false, true, true},
	Slice:     {"slice", 1, Position, cut, 2, false, true, true},
	Cat:       {"cat", 2, Position, own, 2, false, true, true},
	SExt:      {"sext", 1, SignWidth, cut, 2, false, true, true},
	Parity:    {"parity", 1, NoImmediate, oneBit, 1.5, false, false, true},
	Pop:       {"pop", 1, NoImmediate, own, 1.5, false, false, true},
	Lut:       {"lut", pooled, Truth, oneBit, 12, false, false, true},
	Tables:    {"tables", pooled, Place, oneBit, 1000, false, false, false},
	TableWord: {"tableword", 1, Place, declared, 0, false, false, false},
}

// String is the op's name.
func (o Op) String() string { return table[o].name }

// Arity is the number of arguments; those of Pooled ops have no fixed number, and it is -1.
func (o Op) Arity() int { return int(table[o].arity) }

// Immediate is the meaning of the Imm of a node.
func (o Op) Immediate() Immediate { return table[o].imm }

// Commutes reports whether the first two arguments may be exchanged.
func (o Op) Commutes() bool { return table[o].commutes }

// Packs reports whether packs compute the op.
func (o Op) Packs() bool { return table[o].packs }

// HasWords reports whether the op has code in the word form of lanes.
func (o Op) HasWords() bool { return table[o].words }

// Evaluates reports whether Eval has the op: its value follows from those of its arguments and
// from Imm alone. The others need state, the pool or a bank.
func (o Op) Evaluates() bool {
	r := &table[o]
	return r.arity > 0 && r.imm != Place || o == Const
}

// IsLeaf reports whether the op has no arguments.
func (o Op) IsLeaf() bool { return o <= Leaf }

// IsCompare reports whether the op compares two numbers.
func (o Op) IsCompare() bool { return o >= Eq && o <= LeS }

// Pooled reports whether the arguments are Pool[A:A+B].
func (o Op) Pooled() bool { return o == Lut || o == Tables }

// Cost estimates the number of instructions of a node.
func (nd *Node) Cost() float32 { return table[nd.Op].cost }
