package float

import (
	"math"

	"etch/hw"
	"etch/ir"
	"etch/ir/bits"
)

// Num is a floating-point number in hardware. Its format is checked, not adapted: two
// numbers connect only when their formats are the same.
type Num struct {
	Raw hw.UInt `hw:",inline"` // the code: sign, exponent, fraction from the top
	f   Format
}

// Of is the shape of a format's numbers.
func Of(f Format) Num {
	if err := f.Validate(); err != nil {
		return Num{hw.NoLiteral(8, "float.Of: %v", err), f}
	}
	return Num{hw.FloatingPoint(f.Exp, f.Frac, ir.TopCodes(f.Codes)), f}
}

// FromBits reads x, of the format's width, as a number.
func FromBits(f Format, x hw.UInt) Num { return Num{x, f} }

// Format is a constant of the circuit: no wire holds it.
func (x Num) Format() Format { return x.f }

// Width is the number of bits.
func (x Num) Width() int { return x.f.Width() }

// Lit is the literal of x's format nearest to v, ties to even. A finite v past the
// range is a mistake but in a format that saturates, where it is the greatest number; a NaN or
// an infinity is one in a format without it.
func (x Num) Lit(v float64) Num {
	// Underflow is no mistake: a literal of 1e-8 is 0 in fp16, as it would be in software.
	// An infinity is not past the range: a format that saturates has a code of it for literals.
	if math.IsInf(v, 0) && x.f.Codes == IEEE {
		return x.LitBits(x.f.Inf(v < 0))
	}
	code, flags := x.f.FromFloat64(v, NearestEven)
	if flags&Invalid != 0 || flags&Overflow != 0 && (!x.f.Saturate || math.IsInf(v, 0)) {
		return Num{hw.NoLiteral(x.Width(), "Lit: %v does not fit %v, whose greatest number is %v", v, x.f, x.f.Float64(x.f.Greatest(false))), x.f}
	}
	return x.LitBits(code)
}

// LitBits is the literal of x's format with a code. One of more bits is a mistake.
func (x Num) LitBits(code uint64) Num {
	w := x.Width()
	if w < 64 && code>>w != 0 {
		return Num{hw.NoLiteral(w, "LitBits: %#x has more than the %d bits of %v", code, w, x.f), x.f}
	}
	return Num{hw.UVal(bits.New(w, code)), x.f}
}

// Set drives x with a number of the same format.
func (x Num) Set(v Num) { hw.Set(x, v) }

// SetIf is x.Set(v) where c is high; it can go on with ElseWhen and Else.
func (x Num) SetIf(c hw.Bit, v Num) *hw.Chain { return hw.SetIf(x, c, v) }

// Named gives the value its name in netlists and waves and returns it.
func (x Num) Named(name string) Num { return Num{x.Raw.Named(name), x.f} }

// IsNeg is the sign.
func (x Num) IsNeg() hw.Bit { return x.Raw.Bit(x.Width() - 1) }

// Exp is the exponent field.
func (x Num) Exp() hw.UInt { return x.Raw.Range(x.Width()-2, x.f.Frac) }

// Frac is the fraction field.
func (x Num) Frac() hw.UInt { return x.Raw.Trunc(x.f.Frac) }

// magnitude is all but the sign.
func (x Num) magnitude() hw.UInt { return x.Raw.Trunc(x.Width() - 1) }

// IsNaN is high for a NaN.
func (x Num) IsNaN() hw.Bit {
	// With infinities a NaN needs a fraction; without them all ones are the only one.
	switch x.f.Codes {
	case IEEE:
		return x.Exp().All().And(x.Frac().Any())
	case OnlyNaN:
		return x.magnitude().All()
	}
	return hw.Low
}

// IsSignaling is high for a NaN that raises Invalid.
func (x Num) IsSignaling() hw.Bit {
	if x.f.Codes != IEEE {
		return hw.Low
	}
	return x.IsNaN().AndNot(x.Raw.Bit(x.f.Frac - 1))
}

// IsInf is high for an infinity.
func (x Num) IsInf() hw.Bit {
	if x.f.Codes != IEEE {
		return hw.Low
	}
	return x.Exp().All().AndNot(x.Frac().Any())
}

// IsFinite is high for a number.
func (x Num) IsFinite() hw.Bit {
	if x.f.Codes == IEEE {
		return x.Exp().All().Not()
	}
	return x.IsNaN().Not()
}

// IsZero is high for a zero and, where the format flushes, a subnormal number.
func (x Num) IsZero() hw.Bit {
	if x.f.Flush {
		return x.Exp().Any().Not()
	}
	return x.magnitude().Any().Not()
}

// IsSubnormal is high for a number below the least normal one that is not zero.
func (x Num) IsSubnormal() hw.Bit {
	if x.f.Flush {
		return hw.Low
	}
	return x.Exp().Any().Not().And(x.Frac().Any())
}

