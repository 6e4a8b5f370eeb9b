package float_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/float"
	"etch/hw"
	"etch/hw/fixed"
	"etch/testbench"
)

// together is every unit side by side.
type together struct {
	A, B, C float.Num   `dir:"in"`
	Mode    hw.UInt     `dir:"in"`
	Y       []float.Num `dir:"out"`
	Flags   []hw.UInt   `dir:"out"`
}

func units(f, to float.Format) hw.Component[together] {
	n, count := float.Of(f), 11
	ports := together{A: n, B: n, C: n, Mode: hw.Unsigned(3)}
	for i := range count {
		if ports.Y = append(ports.Y, n); i == 9 {
			ports.Y[i] = float.Of(to)
		}
		ports.Flags = append(ports.Flags, hw.Unsigned(5))
	}
	return hw.Func("units", ports, func(m *hw.Module, p together) {
		o := op(f, float.Dynamic, 2)
		c := float.Control{En: hw.High, Mode: []hw.UInt{p.Mode}}
		at := 0
		put := func(y float.Num, c float.Control) {
			p.Y[at].Set(y)
			p.Flags[at].Set(c.Flags)
			at++
		}
		two := float.BinaryPorts{Control: c, A: p.A, B: p.B}
		add := hw.Inst(m, "add", float.Adder{Op: o}, float.AdderPorts{Control: c, A: p.A, B: p.B, Sub: hw.Low})
		put(add.Y, add.Control)
		sub := hw.Inst(m, "sub", float.Adder{Op: o}, float.AdderPorts{Control: c, A: p.A, B: p.B, Sub: hw.High})
		put(sub.Y, sub.Control)
		mul := hw.Inst(m, "mul", float.Multiplier{Op: o}, two)
		put(mul.Y, mul.Control)
		fma := hw.Inst(m, "fma", float.FMA{Op: o}, float.FMAPorts{Control: c, A: p.A, B: p.B, C: p.C, Neg: hw.Low, MinusC: hw.Low})
		put(fma.Y, fma.Control)
		div := hw.Inst(m, "div", float.Divider{Op: o}, two)
		put(div.Y, div.Control)
		root := hw.Inst(m, "root", float.Root{Op: o}, float.UnaryPorts{Control: c, A: p.A})
		put(root.Y, root.Control)
		hypot := hw.Inst(m, "hypot", float.Hypot{Op: o}, two)
		put(hypot.Y, hypot.Control)
		rint := hw.Inst(m, "rint", float.RoundToInt{Op: o}, float.UnaryPorts{Control: c, A: p.A})
		put(rint.Y, rint.Control)
		least := hw.Inst(m, "least", float.MinMax{Op: op(f, 0, 2)}, float.MinMaxPorts{Control: float.Control{En: hw.High}, A: p.A, B: p.B, Max: hw.Low})
		put(least.Y, least.Control)
		wide := o
		wide.Format = to
		conv := hw.Inst(m, "convert", float.Converter{From: f, Op: wide}, float.ConverterPorts{Control: c, A: p.A})
		put(conv.Y, conv.Control)
		q := fixed.Format{Width: 20, Frac: 9}
		there := hw.Inst(m, "to", float.ToFixed{Fixed: q, Op: op(f, 0, 1)}, float.ToFixedPorts{Control: float.Control{En: hw.High}, A: p.A})
		back := hw.Inst(m, "from", float.FromFixed{Fixed: q, Op: op(f, 0, 1)}, float.FromFixedPorts{Control: float.Control{En: hw.High}, A: there.Y})
		hw.Unused(m, there.Flags)
		put(back.Y, back.Control)
	})
}

// The emitted Verilog of every unit does what the simulator does, and that is what the
// model says.
func TestVerilog(t *testing.T) {
	for i, f := range []float.Format{float.F16, float.E4M3FN} {
		to := []float.Format{float.E4M3, float.BF16}[i]
		judges := [][]string{{"iverilog", "verilator"}, {"iverilog"}}[i]
		s, p := testbench.New(t, units(f, to), testbench.CoSim(judges...))
		x := sampled(f, samples(1600))
		for at := range x[0] {
			a, b, c, r := x[0][at], x[1][at], x[2][at], static[at%5]
			s.Set(p.A.Raw, int(a))
			s.Set(p.B.Raw, int(b))
			s.Set(p.C.Raw, int(c))
			s.Set(p.Mode, int(r))
			s.Step(2)
			for k, want := range []result{
				pair(f.Add(a, b, r)), pair(f.Sub(a, b, r)), pair(f.Mul(a, b, r)), pair(f.FMA(a, b, c, r)), pair(f.Div(a, b, r)),
				pair(f.Sqrt(a, r)), pair(f.Hypot(a, b, r)), pair(f.RoundToInt(a, r)), pair(f.Min(a, b)), pair(f.Convert(a, to, r)),
			} {
				require.Equal(t, int(want.y), s.Get(p.Y[k].Raw), "%v unit %d: %x %x %x %v", f, k, a, b, c, r)
				require.Equal(t, int(want.flags), s.Get(p.Flags[k]), "%v unit %d: %x %x %x %v", f, k, a, b, c, r)
			}
		}
	}
}
