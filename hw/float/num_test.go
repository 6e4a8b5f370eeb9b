package float_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/backends/verilog"
	"etch/hw"
	"etch/hw/float"
	"etch/ir/text"
	"etch/sim"
	"etch/testbench"
)

type comparePorts struct {
	A, B               float.Num `dir:"in"`
	Less, Equal, Apart hw.Bit    `dir:"out"`
	LE, GE             hw.Bit    `dir:"out"`
	Min, Max           float.Num `dir:"out"`
	Class              hw.UInt   `dir:"out"`
	Minus, Abs         float.Num `dir:"out"`
}

func comparer(f float.Format) hw.Component[comparePorts] {
	n := float.Of(f)
	return hw.Func("compare", comparePorts{A: n, B: n, Min: n, Max: n, Class: hw.Unsigned(10), Minus: n, Abs: n}, func(m *hw.Module, p comparePorts) {
		p.Less.Set(p.A.Lt(p.B))
		p.Equal.Set(p.A.Eq(p.B))
		p.LE.Set(p.A.Le(p.B))
		p.GE.Set(p.A.Ge(p.B))
		_, _, unordered := p.A.Compare(p.B)
		p.Apart.Set(unordered)
		p.Min.Set(p.A.Min(p.B))
		p.Max.Set(p.A.Max(p.B))
		p.Class.Set(p.A.Class())
		p.Minus.Set(p.A.Minus())
		p.Abs.Set(p.A.Abs())
	})
}

// Comparisons, minima, classes and signs of every pair of the narrow formats.
func TestCompare(t *testing.T) {
	for _, f := range []float.Format{float.E5M2, float.E4M3FN, float.E2M3, {Exp: 4, Frac: 2, Flush: true}} {
		s, p := testbench.New(t, comparer(f))
		for a := range 1 << f.Width() {
			s.Set(p.A.Raw, a)
			s.Expect(p.Class, 1<<f.Class(uint64(a)))
			s.Expect(p.Minus.Raw, int(f.Neg(uint64(a))))
			s.Expect(p.Abs.Raw, int(f.Abs(uint64(a))))
			for b := range 1 << f.Width() {
				s.Set(p.B.Raw, b)
				rel, _ := f.Compare(uint64(a), uint64(b), false)
				got := [5]bool{s.High(p.Less), s.High(p.Equal), s.High(p.Apart), s.High(p.LE), s.High(p.GE)}
				want := [5]bool{rel == float.Less, rel == float.Equal, rel == float.Unordered, rel <= float.Equal, rel == float.Equal || rel == float.Greater}
				lo, _ := f.Min(uint64(a), uint64(b))
				hi, _ := f.Max(uint64(a), uint64(b))
				if got != want || s.Get(p.Min.Raw) != int(lo) || s.Get(p.Max.Raw) != int(hi) {
					t.Fatalf("%v %x %x: %v, want %v; min %x, want %x; max %x, want %x", f, a, b, got, want, s.Get(p.Min.Raw), lo, s.Get(p.Max.Raw), hi)
				}
			}
		}
	}
}

type pair struct {
	X float.Num
	N hw.UInt
}

type kindPorts struct {
	Sel hw.Bit  `dir:"in"`
	In  [2]pair `dir:"in"`
	Out pair    `dir:"out"`
	Lit pair    `dir:"out"`
	One hw.Bit  `dir:"out"`
}

func kind(f float.Format) hw.Component[kindPorts] {
	shape := pair{float.Of(f), hw.Unsigned(3)}
	return hw.Func("kind", kindPorts{In: [2]pair{shape, shape}, Out: shape, Lit: shape}, func(m *hw.Module, p kindPorts) {
		held := hw.Reg(m, "held", shape, pair{float.Of(f).Lit(1.5), hw.U(3)})
		hw.Set(held, hw.Mux(p.Sel, p.In[1], p.In[0]))
		hw.Set(p.Out, held)
		hw.Set(p.Lit, pair{float.Of(f).Lit(-0.1), hw.U(0)})
		p.One.Set(held.X.Eq(held.X.Lit(1)))
		m.Printf("%s\n", held.X.Raw)
	})
}

