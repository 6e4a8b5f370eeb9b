package float

import (
	"fmt"

	"etch/hw"
	"etch/hw/fixed"
	"etch/hw/float"
)

// Converter changes the format: from From to Format.
type Converter struct {
	From Format `help:"format of the operand"`
	Op
}

// ConverterPorts are a number of From and the same number in Format.
type ConverterPorts struct {
	Control
	A Num `dir:"in"` // of format From
	Y Num `dir:"out"`
}

func (c Converter) Validate() error {
	if err := c.From.Validate(); err != nil {
		return err
	}
	return c.Op.Validate()
}

func (c Converter) Ports() ConverterPorts {
	return ConverterPorts{Control: c.control(), A: Of(c.From), Y: Of(c.Format)}
}

// ModuleName is convert_e8m23_to_e5m10_1 for fp32 to fp16 in one stage.
func (c Converter) ModuleName() string { return c.name("convert_" + c.From.Name() + "_to") }

// Build normalises the operand where it may be subnormal and the result is not, moves
// it down where it is the other way round, and rounds.
func (c Converter) Build(m *hw.Module, p ConverterPorts) {
	s := c.steps(m, p.Control, 3)
	a := input(s, "a", p.A)
	unpacked := step(s, "unpacked", func(at int) float.Parts { return a.At(at).Parts() })
	exact := step(s, "exact", func(at int) float.Exact { return c.convert(unpacked.At(at)) })
	s.finish(p.Y, p.Flags, exact)
}

func (c Converter) convert(x float.Parts) float.Exact {
	from, to, tail := c.From, c.Format, c.Rounding.Tail()

	// The exponent in the bias of the result. Its width has room for both formats and for the way
	// up of a subnormal operand.
	w := max(from.Exp, to.Exp, countTo(from.Frac)) + 2
	exp, sig := x.Exp.Extend(w).Add(hw.S(to.Bias()-from.Bias()).Extend(w).AsUnsigned()), x.Sig
	if to.MinExp() < from.MinExp() { // a subnormal operand may have a normal result
		up := leadingZeros(sig, countTo(from.Frac))
		exp, sig = exp.Sub(up.Extend(w)), sig.ShlBy(up)
	}

	// The significand, cut or padded to the places that rounding looks at.
	rest := hw.Low
	if keep := to.Frac + 1 + tail; keep >= from.Frac+1 {
		sig = sig.PadLow(keep - from.Frac - 1)
	} else {
		drop := from.Frac + 1 - keep
		sig, rest = sig.Range(from.Frac, drop), sig.Trunc(drop).Any()
	}

	// A result below the least normal number goes down to its place; one past the range keeps its
	// place by a bit above the exponent.
	e := c.denormalise(scaled{Exp: exp, Sig: sig, Rest: rest})
	past := exp.Range(w-2, to.Exp).Any().AndNot(exp.Bit(w - 1))
	e.Base = hw.Cat(past, e.Base.Trunc(to.Exp).And(past.Not().Rep(to.Exp)))

	// Infinities and NaN carry no significand.
	special := x.Special()
	e.Sig, e.Rest = e.Sig.And(special.Not().Rep(e.Sig.Width())), e.Rest.AndNot(special)
	e.Sig = e.Sig.Or(x.Inf.UInt().PadLow(to.Frac + tail)) // which is not tiny
	e.Neg, e.Zero, e.Special, e.NaN, e.DivideZero = x.Neg, x.Zero, special, x.NaN, hw.Low
	e.Invalid = x.Signaling
	if to.Codes == float.Finite {
		e.Invalid = x.NaN
	}

	// Where the result's format has no infinity, or saturates, an infinite operand is past the range.
	if to.Codes != float.IEEE || to.Saturate {
		e.Base = e.Base.Or(x.Inf.Rep(to.Exp + 1)).And(hw.Cat(hw.High, x.Inf.Not().Rep(to.Exp)))
		e.Special = x.NaN
	}
	return e
}

// FromFixed makes a number of a fixed-point one, or of an integer.
type FromFixed struct {
	Fixed    fixed.Format
	Unsigned bool `help:"whether the operand has no sign"`
	Op
}

// FromFixedPorts are a fixed-point number of Fixed.Width bits and its value in Format.
type FromFixedPorts struct {
	Control
	A hw.UInt `dir:"in"` // the raw bits
	Y Num     `dir:"out"`
}

func (c FromFixed) Ports() FromFixedPorts {
	return FromFixedPorts{Control: c.control(), A: hw.Unsigned(c.Fixed.Width), Y: Of(c.Format)}
}

// ModuleName is from_q24_8_e5m10_2 for fp16 and two stages.
func (c FromFixed) ModuleName() string { return c.name("from_" + fixedName(c.Fixed, c.Unsigned)) }

func fixedName(f fixed.Format, unsigned bool) string {
	kind, frac := "q", fmt.Sprint(f.Frac)
	if unsigned {
		kind = "u"
	}
	if f.Frac < 0 {
		frac = "m" + fmt.Sprint(-f.Frac)
	}
	return kind + fmt.Sprint(f.Width) + "_" + frac
}

