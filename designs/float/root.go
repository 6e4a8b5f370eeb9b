package float

import (
	"etch/hw"
	"etch/hw/arith"
	"etch/hw/float"
)

// Root takes square roots: one in every cycle.
type Root struct{ Op }

// UnaryPorts are an operand and its result, both of the unit's format.
type UnaryPorts struct {
	Control
	A Num `dir:"in"`
	Y Num `dir:"out"`
}

func (c Root) Ports() UnaryPorts { return c.unary() }

func (o Op) unary() UnaryPorts {
	n := Of(o.Format)
	return UnaryPorts{Control: o.control(), A: n, Y: n}
}

// ModuleName is sqrt_e5m10_8 for fp16 and eight stages.
func (c Root) ModuleName() string { return c.name("sqrt") }

// radicand is the operand of the digits, and the rest of the root.
type radicand struct {
	X         hw.UInt // twice as many bits as the root has digits
	Exp       hw.UInt // the exponent field of the root, signed
	Neg, Zero hw.Bit
	Inf, NaN  hw.Bit
	Invalid   hw.Bit
}

// places is the number of digits of a root: those of the significand and, below, those
// that rounding looks at, but for the last one where no root is tiny.
func (o Op) places() int {
	if o.tinyRoots() {
		return o.Format.Frac + 1 + o.Rounding.Tail()
	}
	return o.Format.Frac + o.Rounding.Tail()
}

// tinyRoots tells whether the least number has a subnormal root: only in formats with
// more fraction bits than the exponent would have it.
func (o Op) tinyRoots() bool { return o.Format.Frac >= o.Format.Bias() }

// Build extracts the root in a step for each digit.
func (c Root) Build(m *hw.Module, p UnaryPorts) {
	s := c.steps(m, p.Control, c.places()+3)
	a := input(s, "a", p.A)

	// The operand with an even exponent; its root a digit a step; then the exponent again.
	x := step(s, "radicand", func(at int) radicand { return c.radicand(a.At(at)) })
	q := extract(s, func(at int) hw.UInt { return x.At(at).X }, c.places())
	exact := step(s, "exact", func(at int) float.Exact {
		return c.root(x.At(at), q.digits.At(at), arith.RootRemainder(q.rest.At(at), q.digits.At(at)).Any())
	})
	s.finish(p.Y, p.Flags, exact)
}

// root makes a result of the digits and of whether something is left.
func (o Op) root(r radicand, digits hw.UInt, left hw.Bit) float.Exact {
	// Roots of normal formats are normal numbers; see tinyRoots.
	e := float.Exact{Base: resize(r.Exp.Dec(), o.Format.Exp+1).And(r.Zero.Not().Rep(o.Format.Exp + 1)), Sig: digits, Rest: left, Carry: hw.Low}
	if o.tinyRoots() {
		e = o.denormalise(scaled{Exp: r.Exp, Sig: digits, Rest: left})
		e.Base = resize(e.Base, o.Format.Exp+1)
	} else {
		e.Sig = digits.PadLow(1)
	}
	e.Neg, e.Zero, e.Special, e.NaN, e.Invalid, e.DivideZero = r.Neg, r.Zero, r.Inf.Or(r.NaN), r.NaN, r.Invalid, hw.Low
	return e
}

// extract makes n digits of the root of a radicand of 2n bits, the top first.
func extract(s *steps, x func(at int) hw.UInt, n int) (q quotient) {
	for i := range n {
		q.next(s, func(at int) (hw.UInt, hw.Bit) {
			// Two bits of the radicand for a digit; the first step starts from nothing.
			high, low := x(at).Bit(2*(n-i)-1), x(at).Bit(2*(n-i)-2)
			if i == 0 {
				return arith.RootStep(hw.Zeros(1), [2]hw.Bit{high, low}, hw.Zeros(1))
			}
			return arith.RootStep(q.rest.At(at), [2]hw.Bit{high, low}, hw.Cat(hw.Low, q.digits.At(at)))
		})
	}
	return q
}

// radicand normalises the operand and makes its exponent even. With an odd bias, the
// exponent field of the root is half the sum of that of the operand and the bias.
func (o Op) radicand(x Num) radicand {
	f := o.Format
	a := x.Parts()

	// A subnormal operand moves up. With an odd exponent its significand is doubled.
	bits, w := countTo(f.Frac), max(f.Exp, countTo(f.Frac))+2
	up := leadingZeros(a.Sig, bits)
	exp := a.Exp.Extend(w).Sub(up.Extend(w)).Add(hw.U(f.Bias()).Extend(w))
	odd := exp.Bit(0)
	sig := a.Sig.ShlBy(up)
	wide := hw.Mux(odd, hw.Cat(sig, hw.Low), hw.Cat(hw.Low, sig))

	// The root of -0 is -0; of other negative numbers there is none.
	below := a.Neg.AndNot(a.Zero)
	nan := a.NaN.Or(below)
	return radicand{
		X: wide.PadLow(2*o.places() - wide.Width()), Exp: exp.Range(w-1, 1),
		Neg: a.Neg, Zero: a.Zero, Inf: a.Inf, NaN: nan, Invalid: a.Signaling.Or(below.AndNot(a.NaN)),
	}
}
