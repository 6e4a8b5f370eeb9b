package float

import (
	"etch/hw"
	"etch/hw/arith"
	"etch/hw/float"
	"etch/hw/pipe"
)

// Divider divides, A / B: a division in every cycle. [Dividing] is the circuit that
// takes a few digits a cycle.
type Divider struct{ Op }

func (c Divider) Ports() BinaryPorts { return c.binary() }

// ModuleName is div_e5m10_8 for fp16 and eight stages.
func (c Divider) ModuleName() string { return c.name("div") }

// digits is the number of digits of a quotient: one before the point, which may be 0,
// and the bits that rounding looks at. A lower place of the tail, to tell a tiny number, is not
// needed: no quotient lies so close below a power of two.
func (o Op) digits() int { return o.Format.Frac + 1 + o.Rounding.Tail() }

// fraction is normalised operands of a division, and the rest of the quotient.
type fraction struct {
	A, B hw.UInt // in [2^Frac, 2^(Frac+1)), unless one is zero or special
	Around
}

// Around is a quotient without its digits.
type Around struct {
	Exp                 hw.UInt // the exponent field of a quotient in [1, 2), less one; signed
	Neg                 hw.Bit
	Zero, Inf, NaN      hw.Bit
	Invalid, DivideZero hw.Bit
}

// Build divides in a step for each digit; before them the operands are normalised, and
// after them the quotient is denormalised and rounded.
func (c Divider) Build(m *hw.Module, p BinaryPorts) {
	s := c.steps(m, p.Control, c.digits()+3)
	a, b := input(s, "a", p.A), input(s, "b", p.B)

	// Normalised operands: then the quotient lies in (1/2, 2), and its first digit is one of two.
	x := step(s, "fraction", func(at int) fraction { return c.divide(a.At(at), b.At(at)) })

	// Non-restoring division, a digit a step.
	var q quotient
	for i := range c.digits() {
		q.next(s, func(at int) (rest hw.UInt, digit hw.Bit) {
			by := x.At(at).B
			if i == 0 { // half of A, which is less than B, and then its lowest bit
				return arith.DivideStep(x.At(at).A.Shr(1).Extend(by.Width()+1), x.At(at).A.Bit(0), by)
			}
			return arith.DivideStep(q.rest.At(at), hw.Low, by)
		})
	}

	// Whatever is left after the last digit only tells that the quotient is not exact.
	exact := step(s, "exact", func(at int) float.Exact {
		left := arith.Remainder(q.rest.At(at), x.At(at).B).Any()
		return c.quotient(x.At(at).Around, q.digits.At(at), left)
	})
	s.finish(p.Y, p.Flags, exact)
}

// quotient is the digits so far and the remainder.
type quotient struct {
	rest, digits pipe.Value[hw.UInt]
	n            int
}

// next appends a digit.
func (q *quotient) next(s *steps, f func(at int) (rest hw.UInt, digit hw.Bit)) {
	type row struct {
		Rest  hw.UInt
		Digit hw.Bit
	}

	// A digit and the remainder after it, both at the stage of this step.
	var after row
	stage := s.stage()
	after.Rest, after.Digit = f(stage)
	digits := after.Digit.UInt()
	if q.n > 0 {
		digits = hw.Cat(q.digits.At(stage), after.Digit)
	}
	q.n++
	q.rest = spared(s, pipe.Of(s.run, hw.Name("rest", q.n), stage, after.Rest))
	q.digits = step(s, hw.Name("digits", q.n), func(int) hw.UInt { return digits })
}

// greatestQuotient is the exponent field of the greatest number by the least, and one more
// for the carry of rounding. In formats with more fraction bits than half of the exponents
// it is far past the range.
func (o Op) greatestQuotient() int { f := o.Format; return 1<<f.Exp - 1 + f.Frac + f.Bias() }

// quotientBase is a quotient's base in one bit more than an exponent has. That of an operand
// without significand, zero or infinity, may be past the range, where a zero must not be.
func (o Op) quotientBase(base hw.UInt, number hw.Bit) hw.UInt {
	if o.greatestQuotient() >= 2<<o.Format.Exp {
		return o.limit(base.And(number.Rep(base.Width())))
	}
	return resize(base, o.Format.Exp+1)
}

// divide normalises the operands. The quotient's exponent is that of A, less that of B.
func (o Op) divide(x, y Num) fraction {
	f := o.Format
	a, b := x.Parts(), y.Parts()

	// Both operands move up to their first one; the exponent pays for A's way and gains B's.
	bits, w := countTo(f.Frac), countTo(o.greatestQuotient())+1
	up, down := leadingZeros(a.Sig, bits), leadingZeros(b.Sig, bits)
	exp := a.Exp.Extend(w).Sub(up.Extend(w)).Sub(b.Exp.Extend(w)).Add(down.Extend(w)).Add(hw.U(f.Bias() - 1).Extend(w))

	// 0/0 and infinity by infinity are invalid, a number by 0 is an infinity with its own flag.
	bad := a.Inf.And(b.Inf).Or(a.Zero.And(b.Zero))
	nan := a.NaN.Or(b.NaN, bad)
	return fraction{A: a.Sig.ShlBy(up), B: b.Sig.ShlBy(down), Around: Around{
		Exp: exp, Neg: a.Neg.Xor(b.Neg), NaN: nan, Inf: a.Inf.Or(b.Zero), Zero: a.Zero.Or(b.Inf).AndNot(a.Inf.Or(b.Zero)),
		Invalid: a.Signaling.Or(b.Signaling, bad), DivideZero: b.Zero.AndNot(a.Zero).AndNot(a.Special()),
	}}
}

// quotient puts the first digit that is 1 at the top and denormalises.
func (o Op) quotient(x Around, digits hw.UInt, left hw.Bit) float.Exact {
	// The first digit, which may be 0, decides the exponent.
	above := digits.Bit(digits.Width() - 1)
	sig := hw.Mux(above, digits, digits.Shl(1))
	e := o.denormalise(scaled{Exp: x.Exp.Add(above.UInt().Extend(x.Exp.Width())), Sig: sig, Rest: left})
	number := x.Inf.Or(x.Zero).Not()
	e.Base = o.quotientBase(e.Base, number)
	e.Sig, e.Rest = e.Sig.And(number.Rep(e.Sig.Width())), e.Rest.And(number)
	e.Neg, e.Zero, e.Special, e.NaN, e.Invalid, e.DivideZero = x.Neg, x.Zero, x.Inf.Or(x.NaN), x.NaN, x.Invalid, x.DivideZero
	return e
}