// A number goes through ports, bundles, choices and registers, and is shown as a
// decimal in waves, prints and messages; the text form keeps its format.
func TestKind(t *testing.T) {
	var out strings.Builder
	s, p := testbench.New(t, kind(float.F16), testbench.WithSim(sim.WithOutput(&out)))
	s.Expect(p.Out.X.Raw, 0x3E00)
	w := s.Wave(p.In[1].X.Raw, p.Out.X.Raw, p.Lit.X.Raw)
	s.Set(p.Sel, 1)
	for _, v := range []float64{1, 0.1, -65504, math.Inf(-1), math.NaN(), 6e-8} {
		testbench.Put(s, p.In[1], pair{X: float.Of(float.F16).Lit(v)})
		s.Step(1)
	}
	s.Step(1)
	require.Equal(t, strings.Join([]string{
		"in_1_x  |1     |0.1   |-65504|-Inf  |NaN   |6e-08",
		"out_x   |1.5   |1     |0.1   |-65504|-Inf  |NaN   |6e-08",
		"lit_x   |-0.1",
		"",
	}, "\n"), w.String())
	require.Equal(t, "1.5\n1\n0.1\n-65504\n-Inf\nNaN\n6e-08\n", out.String())

	d, _, err := hw.Build(kind(float.E4M3FN))
	require.NoError(t, err)
	printed := text.String(d)
	require.Contains(t, printed, "float 4 3 onlynan")
	again, err := text.Parse(strings.NewReader(printed), "kind.etch")
	require.NoError(t, err)
	require.Equal(t, printed, text.String(again))
	_, err = verilog.Text(d, verilog.Options{})
	require.NoError(t, err)
}

// Formats are checked, and so are literals, at the user's line.
func TestMistakes(t *testing.T) {
	type ports struct {
		X float.Num `dir:"in"`
		Y float.Num `dir:"out"`
	}
	for want, body := range map[string]func(p ports) float.Num{
		"Lit: 70000 does not fit e5m10, whose greatest number is 65504": func(p ports) float.Num { return p.Y.Lit(70000) },
		"LitBits: 0x12345 has more than the 16 bits of e5m10":           func(p ports) float.Num { return p.Y.LitBits(0x12345) },
		"Num.f is e5m10 on one side and e8m7 on the other":              func(p ports) float.Num { return p.X },
	} {
		_, _, err := hw.Build(hw.Func("mistake", ports{X: float.Of(float.BF16), Y: float.Of(float.F16)}, func(m *hw.Module, p ports) { p.Y.Set(body(p)) }))
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, "num_test.go")
	}
	_, _, err := hw.Build(hw.Func("format", ports{X: float.Of(float.Format{Exp: 12, Frac: 3}), Y: float.Of(float.F16)}, func(m *hw.Module, p ports) { p.Y.Set(p.Y.Lit(1)) }))
	require.ErrorContains(t, err, "12 exponent bits, want 2 to 11")
}

// The shortest decimal of every code of the 16-bit formats reads back as that code.
func TestDecimals(t *testing.T) {
	for _, f := range []float.Format{float.F16, float.BF16, float.E4M3FN, float.E2M1} {
		typ := float.TypeOf(f)
		for x := range uint64(1) << f.Width() {
			var v float64
			text := typ.TextOf(float.Value(f, x))
			if text == "NaN" {
				require.True(t, f.IsNaN(x))
				continue
			}
			_, err := fmt.Sscan(text, &v)
			require.NoError(t, err, text)
			require.Equal(t, x, f.Code(v), "%v %s", f, text)
		}
	}
}

// In a format that saturates a literal past the range is the greatest number; an infinity that the
// format lacks stays a mistake.
func TestSaturatedLiteral(t *testing.T) {
	type ports struct {
		Y float.Num `dir:"out"`
	}
	build := func(f float.Format, v float64) error {
		_, _, err := hw.Build(hw.Func("literal", ports{Y: float.Of(f)}, func(m *hw.Module, p ports) { p.Y.Set(p.Y.Lit(v)) }))
		return err
	}
	sat, finite := float.F16, float.E4M3FN
	sat.Saturate, finite.Saturate = true, true
	require.NoError(t, build(sat, 1e5))
	require.NoError(t, build(sat, math.Inf(1)))
	require.NoError(t, build(finite, -1e5))
	require.ErrorContains(t, build(finite, math.Inf(1)), "Lit: +Inf does not fit e4m3fn-sat")
	require.ErrorContains(t, build(float.E2M1, 7), "Lit: 7 does not fit e2m1")

	for _, text := range []string{"-1e5", "-1e999"} {
		code, err := sat.Parse(text)
		require.NoError(t, err)
		require.Equal(t, -65504., sat.Float64(code))
	}
	_, err := float.F16.Parse("1e5")
	require.ErrorContains(t, err, "does not fit")
	_, err = finite.Parse("inf")
	require.ErrorContains(t, err, "does not fit")
}
