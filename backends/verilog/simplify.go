package verilog

import (
	"slices"

	"etch/ir"
	"etch/ir/bits"
)

// simplifyAll finds the node that each live node reduces to, limited to changes that a
// designer would not miss: constants of constants, multiplexers with a constant condition,
// parts of parts. It spares tools warnings about comparisons and shifts with only one
// outcome.
func (p *view) simplifyAll() {
	// Arguments come first in order, so each node sees simplified operands.
	for _, id := range p.order {
		p.to[id] = id
		if p.isState(id) || p.m.Op(id) == ir.Const {
			continue
		}
		if v, ok := p.constant(id); ok {
			p.marks[id] |= folded
			p.fold[id] = v
			continue
		}
		if x := p.same(id); x != ir.None {
			p.to[id] = p.v(x)
		} else if p.m.Op(id) == ir.Slice {
			p.shareSlice(id)
		}
	}
}

// shareSlice makes equal parts of a register one node, so that a value that leaves a part
// unchanged can be recognised (see pieces.go), and records the source of a slice of a
// slice.
func (p *view) shareSlice(id ir.ID) {
	nested := p.isSlice(p.m.Args(id)[0])
	x, lo := p.part(id)
	if nested {
		p.parts[id] = partOf{x, lo}
	}
	if x == ir.None || p.m.Op(x) != ir.Reg || p.is(id, named) {
		return
	}
	k := sliceKey{partOf{x, lo}, p.m.Node(id).Type, p.m.Width(id)}
	if first, ok := p.shared[k]; ok {
		p.to[id] = first
		return
	}
	p.shared[k] = id
}

// sliceKey identifies a part of a register.
type sliceKey struct {
	partOf
	typ   ir.TypeID
	width int
}

// constant is the value of a node that never changes; ok is false if it may change.
func (p *view) constant(id ir.ID) (bits.Value, bool) {
	m, args := p.m, p.m.Args(id)
	op := m.Op(id)
	if op == ir.MemRead {
		return bits.Value{}, false
	}

	// With constant operands, the reference semantics give the value.
	if !slices.ContainsFunc(args, func(a ir.ID) bool { return !p.isConst(a) }) {
		vals := make([]bits.Value, len(args))
		for i, a := range args {
			vals[i], _ = p.konst(a)
		}
		return ir.Eval(m, id, vals), true
	}
	return p.constantOf(id, op, args)
}

// constantOf is constant for an operation with some operand that is not constant.
func (p *view) constantOf(id ir.ID, op ir.Op, args []ir.ID) (bits.Value, bool) {
	m, w := p.m, p.m.Width(id)
	zero := func(ok bool) (bits.Value, bool) { return bits.Zero(w), ok }
	// Comparisons at the ends of the range, shifts past the width, and neutral or absorbing
	// operands.
	switch op {
	case ir.Lt:
		x, okx := p.konst(args[0])
		y, oky := p.konst(args[1])
		return zero(okx && x.IsOnes() || oky && y.IsZero())

	case ir.LtS:
		x, okx := p.konst(args[0])
		y, oky := p.konst(args[1])
		return zero(okx && x.Equal(mostPositive(x.Width())) || oky && y.Equal(mostPositive(y.Width()).Not()))

	case ir.Shl, ir.Shr:
		n, ok := p.konst(args[1])
		return zero(ok && (!n.IsUint64() || n.Uint64() >= uint64(w)))

	case ir.And, ir.Or:
		for _, a := range args {
			if x, ok := p.konst(a); ok && (op == ir.And && x.IsZero() || op == ir.Or && x.IsOnes()) {
				return x, true
			}
		}

	case ir.Div, ir.DivS:
		y, ok := p.konst(args[1])
		return bits.Ones(w), ok && y.IsZero()

	case ir.RemS:
		y, ok := p.konst(args[1])
		return zero(ok && y.IsOnes())

	case ir.Lut:
		if t := m.TableOf(id); t.IsZero() || t.IsOnes() {
			return bits.New(1, t.Bit(0)), true
		}

	case ir.Slice:
		if x, lo := p.part(id); x == ir.None {
			return zero(lo == 0)
		} else if v, ok := p.konst(x); ok {
			return v.Slice(lo, w), true
		}
	}

	return bits.Value{}, false
}

func mostPositive(w int) bits.Value { return bits.Ones(w).SetBit(w-1, 0) }

