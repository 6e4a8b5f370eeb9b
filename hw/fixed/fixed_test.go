package fixed_test

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/hw"
	"etch/hw/fixed"
	"etch/testbench"
)

var (
	roundings = []fixed.Rounding{fixed.Floor, fixed.Ceil, fixed.TowardZero, fixed.HalfUp, fixed.HalfDown, fixed.HalfEven, fixed.HalfAway}
	overflows = []fixed.Overflow{fixed.Wrap, fixed.Saturate, fixed.SaturateSymmetric}
)

// reference is Fit by float64, which is exact for these small formats.
func reference(raw int64, from, to fixed.Format, r fixed.Rounding, o fixed.Overflow) int64 {
	v := math.Ldexp(float64(raw), to.Frac-from.Frac)
	switch r {
	case fixed.Floor:
		v = math.Floor(v)
	case fixed.Ceil:
		v = math.Ceil(v)
	case fixed.TowardZero:
		v = math.Trunc(v)
	case fixed.HalfUp:
		v = math.Floor(v + 0.5)
	case fixed.HalfDown:
		v = math.Ceil(v - 0.5)
	case fixed.HalfEven:
		v = math.RoundToEven(v)
	case fixed.HalfAway:
		v = math.Round(v)
	}
	top := math.Ldexp(1, to.Width-1)
	switch {
	case o == fixed.Wrap:
		v = math.Mod(math.Mod(v+top, 2*top)+2*top, 2*top) - top
	case v > top-1:
		v = top - 1
	case v < -top && o == fixed.Saturate:
		v = -top
	case v < -(top-1) && o == fixed.SaturateSymmetric:
		v = -(top - 1)
	}
	return int64(v)
}

var formats = []fixed.Format{{Width: 6, Frac: 0}, {Width: 6, Frac: 3}, {Width: 4, Frac: 6}, {Width: 3, Frac: -2}, {Width: 7, Frac: 4}, {Width: 1, Frac: 0}, {Width: 2, Frac: 9}}

type fitPorts struct {
	In   fixed.Num
	Out  []fixed.Num // by rounding, then overflow
	Over []hw.Bit
}

// Every raw value of a format into every other, in every mode: hardware, integer
// model and float64 agree.
func TestFit(t *testing.T) {
	for _, from := range formats {
		for _, to := range formats {
			ports := fitPorts{In: hw.In(fixed.Of(from))}
			for range len(roundings) * len(overflows) {
				ports.Out = append(ports.Out, hw.Out(fixed.Of(to)))
				ports.Over = append(ports.Over, hw.Out(hw.Bit{}))
			}
			s, p := testbench.New(t, hw.Func("fit", ports, func(m *hw.Module, p fitPorts) {
				for i := range p.Out {
					y, over := p.In.FitOver(p.Out[i], roundings[i/len(overflows)], overflows[i%len(overflows)])
					p.Out[i].Set(y)
					p.Over[i].Set(over)
				}
			}))
			for raw := -1 << (from.Width - 1); raw < 1<<(from.Width-1); raw++ {
				s.Set(p.In.Raw, raw)
				for i := range p.Out {
					r, o := roundings[i/len(overflows)], overflows[i%len(overflows)]
					want := reference(int64(raw), from, to, r, o)
					require.Equal(t, want, to.FitInt(int64(raw), from.Frac, r, o), "model: %v to %v, %d, %v, %v", from, to, raw, r, o)
					require.Equal(t, int(want), s.Get(p.Out[i].Raw), "hardware: %v to %v, %d, %v, %v", from, to, raw, r, o)
					wide := reference(int64(raw), from, fixed.Format{Width: 30, Frac: to.Frac}, r, fixed.Wrap)
					over := wide != reference(int64(raw), from, to, r, max(o, fixed.Saturate))
					require.Equal(t, over, s.High(p.Over[i]), "out of range: %v to %v, %d, %v, %v", from, to, raw, r, o)
				}
			}
		}
	}
}

type arithPorts struct {
	A, B               fixed.Num
	Sum, Diff, Product fixed.Num
	Minus              fixed.Num
	Less, Same         hw.Bit
}

