package model

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// Priorities are within 2 LSB or 3·10^-5 of float64, weights within 3·2^-16.
func TestExponents(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	p := Params{Capacity: 1, Leaf: 16, Fraction: 12}
	worstLSB, worstWeight := 0.0, 0.0
	for range 2_000_000 {
		e := Exponents{Alpha: uint32(r.IntN(1<<16 + 1)), Beta: uint32(r.IntN(1<<16 + 1)), Epsilon: uint32(r.IntN(1 << 14))}
		if r.IntN(8) == 0 {
			e.Alpha, e.Beta = 1<<16, 1<<16
		}
		delta := uint32(r.Uint64() >> (32 + r.IntN(32)))
		if delta == 0 && e.Epsilon == 0 {
			continue
		}
		x := (float64(delta) + float64(e.Epsilon)) / (1 << 16)
		exact := math.Pow(x, float64(e.Alpha)/(1<<16)) * (1 << 12)
		exact = max(1, min(exact, 1<<16-1))
		if off := math.Abs(float64(e.Priority(p, delta)) - exact); off/exact > 3e-5 {
			worstLSB = max(worstLSB, off)
		}

		least, draw := 1+r.Uint64N(1<<16-1), 1+r.Uint64N(1<<16-1)
		least, draw = min(least, draw), max(least, draw)
		want := math.Pow(float64(least)/float64(draw), float64(e.Beta)/(1<<16))
		worstWeight = max(worstWeight, math.Abs(float64(e.Weight(least, draw))-want*(1<<16)))
	}
	t.Logf("priorities: off by %.2f LSB, or by less than 3e-5; weights: off by %.2f·2^-16", worstLSB, worstWeight)
	require.Less(t, worstLSB, 2.0)
	require.Less(t, worstWeight, 3.0)
}

func TestExponentEnds(t *testing.T) {
	p := Params{Capacity: 1, Leaf: 16, Fraction: 12}
	one := Exponents{Alpha: 1 << 16, Beta: 1 << 16}
	require.Equal(t, uint64(1), one.Priority(p, 0))
	require.Equal(t, uint64(1<<16-1), one.Priority(p, math.MaxUint32))
	require.InDelta(t, 1<<12, float64(one.Priority(p, 1<<16)), 1)
	require.Equal(t, uint64(1<<12), Exponents{}.Priority(p, 12345))
	require.Equal(t, uint64(1<<16), one.Weight(7, 7))
	require.Equal(t, uint64(1<<16), one.Weight(9, 7))
	require.Equal(t, uint64(1<<16), Exponents{}.Weight(1, 60000))
}
