package float

import (
	"fmt"

	"etch/hw"
	"etch/hw/float"
)

// Windowed is an [Accumulator] cut to a range: its sum has the bits from 2^Low up to
// below 2^High and a sign. Products are cut towards zero, which raises Inexact until
// the next Clear; a product or a sum of 2^High or more makes the sum an overflow of
// its sign until then.
type Windowed struct {
	Op
	Low  int `help:"exponent of the lowest bit of the sum" range:"-2200..2200"`
	High int `help:"exponent past the highest bit of the sum: it stays below 2^high" range:"-2200..2200"`
}

func (c Windowed) Validate() error {
	if w := c.High - c.Low; w < c.Format.Frac+3 || w > 4096 {
		return fmt.Errorf("a window from 2^%d to 2^%d has %d bits, want %d to 4096", c.Low, c.High, w, c.Format.Frac+3)
	}
	if top := c.High - 1 + c.Format.Bias(); top < 1 {
		return fmt.Errorf("a window below 2^%d holds subnormal numbers of %v only, want at least 2^%d", c.High, c.Format, c.Format.MinExp()+1)
	}
	return c.Op.Validate()
}

func (c Windowed) Ports() AccumulatorPorts {
	n := Of(c.Format)
	return AccumulatorPorts{Control: c.control(), A: n, B: n, Y: n}
}

// Latency is the number of cycles from a product to the rounded sum, as that of an
// [Accumulator].
func (c Windowed) Latency() int { return 2 + c.Stages }

// Width is the number of bits of the sum.
func (c Windowed) Width() int { return c.High - c.Low + 1 }

// cutTerm is a product in its place in the window.
type cutTerm struct {
	Mag          hw.UInt
	Neg          hw.Bit
	Past, Lost   hw.Bit // it does not fit the window; bits are cut off below it
	Special      specials
	Clear, Valid hw.Bit
}

// windowState is beside the sum.
type windowState struct {
	Special       specials
	Over, OverNeg hw.Bit
	Lost          hw.Bit
}

// Build is the loop of an exact accumulator around a shorter sum.
func (c Windowed) Build(m *hw.Module, p AccumulatorPorts) {
	run := m.Enabled(p.En)

	// The product is placed in one cycle and added in the next.
	w := c.Width()
	t := hw.Delay(run, "term", c.place(p), 1)
	total := hw.Reg(run, "total", hw.Unsigned(w), hw.U(0))
	none := specials{hw.Low, hw.Low, hw.Low, hw.Low}
	state := hw.Reg(run, "state", windowState{}, windowState{none, hw.Low, hw.Low, hw.Low})

	// One addition, as in the exact accumulator. It wraps where two summands of one sign make a sum
	// of the other.
	keep := t.Clear.Not()
	before := hw.Mux(t.Clear, hw.U(0), total)
	after := addSub(before, t.Mag.Extend(w), t.Neg)
	wraps := before.Bit(w - 1).Eq(t.Neg).And(after.Bit(w - 1).Ne(t.Neg))

	// Once past the range the sum stays an overflow of the first one's sign, until Clear.
	over := state.Over.And(keep)
	run.When(t.Valid, func() {
		total.Set(after)
		x := state.Special
		hw.Set(state, windowState{
			Special: specials{
				x.NaN.And(keep).Or(t.Special.NaN), x.Invalid.And(keep).Or(t.Special.Invalid),
				x.Pos.And(keep).Or(t.Special.Pos), x.Neg.And(keep).Or(t.Special.Neg),
			},
			Over: over.Or(t.Past, wraps), OverNeg: hw.Mux(over, state.OverNeg, t.Neg),
			Lost: state.Lost.And(keep).Or(t.Lost),
		})
	})

	c.round(m, p, total, state)
}

// place moves a product from below the window up into it. The product's lowest bit lies
// at 2^(least + a + b - 2) for exponent fields a and b, and span bits below the window
// are all that a product can have there.
func (c Windowed) place(p AccumulatorPorts) cutTerm {
	// The product's place above the lowest bit that it can reach into the window from.
	f, w := c.Format, c.Width()-1
	x := multiply(p.A, p.B)
	span := x.Sig.Width()
	least := 2 * (f.MinExp() - f.Frac)
	e := topBits(least-2-c.Low, 2<<f.Exp+least-2-c.Low+span, span)
	by := x.Exp.Extend(e).Add(hw.S(least - 2 - c.Low + span).Extend(e).AsUnsigned())
	sig := x.Sig.And(x.Inf.Or(x.NaN).Not().Rep(span))

	// Below the window the product vanishes, above it nothing of it is left inside.
	below := by.Bit(e - 1)
	far := by.AsSigned().IsGt(w + span)
	all := sig.And(below.Or(far).Not().Rep(span)).Extend(w + 2*span).ShlBy(resize(by, min(countTo(w+span), e)))
	some := sig.Any()
	return cutTerm{
		Mag: all.Range(w+span-1, span), Neg: x.Neg,
		Past:    all.Range(w+2*span-1, w+span).Any().Or(far.And(some)),
		Lost:    all.Trunc(span).Any().Or(below.And(some)),
		Special: specials{x.NaN, x.Invalid, x.Inf.AndNot(x.Neg), x.Inf.And(x.Neg)},
		Clear:   p.Clear, Valid: p.Valid,
	}
}

// round makes a number of the sum. An overflow is a number past the range, with an
// exponent of more bits than the format's.
func (c Windowed) round(m *hw.Module, p AccumulatorPorts, total hw.UInt, state windowState) {
	s := c.steps(m, p.later(m.Enabled(p.En), 2), 3)
	in, what := input(s, "sum", total), input(s, "what", state)
	abs := step(s, "magnitude", func(at int) sum { return c.fixedSum(in.At(at), c.High-1+c.Format.Bias()) })
	exact := step(s, "exact", func(at int) float.Exact {
		// An overflow wins over the number in the window, and loses to infinities and NaN.
		x := what.At(at)
		e := c.exactOf(abs.At(at), x.Special)
		over := x.Over.AndNot(e.Special)
		within := over.Not()
		e.Base = e.Base.And(within.Rep(e.Base.Width())).Or(over.UInt().PadLow(e.Base.Width() - 1))
		e.Sig = e.Sig.Or(over.UInt().PadLow(e.Sig.Width() - 1)) // which is not tiny
		e.Neg, e.Zero = hw.Mux(over, x.OverNeg, e.Neg), e.Zero.And(within)
		return e
	})

	type result struct {
		Y     Num
		Flags hw.UInt
	}

	// Bits that were lost below the window make a number inexact.
	end := step(s, "result", func(at int) result {
		x := exact.At(at)
		y, flags := s.rounder(at).Finish(x)
		if c.Flags {
			flags = flags.Or(what.At(at).Lost.AndNot(x.Special).UInt().Extend(5))
		} else {
			hw.Unused(m, x.Invalid, what.At(at).Lost)
		}
		return result{y, flags}
	})

	out := end.At(s.Stages)
	p.Y.Set(out.Y)
	p.Flags.Set(out.Flags)
	s.end()
}
