package sim_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/sim/choose"
	"etch/sim/native"
	"etch/testbench/randcircuit"
)

// TestControlInLockstep runs random state machines for so long that bodies are
// compiled, missed and compiled again, with pokes of state between.
func TestControlInLockstep(t *testing.T) {
	n, cycles := uint64(60), 9000
	if testing.Short() {
		n, cycles = 6, 6000
	}
	if *manySeeds > 0 {
		n = uint64(*manySeeds)
	}
	specialised := uint64(0)
	for i := range n {
		seed := *firstSeed + i
		d := randcircuit.Control(seed)
		require.NoError(t, ir.Verify(d), "seed %d", seed)
		s, err := sim.New(d, sim.WithEngine(sim.Lockstep), sim.WithSeed(seed), policyOf(seed))
		require.NoError(t, err, "seed %d", seed)
		s.Reset()
		r := rand.New(rand.NewPCG(seed, 1))
		for range 6 {
			s.Step(cycles / 6)
			for sig := range s.Signals() {
				if sig.IsState() && r.IntN(8) == 0 {
					require.NoError(t, s.Poke(sig, bits.New(sig.Width(), r.Uint64()&(1<<min(sig.Width(), 63)-1))))
				}
			}
			if r.IntN(3) == 0 {
				s.Reset()
			}
		}
		require.NoError(t, s.Err(), "seed %d", seed)
		if s.Engine() == sim.Interpreter || sim.Bodies(s) > 0 {
			specialised++
		}
		require.NoError(t, s.Close())
	}
	if native.Adapts() {
		require.Greater(t, 2*specialised, n, "few designs were specialised: the test tries nothing")
	}
}

// policyOf is a policy for a test in lock step that runs many seeds: bodies with every other seed,
// else parts.
func policyOf(seed uint64) sim.Option {
	if seed%2 == 0 {
		return sim.WithPolicy(choose.Eager())
	}
	return sim.WithPolicy(choose.EagerParts())
}
