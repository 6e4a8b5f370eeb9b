package model_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/gae/model"
)

// Means and deviations are those of float64, for wide and narrow spreads, and do
// not depend on the order; constants have the least deviation.
func TestStatistics(t *testing.T) {
	f := model.Input
	r := rand.New(rand.NewPCG(1, 1))
	for _, c := range []struct{ mean, deviation float64 }{{0, 1}, {-5, 3}, {250, 80}, {-0.5, 0.01}, {20000, 4000}, {7, 0}} {
		var xs []int64
		for range 5000 {
			xs = append(xs, f.Raw(c.mean+c.deviation*r.NormFloat64()))
		}
		var s, back model.Statistics
		var sum, squares float64
		for _, x := range xs {
			s.Add(x)
			sum += f.Float(x)
		}
		mean := sum / float64(len(xs))
		for _, x := range xs {
			squares += (f.Float(x) - mean) * (f.Float(x) - mean)
		}
		slices.Reverse(xs)
		for _, x := range xs {
			back.Add(x)
		}
		require.Equal(t, s, back)
		require.InDelta(t, mean, f.Float(s.Mean()), math.Ldexp(1, -17)+1e-9)
		want := max(math.Sqrt(squares/float64(len(xs))), math.Ldexp(1, -10))
		require.InEpsilon(t, want, math.Ldexp(float64(s.Deviation()), -model.DeviationFrac), 1e-4)
	}
	var none model.Statistics
	require.Equal(t, int64(0), none.Mean())
	require.Equal(t, int64(model.LeastDeviation), none.Deviation())
}

// What settles a quantity standardises and restores it: the mantissa is normalised
// and right to 17 bits, scale and offset to half a unit of data.
func TestSettle(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	for _, bits := range []int{3, 8, 10} {
		sys := model.Paper()
		sys.CodeBits = bits
		for range 3000 {
			deviation := max(r.Int64N(1<<40)>>r.IntN(26), model.LeastDeviation)
			if r.IntN(8) == 0 {
				deviation = 1 << (14 + r.IntN(26))
			}
			mean := r.Int64N(1<<32) - 1<<31
			got := sys.Settle(mean, deviation, 0)
			sigma := math.Ldexp(float64(deviation), -model.DeviationFrac)
			require.True(t, got.Mantissa >= 1<<16 && got.Mantissa < 1<<17)
			e := got.Shift - model.Input.Frac + sys.StandardFrac()
			require.InEpsilon(t, 1/sigma, math.Ldexp(float64(got.Mantissa), -e), math.Ldexp(1, -17)*1.01)
			f := sys.Format()
			limit := float64(int64(1) << (f.Width - 1))
			if scale := math.Ldexp(sigma, f.Frac-sys.StandardFrac()); scale < limit-1 {
				require.InDelta(t, scale, float64(got.Scale), 0.5)
			}
			require.Equal(t, min(max(mean, -1<<26), 1<<26-1), got.Offset)
		}
	}
	sys := model.Paper()
	require.Equal(t, sys.Settle(0, 1<<model.DeviationFrac, 0).Norm, func() model.Norm { l, _ := sys.Defaults(); return l.Reward }())
}