// Build takes the magnitude, puts it under zeros down to the least place that a result
// can have, and normalises it as a sum.
func (c FromFixed) Build(m *hw.Module, p FromFixedPorts) {
	s := c.steps(m, p.Control, 3)
	a := input(s, "a", p.A)
	abs := step(s, "magnitude", func(at int) sum { return c.magnitude(a.At(at)) })
	exact := step(s, "exact", func(at int) float.Exact {
		x := abs.At(at)
		e := c.normalise(x)
		e.Base = c.limit(e.Base)
		return e
	})
	s.finish(p.Y, p.Flags, exact)
}

func (c FromFixed) magnitude(x hw.UInt) sum {
	f, w := c.Format, c.Fixed.Width
	neg := x.Bit(w - 1)
	if c.Unsigned {
		neg = hw.Low
	}

	// A fixed-point number is a sum in fixed point.
	mag := x.Xor(neg.Rep(w)).Add(neg.UInt().Extend(w))
	field := w - 1 - c.Fixed.Frac + f.Bias() // the exponent field of the top bit
	if field < 1 {                           // zeros on top, up to the least exponent
		mag, field = mag.Extend(w+1-field), 1
	}
	if keep := f.Frac + 2 + c.Rounding.Tail(); mag.Width() < keep {
		mag = mag.PadLow(keep - mag.Width())
	}
	return sum{Neg: neg, Room: hw.U(field - 1).Extend(countTo(field)), Mag: mag, Zero: mag.Any().Not(), Rest: hw.Low, Ones: hw.Low}
}

// ToFixed makes a fixed-point number or an integer. One past the range becomes the
// nearest end of it, NaN the greatest; both raise Invalid and nothing else.
type ToFixed struct {
	Fixed    fixed.Format
	Unsigned bool `help:"whether the result has no sign"`
	Op
}

// ToFixedPorts are a number of Format and its value as Fixed.Width bits.
type ToFixedPorts struct {
	Control
	A Num     `dir:"in"`
	Y hw.UInt `dir:"out"` // the raw bits
}

func (c ToFixed) Ports() ToFixedPorts {
	return ToFixedPorts{Control: c.control(), A: Of(c.Format), Y: hw.Unsigned(c.Fixed.Width)}
}

// ModuleName is to_q24_8_e5m10_2 for fp16 and two stages.
func (c ToFixed) ModuleName() string { return c.name("to_" + fixedName(c.Fixed, c.Unsigned)) }

// whole is a magnitude without fraction, still to be rounded.
type whole struct {
	Neg        hw.Bit
	Mag        hw.UInt
	Low        hw.UInt // the tail
	Rest, Over hw.Bit
}

// Build moves the significand down from the place just above the result, adds the
// increment, and compares with the ends of the range.
func (c ToFixed) Build(m *hw.Module, p ToFixedPorts) {
	s := c.steps(m, p.Control, 3)
	a := input(s, "a", p.A)

	unpacked := step(s, "unpacked", func(at int) float.Parts { return a.At(at).Parts() })
	moved := step(s, "moved", func(at int) whole { return c.move(unpacked.At(at)) })
	type result struct{ Y, Flags hw.UInt }
	end := step(s, "result", func(at int) result {
		y, flags := c.fit(moved.At(at), unpacked.At(at), s.rounder(at))
		return result{y, flags}
	})

	out := end.At(s.Stages)
	p.Y.Set(out.Y)
	p.Flags.Set(out.Flags)
	s.end()
}

// move puts the significand where its exponent says, under the place just above the result.
func (c ToFixed) move(x float.Parts) whole {
	f, tail, w := c.Format, c.Rounding.Tail(), c.Fixed.Width
	top := w - c.Fixed.Frac + f.Bias() // the exponent field of a hidden bit just above the result

	// Where even subnormal numbers may be past the range, the place is one above all of them.
	more := max(1-top, 0)
	w, top = w+more, top+more
	e := max(countTo(top), f.Exp) + 2

	// The way down from the place above the result; upwards, the number is past the range.
	down := hw.S(top).Extend(e).AsUnsigned().Sub(x.Exp.Extend(e))
	over := down.Bit(e - 1).And(x.Sig.Any())

	// A significand longer than result and tail loses its low end to the sticky bit.
	all := w + 1 + tail
	sig, rest := x.Sig, hw.Low
	if sig.Width() > all {
		sig, rest = sig.Range(f.Frac, f.Frac+1-all), sig.Trunc(f.Frac+1-all).Any()
	} else {
		sig = sig.PadLow(all - sig.Width())
	}

	// Ways of more bits than it takes to shift all of it out are one case.
	bits := min(countTo(all), e-1)
	sig, lost := shiftSticky(sig, down.Trunc(bits))
	if bits < e-1 {
		far := down.Range(e-2, bits).Any()
		sig, lost = sig.And(far.Not().Rep(all)), hw.Mux(far, x.Sig.Any(), lost)
	}
	mag := sig.Range(all-1, tail)
	if more > 0 {
		over = over.Or(mag.Range(w, w+1-more).Any())
		mag = mag.Trunc(w + 1 - more)
	}
	return whole{Neg: x.Neg, Mag: mag, Low: sig.Trunc(tail), Rest: rest.Or(lost), Over: over}
}