// Minus is x with the other sign.
func (x Num) Minus() Num { return x.withSign(x.IsNeg().Not()) }

// Abs is x without its sign.
func (x Num) Abs() Num { return x.withSign(hw.Low) }

// CopySign is x with the sign of y.
func (x Num) CopySign(y Num) Num { return x.withSign(y.IsNeg()) }

// FlipIf is x with the other sign where c is high.
func (x Num) FlipIf(c hw.Bit) Num { return x.withSign(x.IsNeg().Xor(c)) }

func (x Num) withSign(neg hw.Bit) Num { return Num{hw.Cat(neg, x.magnitude()), x.f} }

// flushed is x, or the zero that it is read as.
func (x Num) flushed() Num {
	if !x.f.Flush {
		return x
	}
	return Num{hw.Cat(x.IsNeg(), x.magnitude().And(x.IsZero().Not().Rep(x.Width()-1))), x.f}
}

// Lt is x < y; low where one is a NaN, as all comparisons but Ne are. They raise no
// flags; the Comparer of designs/float does.
func (x Num) Lt(y Num) hw.Bit {
	less, _ := x.compare(y)
	return less.AndNot(x.IsNaN().Or(y.IsNaN()))
}

// Gt is x > y.
func (x Num) Gt(y Num) hw.Bit { return y.Lt(x) }

// Le is x ≤ y.
func (x Num) Le(y Num) hw.Bit {
	less, equal := x.compare(y)
	return less.Or(equal).AndNot(x.IsNaN().Or(y.IsNaN()))
}

// Ge is x ≥ y.
func (x Num) Ge(y Num) hw.Bit { return y.Le(x) }

// Eq is x = y; both zeros are equal.
func (x Num) Eq(y Num) hw.Bit {
	_, equal := x.compare(y)
	return equal.AndNot(x.IsNaN().Or(y.IsNaN()))
}

// Ne is not x = y.
func (x Num) Ne(y Num) hw.Bit { return x.Eq(y).Not() }

// Compare orders x and y: less and equal, both low where x is greater, and unordered
// where one is a NaN; then the other two mean nothing.
func (x Num) Compare(y Num) (less, equal, unordered hw.Bit) {
	less, equal = x.compare(y)
	return less, equal, x.IsNaN().Or(y.IsNaN())
}

// compare orders two numbers: by magnitude, the other way where both are negative.
func (x Num) compare(y Num) (less, equal hw.Bit) {
	// One comparator of magnitudes serves both signs, with its operands swapped for negative ones.
	// For NaNs it gives any result; callers mask it.
	a, b := x.flushed(), y.flushed()
	zeros := x.IsZero().And(y.IsZero())
	below := hw.Mux(a.IsNeg(), b.magnitude(), a.magnitude()).Lt(hw.Mux(a.IsNeg(), a.magnitude(), b.magnitude()))

	less = hw.Mux(a.IsNeg().Xor(b.IsNeg()), a.IsNeg().AndNot(zeros), below)
	return less, a.Raw.Eq(b.Raw).Or(zeros)
}

// Min is the lesser of x and y, -0 before +0, and the number where one is a NaN.
func (x Num) Min(y Num) Num { return x.choose(y, true) }

// Max is the greater of x and y, +0 before -0, and the number where one is a NaN.
func (x Num) Max(y Num) Num { return x.choose(y, false) }

func (x Num) choose(y Num, least bool) Num {
	// As compare, but with -0 below +0, which the sign bits alone decide.
	a, b := x.flushed(), y.flushed()
	below := hw.Mux(a.IsNeg(), b.magnitude(), a.magnitude()).Lt(hw.Mux(a.IsNeg(), a.magnitude(), b.magnitude()))
	below = hw.Mux(a.IsNeg().Xor(b.IsNeg()), a.IsNeg(), below)
	if !least {
		below = below.Not()
	}

	// A NaN gives way to the other operand: x is taken if y is a NaN, and never if x alone is.
	first := y.IsNaN().Or(below.AndNot(x.IsNaN()))
	out := hw.Mux(first, a, b)
	if x.f.Codes == Finite {
		return out
	}
	return hw.Mux(x.IsNaN().And(y.IsNaN()), x.LitBits(x.f.NaN()), out)
}

// Class is the class of x by the bits of RISC-V's fclass, as [Format.Class] numbers
// them.
func (x Num) Class() hw.UInt {
	// One bit a class, from the highest; NaNs have no sign here.
	inf, zero, sub, nan, sig := x.IsInf(), x.IsZero(), x.IsSubnormal(), x.IsNaN(), x.IsSignaling()
	normal := inf.Or(zero, sub, nan).Not()
	neg, pos := x.IsNeg().AndNot(nan), x.IsNeg().Or(nan).Not()
	return hw.Cat(nan.AndNot(sig), sig, pos.And(inf), pos.And(normal), pos.And(sub), pos.And(zero),
		neg.And(zero), neg.And(sub), neg.And(normal), neg.And(inf))
}
