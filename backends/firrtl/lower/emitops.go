package lower

import (
	"etch/backends/firrtl/syntax"
	"etch/ir"
	"etch/ir/bits"
)

// binary maps the operations that extend both operands to the result's width.
var binary = map[syntax.Op]ir.Op{
	syntax.Add: ir.Add, syntax.Sub: ir.Sub, syntax.Addw: ir.Add, syntax.Subw: ir.Sub,
	syntax.And: ir.And, syntax.Or: ir.Or, syntax.Xor: ir.Xor,
}

// emitPrim writes a primitive operation.
func (m *module) emitPrim(n *node) ir.ID {
	if n.width == 0 {
		return ir.None
	}

	if n.prim == syntax.Cat {
		return m.emitCat(m.args[n.c : n.c+n.d])
	}

	x := m.out.id[n.a]
	signed := m.nodes[n.a].kind == kSInt

	// Widths are inferred already: every operand is fitted to the width that its operation has in
	// FIRRTL.
	switch n.prim {
	case syntax.Add, syntax.Sub, syntax.Addw, syntax.Subw, syntax.And, syntax.Or, syntax.Xor:
		return m.make(binary[n.prim], n.kind, n.width, m.arg(n.a, n.width), m.arg(n.b, n.width))
	case syntax.Mul:
		return m.emitMul(n, signed)
	case syntax.Div, syntax.Rem:
		return m.emitDiv(n, signed)
	case syntax.Lt, syntax.Leq, syntax.Gt, syntax.Geq, syntax.Eq, syntax.Neq:
		return m.emitCompare(n, signed)
	case syntax.Pad:
		return m.arg(n.a, n.width)
	case syntax.Shl:
		return m.emitShl(n)
	case syntax.Shr:
		return m.emitShr(n, signed)
	case syntax.Dshl, syntax.Dshr, syntax.Dshlw:
		return m.emitShift(n, signed)
	case syntax.Cvt:
		return m.arg(n.a, n.width)
	case syntax.Neg:
		return m.make(ir.Sub, kSInt, n.width, m.ir.Const(bits.Zero(int(n.width)), m.pos), m.arg(n.a, n.width))
	case syntax.Not:
		return m.make(ir.Not, n.kind, n.width, x)
	case syntax.Andr, syntax.Orr, syntax.Xorr:
		return m.emitReduce(n, x)
	case syntax.Bits:
		return m.slice(x, n.d, n.width)
	case syntax.Head:
		return m.slice(x, int32(m.ir.Width(x))-n.width, n.width)
	case syntax.Tail:
		return m.slice(x, 0, n.width)
	}
	return m.emitCast(n, x)
}

// emitCast writes a cast, which keeps the bits. A cast between Clock and bits is a Wire of
// the other type, which package derived looks for.
func (m *module) emitCast(n *node, x ir.ID) ir.ID {
	// Between a clock and bits, in either direction.
	from := &m.nodes[n.a]
	if from.kind == kClock && n.prim != syntax.AsClock {
		return m.make(ir.Wire, n.kind, 1, x)
	}
	if n.prim == syntax.AsClock && from.kind != kClock {
		if x == ir.None {
			return m.make(ir.Wire, kClock, 1, m.ir.Const(bits.Zero(1), m.pos))
		}
		return m.make(ir.Wire, kClock, 1, x)
	}

	// Elsewhere a Wire is needed only to give a named value its new type.
	x = m.fit(x, false, n.width)
	if n.kind != from.kind && (n.kind == kSInt || n.kind == kAsync) && n.name != 0 {
		return m.make(ir.Wire, n.kind, n.width, x)
	}
	return x
}

func (m *module) emitCat(parts []int32) ir.ID {
	var ids []ir.ID
	width := int32(0)
	for _, p := range parts {
		if id := m.out.id[p]; id != ir.None {
			ids = append(ids, id)
			width += int32(m.ir.Width(id))
		}
	}
	return m.cat2(ids, width)
}

func (m *module) cat2(ids []ir.ID, width int32) ir.ID {
	switch len(ids) {
	case 0:
		return ir.None
	case 1:
		return ids[0]
	}
	return m.make(ir.Cat, kUInt, width, ids...)
}

