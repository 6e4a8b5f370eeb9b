package float

import (
	"etch/hw"
	"etch/hw/float"
)

// Product multiplies two numbers of one format into another, rounded once; into a
// format of twice the width the product is exact. [Multiplier] stays in its format.
type Product struct {
	From Format `help:"format of the operands"`
	Op
}

func (c Product) Validate() error { return c.from(c.From) }

func (c Product) Ports() BinaryPorts {
	n := Of(c.From)
	return BinaryPorts{Control: c.control(), A: n, B: n, Y: Of(c.Format)}
}

// ModuleName is product_e5m10_to_e8m23_2 for fp16 into fp32 in two stages.
func (c Product) ModuleName() string { return c.name("product_" + c.From.Name() + "_to") }

// wideProduct is an exact product without its place.
type wideProduct struct {
	Sig                     hw.UInt // 2·Frac + 2 bits
	Exp                     hw.UInt // the sum of the exponent fields
	Neg                     hw.Bit
	Zero, Inf, NaN, Invalid hw.Bit
}

// multiply is the exact product of two numbers.
func multiply(x, y Num) wideProduct {
	a, b := x.Parts(), y.Parts()

	// Zero times infinity is invalid.
	bad := a.Inf.And(b.Zero).Or(b.Inf.And(a.Zero))
	nan := a.NaN.Or(b.NaN, bad)
	return wideProduct{
		Sig: a.Sig.Mul(b.Sig), Exp: a.Exp.AddGrow(b.Exp), Neg: a.Neg.Xor(b.Neg),
		Zero: a.Zero.Or(b.Zero), Inf: a.Inf.Or(b.Inf).AndNot(nan), NaN: nan, Invalid: a.Signaling.Or(b.Signaling, bad),
	}
}

// lift is the exponent field of a product's top bit in the result's format, less the
// operands' fields: the top bit of significands below 4 has the weight 2.
func (c Product) lift() int { return 1 + c.Format.Bias() - 2*c.From.Bias() }

// Build multiplies, puts the product in its place, and rounds. Where the format has the
// range for every product, none has to be moved down.
func (c Product) Build(m *hw.Module, p BinaryPorts) {
	s := c.steps(m, p.Control, 3)
	a, b := input(s, "a", p.A), input(s, "b", p.B)

	// The exact product, then its place in the other format.
	product := step(s, "product", func(at int) wideProduct { return multiply(a.At(at), b.At(at)) })
	exact := step(s, "exact", func(at int) float.Exact {
		x := product.At(at)

		// An infinity and a NaN have no significand.
		special := x.Inf.Or(x.NaN)
		sig := x.Sig.And(special.Not().Rep(x.Sig.Width()))

		// A result's format with room for every product needs no way down.
		var e float.Exact
		if least := 2 + c.lift(); least >= 1 {
			e = c.placed(x, sig)
		} else {
			w := topBits(least, 2<<c.From.Exp, sig.Width())
			top := x.Exp.Extend(w).Add(hw.S(c.lift()).Extend(w).AsUnsigned())
			e = c.fit(magnitude{Neg: x.Neg, Mag: sig, Top: top, Zero: x.Zero.Or(special)})
		}
		e.Special, e.NaN, e.Invalid = special, x.NaN, x.Invalid
		return e
	})
	s.finish(p.Y, p.Flags, exact)
}

// placed normalises a product that lies within the format's range.
func (c Product) placed(x wideProduct, sig hw.UInt) float.Exact {
	// The room to the top never runs out: the format has an exponent for the least product.
	most := 2*(1<<c.From.Exp-1) + c.lift() - 1
	w := max(countTo(most), x.Exp.Width()) + 1
	room := x.Exp.Extend(w).Add(hw.S(c.lift() - 1).Extend(w).AsUnsigned()).Trunc(w - 1)
	if keep := c.Format.Frac + 2 + c.Rounding.Tail(); sig.Width() < keep {
		sig = sig.PadLow(keep - sig.Width())
	}
	e := c.normalise(sum{Neg: x.Neg, Room: room, Mag: sig, Zero: x.Zero.Or(x.Inf, x.NaN), Rest: hw.Low, Ones: hw.Low})
	e.Base = c.limit(e.Base)
	return e
}
