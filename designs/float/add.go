package float

import (
	"etch/hw"
	"etch/hw/float"
)

// Adder adds and subtracts.
type Adder struct{ Op }

// AdderPorts are A and B and their sum, or with Sub their difference.
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

// Build adds in six steps: order the operands, align the lesser one, add, find how far the
// sum is to be moved, move it, and round.
func (c Adder) Build(m *hw.Module, p AdderPorts) {
	s := c.steps(m, p.Control, 6)
	a, b, sub := input(s, "a", p.A), input(s, "b", p.B), input(s, "sub", p.Sub)

	order := step(s, "order", func(at int) ordered {
		return c.order(a.At(at), b.At(at).FlipIf(sub.At(at)), s.rounder(at))
	})
	align := step(s, "aligned", func(at int) shifted { return c.align(order.At(at)) })
	total := step(s, "total", func(at int) sum { return c.add(order.At(at), align.At(at)) })
	to := step(s, "way", func(at int) way { return total.At(at).way() })
	exact := step(s, "exact", func(at int) float.Exact {
		o, t := order.At(at), total.At(at)
		e := c.normalised(t, to.At(at))
		if c.Format.Codes != float.IEEE { // whose greatest exponent is one of numbers
			e.Base = e.Base.Extend(c.Format.Exp + 1)
		}

		// The sign of a zero sum follows from the operands' signs and the mode of rounding. Specials
		// take the number's place in the last step.
		e.Neg = hw.Mux(t.Zero, o.Zeros, t.Neg)
		e.Special, e.NaN, e.Invalid = o.Special, o.IsNaN, o.Invalid
		return e
	})

	// A sum below the normal numbers is exact: its operands are multiples of the least positive number.
	s.exactBelow = true
	s.finish(p.Y, p.Flags, exact)
}

// order puts the operand of the greater magnitude first, which makes every difference positive. A
// subnormal operand has the exponent field 0 and the exponent of field 1: where only the lesser
// operand is subnormal, the distance is one less than that of the fields. A borrow from below
// corrects it, for which the subtraction is one bit longer.
func (c Adder) order(x, y Num, r float.Rounder) ordered {
	f := c.Format

	// Codes without sign are in the order of magnitudes: one comparison, also of specials.
	swap := y.Abs().Raw.Gt(x.Abs().Raw)
	big, small := hw.Mux(swap, y, x), hw.Mux(swap, x, y)
	a, b := big.Parts(), small.Parts()

	// The distance of the exponents. A subnormal operand has the exponent field 0 for 1.
	// In a short format the ones fit into the tables before the chain, and no borrow is needed.
	minus := x.IsNeg().Xor(y.IsNeg())
	d := a.Exp.Sub(b.Exp)
	if !c.short() {
		oneBelow := a.Sig.Bit(f.Frac).AndNot(b.Sig.Bit(f.Frac)) // only b is subnormal
		d = hw.Cat(big.Exp(), hw.Low).Sub(hw.Cat(small.Exp(), oneBelow)).Range(f.Exp, 1)
	}

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

// shifted is the significand of the lesser operand in its place under the greater one.
type shifted struct {
	Sig  hw.UInt // with the tail below the last place
	Lost hw.Bit  // something is left below
}

// align moves the lesser significand to its place.
func (c Adder) align(o ordered) shifted {
	x := o.Small.Sig.PadLow(c.Rounding.Tail())
	shift := shiftSticky
	if c.short() {
		shift = shiftStickyFew
	}
	y, lost := shift(x, o.Distance)
	return shifted{y, lost}
}

// short tells whether a sum's cells are counted in bits of tables, not in chains.
func (c Adder) short() bool { return c.Format.Width() <= 8 }

// add is the sum or the difference, a bit wider. Of a difference from which something is
// lost it is the next lower one, so that something is left in either case. The tail
// is enough: where more than it comes up again, as the difference cancels, the distance
// was 0 or 1, and nothing was lost.
func (c Adder) add(o ordered, small shifted) sum {
	// One addition does both: it carries in from below where a difference is exact.
	w := small.Sig.Width() + 1
	big := o.Big.Sig.PadLow(c.Rounding.Tail()).Extend(w)
	mag := hw.Cat(big, hw.High).Add(hw.Cat(small.Sig.Extend(w).Xor(o.Minus.Rep(w)), o.Minus.AndNot(small.Lost))).Range(w, 1)
	return sum{Neg: o.Big.Neg, Room: o.Big.Exp, Mag: mag, Zero: mag.Any().Not(), Rest: small.Lost, Ones: hw.Low}
}
