package model

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// exceeds says by rational arithmetic whether code·q > τ·std + mean.
func exceeds(code int, tau, std, mean, q float64) bool {
	rat := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	left := rat(float64(code))
	left.Mul(left, rat(q))
	right := rat(tau)
	right.Mul(right, rat(std)).Add(right, rat(mean))
	return left.Cmp(right) > 0
}

// TestFoldIsExact compares every folded bit with rational arithmetic for every
// 8-bit code, on thresholds of which a third lie on a code boundary or one
// float64 beside it, where a rounded quotient would go wrong.
func TestFoldIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	kinds := map[BitKind]int{}
	for i := range 1200 {
		d := Dim{Var: r.Float64() * 4, Mean: 3 * r.NormFloat64(), Scale: (r.Float64() + 0.01) / 8}
		tau := 20*r.Float64() - 10
		if i%3 == 0 { // T on an integer, give or take an ulp
			target := float64(r.IntN(300)-150) * d.Scale
			tau = 0
			if i%2 == 0 {
				d.Mean = target
			} else {
				tau = (target - d.Mean) / d.Std()
			}
			d.Mean = math.Nextafter(d.Mean, d.Mean+float64(r.IntN(3)-1))
			tau = math.Max(-10, math.Min(tau, 9.999))
		}
		bit := foldThreshold(tau, &d, 8)
		kinds[bit.Kind]++
		for code := -128; code < 128; code++ {
			require.Equal(t, exceeds(code, tau, d.Std(), d.Mean, d.Scale), bit.Value(code),
				"τ %v of %+v folded to %v, code %d", tau, d, bit, code)
		}
	}
	for _, k := range []BitKind{Compare, Zero, One} {
		require.Greater(t, kinds[k], 20, "the sample must hold all kinds")
	}
}

// TestFloorDivFastPathAgrees sets the float path beside the rational one.
func TestFloorDivFastPathAgrees(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	extreme := []float64{0, 5e-324, -5e-324, 1e-310, 1e-100, -1e-100, 1e100, -1e100, 1, -1}
	for i := range 20000 {
		tau, std, mean, q := 20*r.Float64()-10, 1e-4+r.Float64(), r.NormFloat64(), 1e-3*(r.Float64()+1e-9)
		switch i % 4 {
		case 1:
			mean = -tau * std // cancels all but the rounding
		case 2:
			tau, mean = extreme[r.IntN(3)], extreme[r.IntN(len(extreme))]
		case 3:
			q = []float64{1e-100, 1e100, 1}[r.IntN(3)]
			mean = extreme[r.IntN(len(extreme))]
		}
		require.Equal(t, floorExact(tau, std, mean, q, 2047), floorDiv(tau, std, mean, q, 2047),
			"τ %v std %v mean %v q %v", tau, std, mean, q)
	}
}

func TestFoldClipCornersAndSaturation(t *testing.T) {
	d := Dim{Var: 1, Scale: 0.1} // std is just above 1
	for _, c := range []struct {
		tau  float64
		mean float64
		want EncoderBit
	}{
		{10, 0, EncoderBit{Kind: Zero}}, // clipped to 10, never above
		{math.Nextafter(10, 11), 0, EncoderBit{Kind: Zero}},
		{float64(float32(-10.000002)), 0, EncoderBit{Kind: One}}, // B = 31 imported
		{-10, 0, EncoderBit{T: -101}},                            // −10·√(1+1e-8)/0.1 is just below −100
		{0, 0, EncoderBit{T: 0}},
		{0, 12.65, EncoderBit{T: 126}},     // highest T that a code exceeds
		{0, 12.75, EncoderBit{Kind: Zero}}, // T = 127
		{0, 1e90, EncoderBit{Kind: Zero}},
		{0, -12.75, EncoderBit{T: -128}}, // all but −128
		{0, -12.85, EncoderBit{Kind: One}},
		{0, -1e90, EncoderBit{Kind: One}},
	} {
		d.Mean = c.mean
		require.Equal(t, c.want, foldThreshold(c.tau, &d, 8), "τ %v, mean %v", c.tau, c.mean)
	}
}

func TestFoldRows(t *testing.T) {
	for _, shape := range Shapes()[1:3] {
		for _, w := range []int{4, 8, 12, 16} {
			m := mustRandom(t, shape.Spec(12, w), 5)
			f, err := m.Fold()
			require.NoError(t, err)
			for d, row := range f.Bits {
				require.Len(t, row, 63)
				for k := 1; k < len(row); k++ {
					a, b := row[k-1], row[k]
					ok := a.Kind == One || b.Kind == Zero || a.Kind == Compare && b.Kind == Compare && a.T <= b.T
					require.True(t, ok, "dimension %d: %v then %v", d, a, b)
				}
				require.Equal(t, Zero, row[62].Kind)
				require.Equal(t, Compare, row[0].Kind)
			}
		}
	}
}

func mustRandom(t testing.TB, spec RandomSpec, seed uint64) *Model {
	t.Helper()
	m, err := Random(spec, seed)
	require.NoError(t, err)
	return m
}
