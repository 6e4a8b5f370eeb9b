package float

import (
	"etch/hw"
	"etch/hw/float"
)

// Adder adds and subtracts.
type Adder struct{ Op }

type AdderPorts struct {
	Control
	A, B Num    `dir:"in"`
	Sub  hw.Bit `dir:"in"` // A - B
	Y    Num    `dir:"out"`
}

func (c Adder) Ports() AdderPorts {
	n := Of(c.Format)
	return AdderPorts{Control: c.control(), A: n, B: n, Y: n}
}

// ModuleName is add_e5m10_3 for fp16 and three stages.
func (c Adder) ModuleName() string { return c.name("add") }

// ordered is the operands by magnitude.
type ordered struct {
	Big, Small     float.Parts
	Distance       hw.UInt // of the exponents
	Minus          hw.Bit  // the signs differ
	Zeros          hw.Bit  // the sign of a sum that is 0
	Special, IsNaN hw.Bit
	Invalid        hw.Bit
}

// Build adds in four steps: order the operands, align the lesser one, add, and round
// the normalised sum.
func (c Adder) Build(m *hw.Module, p AdderPorts) {
	s := c.steps(m, p.Control, 5)
	a, b, sub := input(s, "a", p.A), input(s, "b", p.B), input(s, "sub", p.Sub)

	order := step(s, "order", func(at int) ordered {
		return c.order(a.At(at), b.At(at).FlipIf(sub.At(at)), s.rounder(at))
	})
	align := step(s, "aligned", func(at int) hw.UInt { return c.align(order.At(at)) })
	total := step(s, "total", func(at int) sum { return c.add(order.At(at), align.At(at)) })
	exact := step(s, "exact", func(at int) float.Exact {
		o, t := order.At(at), total.At(at)
		base, sig, rest := c.normalise(t)
		if c.Format.Codes != float.IEEE { // whose greatest exponent is one of numbers
			base = base.Extend(c.Format.Exp + 1)
		}
		return float.Exact{
			Neg: hw.Mux(t.Zero, o.Zeros, o.Big.Neg), Base: base, Sig: sig, Rest: rest,
			Zero: t.Zero, Special: o.Special, NaN: o.IsNaN, Invalid: o.Invalid, DivideZero: hw.Low,
		}
	})
	s.exactBelow = true
	s.finish(p.Y, p.Flags, exact)
}

// order puts the operand of the greater magnitude first, which makes every difference
// positive. Exponents of 0 count as 1: a difference in that is a borrow
// into one subtraction that is a bit longer.
func (c Adder) order(x, y Num, r float.Rounder) ordered {
	f := c.Format
	swap := y.Abs().Raw.Gt(x.Abs().Raw)
	big, small := hw.Mux(swap, y, x), hw.Mux(swap, x, y)
	a, b := big.Parts(), small.Parts()
	minus := x.IsNeg().Xor(y.IsNeg())
	oneBelow := a.Sig.Bit(f.Frac).AndNot(b.Sig.Bit(f.Frac)) // only b is subnormal
	d := hw.Cat(big.Exp(), hw.Low).Sub(hw.Cat(small.Exp(), oneBelow)).Range(f.Exp, 1)

	// Of two specials the greater magnitude is a NaN if one is, and an infinity otherwise.
	special := a.Inf.Or(a.NaN)
	cancel := hw.Low
	if f.Codes == float.IEEE {
		special = big.Exp().All()
		cancel = a.Inf.And(small.Exp().All(), minus)
	}
	return ordered{
		Big: a, Small: b, Distance: d, Minus: minus,
		Zeros:   x.IsNeg().And(y.IsNeg()).Or(r.Downward().And(minus)),
		Special: special, IsNaN: a.NaN.Or(cancel),
		Invalid: a.Signaling.Or(b.Signaling, cancel),
	}
}

// align moves the lesser significand to its place under the greater one, with tail + 1
// bits below the last place, of which the lowest stands for all that is lost. That bit
// is enough: where more than the tail comes up again, as the sum cancels, the distance
// was 0 or 1, and nothing was lost.
func (c Adder) align(o ordered) hw.UInt {
	x := o.Small.Sig.PadLow(c.Rounding.Tail())
	y, sticky := shiftSticky(x, o.Distance)
	return hw.Cat(y, sticky)
}

// add is the sum or the difference, a bit wider.
func (c Adder) add(o ordered, small hw.UInt) sum {
	w := small.Width() + 1
	big := o.Big.Sig.PadLow(c.Rounding.Tail() + 1).Extend(w)
	mag := addSub(big, small.Extend(w), o.Minus)
	return sum{Neg: o.Big.Neg, Room: o.Big.Exp, Mag: mag, Zero: mag.Any().Not()}
}
