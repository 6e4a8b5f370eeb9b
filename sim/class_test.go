package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/sim/internal/simtest"
	"etch/testbench/randcircuit"
)

func TestClassesInLockstep(t *testing.T) {
	n, cycles := uint64(60), 2500
	if testing.Short() {
		n, cycles = 8, 1500
	}
	for seed := range n {
		d := randcircuit.Classes(seed, 120, 2+int(seed%4))
		require.NoError(t, ir.Verify(d), "seed %d", seed)
		s, err := sim.New(d, sim.WithEngine(sim.Lockstep), sim.WithSeed(seed), policyOf(seed))
		require.NoError(t, err, "seed %d", seed)
		s.Reset()
		for range 5 {
			s.Step(cycles / 5)
			for sig := range s.Signals() { // a poke of anything is only a missed guard
				if sig.IsState() && simtest.NewRand(seed+s.Cycles()).IntN(20) == 0 {
					require.NoError(t, s.Poke(sig, bits.Ones(sig.Width())))
				}
			}
		}
		require.NoError(t, s.Err(), "seed %d", seed)
		require.NoError(t, s.Close())
	}
}
