package float

import (
	"etch/hw"
	"etch/hw/float"
)

// Multiplier is a correctly rounded product in one format.
type Multiplier struct{ Op }

// BinaryPorts are two operands of one format and their result. The result's format is the
// unit's; that of the operands differs from it in a [Product] alone.
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

// product is an exact product in its window.
type product struct {
	sum
	Special, NaN, Invalid hw.Bit
}

// Build multiplies in four steps: the exact product, how far it is to be moved, move it, round.
func (c Multiplier) Build(m *hw.Module, p BinaryPorts) {
	s := c.steps(m, p.Control, 4)
	a, b := input(s, "a", p.A), input(s, "b", p.B)
	multiplied := step(s, "product", func(at int) product { return c.multiply(a.At(at), b.At(at)) })
	to := step(s, "way", func(at int) way { return multiplied.At(at).way() })
	exact := step(s, "exact", func(at int) float.Exact {
		x := multiplied.At(at)
		e := c.normalised(x.sum, to.At(at))
		e.Base, e.Special, e.NaN, e.Invalid = c.limit(e.Base), x.Special, x.NaN, x.Invalid
		return e
	})
	s.finish(p.Y, p.Flags, exact)
}

// multiply puts the product of the significands as they are, subnormal ones too, under so
// many zeros that the top of the window has an exponent field of 1 or more: then a
// single shift to the left makes numbers and subnormal numbers of all products. One
// that would lie farther below is nothing but a rest, at that place already.
func (c Multiplier) multiply(x, y Num) product {
	// The zeros above are a power of two, so that the count of leading zeros has one more digit and
	// nothing to add.
	f := c.Format
	a, b := x.Parts(), y.Parts()
	under := 1
	for under < f.Frac+2+c.Rounding.Tail() {
		under *= 2
	}

	// The room is the exponent field of the window's top, less one. Below 0 it becomes 0: all of such
	// a product lies in the rest.
	w := max(f.Exp, countTo(under)) + 2
	room := a.Exp.AddGrow(b.Exp).Extend(w).Add(hw.S(under - f.Bias()).Extend(w).AsUnsigned())
	room = room.And(room.Bit(w - 1).Not().Rep(w)).Trunc(w - 1)

	// Zero by infinity is invalid.
	bad := a.Inf.And(b.Zero).Or(b.Inf.And(a.Zero))
	return product{
		sum:     sum{Room: room, Mag: a.Sig.Mul(b.Sig).Extend(under + 2*f.Frac + 2), Neg: a.Neg.Xor(b.Neg), Zero: a.Zero.Or(b.Zero), Rest: hw.Low, Ones: hw.Low},
		Special: a.Special().Or(b.Special()), NaN: a.NaN.Or(b.NaN, bad), Invalid: a.Signaling.Or(b.Signaling, bad),
	}
}

// scaled is a number in [1, 2) or below.
type scaled struct {
	Exp  hw.UInt // its exponent field, signed
	Sig  hw.UInt // Frac + 1 bits over the tail
	Rest hw.Bit
}

// denormalise moves a number below the least normal one down to the place where it is
// rounded. Its base has all bits of the exponent but the sign.
func (o Op) denormalise(x scaled) float.Exact {
	// The way down is 1 - Exp, as the complement and 2 more; more bits than the significand has are
	// one case.
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

	// Moved down, a number has the exponent field 0.
	base := x.Exp.Dec().Trunc(w - 1).And(low.Not().Rep(w - 1))
	return float.Exact{Base: base, Sig: sig.And(far.Not().Rep(sig.Width())), Rest: lost.Or(x.Rest), Carry: hw.Low}
}
