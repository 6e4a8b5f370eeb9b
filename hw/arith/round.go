package arith

import (
	"etch/hw"
	"etch/hw/fixed"
)

// HalfUp is a quotient without sign rounded by its remainder: to the nearest,
// halves up. It has one bit more, for the carry.
func HalfUp(quotient, remainder, divisor hw.UInt) hw.UInt {
	w := divisor.Width() + 1
	up := append0(remainder, 1).Ge(divisor.Extend(w))
	return carry(quotient, up)
}

// HalfUp is the root rounded to the nearest; there are no halves, since
// (x + ½)² is no integer. It has one bit more, for the carry.
func (r RootResult) HalfUp() hw.UInt {
	return carry(r.Root, r.Remainder.Gt(r.Root.Extend(r.Remainder.Width())))
}

// carry is x and one more where up is high, in one bit more.
func carry(x hw.UInt, up hw.Bit) hw.UInt {
	w := x.Width() + 1
	return x.Extend(w).Add(up.UInt().Extend(w))
}

// Num is the quotient with fraction+1 fraction bits; the lowest one is the sticky bit, high if a
// remainder is left. Fitting it into a format with fewer than fraction fraction bits gives, under
// every rounding, the same as fitting the exact quotient: the remainder cannot lie on the other side
// of a number, or of half a unit, of that format.
//
//	q := arith.Division[hw.SInt]{Numerator: 64, Divisor: 33, Fraction: 17}
//	…
//	mean := out.Data.Num(17).Fit(fixed.Q(16, 16), fixed.HalfEven, fixed.Saturate)
func (r Result[T]) Num(fraction int) fixed.Num {
	q := bitsOf(r.Quotient)
	if !signed[T]() {
		q = hw.Cat(hw.Low, q)
		return fixed.FromBits(hw.Cat(q, r.Inexact()), fraction+1)
	}
	down := r.Negative.And(r.Inexact()) // towards zero was up
	q = q.Sub(down.UInt().Extend(q.Width()))
	return fixed.FromBits(hw.Cat(q, r.Inexact()), fraction+1)
}

// Num is the root with fraction+1 fraction bits, the lowest one the sticky bit, as for [Result.Num].
func (r RootResult) Num(fraction int) fixed.Num {
	return fixed.FromBits(hw.Cat(hw.Low, r.Root, r.Inexact()), fraction+1)
}
