package ir

import (
	"fmt"

	"etch/ir/bits"
)

// Op is the operation of a node. [Op.Info] has arity, width rule and reference semantics of
// each.
type Op uint8

// The operations. "w" is the node's width, x, y, z are its arguments in order,
// wx the width of x.
const (
	Invalid  Op = iota // no node
	Const              // the constant [Module.ConstOf]
	Input              // input port Aux of the module
	Reg                // output of register Aux
	MemOut             // data register of synchronous read port Aux2 of memory Aux
	InstOut            // output port Aux2 of instance Aux
	NetOut             // value of net Aux: the resolution of all its drivers
	MemRead            // word x of memory Aux now, before this cycle's writes; 0 past the end
	Wire               // x, under a name of its own; the only op whose argument may be set later
	Not                // every bit of x inverted
	And                // bitwise and of all arguments
	Or                 // bitwise or of all arguments
	Xor                // bitwise exclusive or of all arguments
	Add                // x + y mod 2^w
	Sub                // x - y mod 2^w
	Mul                // x · y mod 2^w, both read as unsigned
	MulS               // x · y mod 2^w, both read as signed
	Div                // unsigned x / y; all ones when y is 0
	DivS               // signed x / y towards zero; all ones when y is 0; min / -1 = min
	Rem                // unsigned remainder; x when y is 0
	RemS               // signed remainder with the sign of x; x when y is 0; min rem -1 = 0
	Eq                 // 1 when x = y
	Lt                 // 1 when x < y, both read as unsigned
	LtS                // 1 when x < y, both read as signed
	Shl                // x · 2^y mod 2^w; 0 when y ≥ w
	Shr                // x / 2^y towards zero; 0 when y ≥ w
	ShrS               // x / 2^y towards -∞, x read as signed; all copies of the sign when y ≥ w
	Mux                // y when x is 1, else z
	Case               // arguments: selector, default, values…; value i when the selector is Keys[i], else default
	Slice              // bits Aux+w-1 … Aux of x
	Cat                // arguments side by side, the first at the top
	ZExt               // x with zeros on top
	SExt               // x with copies of its top bit on top
	RedAnd             // 1 when all bits of x are 1
	RedOr              // 1 when any bit of x is 1
	RedXor             // 1 when an odd number of bits of x are 1
	PopCount           // number of ones in x
	Lut                // bit a of the table [Module.TableOf], a = Σ argument i · 2^i; every argument is one bit
	NumOps             // number of ops, not an op
)

// Info describes an op: one row of the table.
type Info struct {
	Name    string // in the text form
	MinArgs int
	MaxArgs int  // -1: any number
	Leaf    bool // its value comes from state or from outside, not from arguments
	Commute bool // arguments may be swapped
	// width describes the error in the widths of n, "" if there is none.
	width func(m *Module, n *Node, args []ID) string
	// eval is the reference semantics; nil for leaves and MemRead.
	eval func(m *Module, n *Node, x []bits.Value) bits.Value
}

// Info returns the row of the op table for o.
func (o Op) Info() *Info { return &table[o] }

// String is the op's name in the text form.
func (o Op) String() string {
	if o >= NumOps {
		return fmt.Sprintf("op(%d)", uint8(o))
	}
	return table[o].Name
}

// OpByName returns the op of that name in the text form, Invalid if there is none.
func OpByName(name string) Op {
	for o := Invalid + 1; o < NumOps; o++ {
		if table[o].Name == name {
			return o
		}
	}
	return Invalid
}

// Eval computes node id of m from the values of its arguments. It is the reference
// semantics of every op except leaves and MemRead, for which it panics.
func Eval(m *Module, id ID, args []bits.Value) bits.Value {
	n := m.Node(id)
	return table[n.Op].eval(m, n, args)
}
