package float

import (
	"etch/hw"
	"etch/hw/float"
)

// Multiplier multiplies.
type Multiplier struct{ Op }

// BinaryPorts are the ports of a unit of two operands.
type BinaryPorts struct {
	Control
	A, B Num `dir:"in"`
	Y    Num `dir:"out"`
}

func (o Op) binary() BinaryPorts {
	n := Of(o.Format)
	return BinaryPorts{Control: o.control(), A: n, B: n, Y: n}
}

func (c Multiplier) Ports() BinaryPorts { return c.binary() }

// ModuleName is mul_e5m10_2 for fp16 and two stages.
func (c Multiplier) ModuleName() string { return c.name("mul") }

// factors is the operands with the one that may be subnormal moved up.
type factors struct {
	A, B          hw.UInt // significands; a hidden bit is high, or the product underflows
	Exp           hw.UInt // the exponent field of a product in [1, 2), signed
	Neg           hw.Bit
	Zero, Special hw.Bit
	NaN, Invalid  hw.Bit
}

// scaled is a product in [1, 2) or, of two subnormal numbers, below.
type scaled struct {
	Exp  hw.UInt // its exponent field, signed
	Sig  hw.UInt // Frac + 1 bits over the tail
	Rest hw.Bit
}

// Build multiplies in four steps: normalise a subnormal operand, multiply, denormalise
// the product, round.
func (c Multiplier) Build(m *hw.Module, p BinaryPorts) {
	s := c.steps(m, p.Control, 4)
	a, b := input(s, "a", p.A), input(s, "b", p.B)
	factor := step(s, "factor", func(at int) factors { return c.factors(a.At(at), b.At(at)) })
	product := step(s, "product", func(at int) scaled { return c.multiply(factor.At(at)) })
	exact := step(s, "exact", func(at int) float.Exact {
		x := factor.At(at)
		e := c.denormalise(product.At(at))
		e.Neg, e.Zero, e.Special, e.NaN = x.Neg, x.Zero, x.Special, x.NaN
		e.Invalid, e.DivideZero = x.Invalid, hw.Low
		return e
	})
	s.finish(p.Y, p.Flags, exact)
}

func (c Multiplier) factors(x, y Num) factors {
	f := c.Format
	a, b := x.Parts(), y.Parts()
	w := f.Exp + 2
	swap := a.Sig.Bit(f.Frac).Not()
	n, o := hw.Mux(swap, a.Sig, b.Sig), hw.Mux(swap, b.Sig, a.Sig)
	zeros := leadingZeros(n, countTo(f.Frac))
	exp := a.Exp.AddGrow(b.Exp).Extend(w).Sub(resize(zeros, w)).Sub(hw.U(f.Bias()).Extend(w))
	bad := a.Inf.And(b.Zero).Or(b.Inf.And(a.Zero))
	return factors{
		A: n.ShlBy(zeros), B: o, Exp: exp, Neg: a.Neg.Xor(b.Neg),
		Zero: a.Zero.Or(b.Zero), Special: a.Special().Or(b.Special()), NaN: a.NaN.Or(b.NaN, bad), Invalid: a.Signaling.Or(b.Signaling, bad),
	}
}

func (c Multiplier) multiply(x factors) scaled {
	m, tail := c.Format.Frac, c.Rounding.Tail()
	p := x.A.Mul(x.B)
	carry := p.Bit(2*m + 1)
	p = hw.Mux(carry, p, p.Shl(1))
	if low := m + 1 - tail; low < 0 {
		p = p.PadLow(-low)
	}
	w, keep := p.Width(), m+1+tail
	rest := hw.Low
	if w > keep {
		rest = p.Trunc(w - keep).Any()
	}
	return scaled{Exp: x.Exp.Add(carry.UInt().Extend(x.Exp.Width())), Sig: p.Range(w-1, w-keep), Rest: rest}
}

// denormalise moves a number below the least normal one down to the place where it is
// rounded.
func (o Op) denormalise(x scaled) float.Exact {
	w := x.Exp.Width()
	low := x.Exp.Bit(w - 1).Or(x.Exp.Any().Not()) // an exponent field of 0 or below
	by := x.Exp.Not().Add(hw.U(2).Extend(w))      // 1 - Exp
	bits := countTo(x.Sig.Width())
	far := hw.Low
	if bits < w {
		far = by.Range(w-1, bits).Any().And(low)
	}
	sig, lost := shiftSticky(x.Sig, resize(by, bits).And(low.Rep(bits)))
	lost = lost.Or(far.And(x.Sig.Any()))
	base := x.Exp.Dec().And(low.Not().Rep(w))
	return float.Exact{Base: resize(base, o.Format.Exp+1), Sig: sig.And(far.Not().Rep(sig.Width())), Rest: lost.Or(x.Rest)}
}
