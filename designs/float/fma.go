package float

import (
	"etch/hw"
	"etch/hw/float"
)

// FMA is the fused multiply-add ±A · B ± C, rounded once.
type FMA struct{ Op }

// FMAPorts are the factors A and B, the summand C, and the result Y.
type FMAPorts struct {
	Control
	A, B, C     Num    `dir:"in"`
	Neg, MinusC hw.Bit `dir:"in"` // Neg changes the product's sign, MinusC that of C
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
	Lost         hw.Bit  // something is left below the summand
	Room         hw.UInt // the exponent field of the window's top bit, less one
	Minus        hw.Bit  // the signs differ
	Neg, NegC    hw.Bit  // the signs of the product and the summand
	Zeros        hw.Bit  // the sign of a sum that is 0
	Inf, InfC    hw.Bit
	NaN, Invalid hw.Bit
}

// Build works in five steps: multiply and align, add, find how far the sum is to be moved,
// move it, round. The summand is aligned while the product is made.
func (c FMA) Build(m *hw.Module, p FMAPorts) {
	s := c.steps(m, p.Control, 5)
	in := input(s, "in", p)

	// The sign of the product and of the summand are operands too: the four multiply-adds are one.
	align := step(s, "aligned", func(at int) aligned {
		x := in.At(at)
		return c.align(x.A, x.B.FlipIf(x.Neg), x.C.FlipIf(x.MinusC), s.rounder(at))
	})
	total := step(s, "total", func(at int) sum { return c.fusedAdd(align.At(at)) })
	to := step(s, "way", func(at int) way { return total.At(at).way() })
	exact := step(s, "exact", func(at int) float.Exact {
		e := c.fusedExact(align.At(at), total.At(at), to.At(at))
		e.Base = resize(e.Base, c.Format.Exp+1)
		return e
	})
	s.finish(p.Y, p.Flags, exact)
}

// fusedExact normalises a sum; its base has as many bits as the window's exponent.
func (o Op) fusedExact(a aligned, t sum, to way) float.Exact {
	e := o.normalised(t, to)
	inf := a.Inf.Or(a.InfC)
	e.Neg = hw.Mux(inf, hw.Mux(a.InfC, a.NegC, a.Neg), hw.Mux(t.Zero, a.Zeros, t.Neg))
	e.Special, e.NaN, e.Invalid = inf.Or(a.NaN), a.NaN, a.Invalid
	return e
}

// window is the width in which the sum is made, from the top: the summand where it is
// greater, Frac + 1 bits; a gap of the tail, so that a product below it only counts as
// something left; the product, 2·Frac + 2 bits; and the tail for a summand that is below.
func (o Op) window() int { return 3*o.Format.Frac + 3 + 2*o.Rounding.Tail() }

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
	// Exponents are signed here: a product of two subnormal numbers lies below all fields.
	f, lift := c.Format, c.lift(c.Format)
	a, b, s := x.Parts(), y.Parts(), z.Parts()
	e := max(f.Exp+2, countTo(2<<f.Exp+lift)+1)
	top := a.Exp.AddGrow(b.Exp).Extend(e).Add(hw.S(lift - 1).Extend(e).AsUnsigned())
	return c.Op.align(a, b, s, places{top, s.Exp.Sub(hw.U(1)).Extend(e), a.Zero.Or(b.Zero)}, r)
}

// align puts the summand where the exponents say. One that reaches above the gap stays
// at the top, and the window has its exponent: then it is never below 1, so that the
// sum needs no shift to the right. A product of zero must not set the exponent: a
// summand that is shifted out of such a window would be lost.
func (o Op) align(a, b, s float.Parts, at places, r float.Rounder) aligned {
	// How far down the summand goes, and whether it is above the window's own top.
	tail := o.Rounding.Tail()
	w, e := o.window(), at.Top.Width()
	down := at.Top.Sub(at.C) // by how much the summand goes down
	above := down.Bit(e - 1).Or(at.Alone)

	// Ways of more bits than it takes to shift all of it out are one case.
	bits := min(countTo(w), e-1)
	moved, lost := o.place(s.Sig, down.Trunc(bits).And(above.Not().Rep(bits)), w)
	if bits < e-1 {
		far := down.Range(e-2, bits).Any().AndNot(above)
		moved, lost = moved.And(far.Not().Rep(w)), hw.Mux(far, s.Zero.Not(), lost)
	}

	// Specials: 0 · ∞ and ∞ - ∞ are invalid, and a quiet NaN as summand does not hide the first.
	neg := a.Neg.Xor(b.Neg)
	minus := neg.Xor(s.Neg)
	bad := a.Inf.And(b.Zero).Or(b.Inf.And(a.Zero))
	inf := a.Inf.Or(b.Inf)
	cancel := inf.And(s.Inf, minus)
	nan := a.NaN.Or(b.NaN, s.NaN)
	return aligned{
		Product: times(a.Sig, b.Sig).PadLow(tail), C: moved, Lost: lost,
		Room:  hw.Mux(above, at.C, at.Top).Trunc(e - 1), // none is negative
		Minus: minus, Neg: neg, NegC: s.Neg,
		Zeros: neg.And(s.Neg).Or(r.Downward().And(minus)),
		Inf:   inf, InfC: s.Inf, NaN: nan.Or(bad, cancel),
		Invalid: a.Signaling.Or(b.Signaling, s.Signaling).Or(bad, cancel.AndNot(nan)),
	}
}

// place is x, n places below the top of a window, and whether something lies below the
// window. The short ways come first, while there are few bits to move.
func (o Op) place(x, n hw.UInt, window int) (y hw.UInt, lost hw.Bit) {
	lost = hw.Low
	for k := range n.Width() {
		by := 1 << k
		w := x.Width() + by
		x = hw.Mux(n.Bit(k), x.Extend(w), x.PadLow(by))
		if w > window {
			lost = lost.Or(x.Trunc(w - window).Any())
			x = x.Range(w-1, w-window)
		}
	}

	// In a format of few exponents and a long fraction the longest way, which has the bits of
	// exponents, does not reach the low end of the window.
	if w := x.Width(); w < window {
		x = x.PadLow(window - w)
	}
	return x, lost
}

// fusedAdd is the product plus or minus the summand. A difference is made with the
// summand's complement and nothing else: a one at its lowest place is missing. If the
// product is greater, a row of ones below stands for it; otherwise the complement of the
// difference is the magnitude as it is.
func (o Op) fusedAdd(a aligned) sum {
	w := a.C.Width()
	s := a.Product.Extend(w + 1).Add(a.C.Extend(w + 1).Xor(a.Minus.Rep(w + 1)))

	// The carry out of a difference says that the product is greater.
	below := s.Bit(w).And(a.Minus)
	mag := s.Trunc(w).Xor(below.Rep(w))
	more := a.Minus.AndNot(below)
	return sum{
		Neg: a.Neg.Xor(below), Room: a.Room, Mag: mag, Rest: a.Lost, Ones: more.AndNot(a.Lost),
		Zero: mag.Any().Or(more, a.Lost).Not(),
	}
}
