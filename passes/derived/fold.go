package derived

import (
	"etch/ir"
	"etch/ir/bits"
)

// The builders fold constants: a gate that an edge closes must be recognised as closed, or
// its clock would seem to rise.

func (r *resolver) add(op ir.Op, width int, args ...ir.ID) ir.ID {
	return r.m.Add(ir.Node{Op: op, Width: int32(width), Pos: r.w.pos}, args...)
}

func (r *resolver) bit(one bool) ir.ID {
	v := uint64(0)
	if one {
		v = 1
	}
	return r.m.Const(bits.New(1, v), r.w.pos)
}

func (r *resolver) resize(id ir.ID, width int, op ir.Op) ir.ID {
	if r.m.Width(id) == width {
		return id
	}
	return r.add(op, width, id)
}

func (r *resolver) not(x ir.ID) ir.ID {
	if v, ok := r.constant(x); ok && r.m.Width(x) == 1 {
		return r.bit(v.IsZero())
	}
	return r.add(ir.Not, r.m.Width(x), x)
}

// Either operand may be the constant.
func (r *resolver) and(x, y ir.ID) ir.ID {
	for range 2 {
		if v, ok := r.constant(x); ok && r.m.Width(x) == 1 {
			if v.IsZero() {
				return r.bit(false)
			}
			return y
		}
		x, y = y, x
	}
	if x == y {
		return x
	}
	return r.add(ir.And, r.m.Width(x), x, y)
}

func (r *resolver) mux(c, x, y ir.ID) ir.ID {
	if v, ok := r.constant(c); ok {
		if v.IsZero() {
			return y
		}
		return x
	}
	if x == y {
		return x
	}
	return r.m.Add(ir.Node{Op: ir.Mux, Width: int32(r.m.Width(x)), Type: r.m.Node(x).Type, Pos: r.w.pos}, c, x, y)
}

// fold is node id with other operands, simplified.
func (r *resolver) fold(id ir.ID, args []ir.ID) ir.ID {
	m := r.m
	n := *m.Node(id)
	switch {
	case n.Op == ir.Wire:
		return args[0]
	case n.Op == ir.Not:
		return r.not(args[0])
	case n.Op == ir.Mux:
		return r.mux(args[0], args[1], args[2])
	case n.Op == ir.And && len(args) == 2:
		return r.and(args[0], args[1])
	case n.Op == ir.Or && len(args) == 2 && n.Width == 1:
		// A constant decides an or, or leaves the other operand.
		for i, a := range args {
			if v, ok := r.constant(a); ok {
				if v.IsZero() {
					return args[1-i]
				}
				return r.bit(true)
			}
		}
	}

	// A node computed from the level of a clock is no clock.
	if m.TypeOf(n.Type).Kind == ir.Clock {
		n.Type = 0
	}
	x := m.Add(n, args...)

	// The copy must not take the name.
	m.SetName(x, "")
	if v, ok := r.constant(x); ok {
		return m.Const(v, n.Pos)
	}
	return x
}
