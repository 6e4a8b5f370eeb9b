package passes_test

import (
	"io"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/passes"
	"etch/sim"
	"etch/testbench/randcircuit"
)

// TestFallingEdges: what moves when clocks fall still does after all passes.
func TestFallingEdges(t *testing.T) {
	for seed := range seeds(t, 60) {
		d := randcircuit.Design(seed, randcircuit.Config{Nodes: 40, Modules: int(seed % 3), State: true, Falls: true})
		for _, o := range options() {
			out := passes.Optimize(d, o)
			require.NoError(t, ir.Verify(out), "seed %d", seed)
			sameInSim(t, d, out, seed)
		}
	}
}

func sameInSim(t *testing.T, a, b *ir.Design, seed uint64) {
	t.Helper()
	var s [2]*sim.Sim
	for i, d := range [2]*ir.Design{a, b} {
		var err error
		s[i], err = sim.New(d, sim.WithEngine(sim.Interpreter), sim.WithOutput(io.Discard))
		require.NoError(t, err, "seed %d", seed)
	}
	rng := rand.New(rand.NewPCG(seed, 3))
	for cycle := range 12 {
		for i, p := range a.Top.Ports {
			if x := s[0].Top()[i]; x.IsInput() {
				v := randomValue(rng, p.Width)
				require.NoError(t, s[0].SetBits(x, v))
				require.NoError(t, s[1].SetBits(s[1].Top()[i], v))
			}
		}
		k := rng.IntN(2) // the first inputs are clocks
		s[0].Tick(s[0].Top()[k], 1)
		s[1].Tick(s[1].Top()[k], 1)
		for i, p := range a.Top.Ports {
			x, y := s[0].GetBits(s[0].Top()[i]), s[1].GetBits(s[1].Top()[i])
			require.True(t, x.Equal(y), "seed %d, cycle %d: %s", seed, cycle, p.Name)
		}
	}
}
