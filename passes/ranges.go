package passes

import "etch/ir"

// ranges bounds every value of a module. The value equals its low zeros[id] bits extended
// by zeros, and its low signs[id] bits extended by their sign. Both are from 1 to the
// width; at the width they say nothing.
type ranges struct {
	m     *ir.Module
	zeros []int32
	signs []int32
}

func findRanges(m *ir.Module, order []ir.ID) *ranges {
	g := &ranges{m: m, zeros: make([]int32, m.Len()), signs: make([]int32, m.Len())}
	// Arguments come first in order. Each node's bounds are clamped and then combined.
	for _, id := range order {
		w := m.Node(id).Width
		z, s := g.bound(id, w)
		z = max(1, min(z, w))
		s = max(1, min(s, w))
		if z < w { // not negative: the two bounds tighten each other
			z = max(1, min(z, s-1))
			s = min(s, z+1)
		}
		g.zeros[id], g.signs[id] = z, s
	}
	return g
}

// fits is how many low bits hold the value, and the op that extends them.
func (g *ranges) fits(id ir.ID) (n int, ext ir.Op) {
	if g.zeros[id] <= g.signs[id] {
		return int(g.zeros[id]), ir.ZExt
	}
	return int(g.signs[id]), ir.SExt
}

// bound computes the bounds of a node from those of its arguments. A bound above the width
// means none.
func (g *ranges) bound(id ir.ID, w int32) (z, s int32) {
	m, args := g.m, g.m.Args(id)
	switch m.Op(id) {
	// The sign bound of a constant counts its bits and one sign bit.
	case ir.Const:
		v := m.ConstOf(id)
		z, s = int32(v.Len()), int32(v.Len())+1
		if v.Bit(int(w)-1) == 1 {
			s = int32(v.Not().Len()) + 1
		}
		return z, s

	case ir.Wire:
		return g.zeros[args[0]], g.signs[args[0]]
	case ir.Not:
		return w, g.signs[args[0]]
	case ir.And, ir.Or, ir.Xor:
		return g.logic(m.Op(id), args)
	case ir.Add, ir.Sub, ir.Mul, ir.MulS, ir.Div, ir.Rem, ir.RemS:
		return g.arithmetic(m.Op(id), w, args)
	case ir.Shl, ir.Shr, ir.ShrS:
		return g.shift(m.Op(id), w, args)
	case ir.Mux, ir.Case:
		for _, a := range args[1:] {
			z, s = max(z, g.zeros[a]), max(s, g.signs[a])
		}
		return z, s

	case ir.Slice, ir.Cat, ir.ZExt, ir.SExt:
		return g.wiring(id, w, args)
	case ir.PopCount:
		return int32(ir.CountWidth(int(g.zeros[args[0]]))), w
	}
	return w, w
}

// logic bounds an and by its narrowest operand, or and xor by the widest.
func (g *ranges) logic(op ir.Op, args []ir.ID) (z, s int32) {
	z = g.zeros[args[0]]
	for _, a := range args {
		if op == ir.And {
			z = min(z, g.zeros[a])
		} else {
			z = max(z, g.zeros[a])
		}
		s = max(s, g.signs[a])
	}
	return z, s
}

// nonneg reports whether the top bit of a node is always 0.
func (g *ranges) nonneg(id ir.ID) bool { return g.zeros[id] < g.m.Node(id).Width }

// arithmetic bounds sums by one bit more than the operands, and products by the sum of
// their bits.
func (g *ranges) arithmetic(op ir.Op, w int32, args []ir.ID) (z, s int32) {
	x, y := args[0], args[1]
	zx, zy, sx, sy := g.zeros[x], g.zeros[y], g.signs[x], g.signs[y]

	// z and s stay at w, which means none, unless a rule below improves them.
	z, s = w, w
	switch op {
	case ir.Add:
		if m := max(zx, zy) + 1; m <= w {
			z = m
		}
		s = max(sx, sy) + 1

	case ir.Sub:
		s = max(sx, sy) + 1
		if g.nonneg(x) && g.nonneg(y) { // of two numbers without sign
			s = min(s, max(zx, zy)+1)
		}

	case ir.Mul:
		z = zx + zy
	case ir.MulS:
		s = sx + sy
		if g.nonneg(x) && g.nonneg(y) {
			z = zx + zy
		}

	case ir.Div:
		if g.m.Op(g.m.Unwired(y)) == ir.Const && !g.m.ConstOf(g.m.Unwired(y)).IsZero() {
			z = zx
		}

	case ir.Rem:
		z = zx
	case ir.RemS:
		s = sx
		if g.nonneg(x) && g.nonneg(y) {
			z = zx
		}
	}
	return z, s
}

// shift bounds shifts by a constant k; a variable left shift has no bound.
func (g *ranges) shift(op ir.Op, w int32, args []ir.ID) (z, s int32) {
	x := args[0]
	k, fixed := int32(0), false

	// The constant amount, capped at the width.
	if c := g.m.Unwired(args[1]); g.m.Op(c) == ir.Const {
		k, fixed = w, true
		if v := g.m.ConstOf(c); v.IsUint64() && v.Uint64() < uint64(w) {
			k = int32(v.Uint64())
		}
	}

	switch {
	case op == ir.Shl && fixed:
		return g.zeros[x] + k, g.signs[x] + k
	case op == ir.Shl:
		return w, w
	case op == ir.Shr:
		return max(1, g.zeros[x]-k), w
	}
	z = w // the arithmetic shift keeps zeros on top
	if g.nonneg(x) {
		z = g.zeros[x] - k
	}
	return max(1, z), max(1, g.signs[x]-k)
}

// wiring bounds slices, extensions and concatenations.
func (g *ranges) wiring(id ir.ID, w int32, args []ir.ID) (z, s int32) {
	x := args[0]
	switch g.m.Op(id) {
	case ir.Slice:
		low := g.m.Node(id).Aux
		return max(1, g.zeros[x]-low), max(1, g.signs[x]-low)
	case ir.ZExt:
		return g.zeros[x], w
	case ir.SExt:
		if g.nonneg(x) {
			return g.zeros[x], g.signs[x]
		}
		return w, g.signs[x]
	}

	// Cat: leading zero parts are skipped; the first other part decides.
	below := w // Cat
	z = 1
	for i, a := range args {
		below -= g.m.Node(a).Width
		if i == 0 {
			s = below + g.signs[a]
		}
		if c := g.m.Unwired(a); g.m.Op(c) != ir.Const || !g.m.ConstOf(c).IsZero() {
			return below + g.zeros[a], s
		}
	}
	return z, s
}
