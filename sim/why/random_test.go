package why_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/sim"
	"etch/sim/replay"
	"etch/sim/why"
	"etch/testbench/randcircuit"
)

// TestRandomSignals explains named signals of random circuits with everything in them, at random
// cycles, in some rows and as a whole: without a panic, and a root with the signal's value.
func TestRandomSignals(t *testing.T) {
	n := uint64(20)
	if testing.Short() {
		n = 6
	}
	for seed := range n {
		d := randcircuit.Design(seed, randcircuit.Config{Nodes: 40, Modules: int(seed % 4), State: true, Stmts: true, Extern: seed%3 == 0,
			Control: seed%4 == 1, Falls: seed%5 == 0, Latches: seed%7 == 0, Calm: true, Pads: seed%6 == 1, Split: seed%2 == 0})
		s, err := sim.New(d, sim.WithSeed(seed), sim.WithOutput(nil))
		require.NoError(t, err)
		s.Record(1 << 20)
		r := rand.New(rand.NewPCG(seed, 41))
		for range 20 {
			for _, p := range s.Top() {
				if p.IsInput() && !p.IsClock() && r.IntN(2) == 0 {
					require.NoError(t, s.SetBits(p, bitsOf(r, p)))
				}
			}
			s.Step(1)
		}
		run, err := replay.Of(s.Recorded())
		require.NoError(t, err)
		e := why.New(run)
		first, last := run.Cycles()
		for i, sig := range run.Sim().Root().Signals() {
			if i%5 != int(seed%5) {
				continue
			}
			cycle := first + r.Uint64N(last-first+1)
			rows := 10 * r.IntN(2)
			c, err := e.Explain(sig, cycle, rows)
			require.NoError(t, err, "seed %d, %s@%d", seed, sig.Name(), cycle)
			require.NotEmpty(t, e.Text())
			require.NoError(t, run.Go(cycle))
			require.Equal(t, why.Show(sig.Type(), run.Sim().GetBits(sig)), c.Value, "seed %d, %s@%d", seed, sig.Name(), cycle)
		}
		s.Close()
	}
}
