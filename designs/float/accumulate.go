package float

import (
	"etch/hw"
	"etch/hw/float"
)

// Accumulator sums products exactly, one in a cycle (Kulisch): the sum is a fixed-point
// number that holds every product of the format, so that its value does not depend on
// the order, and it is rounded once. Latency cycles after a product the port Y has the
// sum up to and with it.
type Accumulator struct {
	Op
	Guard int `help:"bits above the greatest product: 2^guard products cannot overflow" range:"1..64"`
}

// AccumulatorPorts are a product's factors and the sum, all of one format. A cycle with Valid
// adds A · B.
type AccumulatorPorts struct {
	Control
	Clear hw.Bit `dir:"in"` // the sum begins with this product, if it is Valid
	Valid hw.Bit `dir:"in"`
	A, B  Num    `dir:"in"`
	Y     Num    `dir:"out"`
}

func (c Accumulator) Ports() AccumulatorPorts {
	n := Of(c.Format)
	return AccumulatorPorts{Control: c.control(), A: n, B: n, Y: n}
}

// Latency is the number of cycles from a product to the rounded sum: one for the
// product in its place, one for the sum, and Stages in the rounding.
func (c Accumulator) Latency() int { return 2 + c.Stages }

// Width is the number of bits of the sum: a sign, the guard bits, and from the greatest
// product's top to the least one's bottom.
func (c Accumulator) Width() int {
	f := c.Format
	return 1 + c.Guard + 2*(f.MaxExp()+1) - 2*(f.MinExp()-f.Frac)
}

// term is a product, shifted to its place in the accumulator, or a special value in its place: a
// NaN or an infinity.
type term struct {
	Mag               hw.UInt
	Neg, NaN, Invalid hw.Bit
	Pos, NegInf       hw.Bit
	Clear, Valid      hw.Bit
}

// Build has a loop of one addition, of a fixed-point number as wide as
// [Accumulator.Width]. The product is shifted before the loop. The result is rounded
// behind it, by the same logic as any sum.
func (c Accumulator) Build(m *hw.Module, p AccumulatorPorts) {
	run := m.Enabled(p.En)

	// The product is placed in one cycle and added in the next, so that the loop has nothing but
	// the sum.
	t := hw.Delay(run, "term", c.place(p), 1)
	total := hw.Reg(run, "total", hw.Unsigned(c.Width()), hw.U(0))
	special := hw.Reg(run, "special", specials{}, specials{hw.Low, hw.Low, hw.Low, hw.Low})

	// A product with Clear begins the sum anew: neither the old sum nor its specials are kept.
	run.When(t.Valid, func() {
		total.Set(addSub(hw.Mux(t.Clear, hw.U(0), total), t.Mag, t.Neg))
		keep := t.Clear.Not()
		hw.Set(special, specials{
			special.NaN.And(keep).Or(t.NaN), special.Invalid.And(keep).Or(t.Invalid),
			special.Pos.And(keep).Or(t.Pos), special.Neg.And(keep).Or(t.NegInf),
		})
	})
	c.round(m, p, total, special)
}

// specials are the infinities and NaNs that came in.
type specials struct{ NaN, Invalid, Pos, Neg hw.Bit }

// place shifts a product up by the sum of both exponent fields less 2. A field of 0
// counts as 1, so the shift is 0 or more.
func (c Accumulator) place(p AccumulatorPorts) term {
	a, b := p.A.Parts(), p.B.Parts()
	f := c.Format

	// The way up from the bottom, where the exponent fields 1 and 1 put a product.
	by := a.Exp.AddGrow(b.Exp).Sub(hw.U(2).Extend(f.Exp + 1))

	// An infinity or a NaN adds nothing to the sum: it goes beside it and hides it in the end.
	bad := a.Inf.And(b.Zero).Or(b.Inf.And(a.Zero))
	number := a.Special().Or(b.Special()).Not()
	inf := a.Inf.Or(b.Inf).AndNot(bad).AndNot(a.NaN.Or(b.NaN))
	neg := a.Neg.Xor(b.Neg)

	w := c.Width()
	return term{
		Mag: a.Sig.Mul(b.Sig).And(number.Rep(2*f.Frac + 2)).Extend(w).ShlBy(by), Neg: neg,
		NaN: a.NaN.Or(b.NaN, bad), Invalid: a.Signaling.Or(b.Signaling, bad),
		Pos: inf.AndNot(neg), NegInf: inf.And(neg), Clear: p.Clear, Valid: p.Valid,
	}
}

// round makes a number of the sum, in two steps.
func (c Accumulator) round(m *hw.Module, p AccumulatorPorts, total hw.UInt, special specials) {
	f := c.Format
	s := c.steps(m, p.later(m.Enabled(p.En), 2), 3)

	// The mode of rounding is given with the product and waits for its sum.
	in, what := input(s, "total", total), input(s, "special", special)
	top := c.Width() - 2 + 2*(f.MinExp()-f.Frac) + f.Bias() // the exponent field of the top bit below the sign
	abs := step(s, "magnitude", func(at int) sum { return c.fixedSum(in.At(at), top) })
	exact := step(s, "exact", func(at int) float.Exact { return c.exactOf(abs.At(at), what.At(at)) })
	s.finish(p.Y, p.Flags, exact)
}

// fixedSum is the magnitude of a sum in fixed point, of which the bit below the sign has
// the exponent field top.
func (o Op) fixedSum(total hw.UInt, top int) sum {
	w := total.Width()

	// The magnitude, under as many zeros as bring its top to an exponent field of 1 at least, and
	// over as many as rounding looks at.
	neg := total.Bit(w - 1)
	mag := total.Xor(neg.Rep(w)).Add(neg.UInt().Extend(w)).Trunc(w - 1)
	if top < 1 { // zeros on top, up to the least exponent
		mag, top = mag.Extend(w-top), 1
	}
	if keep := o.Format.Frac + 2 + o.Rounding.Tail(); mag.Width() < keep {
		mag = mag.PadLow(keep - mag.Width())
	}
	return sum{Neg: neg, Room: hw.U(top - 1).Extend(countTo(top)), Mag: mag, Zero: mag.Any().Not(), Rest: hw.Low, Ones: hw.Low}
}

// exactOf is a sum, or the special value that it is instead.
func (o Op) exactOf(a sum, x specials) float.Exact {
	e := o.normalise(a)

	// Infinities of both signs make a NaN; it is invalid unless a NaN came in by itself.
	both := x.Pos.And(x.Neg)
	inf := x.Pos.Or(x.Neg)
	e.Neg, e.Base = hw.Mux(inf, x.Neg, a.Neg), o.limit(e.Base)
	e.Special, e.NaN, e.Invalid = inf.Or(x.NaN), x.NaN.Or(both), x.Invalid.Or(both.AndNot(x.NaN))
	return e
}
