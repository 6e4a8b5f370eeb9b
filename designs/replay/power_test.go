package replay_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/replay"
	"etch/designs/replay/model"
	"etch/testbench"
)

// The circuits of the exponents give what the model gives, whose distance from
// float64 is tested there.
func TestPower(t *testing.T) {
	for _, c := range []replay.Config{
		{Params: model.Params{Capacity: 4, Leaf: 16, Fraction: 12}, K: 2, Read: 1, Strata: 2},
		{Params: model.Params{Capacity: 4, Leaf: 32, Fraction: 20}, K: 2, Read: 1, Strata: 2},
		{Params: model.Params{Capacity: 4, Leaf: 7, Fraction: 0}, K: 2, Read: 1, Strata: 2},
	} {
		b, p := testbench.New(t, replay.Power{Config: c}, testbench.CoSim())
		r := rand.New(rand.NewPCG(1, uint64(c.Leaf)))
		for range 25 {
			e := model.Exponents{Alpha: uint32(r.IntN(1<<16 + 1)), Beta: uint32(r.IntN(1<<16 + 1)), Epsilon: uint32(r.Uint64() >> (32 + r.IntN(32)))}
			if r.IntN(4) == 0 {
				e.Alpha, e.Beta = 1<<16, 1<<16
			}
			b.Set(p.Alpha, int(e.Alpha))
			b.Set(p.Beta, int(e.Beta))
			b.Set(p.Epsilon, int(e.Epsilon))
			var delta []uint32
			var drawn, least []uint64
			for n := range 60 { // the settings stand still, values change every cycle
				delta = append(delta, uint32(r.Uint64()>>(32+r.IntN(33))))
				drawn = append(drawn, 1+r.Uint64N(1<<c.Leaf-1)>>r.IntN(c.Leaf))
				least = append(least, 1+r.Uint64N(drawn[n]))
				if r.IntN(9) == 0 {
					least[n] = 1<<c.Leaf - 1
				}
				b.Set(p.Delta, int(delta[n]))
				b.Set(p.Drawn, int(drawn[n]))
				b.Set(p.Least, int(least[n]))
				b.Step(1)
				if at := n + 1 - replay.PriorityLatency; at >= 0 {
					require.Equal(t, e.Priority(c.Params, delta[at]), uint64(b.Get(p.Priority)), "%+v, |δ| = %d", e, delta[at])
				}
				if at := n + 1 - replay.WeightLatency; at >= 0 {
					require.Equal(t, e.Weight(least[at], drawn[at]), uint64(b.Get(p.Weight)), "%+v, %d of %d", e, least[at], drawn[at])
				}
			}
		}
	}
}
