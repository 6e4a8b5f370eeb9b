package passes

import (
	"etch/ir"
	"etch/ir/bits"
)

func foldEq(r *rebuilder, _ int, args []ir.ID) ir.ID {
	x, y := args[0], args[1]
	if x == y {
		return r.ones(1)
	}

	if r.op(x) == ir.Not && r.m.Args(x)[0] == y || r.op(y) == ir.Not && r.m.Args(y)[0] == x {
		return r.zero(1)
	}

	// Comparisons with constants: one bit is the bit or its inverse; x ^ y and x - y are 0
	// if x = y.
	return r.swapped(args, func(x ir.ID, c bits.Value) ir.ID {
		switch {
		case r.width(x) == 1 && c.IsZero():
			return r.not(x)
		case r.width(x) == 1:
			return x
		case c.IsZero() && (r.op(x) == ir.Xor && len(r.m.Args(x)) == 2 || r.op(x) == ir.Sub):
			return r.node(ir.Eq, 1, r.m.Args(x)...)
		case r.op(x) == ir.Not:
			return r.node(ir.Eq, 1, r.m.Args(x)[0], r.konst(c.Not()))
		}
		return ir.None
	})
}

func foldLt(r *rebuilder, _ int, args []ir.ID) ir.ID {
	x, y := args[0], args[1]
	w := r.width(x)
	if x == y {
		return r.zero(1)
	}

	// y = 0: never. y = 1: x = 0.
	if c, ok := r.constOf(y); ok {
		switch {
		case c.IsZero():
			return r.zero(1)
		case c.Equal(bits.New(w, 1)):
			return r.equal(x, bits.Zero(w))
		}
	}

	// x all ones: never. x = 0: y is not 0. x all ones but one: y is all ones.
	if c, ok := r.constOf(x); ok {
		switch {
		case c.IsOnes():
			return r.zero(1)
		case c.IsZero():
			if v := r.reduce(ir.RedOr, y); v != ir.None {
				return v
			}
			return r.node(ir.RedOr, 1, y)
		case c.Equal(bits.Ones(w).SetBit(0, 0)):
			return r.equal(y, bits.Ones(w))
		}
	}

	if w == 1 {
		return r.node(ir.And, 1, r.not(x), y)
	}

	return ir.None
}

// equal compares x with a constant. One bit needs no comparison.
func (r *rebuilder) equal(x ir.ID, c bits.Value) ir.ID {
	switch {
	case c.Width() > 1:
		return r.node(ir.Eq, 1, x, r.konst(c))
	case c.IsZero():
		return r.not(x)
	}
	return x
}

func foldLtS(r *rebuilder, _ int, args []ir.ID) ir.ID {
	x, y := args[0], args[1]
	w := r.width(x)
	if x == y {
		return r.zero(1)
	}

	// The least and the greatest number bound the result; 0 and -1 test the sign.
	least := bits.Zero(w).SetBit(w-1, 1)
	if c, ok := r.constOf(y); ok {
		switch {
		case c.Equal(least):
			return r.zero(1)
		case c.IsZero():
			return r.slice(x, w-1, 1)
		}
	}

	if c, ok := r.constOf(x); ok {
		switch {
		case c.Equal(least.Not()):
			return r.zero(1)
		case c.IsOnes():
			return r.not(r.slice(y, w-1, 1))
		}
	}

	if w == 1 { // 1 is -1
		return r.node(ir.And, 1, x, r.not(y))
	}
	return ir.None
}
