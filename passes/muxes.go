package passes

import (
	"etch/ir"
	"etch/ir/bits"
)

// Muxes simplifies multiplexers and cases: constant conditions, equal arms, inverted
// conditions, a multiplexer in an arm of another on the same condition, one-bit
// multiplexers with a constant arm (they become and, or, not), constant selectors and
// needless entries of a Case. A chain of multiplexers that compare one value with constants
// becomes a Case, as in the source.
//
// It needs a verified module and works best after [Fold], which makes conditions constant.
// It keeps the same things as Fold.
func Muxes(m *ir.Module) Count { return toFixpoint(m, muxesOnce) }

func muxesOnce(m *ir.Module) Count {
	chains := findChains(m)
	return rebuild(m, func(r *rebuilder, id ir.ID, args []ir.ID) ir.ID {
		// A node that has no simpler form by itself may still head a chain.
		switch m.Op(id) {
		case ir.Mux:
			arms := r.arms(id, args)
			if v, ok := r.mux(int(m.Node(id).Width), args[0], arms[0], arms[1]); ok {
				return r.counted(Muxed, r.given(id, v))
			}
		case ir.Case:
			if v, ok := r.caseRule(id, args); ok {
				return r.counted(Cases, r.given(id, v))
			}
		default:
			return ir.None
		}
		return r.counted(Cases, chains.collapse(r, id))
	})
}

// mux returns a simpler form of the multiplexer of x and y by c; ok is false if there is
// none.
func (r *rebuilder) mux(w int, c ir.ID, x, y arm) (arm, bool) {
	// Equal values, and a constant or inverted condition.
	if r.same(x.v, y.v) {
		return arm{x.v, r.bothLines(x.pos, y.pos)}, true
	}

	if v, ok := r.constOf(c); ok {
		if v.IsZero() {
			return y, true
		}
		return x, true
	}

	if r.op(c) == ir.Not {
		return r.muxOrPlain(w, r.m.Args(c)[0], y, x), true
	}

	// Inside an arm, an inner multiplexer on the same condition is decided.
	if r.op(x.v) == ir.Mux && r.m.Args(x.v)[0] == c {
		return r.muxOrPlain(w, c, r.within(x, 0), y), true
	}

	if r.op(y.v) == ir.Mux && r.m.Args(y.v)[0] == c {
		return r.muxOrPlain(w, c, x, r.within(y, 1)), true
	}

	// Logic takes the lines of both values: it has no arms to keep them apart.
	if w == 1 {
		v := r.muxLogic(c, x.v, y.v)
		return arm{v, r.bothLines(x.pos, y.pos)}, v != ir.None
	}

	if v := r.muxExtend(w, c, x.v, y.v); v != ir.None {
		return arm{v, r.bothLines(x.pos, y.pos)}, true
	}
	return r.muxShared(w, c, x, y)
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

func (r *rebuilder) muxOrPlain(w int, c ir.ID, x, y arm) arm {
	if v, ok := r.mux(w, c, x, y); ok {
		return v
	}
	return r.plainMux(w, c, x, y)
}

func (r *rebuilder) plainMux(w int, c ir.ID, x, y arm) arm {
	v := r.node(ir.Mux, w, c, x.v, y.v)
	r.m.SetArmPos(v, x.pos, y.pos)
	return arm{v: v}
}

// muxLogic turns a one-bit multiplexer into logic if an arm is constant or is the condition
// itself.
func (r *rebuilder) muxLogic(c, x, y ir.ID) ir.ID {
	vx, okX := r.constOf(x)
	vy, okY := r.constOf(y)

	// Constants first: of two different ones, one is 0 and the other 1.
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

// muxExtend turns a multiplexer between all zeros and all ones, or between 1 and 0, into an
// extension of its condition.
func (r *rebuilder) muxExtend(w int, c, x, y ir.ID) ir.ID {
	vx, okX := r.constOf(x)
	vy, okY := r.constOf(y)
	if !okX || !okY {
		return ir.None
	}
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
	return ir.None
}

// muxShared joins a multiplexer with another one in an arm, if both share a value.
func (r *rebuilder) muxShared(w int, c ir.ID, x, y arm) (arm, bool) {
	// c ? x : (d ? x : z) is c|d ? x : z, and (c ? (d ? x : y) : y) is c&d ? x : y.
	if a := r.m.Args(y.v); r.op(y.v) == ir.Mux && a[1] == x.v {
		then, other := r.within(y, 0), r.within(y, 1)
		x.pos = r.bothLines(x.pos, then.pos)
		return r.plainMux(w, r.node(ir.Or, 1, c, a[0]), x, other), true
	}
	if a := r.m.Args(x.v); r.op(x.v) == ir.Mux && a[2] == y.v {
		then, other := r.within(x, 0), r.within(x, 1)
		y.pos = r.bothLines(y.pos, other.pos)
		return r.plainMux(w, r.node(ir.And, 1, c, a[0]), then, y), true
	}
	return arm{}, false
}
