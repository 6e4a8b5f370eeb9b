package fixed

import (
	"math"
	"math/big"

	"etch/hw"
)

// Num is a fixed-point number. Its format is checked, not adapted: two numbers
// connect only when width and fraction agree.
type Num struct {
	Raw  hw.SInt `hw:",inline"` // value · 2^frac
	frac int
}

// Q is the shape with the given integer bits, sign included, and fraction bits.
func Q(integer, frac int) Num { return Num{hw.FixedPoint(integer+frac, frac), frac} }

// Of is the shape of a format.
func Of(f Format) Num { return Num{hw.FixedPoint(f.Width, f.Frac), f.Frac} }

// FromInt is a signed integer as a number without fraction.
func FromInt(x hw.SInt) Num { return Num{x, 0} }

// FromBits reads x as a number with frac fraction bits.
func FromBits(x hw.UInt, frac int) Num { return Num{x.AsSigned(), frac} }

// Frac is the number of fraction bits.
func (x Num) Frac() int { return x.frac }

// Width is the number of bits, sign included.
func (x Num) Width() int { return x.Raw.Width() }

// Format returns x's width in bits, the sign included, and its fraction bits.
func (x Num) Format() Format { return Format{x.Raw.Width(), x.frac} }

// Lit is the literal of x's format nearest to v, ties away from zero. A v
// outside the range is a mistake.
func (x Num) Lit(v float64) Num {
	// Go's floats reach further than any width here; NaN becomes 0 and an infinity the greatest
	// float, which then is out of range like any other.
	scaled, _ := new(big.Float).SetFloat64(finite(math.Round(math.Ldexp(finite(v), x.frac)))).Int(nil)
	raw := hw.SBig(scaled)
	if x.Raw.Width() > 0 {
		raw = raw.Extend(x.Raw.Width())
	}
	return Num{raw, x.frac}
}

// LitRaw is the literal of x's format with a raw integer: raw · 2^-frac. One that
// does not fit is a mistake.
func (x Num) LitRaw(raw int) Num { return Num{x.Raw.Lit(raw), x.frac} }

func finite(v float64) float64 {
	switch {
	case math.IsNaN(v):
		return 0
	case math.IsInf(v, 0):
		return math.Copysign(math.MaxFloat64, v)
	}
	return v
}

// Set drives x with a value of the same format.
func (x Num) Set(v Num) { hw.Set(x, v) }

// SetIf is x.Set(v) where c is high; it can go on with ElseWhen and Else.
func (x Num) SetIf(c hw.Bit, v Num) *hw.Chain { return hw.SetIf(x, c, v) }

// Named gives the value its name in netlists and waves and returns it.
func (x Num) Named(name string) Num { return Num{x.Raw.Named(name), x.frac} }

// Mul is x · y exactly: widths and fractions add up.
func (x Num) Mul(y Num) Num { return Num{x.Raw.Mul(y.Raw), x.frac + y.frac} }

// Add is x + y exactly, one bit wider than the wider after aligning the points.
func (x Num) Add(y Num) Num {
	a, b, frac := aligned(x, y, 1)
	return Num{a.Add(b), frac}
}

// Sub is x - y exactly.
func (x Num) Sub(y Num) Num {
	a, b, frac := aligned(x, y, 1)
	return Num{a.Sub(b), frac}
}

// Minus is -x exactly, one bit wider.
func (x Num) Minus() Num { return Num{x.Raw.Extend(x.Raw.Width() + 1).Minus(), x.frac} }

// Scale is x · 2^n exactly: only the point moves.
func (x Num) Scale(n int) Num { return Num{x.Raw, x.frac - n} }

// ShrBy is x · 2^-by in x's format, by a signal: a value below the last fraction
// bit is cut off, which rounds towards minus infinity as [Floor] does.
func (x Num) ShrBy(by hw.UInt) Num { return Num{x.Raw.ShrBy(by), x.frac} }

// IsNeg reports x < 0.
func (x Num) IsNeg() hw.Bit { return x.Raw.IsNeg() }

// Lt reports x < y.
func (x Num) Lt(y Num) hw.Bit {
	a, b, _ := aligned(x, y, 0)
	return a.Lt(b)
}

// Le reports x <= y.
func (x Num) Le(y Num) hw.Bit { return y.Lt(x).Not() }

// Gt reports x > y.
func (x Num) Gt(y Num) hw.Bit { return y.Lt(x) }

// Ge reports x >= y.
func (x Num) Ge(y Num) hw.Bit { return x.Lt(y).Not() }

// Ne reports x ≠ y as numbers.
func (x Num) Ne(y Num) hw.Bit { return x.Eq(y).Not() }

// Eq reports x = y as numbers.
func (x Num) Eq(y Num) hw.Bit {
	a, b, _ := aligned(x, y, 0)
	return a.Eq(b)
}

// aligned brings both points to one place and both widths to one, plus grow.
func aligned(x, y Num, grow int) (a, b hw.SInt, frac int) {
	frac = max(x.frac, y.frac)

	// The common width holds each number after its shift.
	w := max(x.Raw.Width()+frac-x.frac, y.Raw.Width()+frac-y.frac) + grow
	return x.align(w, frac), y.align(w, frac), frac
}

func (x Num) align(w, frac int) hw.SInt {
	wide := x.Raw.Extend(w)
	if frac == x.frac {
		return wide
	}
	return wide.Shl(frac - x.frac)
}
