package function

import (
	"math"

	"etch/hw"
	"etch/hw/float"
)

// Flags are the exceptions of the correctly rounded result for a code. Every result is
// inexact, but for a few operands, as exp of 0 and log2 of a power of two; a pole, as
// log of 0, is a division by zero.
func (f Function) Flags(format float.Format, code uint64) float.Flags {
	x := format.Float64(code)
	v := f.At(x)
	switch {
	case format.IsNaN(code):
		if format.IsSignaling(code) {
			return float.Invalid
		}
		return 0
	case v != v:
		return float.Invalid
	case math.IsInf(x, 0):
		return 0
	case f.pole(x):
		return float.DivideByZero
	case math.IsInf(v, 0): // past float64 too
		return float.Overflow | float.Inexact
	}

	// An exact result has the flags of its own rounding into the format.
	y, flags := format.FromFloat64(v, float.NearestEven)
	if f.exact(x) && v != 0 || v == 0 && f.exactZero(x) {
		return flags
	}

	// Every other result has digits without end: it is inexact, even where float64 has rounded it to
	// a number of the format.
	flags |= float.Inexact
	if format.IsInf(y) {
		return flags | float.Overflow
	}
	if format.IsSubnormal(y) || format.IsZero(y) {
		flags |= float.Underflow
	}
	return flags
}

// pole tells whether the result is an infinity although x is none and nothing overflows.
func (f Function) pole(x float64) bool {
	switch f {
	case Log, Log2, Recip, RSqrt:
		return x == 0
	case Log1p:
		return x == -1
	}
	return false
}

// exactZero tells whether the exact result is 0.
func (f Function) exactZero(x float64) bool {
	switch f {
	case Log, Log2:
		return x == 1
	case Log1p, Tanh:
		return x == 0
	case Sin, Cos:
		return x*4 == math.Trunc(x*4)
	}
	return false
}

// exact tells whether the exact result has finitely many digits: by the theorems of
// Lindemann, Gelfond and Niven for no other operands.
func (f Function) exact(x float64) bool {
	frac, exp := math.Frexp(math.Abs(x))
	switch f {
	case Exp, Sigmoid, Log1p, Tanh:
		return x == 0
	case Exp2:
		return x == math.Trunc(x)
	case Log:
		return x == 1
	case Log2, Recip:
		return frac == .5
	case RSqrt:
		return frac == .5 && exp&1 == 1
	case Sin, Cos:
		return x*4 == math.Trunc(x*4)
	}
	return false
}

// operand is the part of the flags that follows from the operand alone. Edge marks a tiny result
// that rounds up to the least normal number.
type operand struct {
	Signaling, NaN, Inf hw.Bit
	Pole, Exact, Edge   hw.Bit
}

// operand classifies in parts of the code, without a table.
func (u Unit) operand(a float.Num) operand {
	// Operands whose result is exact, by function.
	p := a.Parts()
	o := operand{Signaling: p.Signaling, NaN: p.NaN, Inf: p.Inf, Pole: hw.Low, Exact: hw.Low, Edge: hw.Low}
	one := u.Format.One()
	only := p.Sig.And(p.Sig.Dec()).Any().Not().And(p.Sig.Any()) // a power of two
	switch u.Function {
	case Exp, Sigmoid, Log1p, Tanh:
		o.Exact = p.Zero
	case Exp2:
		o.Exact = u.whole(p, 0)
	case Log:
		o.Exact = a.Raw.Is(int(one))
	case Recip:
		o.Exact = only
	case Log2: // an integer, which a narrow format may lack
		o.Exact = only.AndNot(u.oneOf(a, func(code uint64) bool {
			return u.Function.exact(u.Format.Float64(code)) && u.Function.Flags(u.Format, code)&float.Inexact != 0
		}))
	case RSqrt:
		odd := hw.Low // the exponent of the one bit
		for i := range p.Sig.Width() {
			if (i-u.Format.Bias()-u.Format.Frac)&1 == 1 {
				odd = odd.Or(p.Sig.Bit(i))
			}
		}
		o.Exact = only.AndNot(odd.Xor(p.Exp.Bit(0)))
	case Sin, Cos:
		o.Exact = u.whole(p, -2)
	}

	// Operands with an infinite result though nothing overflows, as in [Function.pole].
	switch u.Function {
	case Log, Log2, Recip, RSqrt:
		o.Pole = p.Zero
	case Log1p:
		o.Pole = a.Raw.Is(int(u.Format.Neg(one)))
	}

	// A tiny result that becomes the least normal number by rounding.
	least := uint64(1) << u.Format.Frac
	o.Edge = u.oneOf(a, func(code uint64) bool {
		return u.Function.Flags(u.Format, code)&float.Underflow != 0 && u.Format.Abs(u.Function.Correct(u.Format, code)) == least
	})
	return o
}

// oneOf tells whether an operand is one of the few codes of which something is true.
func (u Unit) oneOf(a float.Num, is func(code uint64) bool) hw.Bit {
	found := hw.Low
	for code := range uint64(1) << u.Format.Width() {
		if is(code) {
			found = found.Or(a.Raw.Is(int(code)))
		}
	}
	return found
}

// whole tells whether an operand is a multiple of 2^place.
func (u Unit) whole(p float.Parts, place int) hw.Bit {
	// Bits of the significand that lie below the place, for the exponents at which they do.
	some := hw.Low
	for i := range p.Sig.Width() {
		switch below := u.Format.Bias() + u.Format.Frac - i + place; { // the exponent fields for which bit i is below
		case below >= 1<<u.Format.Exp:
			some = some.Or(p.Sig.Bit(i))
		case below > 0:
			some = some.Or(p.Sig.Bit(i).And(p.Exp.IsLt(below)))
		}
	}
	return some.Not()
}

// flags are the exceptions of a result.
func (u Unit) flags(o operand, y float.Num) hw.UInt {
	invalid := o.Signaling.Or(y.IsNaN().AndNot(o.NaN))
	number := o.NaN.Or(o.Inf, invalid, o.Pole).Not()

	// The rest follows from the result: an infinity without a pole has overflowed; a zero or a
	// subnormal number is tiny.
	over := y.IsInf().And(number)
	small := y.Exp().Any().Not() // subnormal or zero
	exact := o.Exact
	if u.Function == Exp2 || u.Function == Recip { // of which a power of two may lie below the format's
		exact = exact.AndNot(y.IsZero()).AndNot(y.IsInf())
	}

	inexact := number.AndNot(exact)
	return hw.Cat(invalid, o.Pole, over, inexact.And(small.Or(o.Edge)), inexact)
}
