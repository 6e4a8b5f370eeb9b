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
	Index                        // an index: in Regs, Mems or Banks, or of a bank's word
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

// traits are yes-or-no properties of an operation. Whether it is signed is no trait: the signed
// operations are those whose immediate is SignWidth.
type traits uint8

const (
	commutes traits = 1 << iota // its first two arguments may be exchanged
	pure                        // its value follows from its arguments and Imm alone: Eval has it
	compares                    // it compares two numbers
	packs                       // packs compute it, in elements of 32 bits
	words                       // lanes have word code for it; all ops have gates
)

// row describes an operation.
type row struct {
	name   string
	arity  int8 // arguments, or pooled
	imm    Immediate
	width  widthRule
	cost   float32 // instructions of its scalar code, about
	traits traits
}

func (o Op) is(t traits) bool { return table[o].traits&t != 0 }

// Costs of simple and of slow operations, in instructions.
const (
	simple = 1.2
	slow   = 25
)

var table = [NumOps]row{
	Const:     {"const", 0, Number, declared, 0, pure | words},
	Leaf:      {"leaf", 0, Index, declared, 0, words},
	Read:      {"read", 1, Index, declared, 3, words},
	Not:       {"not", 1, NoImmediate, cut, simple, pure | packs | words},
	And:       {"and", 2, NoImmediate, own, simple, commutes | pure | packs | words},
	Or:        {"or", 2, NoImmediate, own, simple, commutes | pure | packs | words},
	Xor:       {"xor", 2, NoImmediate, own, simple, commutes | pure | packs | words},
	Add:       {"add", 2, NoImmediate, cut, 1.5, commutes | pure | packs | words},
	Sub:       {"sub", 2, NoImmediate, cut, 1.5, pure | packs | words},
	Mul:       {"mul", 2, NoImmediate, cut, 3, commutes | pure | packs | words},
	MulHi:     {"mulhi", 2, NoImmediate, own, 3, commutes | pure},
	Div:       {"div", 2, NoImmediate, quotient, slow, pure},
	Rem:       {"rem", 2, NoImmediate, own, slow, pure},
	DivS:      {"divs", 2, SignWidth, quotient, slow, pure},
	RemS:      {"rems", 2, SignWidth, quotient, slow, pure},
	Eq:        {"eq", 2, NoImmediate, oneBit, 2, commutes | pure | compares | packs | words},
	Ne:        {"ne", 2, NoImmediate, oneBit, 2, commutes | pure | compares | packs | words},
	Lt:        {"lt", 2, NoImmediate, oneBit, 2, pure | compares | packs | words},
	Le:        {"le", 2, NoImmediate, oneBit, 2, pure | compares | packs | words},
	LtS:       {"lts", 2, SignWidth, oneBit, 2, pure | compares | packs | words},
	LeS:       {"les", 2, SignWidth, oneBit, 2, pure | compares | packs | words},
	Shl:       {"shl", 2, NoImmediate, cut, 3, pure | packs | words},
	Shr:       {"shr", 2, NoImmediate, own, 3, pure | packs | words},
	ShrS:      {"shrs", 2, SignWidth, cut, 3, pure | packs | words},
	Mux:       {"mux", 3, NoImmediate, own, 3, pure | packs | words},
	Slice:     {"slice", 1, Position, cut, 2, pure | packs | words},
	Cat:       {"cat", 2, Position, own, 2, pure | packs | words},
	SExt:      {"sext", 1, SignWidth, cut, 2, pure | packs | words},
	Parity:    {"parity", 1, NoImmediate, oneBit, 1.5, pure | words},
	Pop:       {"pop", 1, NoImmediate, own, 1.5, pure | words},
	Lut:       {"lut", pooled, Truth, oneBit, 12, words},
	Tables:    {"tables", pooled, Index, oneBit, 1000, 0},
	TableWord: {"tableword", 1, Index, declared, 0, 0},
}

// String is the op's name.
func (o Op) String() string { return table[o].name }

// Arity is the number of arguments; those of Pooled ops have no fixed number, and it is -1.
func (o Op) Arity() int { return int(table[o].arity) }

// Immediate is the meaning of the Imm of a node.
func (o Op) Immediate() Immediate { return table[o].imm }

// Commutes reports whether the first two arguments may be exchanged.
func (o Op) Commutes() bool { return o.is(commutes) }

// Packs reports whether packs compute the op.
func (o Op) Packs() bool { return o.is(packs) }

// HasWords reports whether the op has code in the word form of lanes.
func (o Op) HasWords() bool { return o.is(words) }

// IsPure reports whether Eval has the op: its value follows from those of its arguments and from
// Imm alone. So a plan for a control state knows it where it knows the arguments. The other ops
// need state, the pool or a bank.
func (o Op) IsPure() bool { return o.is(pure) }

// IsCompare reports whether the op compares two numbers.
func (o Op) IsCompare() bool { return o.is(compares) }

// IsLeaf reports whether the op has no arguments.
func (o Op) IsLeaf() bool { return table[o].arity == 0 }

// Pooled reports whether the arguments are Pool[A:A+B].
func (o Op) Pooled() bool { return table[o].arity == pooled }

// Cost estimates the number of instructions of a node.
func (nd *Node) Cost() float32 { return table[nd.Op].cost }
