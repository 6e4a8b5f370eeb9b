package fixed

import (
	"math/big"

	"etch/hw"
)

// Fit brings x into the format of q, a shape or a number: r says how fraction
// bits go, o what happens outside the range. [Format.Fit] is its model.
func (x Num) Fit(q Num, r Rounding, o Overflow) Num {
	raw := x.Raw
	switch drop := x.frac - q.frac; {
	case drop < 0:
		raw = raw.Extend(raw.Width() - drop).Shl(-drop)
	case drop > 0:
		raw = round(raw, drop, r)
	}
	return Num{limit(raw, q.Raw.Width(), o), q.frac}
}

// round drops n bits; the result has one bit more than the rest, for the carry.
func round(x hw.SInt, n int, r Rounding) hw.SInt {
	if n >= x.Width() { // everything goes: keep a sign above what is dropped
		x = x.Extend(n + 1)
	}
	w := x.Width()
	bits := x.AsUnsigned()
	kept := bits.Range(w-1, n).AsSigned().Extend(w - n + 1)
	tie := bits.Bit(n - 1) // at or above the middle
	rest := hw.B(false)    // anything below it
	if n > 1 {
		rest = bits.Range(n-2, 0).Any()
	}
	var up hw.Bit
	switch r {
	case Floor:
		return kept
	case Ceil:
		up = tie.Or(rest)
	case TowardZero:
		up = x.IsNeg().And(tie.Or(rest))
	case HalfUp:
		up = tie
	case HalfDown:
		up = tie.And(rest)
	case HalfEven:
		up = tie.And(rest.Or(bits.Bit(n)))
	case HalfAway:
		up = tie.And(rest.Or(x.IsNeg().Not()))
	}
	return kept.Add(up.UInt().Extend(kept.Width()).AsSigned())
}

// limit brings x into width bits.
func limit(x hw.SInt, width int, o Overflow) hw.SInt {
	f := Format{Width: width}
	least, greatest := f.Limits(o)
	if x.Width() <= width {
		x = x.Extend(width)
		if o != SaturateSymmetric {
			return x
		}
		return hw.Mux(x.Eq(lowest(width)), hw.SBig(least).Extend(width), x)
	}
	if o == Wrap {
		return x.Trunc(width)
	}
	w := x.Width()
	high, low := hw.SBig(greatest).Extend(w), hw.SBig(least).Extend(w)
	return hw.Mux(x.Gt(high), high, hw.Mux(x.Lt(low), low, x)).Trunc(width)
}

// lowest is the least number of width bits.
func lowest(width int) hw.SInt {
	least := new(big.Int).Lsh(big.NewInt(1), uint(width-1))
	return hw.SBig(least.Neg(least)).Extend(width)
}
