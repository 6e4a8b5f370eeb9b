package model

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/hw/float"
)

// integer is a wide number as a big one.
func (x wide) integer() *big.Int {
	m, neg := x.magnitude()
	b := new(big.Int).Lsh(new(big.Int).SetUint64(m.hi), 64)
	b.Or(b, new(big.Int).SetUint64(m.lo))
	if neg {
		b.Neg(b)
	}
	return b
}

// TestNearest: sums in 128 bits and their rounding are those of big integers and of
// [float.Format.FromInt], for numbers of all magnitudes, those halfway between two among
// them; a zero has no sign.
func TestNearest(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	for _, format := range []string{"fp16", "e5m2", "e4m3fn", "e4m6"} {
		f := Formats{Float: format, Target: 7}
		for n := range 40000 {
			x := f.Weights()
			if n%2 == 1 {
				x = f.Targets()
			}
			a, b, c, up := r.Int64()>>r.IntN(62), r.Int64()>>r.IntN(62), r.Int64()>>r.IntN(62), r.IntN(60)
			if r.IntN(2) == 0 { // few ones, so that much lies halfway
				a, b, c = 1<<r.IntN(40), 1<<r.IntN(40), 1<<r.IntN(20)
			}
			if r.IntN(2) == 0 {
				a = -a
			}
			sum := product(a, b).add(product(c, 1).shl(up))
			want := new(big.Int).Mul(big.NewInt(a), big.NewInt(b))
			want.Add(want, new(big.Int).Lsh(big.NewInt(c), uint(up)))
			require.Zero(t, want.Cmp(sum.integer()))

			frac := r.IntN(90)
			var over uint64
			got := newGrid(x).nearest(x.Format, sum, frac, &over)
			code, flags := x.Float.FromInt(want, -frac, float.NearestEven)
			if x.Float.IsZero(code) {
				code = 0
			}
			require.Equal(t, code, x.Code(got), "%v · 2^-%d in %s", want, frac, x.Float)
			require.Equal(t, flags&float.Overflow != 0, over == 1)
		}
	}
}

// TestCodes: every number of a format is its own code, and the nearest to itself.
func TestCodes(t *testing.T) {
	for _, format := range []string{"fp16", "e4m3fn", "e5m2"} {
		x := Formats{Float: format}.Activations()
		for code := range uint64(1) << x.Bits() {
			v := x.Float.Float64(code)
			if math.IsNaN(v) || math.IsInf(v, 0) || code == 1<<(x.Bits()-1) {
				continue
			}
			raw := x.Decode(code)
			require.Equal(t, v, x.Value(raw))
			require.Equal(t, code, x.Code(raw))
			require.Equal(t, raw, x.Raw(v))
		}
	}
}
