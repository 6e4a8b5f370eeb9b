package float

import (
	"errors"
	"fmt"

	"etch/hw"
	"etch/hw/float"
)

// Do is an operation of a unit that has several.
type Do string

// The operations of [Shared].
const (
	DoAdd       Do = "add"        // A + B
	DoSub       Do = "sub"        // A - B
	DoMul       Do = "mul"        // A · B
	DoMulAdd    Do = "mul_add"    // A · B + C
	DoMulSub    Do = "mul_sub"    // A · B - C
	DoNegMulAdd Do = "negmul_add" // -A · B + C
	DoNegMulSub Do = "negmul_sub" // -A · B - C
	DoConvert   Do = "convert"    // A in the format of the result
)

// Doings are all operations, in the order of their codes.
var Doings = []Do{DoAdd, DoSub, DoMul, DoMulAdd, DoMulSub, DoNegMulAdd, DoNegMulSub, DoConvert}

// Shared is one datapath, that of a fused multiply-add, for all of these operations and
// for several formats: Format and those of Also. Its operands may have another format in
// every cycle. A number of a format that is narrower than the ports stands at their low
// end, with zeros above it.
type Shared struct {
	Op
	Also []Format `help:"further formats"`
}

// SharedPorts are up to three operands and a result in words of the widest format. A number of
// a narrower one lies in the low bits; a [Packed] unit has further ones above it.
type SharedPorts struct {
	Control
	Do      hw.Enum[Do] `dir:"in"`
	In, Out []hw.UInt   `dir:"in"` // one where there are several formats: that of the operands and, for convert, of the result: 0 is Format, 1 the first of Also
	A, B, C hw.UInt     `dir:"in"`
	Y       hw.UInt     `dir:"out"`
}

// Formats are all formats, in the order of their numbers.
func (c Shared) Formats() []Format { return append([]Format{c.Format}, c.Also...) }

// Width is that of the ports: of the widest format.
func (c Shared) Width() (w int) {
	for _, f := range c.Formats() {
		w = max(w, f.Width())
	}
	return w
}

func (c Shared) Validate() error {
	if len(c.Also) > 7 {
		return fmt.Errorf("%d formats, want at most 8", len(c.Also)+1)
	}
	errs := []error{c.Op.Validate()}
	for _, f := range c.Also {
		errs = append(errs, f.Validate())
	}
	return errors.Join(errs...)
}

func (c Shared) Ports() SharedPorts {
	x := hw.Unsigned(c.Width())
	p := SharedPorts{Control: c.control(), Do: hw.EnumOf(Doings...), A: x, B: x, C: x, Y: x}
	if len(c.Also) > 0 {
		p.In = []hw.UInt{hw.UpTo(len(c.Also))}
		p.Out = []hw.UInt{hw.UpTo(len(c.Also))}
	}
	return p
}

// ModuleName is shared_e8m23_e5m10_4 for fp32 and fp16 in four stages.
func (c Shared) ModuleName() string {
	name := "shared"
	for _, f := range c.Also {
		name += "_" + f.Name()
	}
	return c.name(name)
}

// hull is the unit for a format that has the widths of all formats.
func (c Shared) hull() Op {
	o := c.Op
	for _, f := range c.Also {
		o.Format.Exp, o.Format.Frac = max(o.Format.Exp, f.Exp), max(o.Format.Frac, f.Frac)
	}
	return o
}

// order is an operation with its formats and operands.
type order struct {
	Do      hw.Enum[Do]
	In, Out []hw.Bit // by format, one is high
	A, B, C hw.UInt
}