// Arithmetic is exact for all pairs of values.
func TestArithmetic(t *testing.T) {
	a, b := fixed.Format{Width: 5, Frac: 2}, fixed.Format{Width: 4, Frac: 3}
	sum, product := fixed.Format{Width: 7, Frac: 3}, fixed.Format{Width: 9, Frac: 5}
	s, p := testbench.New(t, hw.Func("arith", arithPorts{
		A: hw.In(fixed.Of(a)), B: hw.In(fixed.Of(b)), Sum: hw.Out(fixed.Of(sum)), Diff: hw.Out(fixed.Of(sum)),
		Product: hw.Out(fixed.Of(product)), Minus: hw.Out(fixed.Of(fixed.Format{Width: 6, Frac: 2})), Less: hw.Out(hw.Bit{}), Same: hw.Out(hw.Bit{}),
	}, func(m *hw.Module, p arithPorts) {
		p.Sum.Set(p.A.Add(p.B))
		p.Diff.Set(p.A.Sub(p.B))
		p.Product.Set(p.A.Mul(p.B))
		p.Minus.Set(p.A.Minus())
		p.Less.Set(p.A.Lt(p.B))
		p.Same.Set(p.A.Eq(p.B))
	}))
	for x := -16; x < 16; x++ {
		for y := -8; y < 8; y++ {
			s.Set(p.A.Raw, x)
			s.Set(p.B.Raw, y)
			fx, fy := a.Float(int64(x)), b.Float(int64(y))
			for _, c := range []struct {
				port fixed.Num
				f    fixed.Format
				want float64
			}{{p.Sum, sum, fx + fy}, {p.Diff, sum, fx - fy}, {p.Product, product, fx * fy}, {p.Minus, fixed.Format{Width: 6, Frac: 2}, -fx}} {
				require.Equal(t, c.want, c.f.Float(int64(s.Get(c.port.Raw))), "%v, %v", fx, fy)
			}
			require.Equal(t, fx < fy, s.High(p.Less))
			require.Equal(t, fx == fy, s.High(p.Same))
		}
	}
}

// Literals are the nearest value; one outside the range is a mistake at the
// user's line.
func TestLit(t *testing.T) {
	type ports struct{ Y fixed.Num }
	q := fixed.Q(4, 4)
	for v, want := range map[float64]int{1.5: 24, -8: -128, 7.9375: 127, 0.03: 0, 0.04: 1} {
		s, p := testbench.New(t, hw.Func("lit", ports{hw.Out(q)}, func(m *hw.Module, p ports) { p.Y.Set(q.Lit(v)) }))
		s.Expect(p.Y.Raw, want)
	}
	for _, v := range []float64{8, -8.1, math.Inf(1)} {
		_, _, err := hw.Build(hw.Func("lit", ports{hw.Out(q)}, func(m *hw.Module, p ports) { p.Y.Set(q.Lit(v)) }))
		require.ErrorContains(t, err, "does not fit")
		require.ErrorContains(t, err, "fixed_test.go")
	}
}

// Two formats of one width do not connect.
func TestFormatsAreChecked(t *testing.T) {
	type ports struct{ X, Y fixed.Num }
	_, _, err := hw.Build(hw.Func("mix", ports{hw.In(fixed.Q(4, 4)), hw.Out(fixed.Q(2, 6))}, func(m *hw.Module, p ports) { p.Y.Set(p.X) }))
	require.ErrorContains(t, err, "Num.frac is 6 on one side and 4 on the other")
}

func TestRaw(t *testing.T) {
	f := fixed.Format{Width: 8, Frac: 4}
	for v, want := range map[float64]int64{0: 0, 1: 16, -1: -16, 100: 127, -100: -128, 0.031: 0, 0.032: 1, math.Inf(1): 127, math.Inf(-1): -128} {
		require.Equal(t, want, f.Raw(v), fmt.Sprint(v))
	}
	require.Zero(t, f.Raw(math.NaN()))
	wide := fixed.Format{Width: 100, Frac: 50}
	x := new(big.Int).Lsh(big.NewInt(3), 90)
	require.Equal(t, x, wide.Fit(x, 50, fixed.HalfEven, fixed.Saturate))
}
