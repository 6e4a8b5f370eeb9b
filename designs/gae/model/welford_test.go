package model_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/gae/model"
)

// With 32 fraction bits the running mean is the exact one after a million numbers;
// with 16 it has stalled.
func TestWelford(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	fine, coarse := model.Welford{Frac: 32}, model.Welford{Frac: 16}
	var exact model.Statistics
	for i := range 1_000_000 {
		x := int64((-6 + 3*math.Exp(-float64(i)/2e5) + r.NormFloat64()) * 65536) // rewards that drift as a policy learns
		fine.Add(x)
		coarse.Add(x)
		exact.Add(x)
	}
	require.InDelta(t, exact.Mean(), fine.Mean>>16, 8)
	require.Greater(t, math.Abs(float64(exact.Mean()-coarse.Mean)), 100.0)
	deviation := math.Sqrt(math.Ldexp(float64(fine.Sum.Int64()), -32) / float64(fine.N))
	require.InEpsilon(t, math.Ldexp(float64(exact.Deviation()), -model.DeviationFrac), deviation, 1e-4)
	t.Logf("mean after %d numbers: exact %d, 32 bits %d, 16 bits %d", exact.N, exact.Mean(), fine.Mean>>16, coarse.Mean)
}
