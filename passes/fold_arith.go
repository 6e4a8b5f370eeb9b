package passes

import (
	"etch/ir"
	"etch/ir/bits"
)

// swapped calls f with the constant as second argument, on whichever side it is; None if
// there is none.
func (r *rebuilder) swapped(args []ir.ID, f func(x ir.ID, c bits.Value) ir.ID) ir.ID {
	if c, ok := r.constOf(args[1]); ok {
		return f(args[0], c)
	}
	if c, ok := r.constOf(args[0]); ok {
		return f(args[1], c)
	}
	return ir.None
}

func foldAdd(r *rebuilder, w int, args []ir.ID) ir.ID {
	return r.swapped(args, func(x ir.ID, c bits.Value) ir.ID {
		if c.IsZero() {
			return x
		}
		return ir.None
	})
}

func foldSub(r *rebuilder, w int, args []ir.ID) ir.ID {
	if args[0] == args[1] {
		return r.zero(w)
	}
	if c, ok := r.constOf(args[1]); ok && c.IsZero() {
		return args[0]
	}
	return ir.None
}

// power returns k if c is 2^k.
func power(c bits.Value) (k int, ok bool) {
	return c.Len() - 1, c.PopCount() == 1
}

// shifted is op of x by constant k.
func (r *rebuilder) shifted(op ir.Op, x ir.ID, k int) ir.ID {
	if k == 0 {
		return x
	}
	return r.node(op, r.width(x), x, r.konst(bits.New(ir.CountWidth(k), uint64(k))))
}

func foldMul(r *rebuilder, w int, args []ir.ID) ir.ID {
	return r.swapped(args, func(x ir.ID, c bits.Value) ir.ID {
		// A power of two is a shift.
		if k, ok := power(c); ok {
			return r.shiftLeft(ir.ZExt, x, w, k)
		}
		if c.IsZero() {
			return r.zero(w)
		}
		return ir.None
	})
}

func foldMulS(r *rebuilder, w int, args []ir.ID) ir.ID {
	return r.swapped(args, func(x ir.ID, c bits.Value) ir.ID {
		// -1 negates. 2^(width-1) is no power of two here: as a signed number it is negative.
		switch k, ok := power(c); {
		case c.IsZero():
			return r.zero(w)
		case c.IsOnes():
			return r.node(ir.Sub, w, r.zero(w), r.resize(ir.SExt, x, w))
		case ok && k < c.Width()-1:
			return r.shiftLeft(ir.SExt, x, w, k)
		}
		return ir.None
	})
}

// shiftLeft is x · 2^k in w bits, x extended by ext.
func (r *rebuilder) shiftLeft(ext ir.Op, x ir.ID, w, k int) ir.ID {
	if k >= w {
		return r.zero(w)
	}
	return r.shifted(ir.Shl, r.resize(ext, x, w), k)
}

func foldDiv(r *rebuilder, w int, args []ir.ID) ir.ID {
	// Unsigned division by 2^k is a shift; a divisor of 0 gives all ones.
	c, ok := r.constOf(args[1])
	if !ok {
		return ir.None
	}
	if c.IsZero() {
		return r.ones(w)
	}
	if k, ok := power(c); ok {
		return r.shifted(ir.Shr, args[0], k)
	}
	return ir.None
}

func foldDivS(r *rebuilder, w int, args []ir.ID) ir.ID {
	c, ok := r.constOf(args[1])
	switch {
	case !ok:
		return ir.None
	case c.IsZero():
		return r.ones(w)
	case c.IsOnes(): // -1: min / -1 = min is what the subtraction gives
		return r.node(ir.Sub, w, r.zero(w), args[0])
	case w > 1 && c.Equal(bits.New(w, 1)):
		return args[0]
	}
	return ir.None
}

func foldRem(r *rebuilder, w int, args []ir.ID) ir.ID {
	// x mod x is 0 even for x = 0, since the remainder by 0 is x.
	if args[0] == args[1] {
		return r.zero(w)
	}
	c, ok := r.constOf(args[1])
	if !ok {
		return ir.None
	}
	if c.IsZero() {
		return args[0]
	}

	// The remainder by 2^k is the low k bits.
	if k, ok := power(c); ok && k == 0 {
		return r.zero(w)
	} else if ok {
		return r.zext(r.slice(args[0], 0, k), w)
	}
	return ir.None
}

func foldRemS(r *rebuilder, w int, args []ir.ID) ir.ID {
	// As for unsigned numbers, the remainder of x by x is 0 even for x = 0.
	if args[0] == args[1] {
		return r.zero(w)
	}
	c, ok := r.constOf(args[1])
	switch {
	case !ok:
		return ir.None
	case c.IsZero():
		return args[0]
	case c.IsOnes(), c.Equal(bits.New(w, 1)):
		return r.zero(w)
	}
	return ir.None
}

func foldShift(r *rebuilder, w int, args []ir.ID) ir.ID {
	// A shift by the width or more gives 0, as does one of 0.
	k, ok := r.amount(args[1], w)
	switch {
	case r.isZero(args[0]), ok && k >= w:
		return r.zero(w)
	case ok && k == 0:
		return args[0]
	}
	return ir.None
}

func foldShrS(r *rebuilder, w int, args []ir.ID) ir.ID {
	k, ok := r.amount(args[1], w)
	// 0 and -1 are their own shifts; a shift by w - 1 or more leaves copies of the sign.
	c, known := r.constOf(args[0])
	switch {
	case known && (c.IsZero() || c.IsOnes()), ok && k == 0, w == 1:
		return args[0]
	case ok && k >= w-1:
		return r.sext(r.slice(args[0], w-1, 1), w)
	}
	return ir.None
}

func (r *rebuilder) isZero(x ir.ID) bool {
	c, ok := r.constOf(x)
	return ok && c.IsZero()
}
