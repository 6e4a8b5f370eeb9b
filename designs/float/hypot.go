package float

import (
	"etch/hw"
	"etch/hw/arith"
	"etch/hw/float"
)

// Hypot is √(A² + B²), rounded once. Of an infinity and a quiet NaN it is an infinity.
type Hypot struct{ Op }

func (c Hypot) Ports() BinaryPorts { return c.binary() }

// ModuleName is hypot_e5m10_8 for fp16 and eight stages.
func (c Hypot) ModuleName() string { return c.name("hypot") }

// squares is the sum of the squares.
type squares struct {
	X                       hw.UInt
	Exp                     hw.UInt // the exponent field of a root in [1, 2): that of the greater operand
	Sticky                  hw.Bit  // something is left below X
	Zero, Inf, NaN, Invalid hw.Bit
}

// Build squares the operands exactly, aligns them by twice the distance of their
// exponents, and extracts the root. Nothing is normalised: with the exponent of the
// greater operand the root of a subnormal sum is in units of the last place already.
func (c Hypot) Build(m *hw.Module, p BinaryPorts) {
	n := c.Format.Frac + 2 + c.Rounding.Tail()
	s := c.steps(m, p.Control, n+3)
	a, b := input(s, "a", p.A), input(s, "b", p.B)
	x := step(s, "squares", func(at int) squares { return c.squares(a.At(at), b.At(at)) })
	q := extract(s, func(at int) hw.UInt { return x.At(at).X }, n)
	exact := step(s, "exact", func(at int) float.Exact {
		left := arith.RootRemainder(q.rest.At(at), q.digits.At(at)).Any()
		return c.hypot(x.At(at), q.digits.At(at), left)
	})
	s.finish(p.Y, p.Flags, exact)
}

// squares makes a sum in [0, 8) in units of the greater operand's exponent, of which
// the root lies in [0, 2√2): two digits before the point.
func (c Hypot) squares(x, y Num) squares {
	// The greater operand gives the exponent; the distance of the squares is twice that of the
	// operands.
	f, tail := c.Format, c.Rounding.Tail()
	swap := y.Abs().Raw.Gt(x.Abs().Raw)
	a, b := hw.Mux(swap, y, x).Parts(), hw.Mux(swap, x, y).Parts()
	apart := a.Exp.Sub(b.Exp)

	w := 2*f.Frac + 4 + 2*tail // sums below 16, and two bits for every place of the tail
	aa, bb := a.Sig.Mul(a.Sig), b.Sig.Mul(b.Sig)

	// The lesser square goes down by the distance, and leaves a sticky bit.
	bits := min(countTo(w/2), f.Exp)
	twice := hw.Cat(apart.Trunc(bits), hw.Low)
	moved, lost := shiftSticky(bb.PadLow(2*tail), twice)
	if bits < f.Exp {
		far := apart.Range(f.Exp-1, bits).Any()
		moved, lost = moved.And(far.Not().Rep(moved.Width())), hw.Mux(far, b.Zero.Not(), lost)
	}

	// An infinity wins over a quiet NaN, not over a signalling one.
	signaling := a.Signaling.Or(b.Signaling)
	inf := a.Inf.Or(b.Inf).AndNot(signaling)
	return squares{
		X: aa.PadLow(2 * tail).Extend(w).Add(moved.Extend(w)), Exp: a.Exp, Sticky: lost,
		Zero: a.Zero.And(b.Zero), Inf: inf, NaN: a.NaN.Or(b.NaN).AndNot(inf), Invalid: signaling,
	}
}

// hypot cuts the result out of the root, which has its first one at one of two places,
// or below both where the result is subnormal.
func (c Hypot) hypot(x squares, root hw.UInt, left hw.Bit) float.Exact {
	// One of two places for the first digit: the exponent is one more where it is the upper.
	e := c.Format.Exp
	w := root.Width() // Frac + 2 + tail: a bit for 2 and one for 1
	above := root.Bit(w - 1)
	sig := hw.Mux(above, root.Range(w-1, 1), root.Trunc(w-1))
	rest := left.Or(x.Sticky, above.And(root.Bit(0)))
	base := x.Exp.Extend(e + 1).Dec().Add(above.UInt().Extend(e + 1))
	return float.Exact{
		Neg: hw.Low, Base: base, Sig: sig, Rest: rest, Zero: x.Zero,
		Special: x.Inf.Or(x.NaN), NaN: x.NaN, Invalid: x.Invalid, DivideZero: hw.Low, Carry: hw.Low,
	}
}
