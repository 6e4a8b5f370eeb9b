package lanes_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/sim/lanes"
	"etch/testbench/randcircuit"
)

// TestLanesMixed runs random designs in lanes of mixed form, and every lane in a
// simulator of its own, as TestLanesRandom does.
func TestLanesMixed(t *testing.T) {
	seeds := 40
	if testing.Short() {
		seeds = 10
	}
	mixed := lanes.WithChoice(lanes.Choice{Form: lanes.MixedForm})
	stages := 0
	for seed := range uint64(seeds) {
		d := randcircuit.Design(seed, randcircuit.Config{Nodes: 40, Modules: int(seed % 3), State: true, Stmts: true, Falls: seed%4 == 1, Widths: []int{1, 2, 7, 16, 33, 64, 65}})
		l, err := lanes.New(d, 1, mixed)
		require.NoError(t, err)
		if l.Engine() != "interpreter" && l.Stages() > 1 {
			stages++
		}
		require.NoError(t, l.Close())
		compareLanes(t, d, seed, []int{1, 3, 64, 100, 3, 300}[seed%6], 8, mixed)
	}
	require.Greater(t, stages, seeds/4, "designs of both forms")
}

// TestLaneBodiesMixed has lanes go between mixed form and bodies.
func TestLaneBodiesMixed(t *testing.T) {
	mixed := lanes.WithChoice(lanes.Choice{Form: lanes.MixedForm})
	for seed := range uint64(4) {
		d := randcircuit.Control(seed)
		if b, ok := studyBench(t, d, seed, 20, mixed); ok {
			b.follow(t, seed)
			require.NoError(t, b.l.Close())
		}
	}
}
