package sim_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir/bits"
	"etch/sim"
	"etch/testbench/randcircuit"
)

// TestWatch compares with a look at every signal.
func TestWatch(t *testing.T) {
	for seed := range uint64(10) {
		s, err := sim.New(randcircuit.Design(seed, randcircuit.Config{Nodes: 50, Modules: 2, State: true, Falls: seed%2 == 0}))
		require.NoError(t, err)
		signals := slices.Collect(s.Signals())
		w := s.Watch(signals...)
		var last [][]uint64
		for _, sig := range signals {
			last = append(last, s.AppendWords(nil, sig))
		}
		r := rand.New(rand.NewPCG(seed, 2))
		for range 40 {
			for _, p := range s.Top() {
				if p.IsInput() && r.IntN(3) == 0 {
					words := make([]uint64, bits.WordCount(p.Width()))
					words[r.IntN(len(words))] = r.Uint64N(3) // often one of several words
					require.NoError(t, s.SetBits(p, bits.FromWords(p.Width(), words)))
				}
			}
			if r.IntN(2) == 0 {
				s.Step(1)
			}
			var want []int32
			for i, sig := range signals {
				if now := s.AppendWords(nil, sig); !slices.Equal(now, last[i]) {
					want, last[i] = append(want, int32(i)), now
				}
			}
			require.Equal(t, want, w.Changed(nil))
			for i := range signals {
				require.Equal(t, last[i], w.Value(i))
			}
		}
		require.Empty(t, w.Changed(nil), "nothing since the last call")
		dst := make([]int32, 0, len(signals))
		require.Zero(t, testing.AllocsPerRun(20, func() {
			s.Step(1)
			dst = w.Changed(dst[:0])
		}))
		other, err := sim.New(s.Design())
		require.NoError(t, err)
		require.Panics(t, func() { other.Watch(signals...) })
	}
}
