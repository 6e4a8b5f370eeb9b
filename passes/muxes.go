package passes

import (
	"etch/ir"
	"etch/ir/bits"
)

// Muxes simplifies multiplexers and cases: constant conditions, equal arms,
// inverted conditions, a multiplexer in an arm of another on the same condition,
// one-bit multiplexers with a constant arm (they become and, or, not), constant
// selectors and needless entries of a Case. A chain of multiplexers that compare
// one value with constants becomes a Case, which is what it was in the source.
//
// It needs a verified module and works best after [Fold], which makes conditions
// constant. It keeps what Fold keeps.
func Muxes(m *ir.Module) Count { return toFixpoint(m, muxesOnce) }

func muxesOnce(m *ir.Module) Count {
	chains := findChains(m)
	return rebuild(m, func(r *rebuilder, id ir.ID, args []ir.ID) ir.ID {
		switch m.Op(id) {
		case ir.Mux:
			if v := r.mux(int(m.Node(id).Width), args[0], args[1], args[2]); v != ir.None {
				return r.counted(Muxed, v)
			}
		case ir.Case:
			if v := r.caseRule(id, args); v != ir.None {
				return r.counted(Cases, v)
			}
		default:
			return ir.None
		}
		return r.counted(Cases, chains.collapse(r, id))
	})
}

// mux returns something simpler than the multiplexer of x and y by c, None if
// there is nothing.
func (r *rebuilder) mux(w int, c, x, y ir.ID) ir.ID {
	if r.same(x, y) {
		return x
	}
	if v, ok := r.constOf(c); ok {
		if v.IsZero() {
			return y
		}
		return x
	}
	if r.op(c) == ir.Not {
		return r.muxOrPlain(w, r.m.Args(c)[0], y, x)
	}
	if a := r.m.Args(x); r.op(x) == ir.Mux && a[0] == c {
		return r.muxOrPlain(w, c, a[1], y)
	}
	if a := r.m.Args(y); r.op(y) == ir.Mux && a[0] == c {
		return r.muxOrPlain(w, c, x, a[2])
	}
	if w == 1 {
		return r.muxLogic(c, x, y)
	}
	return r.muxWide(w, c, x, y)
}

// same reports whether two new nodes are one, or constants of one value.
func (r *rebuilder) same(x, y ir.ID) bool {
	if x == y {
		return true
	}
	vx, okX := r.constOf(x)
	vy, okY := r.constOf(y)
	return okX && okY && vx.Equal(vy)
}

func (r *rebuilder) muxOrPlain(w int, c, x, y ir.ID) ir.ID {
	if v := r.mux(w, c, x, y); v != ir.None {
		return v
	}
	return r.node(ir.Mux, w, c, x, y)
}

// muxLogic turns a one-bit multiplexer with a constant arm, or with its condition
// as an arm, into logic.
func (r *rebuilder) muxLogic(c, x, y ir.ID) ir.ID {
	vx, okX := r.constOf(x)
	vy, okY := r.constOf(y)
	switch {
	case okX && okY && vx.IsZero():
		return r.not(c)
	case okX && okY:
		return c
	case okX && vx.IsZero():
		return r.node(ir.And, 1, r.not(c), y)
	case okX, x == c:
		return r.node(ir.Or, 1, c, y)
	case okY && vy.IsZero(), y == c:
		return r.node(ir.And, 1, c, x)
	case okY:
		return r.node(ir.Or, 1, r.not(c), x)
	}
	return ir.None
}

// muxWide handles arms that are constants of all zeros and all ones, 1 and 0, and
// a multiplexer in an arm that shares an arm with this one.
func (r *rebuilder) muxWide(w int, c, x, y ir.ID) ir.ID {
	vx, okX := r.constOf(x)
	vy, okY := r.constOf(y)
	if okX && okY {
		one := bits.New(w, 1)
		switch {
		case vx.IsOnes() && vy.IsZero():
			return r.sext(c, w)
		case vx.IsZero() && vy.IsOnes():
			return r.sext(r.not(c), w)
		case vx.Equal(one) && vy.IsZero():
			return r.zext(c, w)
		case vx.IsZero() && vy.Equal(one):
			return r.zext(r.not(c), w)
		}
	}
	if a := r.m.Args(y); r.op(y) == ir.Mux && a[1] == x {
		return r.node(ir.Mux, w, r.node(ir.Or, 1, c, a[0]), x, a[2])
	}
	if a := r.m.Args(x); r.op(x) == ir.Mux && a[2] == y {
		return r.node(ir.Mux, w, r.node(ir.And, 1, c, a[0]), a[1], y)
	}
	return ir.None
}
