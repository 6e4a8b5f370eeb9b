package float

import "etch/hw"

// Parts is a number in parts. A finite one is ±Sig · 2^(Exp - Bias - Frac).
type Parts struct {
	Neg       hw.Bit
	Exp       hw.UInt // the exponent field, 1 for a subnormal number and zero
	Sig       hw.UInt // Frac + 1 bits: the hidden one on top
	Zero      hw.Bit
	Inf, NaN  hw.Bit // then Exp and Sig mean nothing
	Signaling hw.Bit // a NaN that raises Invalid
}

// Parts takes x apart. Nothing is normalised: a subnormal number has a hidden bit of 0
// and the exponent of the least normal one, which costs one gate.
func (x Num) Parts() Parts {
	// The hidden bit is an OR of the exponent field; where it is low, the lowest bit of the field is
	// set, so that field 0 means the exponent of field 1.
	e, frac := x.Exp(), x.Frac()
	hidden := e.Any()
	if x.f.Flush {
		frac = frac.And(hidden.Rep(x.f.Frac))
	}

	p := Parts{
		Neg: x.IsNeg(), Exp: hw.Cat(e.Range(x.f.Exp-1, 1), e.Bit(0).Or(hidden.Not())), Sig: hw.Cat(hidden, frac),
		Zero: x.IsZero(), Inf: x.IsInf(), NaN: x.IsNaN(), Signaling: x.IsSignaling(),
	}
	return p
}

// Special is high for an infinity or a NaN.
func (p Parts) Special() hw.Bit { return p.Inf.Or(p.NaN) }
