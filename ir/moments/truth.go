package moments

import "etch/ir"

// Truth is the knowledge about a bit while all clocks are low.
type Truth uint8

// The values, in order of decreasing knowledge.
const (
	No Truth = iota
	Yes
	Held // constant, 0 or 1, whatever inputs do
	Wild // inputs may change it
)

// TruthOf is the knowledge of a constant.
func TruthOf(one bool) Truth {
	if one {
		return Yes
	}
	return No
}

// Not is the knowledge about the inverse.
func (t Truth) Not() Truth { return [...]Truth{Yes, No, Held, Wild}[t] }

// Gate is the knowledge about the And, Or or Xor of two bits.
func Gate(op ir.Op, x, y Truth) Truth {
	// One operand may decide alone.
	switch {
	case op == ir.And && (x == No || y == No):
		return No
	case op == ir.Or && (x == Yes || y == Yes):
		return Yes
	case x >= Held || y >= Held:
		if op != ir.Xor && min(x, y) < Held { // the known operand is neutral: the result is the other operand
			return max(x, y)
		}
		return max(x, y, Held)
	case op == ir.Xor:
		return TruthOf(x != y)
	}
	return x // both are equal constants
}

// Mux is the knowledge about a choice: one if sel is 1, else zero.
func Mux(sel, one, zero Truth) Truth {
	switch {
	case sel == Yes:
		return one
	case sel == No:
		return zero
	case one == zero && one < Held:
		return one
	}
	return max(sel, one, zero)
}

// Bit is a bit of a node.
type Bit struct {
	ID ir.ID
	I  int
}

// Look is the knowledge about a bit of an operation, computed by bit from the bits it
// depends on. ok is false for state and other leaves except constants, and for words of
// memories.
func Look(m *ir.Module, b Bit, bit func(Bit) Truth) (t Truth, ok bool) {
	// Wiring and bitwise operations depend on single bits.
	args, i := m.Args(b.ID), b.I
	switch op := m.Op(b.ID); op {
	case ir.Const:
		return TruthOf(m.ConstOf(b.ID).Bit(i) == 1), true
	case ir.Wire:
		return bit(Bit{args[0], i}), true
	case ir.Slice:
		return bit(Bit{args[0], i + int(m.Node(b.ID).Aux)}), true
	case ir.Cat:
		for k := len(args) - 1; k >= 0; k-- {
			n := m.Width(args[k])
			if i < n {
				return bit(Bit{args[k], i}), true
			}
			i -= n
		}

	case ir.Not:
		return bit(Bit{args[0], i}).Not(), true
	case ir.And, ir.Or, ir.Xor:
		t = bit(Bit{args[0], i})
		for _, a := range args[1:] {
			t = Gate(op, t, bit(Bit{a, i}))
		}
		return t, true

	case ir.Mux:
		return Mux(bit(Bit{args[0], 0}), bit(Bit{args[1], i}), bit(Bit{args[2], i})), true
	}

	// State and the words of memories are the caller's.
	if m.Op(b.ID).Info().Leaf || m.Op(b.ID) == ir.MemRead {
		return Wild, false
	}

	// Every bit of an arithmetic result may depend on all bits of the operands.
	for _, a := range args {
		for j := range m.Width(a) {
			if bit(Bit{a, j}) == Wild {
				return Wild, true
			}
		}
	}
	return Held, true
}

// State is the knowledge about bit i of a register while the asynchronous reset rst, unless
// None, is active. bit gives the knowledge about its inputs. ok is false if nothing is
// known beyond that the register holds its value.
func State(m *ir.Module, g *ir.Register, i int, rst ir.ID, bit func(Bit) Truth) (t Truth, ok bool) {
	// A latch that is open follows its input; one whose enable is unknown may be open.
	if g.Kind == ir.Latch {
		switch bit(Bit{g.Rst, 0}) {
		case No:
			return Held, true
		case Yes:
			return bit(Bit{g.Reset, i}), true
		}
		return Wild, true
	}

	// In an asynchronous reset the register has its reset value, a constant.
	if rst != ir.None && g.Async && m.SameBit(g.Rst, rst) {
		return TruthOf(m.ConstOf(g.Reset).Bit(i) == 1), true
	}
	return Held, false
}
