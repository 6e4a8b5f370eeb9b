package float

import (
	"etch/hw"
	"etch/hw/float"
)

// FMA is the fused multiply-add ±A · B ± C, rounded once.
type FMA struct{ Op }

type FMAPorts struct {
	Control
	A, B, C     Num    `dir:"in"`
	Neg, MinusC hw.Bit `dir:"in"` // of the product, of C
	Y           Num    `dir:"out"`
}

func (c FMA) Ports() FMAPorts {
	n := Of(c.Format)
	return FMAPorts{Control: c.control(), A: n, B: n, C: n, Y: n}
}

// ModuleName is fma_e5m10_4 for fp16 and four stages.
func (c FMA) ModuleName() string { return c.name("fma") }

// aligned is the product and the summand in one window; see window.
type aligned struct {
	Product, C   hw.UInt
	Top          hw.UInt // the exponent field of the window's top bit
	Minus        hw.Bit  // the signs differ
	Neg, NegC    hw.Bit  // the signs of the product and the summand
	Zeros        hw.Bit  // the sign of a sum that is 0
	Inf, InfC    hw.Bit
	NaN, Invalid hw.Bit
}

// Build works in four steps: multiply and align, add, normalise, round. The summand is
// aligned while the product is made.
func (c FMA) Build(m *hw.Module, p FMAPorts) {
	s := c.steps(m, p.Control, 4)
	in := input(s, "in", p)
	align := step(s, "aligned", func(at int) aligned {
		x := in.At(at)
		return c.align(x.A, x.B.FlipIf(x.Neg), x.C.FlipIf(x.MinusC), s.rounder(at))
	})
	total := step(s, "total", func(at int) sum { return c.fusedAdd(align.At(at)) })
	exact := step(s, "exact", func(at int) float.Exact {
		e := c.fusedExact(align.At(at), total.At(at))
		e.Base = resize(e.Base, c.Format.Exp+1)
		return e
	})
	s.finish(p.Y, p.Flags, exact)
}

// fusedExact normalises a sum; its base has as many bits as the window's exponent.
func (o Op) fusedExact(a aligned, t sum) float.Exact {
	base, sig, rest := o.normalise(t)
	inf := a.Inf.Or(a.InfC)
	return float.Exact{
		Neg:  hw.Mux(inf, hw.Mux(a.InfC, a.NegC, a.Neg), hw.Mux(t.Zero, a.Zeros, t.Neg)),
		Base: base, Sig: sig, Rest: rest,
		Zero: t.Zero, Special: inf.Or(a.NaN), NaN: a.NaN, Invalid: a.Invalid, DivideZero: hw.Low,
	}
}

// window is the width in which the sum is made, from the top: the summand where it is
// greater, Frac + 1 bits; a gap of the tail, so that a product below it only counts as
// something left; the product, 2·Frac + 2 bits; and tail + 1 bits for a summand that is
// below, of which the lowest stands for all that is lost.
func (o Op) window() int { return 3*o.Format.Frac + 4 + 2*o.Rounding.Tail() }

// lift is the way from the product's exponent fields to that of the window's top, for
// numbers with the bias of f in a window of the unit's format.
func (o Op) lift(f Format) int { return o.Format.Frac + 2 + o.Rounding.Tail() - f.Bias() }

// places is where product and summand lie, as signed exponent fields.
type places struct {
	Top   hw.UInt // of the window, if the product sets it
	C     hw.UInt // of the summand
	Alone hw.Bit  // the product is zero: the summand sets the window
}

// align places the operands by their exponents.
func (c FMA) align(x, y, z Num, r float.Rounder) aligned {
	f, lift := c.Format, c.lift(c.Format)
	a, b, s := x.Parts(), y.Parts(), z.Parts()
	e := max(f.Exp+2, countTo(2<<f.Exp+lift)+1)
	top := a.Exp.AddGrow(b.Exp).Extend(e).Add(hw.S(lift).Extend(e).AsUnsigned())
	return c.Op.align(a, b, s, places{top, s.Exp.Extend(e), a.Zero.Or(b.Zero)}, r)
}

// align puts the summand where the exponents say. One that reaches above the gap stays
// at the top, and the window has its exponent: then it is never below 1, so that the
// sum needs no shift to the right. A product of zero must not set the exponent: a
// summand that is shifted out of such a window would be lost.
func (o Op) align(a, b, s float.Parts, at places, r float.Rounder) aligned {
	f, tail := o.Format, o.Rounding.Tail()
	w, e := o.window(), at.Top.Width()
	down := at.Top.Sub(at.C) // by how much the summand goes down
	above := down.Bit(e - 1).Or(at.Alone)

	bits := min(countTo(w), e-1)
	z0 := s.Sig.PadLow(w - 1 - f.Frac - 1)
	moved, lost := shiftSticky(z0, down.Trunc(bits).And(above.Not().Rep(bits)))
	if bits < e-1 {
		far := down.Range(e-2, bits).Any().AndNot(above)
		moved, lost = moved.And(far.Not().Rep(w-1)), hw.Mux(far, s.Zero.Not(), lost)
	}

	neg := a.Neg.Xor(b.Neg)
	minus := neg.Xor(s.Neg)
	bad := a.Inf.And(b.Zero).Or(b.Inf.And(a.Zero))
	inf := a.Inf.Or(b.Inf)
	cancel := inf.And(s.Inf, minus)
	nan := a.NaN.Or(b.NaN, s.NaN)
	return aligned{
		Product: a.Sig.Mul(b.Sig).PadLow(tail + 1), C: hw.Cat(moved, lost),
		Top:   hw.Mux(above, at.C, at.Top),
		Minus: minus, Neg: neg, NegC: s.Neg,
		Zeros: neg.And(s.Neg).Or(r.Downward().And(minus)),
		Inf:   inf, InfC: s.Inf, NaN: nan.Or(bad, cancel),
		Invalid: a.Signaling.Or(b.Signaling, s.Signaling).Or(bad, cancel.AndNot(nan)),
	}
}

// add is the product plus or minus the summand, whichever is greater.
func (o Op) fusedAdd(a aligned) sum {
	w := a.C.Width()
	s := addSub(a.Product.Extend(w+1), a.C.Extend(w+1), a.Minus)
	below := s.Bit(w).And(a.Minus)
	mag := s.Trunc(w).Xor(below.Rep(w)).Add(below.UInt().Extend(w))
	return sum{Neg: a.Neg.Xor(below), Room: a.Top.Dec(), Mag: mag, Zero: mag.Any().Not()}
}
