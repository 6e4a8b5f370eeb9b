package model

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// bigExp is e^x by its Taylor series to 200 bits.
func bigExp(x float64) *big.Float {
	num := func(v float64) *big.Float { return new(big.Float).SetPrec(400).SetFloat64(v) }
	sum, term := num(1), num(1)
	for k := 1.0; k < 4000; k++ {
		term.Mul(term, num(x)).Quo(term, num(k))
		if term.Sign() == 0 || term.MantExp(nil) < -1300 {
			break
		}
		sum.Add(sum, term)
	}
	return sum
}

// ulps returns |got − want| in units of want's last place.
func ulps(got float64, want *big.Float) float64 {
	w, _ := want.Float64()
	ulp := math.Nextafter(math.Abs(w), math.Inf(1)) - math.Abs(w)
	d := new(big.Float).SetPrec(400).SetFloat64(got)
	e, _ := d.Sub(d, want).Float64()
	return math.Abs(e) / ulp
}

func TestExpAndTanhAgainstSeries(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	worstExp, worstTanh := 0.0, 0.0
	for i := range 4000 {
		x := (r.Float64() - 0.5) * math.Pow(2, float64(i%8)-2)
		e := bigExp(x)
		worstExp = max(worstExp, ulps(Exp(x), e))
		square := new(big.Float).SetPrec(400).Mul(e, e)
		one := big.NewFloat(1)
		tanh := new(big.Float).SetPrec(400).Sub(square, one)
		tanh.Quo(tanh, square.Add(square, one))
		worstTanh = max(worstTanh, ulps(Tanh(x), tanh))
	}
	require.LessOrEqual(t, worstExp, 0.8) // 0.75 seen; without the tail of ln 2, 0.9
	require.LessOrEqual(t, worstTanh, 2.0)
}

func TestExpAndTanhSpecial(t *testing.T) {
	require.Equal(t, 1.0, Exp(0))
	require.Equal(t, math.Inf(1), Exp(1000))
	require.Equal(t, 0.0, Exp(-1000))
	require.True(t, math.IsNaN(Exp(math.NaN())))
	require.Equal(t, 1.0, Tanh(50))
	require.Equal(t, -1.0, Tanh(math.Inf(-1)))
	require.True(t, math.IsNaN(Tanh(math.NaN())))
	require.Equal(t, 1e-300, Tanh(1e-300))
	for _, x := range []float64{0, 0.3, 1, 5} {
		require.Equal(t, -Tanh(x), Tanh(-x))
	}
}
