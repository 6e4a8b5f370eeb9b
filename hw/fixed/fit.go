package fixed

import (
	"math/big"

	"etch/hw"
)

// Fit brings x into the format of q, a shape or a number: r says how fraction
// bits go, o how a value outside the range ends. [Format.Fit] is its model.
func (x Num) Fit(q Num, r Rounding, o Overflow) Num {
	y, _ := x.FitOver(q, r, o)
	return y
}

// FitOver is Fit, and tells whether the rounded number was outside the range.
func (x Num) FitOver(q Num, r Rounding, o Overflow) (y Num, over hw.Bit) {
	raw := x.Raw

	// Missing fraction bits are appended exactly; only dropping bits needs a rounding.
	switch drop := x.frac - q.frac; {
	case drop < 0:
		raw = raw.Extend(raw.Width() - drop).Shl(-drop)
	case drop > 0:
		raw = round(raw, drop, r)
	}
	fit, over := limit(raw, q.Raw.Width(), o)
	return Num{fit, q.frac}, over
}

// round drops n bits; the result has one bit more than the rest, for the carry.
func round(x hw.SInt, n int, r Rounding) hw.SInt {
	if n >= x.Width() { // everything goes: keep a sign above the dropped bits
		x = x.Extend(n + 1)
	}

	// The dropped bits in two signals are all that a rounding mode looks at: the highest one,
	// worth half a unit, and whether any lower one is set.
	w := x.Width()
	bits := x.AsUnsigned()
	kept := bits.Range(w-1, n).AsSigned().Extend(w - n + 1)
	tie := bits.Bit(n - 1) // at or above the middle
	rest := hw.Low         // anything below it
	if n > 1 {
		rest = bits.Range(n-2, 0).Any()
	}

	// Flooring has happened already by cutting; every other mode adds one unit in some of the
	// cases.
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

// limit brings x into width bits and tells whether it was outside the range.
func limit(x hw.SInt, width int, o Overflow) (y hw.SInt, over hw.Bit) {
	// A value fits if the bits above the new sign bit all equal it.
	over = hw.Low
	y = x
	if w := x.Width(); w <= width {
		y = x.Extend(width)
	} else {
		top := x.AsUnsigned().Range(w-1, width-1) // all of them the sign, if x fits
		over = top.Any().AndNot(top.All())
		y = x.Trunc(width)
	}

	// The symmetric mode also refuses the lowest number, which has no opposite.
	if o == SaturateSymmetric {
		over = over.Or(y.Eq(lowest(width)))
	}

	if o == Wrap || o == Saturate && x.Width() <= width {
		return y, over
	}

	// The value that replaces an overflow is the limit on the side of the unfitted number's sign.
	least, greatest := Format{Width: width}.Limits(o)
	end := hw.Mux(x.IsNeg(), hw.SBig(least).Extend(width), hw.SBig(greatest).Extend(width))
	return hw.Mux(over, end, y), over
}

// lowest is the least number of width bits.
func lowest(width int) hw.SInt {
	least := new(big.Int).Lsh(big.NewInt(1), uint(width-1))
	return hw.SBig(least.Neg(least)).Extend(width)
}