// Build works in the steps of an [FMA]. Exponents keep the bias of their format
// and significands are padded at the low end, so that a format needs no more than its
// own distance from the product's exponent to the window's top, and a rounding of its
// own at the end.
func (c Shared) Build(m *hw.Module, p SharedPorts) {
	// The order, with the formats decoded. Only a conversion has another format for its
	// result.
	h := c.hull()
	s := c.steps(m, p.Control, 5)
	x := order{Do: p.Do, In: []hw.Bit{hw.High}, Out: []hw.Bit{hw.High}, A: p.A, B: p.B, C: p.C}
	if n := len(c.Also) + 1; n > 1 {
		x.In, x.Out = one(p.In[0], n), one(p.Out[0], n)
		for i := range n { // only convert has another format for the result
			x.Out[i] = hw.Mux(p.Do.Is(DoConvert), x.Out[i], x.In[i])
		}
	}

	// The steps of a multiply-add, in the hull's widths.
	in := input(s, "in", x)
	align := step(s, "aligned", func(at int) aligned { return c.place(h, in.At(at), s.rounder(at)) })
	total := step(s, "total", func(at int) sum { return h.fusedAdd(align.At(at)) })
	to := step(s, "way", func(at int) way { return total.At(at).way() })
	exact := step(s, "exact", func(at int) float.Exact { return h.fusedExact(align.At(at), total.At(at), to.At(at)) })

	// A rounding for each format, of which one is wanted.
	type result struct{ Y, Flags hw.UInt }
	end := step(s, "result", func(at int) result {
		convert, a := in.At(at).Do.Is(DoConvert), align.At(at)
		y, flags := hw.Zeros(c.Width()), hw.Zeros(5)

		// Cut to the format and rounded there; masks choose the one that is asked for.
		for i, f := range c.Formats() {
			r := s.rounder(at)
			r.Format = f
			code, raised := r.Finish(c.cut(f, exact.At(at), convert, a.InfC))
			this := in.At(at).Out[i]
			y = y.Or(code.Raw.Extend(c.Width()).And(this.Rep(c.Width())))
			flags = flags.Or(raised.And(this.Rep(5)))
		}
		if !c.Flags {
			hw.Unused(s.run, exact.At(at).Invalid)
		}
		return result{y, flags}
	})

	out := end.At(s.Stages)
	p.Y.Set(out.Y)
	p.Flags.Set(out.Flags)
	s.end()
}

// one is x as n bits of which one is high. A number past the last format is the last.
func one(x hw.UInt, n int) (list []hw.Bit) {
	for i := range n - 1 {
		list = append(list, x.Is(i))
	}
	return append(list, hw.AnyOf(list...).Not())
}

// pick is the one of several values whose bit is high.
func pick(this []hw.Bit, x []hw.UInt) hw.UInt {
	y := x[0].And(this[0].Rep(x[0].Width()))
	for i := 1; i < len(x); i++ {
		y = y.Or(x[i].And(this[i].Rep(x[i].Width())))
	}
	return y
}

// constants is the one of several integers whose bit is high, in e bits.
func constants(this []hw.Bit, e int, of func(i int) int) hw.UInt {
	var list []hw.UInt
	for i := range this {
		list = append(list, hw.S(of(i)).Extend(e).AsUnsigned())
	}
	return pick(this, list)
}

// place has the operands where the multiply-add wants them: a sum is A · 1 ± B, a product
// has a zero of its own sign as summand. A conversion is a summand without product,
// and its exponent is that in the result's format: where the result is subnormal it is
// moved down from a window with the least exponent.
func (c Shared) place(h Op, x order, r float.Rounder) aligned {
	// The operands, each in the hull's widths.
	list := c.Formats()
	a, b, z := c.parts(h, x.In, x.A), c.parts(h, x.In, x.B), c.parts(h, x.In, x.C)
	sum := x.Do.Is(DoAdd, DoSub)
	convert := x.Do.Is(DoConvert)
	mul := x.Do.Is(DoMul)

	// The summand and the factors by operation.
	s := hw.Mux(sum, b, z)
	s.Neg = s.Neg.Xor(x.Do.Is(DoSub, DoMulSub, DoNegMulSub))
	unit := hw.Mux(sum, c.unit(h, x.In), b)
	a.Neg = a.Neg.Xor(x.Do.Is(DoNegMulAdd, DoNegMulSub))
	s = hw.Mux(mul, zeroOf(h, a.Neg.Xor(b.Neg)), s)
	s = hw.Mux(convert, a, s)
	a = hw.Mux(convert, zeroOf(h, s.Neg), a)
	unit = hw.Mux(convert, zeroOf(h, hw.Low), unit)

	// The exponents, in the bias of the operands' format; a conversion moves them into that of the
	// result.
	e := countTo(2<<h.Format.Exp+h.Format.Frac+2+h.Rounding.Tail()) + 2
	lift := constants(x.In, e, func(i int) int { return h.lift(list[i]) - 1 })
	top := a.Exp.AddGrow(unit.Exp).Extend(e).Add(lift)
	there := constants(x.Out, e, func(i int) int { return list[i].Bias() })
	here := constants(x.In, e, func(i int) int { return list[i].Bias() })
	moved := s.Exp.Dec().Extend(e).Add(there.Sub(here).And(convert.Rep(e)))
	return h.align(a, unit, s, places{
		Top: hw.Mux(convert, hw.U(0).Extend(e), top), C: moved, Alone: a.Zero.Or(unit.Zero).AndNot(convert),
	}, r)
}

