package moments

import "etch/ir"

// Truth is what is known of a bit while all clocks are low.
type Truth uint8

// What may be known, in order of ignorance.
const (
	No Truth = iota
	Yes
	Held // one of both, whatever inputs do
	Wild // inputs may change it
)

// TruthOf is Yes or No.
func TruthOf(one bool) Truth {
	if one {
		return Yes
	}
	return No
}

// Not is what is known of the inverse.
func (t Truth) Not() Truth { return [...]Truth{Yes, No, Held, Wild}[t] }

// Gate is what is known of the And, Or or Xor of two bits.
func Gate(op ir.Op, x, y Truth) Truth {
	switch {
	case op == ir.And && (x == No || y == No):
		return No
	case op == ir.Or && (x == Yes || y == Yes):
		return Yes
	case x >= Held || y >= Held:
		if op != ir.Xor && min(x, y) < Held { // with 1 an and is the other one, and so on
			return max(x, y)
		}
		return max(x, y, Held)
	case op == ir.Xor:
		return TruthOf(x != y)
	}
	return x // both are the same
}

// Mux is what is known of one if sel, else zero.
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

// Look is what is known of a bit from what bit says of those that it is made of, for
// all operations but state: ok is false for the leaves of the netlist, constants
// apart, and for words of memories.
func Look(m *ir.Module, b Bit, bit func(Bit) Truth) (t Truth, ok bool) {
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
	if m.Op(b.ID).Info().Leaf || m.Op(b.ID) == ir.MemRead {
		return Wild, false
	}

	// A bit of a result of whole operands.
	for _, a := range args {
		for j := range m.Width(a) {
			if bit(Bit{a, j}) == Wild {
				return Wild, true
			}
		}
	}
	return Held, true
}

// State is what is known of a bit of a register that an asynchronous reset rst, if it
// is not None, holds reset; open says whether there is a latch that lets through what
// bit says of its input, and ok whether anything is known.
func State(m *ir.Module, g *ir.Register, i int, rst ir.ID, bit func(Bit) Truth) (t Truth, ok bool) {
	if m.IsLatch(g) {
		switch bit(Bit{g.Rst, 0}) {
		case No:
			return Held, true
		case Yes:
			return bit(Bit{g.Reset, i}), true
		}
		return Wild, true
	}
	if rst != ir.None && g.Async && m.SameBit(g.Rst, rst) {
		return TruthOf(m.ConstOf(g.Reset).Bit(i) == 1), true
	}
	return Held, false
}