// emitMul multiplies. An operand of width 0 is 0.
func (m *module) emitMul(n *node, signed bool) ir.ID {
	x, y := m.out.id[n.a], m.out.id[n.b]
	if x == ir.None || y == ir.None {
		return m.ir.Const(bits.Zero(int(n.width)), m.pos)
	}
	if signed {
		return m.make(ir.MulS, kSInt, n.width, x, y)
	}
	return m.make(ir.Mul, kUInt, n.width, x, y)
}

// emitDiv divides at the wider operand's width. The signed quotient has one bit more, for
// min / -1.
func (m *module) emitDiv(n *node, signed bool) ir.ID {
	w := max(1, m.nodes[n.a].width, m.nodes[n.b].width)
	o := ir.Div
	if n.prim == syntax.Rem {
		o = ir.Rem
	}

	// ir numbers each signed operation right behind the unsigned one.
	if signed {
		w++
		o++
		if o != ir.DivS && o != ir.RemS {
			panic("lower: the signed division does not follow the unsigned one")
		}
	}
	q := m.make(o, n.kind, w, m.arg(n.a, w), m.arg(n.b, w))
	return m.fit(q, signed, n.width)
}

// emitCompare reduces the six comparisons to Eq and Lt by swapping operands and inverting
// the result.
func (m *module) emitCompare(n *node, signed bool) ir.ID {
	w := max(1, m.nodes[n.a].width, m.nodes[n.b].width)
	x, y := m.arg(n.a, w), m.arg(n.b, w)
	o, inverted := ir.Lt, false
	if signed {
		o = ir.LtS
	}

	// x > y is y < x, and x <= y is the inverse of that.
	switch n.prim {
	case syntax.Eq, syntax.Neq:
		o, inverted = ir.Eq, n.prim == syntax.Neq
	case syntax.Gt:
		x, y = y, x
	case syntax.Leq:
		x, y, inverted = y, x, true
	case syntax.Geq:
		inverted = true
	}

	id := m.make(o, kUInt, 1, x, y)
	if inverted {
		id = m.make(ir.Not, kUInt, 1, id)
	}
	return id
}

// emitShl shifts left by a constant, as a concatenation with zeros.
func (m *module) emitShl(n *node) ir.ID {
	x := m.out.id[n.a]
	switch {
	case n.c == 0:
		return x
	case x == ir.None:
		return m.ir.Const(bits.Zero(int(n.width)), m.pos)
	}
	return m.make(ir.Cat, n.kind, n.width, x, m.ir.Const(bits.Zero(int(n.c)), m.pos))
}

// emitShr shifts right by a constant. Past the top only the sign, or 0, is left.
func (m *module) emitShr(n *node, signed bool) ir.ID {
	x := m.out.id[n.a]

	// A value of no bits is 0.
	if x == ir.None {
		return m.ir.Const(bits.Zero(int(n.width)), m.pos)
	}
	w := int32(m.ir.Width(x))
	if n.c >= w {
		if signed {
			return m.fit(m.slice(x, w-1, 1), true, n.width)
		}
		return m.ir.Const(bits.Zero(int(n.width)), m.pos)
	}
	return m.fit(m.slice(x, n.c, w-n.c), signed, n.width)
}

// emitShift writes a shift by a value. The operand is first extended to the result's width,
// so that dshl loses no bits.
func (m *module) emitShift(n *node, signed bool) ir.ID {
	x, y := m.arg(n.a, n.width), m.out.id[n.b]

	// An amount of no bits is 0.
	if y == ir.None {
		return x
	}
	o := ir.Shr
	switch {
	case n.prim == syntax.Dshl || n.prim == syntax.Dshlw:
		o = ir.Shl
	case signed:
		o = ir.ShrS
	}
	return m.make(o, n.kind, n.width, x, y)
}

// emitReduce writes andr, orr or xorr. Of no bits they are 1, 0 and 0.
func (m *module) emitReduce(n *node, x ir.ID) ir.ID {
	if x == ir.None {
		v := uint64(0)
		if n.prim == syntax.Andr {
			v = 1
		}
		return m.ir.Const(bits.New(1, v), m.pos)
	}
	o := ir.RedAnd
	switch n.prim {
	case syntax.Orr:
		o = ir.RedOr
	case syntax.Xorr:
		o = ir.RedXor
	}
	return m.make(o, kUInt, 1, x)
}