// parts is an operand of one of the formats in the widths of the hull.
func (c Shared) parts(h Op, in []hw.Bit, x hw.UInt) float.Parts {
	// A short significand is padded at its low end, so that the product's top stands at one place.
	var list []float.Parts
	for _, f := range c.Formats() {
		p := float.FromBits(f, x.Trunc(f.Width())).Parts()
		p.Exp, p.Sig = p.Exp.Extend(h.Format.Exp), p.Sig.PadLow(h.Format.Frac-f.Frac)
		list = append(list, p)
	}
	out := list[0]
	for i := 1; i < len(list); i++ {
		out = hw.Mux(in[i], list[i], out)
	}
	return out
}

// unit is 1.
func (c Shared) unit(h Op, in []hw.Bit) float.Parts {
	// 1 has the exponent field of the bias, and the hidden bit alone.
	p := zeroOf(h, hw.Low)
	p.Zero = hw.Low
	p.Exp = constants(in, h.Format.Exp+1, func(i int) int { return c.Formats()[i].Bias() }).Trunc(h.Format.Exp)
	p.Sig = hw.High.UInt().PadLow(h.Format.Frac)
	return p
}

// zeroOf is a zero of the sign neg. Its exponent field is 1, that of subnormal numbers.
func zeroOf(h Op, neg hw.Bit) float.Parts {
	return float.Parts{
		Neg: neg, Exp: hw.U(1).Extend(h.Format.Exp), Sig: hw.Zeros(h.Format.Frac + 1),
		Zero: hw.High, Inf: hw.Low, NaN: hw.Low, Signaling: hw.Low,
	}
}

// cut is a sum in a format, whose significand is a part of the hull's. An infinity that
// is converted may be past the range of its format.
func (c Shared) cut(f Format, x float.Exact, convert, inf hw.Bit) float.Exact {
	o := c.Op
	o.Format = f

	// The format's significand is the upper part of the hull's. Bits below it join the rest; a row of
	// ones without end stays one only if all of them are ones.
	keep, w := f.Frac+1+c.Rounding.Tail(), x.Sig.Width()
	if w > keep {
		cut := x.Sig.Trunc(w - keep)
		x.Rest = hw.Mux(x.Carry, cut.All().Not(), x.Rest.Or(cut.Any()))
		x.Carry = x.Carry.And(cut.All())
		x.Sig = x.Sig.Range(w-1, w-keep)
	}
	if x.Base.Width() > f.Exp {
		x.Base = o.limit(x.Base)
	}

	// A zero has no exponent.
	x.Base = x.Base.And(x.Zero.Not().Rep(x.Base.Width()))

	// In a format without codes for infinities, a converted infinity is past the range; without NaN a
	// converted NaN is invalid.
	if f.Codes == float.Finite {
		x.Invalid = x.Invalid.Or(convert.And(x.NaN))
	}
	if f.Codes != float.IEEE || f.Saturate {
		past := convert.And(inf)
		x.Base = hw.Cat(x.Base.Bit(f.Exp).Or(past), x.Base.Trunc(f.Exp).And(past.Not().Rep(f.Exp)))
		x.Sig = x.Sig.Or(past.UInt().PadLow(x.Sig.Width() - 1))
		x.Special, x.Zero = x.Special.AndNot(past).Or(x.NaN), x.Zero.AndNot(past)
	}
	return x
}
