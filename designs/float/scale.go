package float

import (
	"fmt"

	"etch/hw"
	"etch/hw/float"
)

// Next is the number next above A, or below it where Down is high: IEEE 754's nextUp and
// nextDown. Only a signalling NaN raises a flag, and Rounding does not matter.
type Next struct{ Op }

// NextPorts are a number and its neighbour: the next one above it, or with Down below.
type NextPorts struct {
	Control
	A    Num    `dir:"in"`
	Down hw.Bit `dir:"in"`
	Y    Num    `dir:"out"`
}

func (c Next) Ports() NextPorts {
	n := Of(c.Format)
	return NextPorts{Control: c.control(), A: n, Y: n}
}

// ModuleName is next_e5m10_1 for fp16 and one stage.
func (c Next) ModuleName() string { return c.name("next") }

// Build adds ±1 to the code: the next number below is the next one above with both signs
// changed.
func (c Next) Build(m *hw.Module, p NextPorts) {
	s := c.steps(m, p.Control, 1)
	if len(p.Mode) > 0 {
		hw.Unused(m, p.Mode...)
	}

	// Down is up with the sign changed, before and after.
	invalid := hw.Zeros(5)
	if c.Flags {
		invalid = hw.Cat(p.A.IsSignaling(), hw.Zeros(4))
	}
	y := c.next(p.A.FlipIf(p.Down))
	y = hw.Mux(y.IsNaN(), y, y.FlipIf(p.Down)) // the NaN keeps its sign
	p.Y.Set(hw.Delay(s.run, "result", y, c.Stages))
	p.Flags.Set(hw.Delay(s.run, "raised", invalid, c.Stages))
}

// next is the number above x. Codes grow with the magnitude, so that one more than the
// greatest is infinity by itself, and one less than -∞ the least number.
func (c Next) next(x Num) Num {
	f, w := c.Format, c.Format.Width()-1

	// Nothing lies above +∞ and NaN. Formats without infinities end at their greatest number.
	stay := x.IsNaN().Or(x.IsInf().AndNot(x.IsNeg()))
	if f.Codes != float.IEEE {
		stay = stay.Or(x.Raw.Eq(x.LitBits(f.Greatest(false)).Raw))
	}

	// Away from zero above it, towards it below.
	zero := x.IsZero()
	down := x.IsNeg().AndNot(zero)
	step := hw.Cat(down.Rep(w-1), down.Or(stay.Not())) // -1, 1 or 0
	mag := x.Raw.Trunc(w).Add(step)
	if f.Flush { // no subnormal number: from zero to the least normal one, and back
		mag = hw.Mux(zero, mag.Lit(int(f.Least())), mag)
		mag = mag.And(mag.Range(w-1, f.Frac).Any().Rep(w))
	}

	y := float.FromBits(f, hw.Cat(down, mag))
	if f.Codes == float.Finite {
		return y
	}
	return hw.Mux(x.IsNaN(), y.LitBits(f.NaN()), y)
}

// Scaler is A · 2^N, rounded once: IEEE 754's scaleB.
type Scaler struct {
	Op
	Bits int `help:"width of the exponent N, which is signed" range:"2..16"`
}

// ScalerPorts are a number A, a signed exponent N of Bits bits, and A · 2^N.
type ScalerPorts struct {
	Control
	A Num     `dir:"in"`
	N hw.SInt `dir:"in"`
	Y Num     `dir:"out"`
}

func (c Scaler) Ports() ScalerPorts {
	n := Of(c.Format)
	return ScalerPorts{Control: c.control(), A: n, N: hw.Signed(c.Bits), Y: n}
}

// ModuleName is scalb6_e5m10_1 for fp16, one stage and an exponent of six bits.
func (c Scaler) ModuleName() string { return c.name(fmt.Sprint("scalb", c.Bits)) }

// Build adds N to the exponent of the normalised operand.
func (c Scaler) Build(m *hw.Module, p ScalerPorts) {
	s := c.steps(m, p.Control, 2)
	a, n := input(s, "a", p.A), input(s, "n", p.N)
	exact := step(s, "exact", func(at int) float.Exact {
		x := a.At(at).Parts()
		far := 1<<(c.Bits-1) + 1<<c.Format.Exp
		w := topBits(-far, far, c.Format.Frac+1)
		e := c.fit(magnitude{Neg: x.Neg, Mag: x.Sig, Top: x.Exp.Extend(w).Add(n.At(at).Extend(w).AsUnsigned()), Zero: x.Zero.Or(x.Special())})
		e.Sig, e.Rest = e.Sig.And(x.Special().Not().Rep(e.Sig.Width())), e.Rest.AndNot(x.Special())
		e.Zero, e.Special, e.NaN, e.Invalid = x.Zero, x.Special(), x.NaN, x.Signaling
		return e
	})
	s.finish(p.Y, p.Flags, exact)
}