// same is a node that always has the value of id, None if none is known.
func (p *view) same(id ir.ID) ir.ID {
	// Identities with one operand's value as the result, for all values of the others. The
	// node and the result need equal widths: Verilog would extend or cut a name silently.
	m, args := p.m, p.m.Args(id)
	x := args[0]
	switch op := m.Op(id); op {
	case ir.Wire:
		return x
	case ir.ZExt, ir.SExt:
		if m.Width(x) == m.Width(id) {
			return x
		}

	case ir.Cat:
		if len(args) == 1 {
			return x
		}

	case ir.RedAnd, ir.RedOr, ir.RedXor, ir.PopCount:
		if m.Width(x) == 1 {
			return x
		}

	case ir.Slice:
		if x, lo := p.part(id); lo == 0 && m.Width(x) == m.Width(id) {
			return x
		}

	case ir.And, ir.Or:
		if len(args) == 2 {
			return p.sameLogic(op, args)
		}

	case ir.Mux:
		return p.sameMux(args)
	case ir.Case:
		return p.sameCase(id, args)
	case ir.Eq:
		return p.sameEq(args)
	case ir.Rem, ir.RemS:
		// A remainder by 0 is the dividend in package ir; Verilog's would be x.
		if y, ok := p.konst(args[1]); ok && y.IsZero() {
			return x
		}

	case ir.Div, ir.DivS:
		if y, ok := p.konst(args[1]); ok && y.Equal(bits.New(y.Width(), 1)) {
			return x
		}

	case ir.Shl, ir.Shr, ir.ShrS:
		// One bit is its own sign: shifted right arithmetically it stays as it is.
		n, ok := p.konst(args[1])
		if ok && (n.IsZero() || op == ir.ShrS && m.Width(x) == 1) {
			return x
		}

	case ir.Lut:
		// A table of one input. With bit 1 set it is the identity, since constant tables are folded
		// first.
		if t := m.TableOf(id); t.Width() == 2 && t.Bit(1) == 1 {
			return x
		}
	}

	return ir.None
}

// sameLogic is x for x & 1…1 and x | 0, else None.
func (p *view) sameLogic(op ir.Op, args []ir.ID) ir.ID {
	if x, c, ok := p.besideConst(args); ok && (op == ir.And && c.IsOnes() || op == ir.Or && c.IsZero()) {
		return x
	}
	return ir.None
}

// sameMux is the chosen value if the condition is constant, or either if both are equal.
func (p *view) sameMux(args []ir.ID) ir.ID {
	if c, ok := p.konst(args[0]); ok {
		// The value for 1 stands before the value for 0.
		return args[2-c.Uint64()]
	}
	if p.equal(args[1], args[2], maxEqual) {
		return args[1]
	}
	return ir.None
}

// maxEqual is the depth to which operands are compared.
const maxEqual = 3

// equal reports whether two values are the same: one node, equal constants, or the same
// operation on equal operands, to a depth. A value with a name is equal only to itself.
func (p *view) equal(x, y ir.ID, depth int) bool {
	x, y = p.v(x), p.v(y)
	if x == y {
		return true
	}

	m, n, o := p.m, p.m.Node(x), p.m.Node(y)
	if n.Width != o.Width {
		return false
	}

	if v, ok := p.konst(x); ok {
		w, ok := p.konst(y)
		return ok && v.Equal(w)
	}

	if n.Op != o.Op || depth == 0 || p.is(x, named) || p.is(y, named) || p.isState(x) || p.isConst(y) {
		return false
	}

	// Operations with a table in Aux are not compared.
	a, b := m.Args(x), m.Args(y)
	switch {
	case n.Op == ir.Case || n.Op == ir.Lut || n.Op == ir.MemRead || len(a) != len(b):
		return false
	case n.Op == ir.Slice && n.Aux != o.Aux:
		return false
	}

	for i := range a {
		if !p.equal(a[i], b[i], depth-1) {
			return false
		}
	}
	return true
}

// sameCase is the chosen value if the selector is constant, or the default if all values
// are equal to it.
func (p *view) sameCase(id ir.ID, args []ir.ID) ir.ID {
	keys := p.m.KeysOf(id)
	if len(keys) == 0 {
		return args[1]
	}
	if s, ok := p.konst(args[0]); ok {
		for i, k := range keys {
			if k.Equal(s) {
				return args[2+i]
			}
		}
		return args[1]
	}

	for _, a := range args[2:] {
		if !p.equal(a, args[1], maxEqual) {
			return ir.None
		}
	}
	return args[1]
}

// sameEq is x for x == 1 of one bit, else None.
func (p *view) sameEq(args []ir.ID) ir.ID {
	if x, c, ok := p.besideConst(args); ok && c.Width() == 1 && c.IsOnes() {
		return x
	}
	return ir.None
}

// partOf is the source of a slice of a slice: bits from lo of x.
type partOf struct {
	x  ir.ID
	lo int
}

// part follows a Slice through slices, extensions and concatenations to the node that its
// bits come from, and returns that node with the lowest bit. None and 0 mean that the bits
// are all zero.
func (p *view) part(id ir.ID) (x ir.ID, lo int) {
	m, w := p.m, p.m.Width(id)
	x, lo = p.v(m.Args(id)[0]), int(m.Node(id).Aux)
	// Each step must keep all w bits within one operand.
	for !p.is(x, named) && !p.is(x, folded) {
		switch args := m.Args(x); m.Op(x) {
		case ir.Slice:
			if q, ok := p.parts[x]; ok {
				x, lo = q.x, lo+q.lo
				break
			}
			lo += int(m.Node(x).Aux)
			x = p.v(args[0])

		case ir.ZExt, ir.SExt:
			aw := m.Width(args[0])
			if m.Op(x) == ir.ZExt && lo >= aw {
				return ir.None, 0
			}
			if lo+w > aw {
				return x, lo
			}
			x = p.v(args[0])

		case ir.Cat:
			// Find the operand that holds the lowest bit, from the last operand up.
			i, at := len(args)-1, 0
			for ; lo >= at+m.Width(args[i]); i-- {
				at += m.Width(args[i])
			}
			if lo+w > at+m.Width(args[i]) {
				return x, lo
			}
			x, lo = p.v(args[i]), lo-at
		default:
			return x, lo
		}
	}
	return x, lo
}