func (c ToFixed) fit(v whole, x float.Parts, r float.Rounder) (y, flags hw.UInt) {
	w := c.Fixed.Width

	// The magnitude is rounded first and negated after: directed modes know the sign.
	up := r.Increment(v.Neg, v.Mag.Bit(0), v.Low, v.Rest)
	mag := v.Mag.AddGrow(up.UInt().Extend(w + 1)) // w + 2 bits
	value := mag.Trunc(w).Xor(v.Neg.Rep(w)).Add(v.Neg.UInt().Extend(w))

	// Past the range: above both ends, below 0 where there is no sign, and past -2^(w-1), which is
	// a number itself.
	over := mag.Range(w+1, w).Any()
	least, greatest := hw.Zeros(w), hw.Ones(w)
	if c.Unsigned {
		over = over.Or(v.Neg.And(mag.Any()))
	} else {
		over = over.Or(mag.Bit(w - 1).AndNot(v.Neg.AndNot(mag.Trunc(w - 1).Any())))
		least = hw.High.UInt().PadLow(w - 1)
		greatest = hw.Ones(w - 1).Extend(w)
	}
	over = over.Or(v.Over, x.Special())

	// A number past the range becomes an end of it, with no flag but Invalid.
	y = hw.Mux(over, hw.Mux(v.Neg.AndNot(x.NaN), least, greatest), value)
	if !r.Flags {
		return y, hw.Zeros(5)
	}
	inexact := v.Low.Any().Or(v.Rest).AndNot(over)
	return y, hw.Cat(over, hw.Zeros(3), inexact)
}

// RoundToInt rounds to an integer that stays a number of the format.
type RoundToInt struct{ Op }

func (c RoundToInt) Ports() UnaryPorts { return c.unary() }

// ModuleName is rint_e5m10_2 for fp16 and two stages.
func (c RoundToInt) ModuleName() string { return c.name("rint") }

// Build makes an integer of a number that has a fraction, and a number of that again;
// others pass.
func (c RoundToInt) Build(m *hw.Module, p UnaryPorts) {
	s := c.steps(m, p.Control, 4)
	a := input(s, "a", p.A)
	f := c.Format

	// An integer without sign, wide enough for every number that has a fraction.
	to := ToFixed{Op: c.Op, Unsigned: true, Fixed: fixed.Format{Width: f.Frac + 1}}
	moved := step(s, "moved", func(at int) whole { return to.move(a.At(at).Parts()) })
	type integer struct {
		Sum     sum
		Inexact hw.Bit
	}

	// Rounding to an integer, and normalising as any other sum.
	total := step(s, "integer", func(at int) integer {
		v := moved.At(at)
		up := s.rounder(at).Increment(v.Neg, v.Mag.Bit(0), v.Low, v.Rest)
		mag := v.Mag.Add(up.UInt().Extend(v.Mag.Width())).PadLow(c.Rounding.Tail() + 1)
		room := f.Frac + 1 + f.Bias() - 1
		return integer{sum{Neg: v.Neg, Room: hw.U(room).Extend(countTo(room)), Mag: mag, Zero: mag.Any().Not(), Rest: hw.Low, Ones: hw.Low}, v.Low.Any().Or(v.Rest)}
	})

	// The integer is a number of the format, so that only the cut of its fraction is inexact.
	type result struct {
		Y     Num
		Flags hw.UInt
	}
	end := step(s, "result", func(at int) result {
		t, x := total.At(at), a.At(at)
		e := c.normalise(t.Sum)
		e.Base = c.limit(e.Base)
		y, flags := s.rounder(at).Finish(e)
		if c.Flags {
			flags = flags.Or(t.Inexact.UInt().Extend(5))
		}

		// An integer, an infinity or a NaN is the result already.
		parts := x.Parts()
		pass := parts.Exp.Ge(hw.U(min(f.Frac+f.Bias(), 1<<f.Exp-1)).Extend(f.Exp)).And(hw.B(f.Frac+f.Bias() < 1<<f.Exp)).Or(parts.Special())

		// Any NaN becomes the format's one NaN; a signalling one is invalid.
		nan := hw.Low
		if f.Codes != float.Finite {
			nan = parts.NaN
			x = hw.Mux(nan, x.LitBits(f.NaN()), x)
		}
		still := hw.Zeros(5)
		if c.Flags {
			still = hw.Cat(parts.Signaling, hw.Zeros(4))
		}
		return result{hw.Mux(pass, x, y), hw.Mux(pass, still, flags)}
	})

	out := end.At(s.Stages)
	p.Y.Set(out.Y)
	p.Flags.Set(out.Flags)
	s.end()
}
