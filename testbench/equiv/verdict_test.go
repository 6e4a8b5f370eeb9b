package equiv_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/ir/text"
	"etch/passes"
	"etch/testbench/equiv"
	"etch/testbench/randcircuit"
)

// randomDesign has, by its seed, a hierarchy, state, several clocks, falling edges or
// none of that.
func randomDesign(seed uint64) *ir.Design {
	return randcircuit.Design(seed, randcircuit.Config{
		Nodes: 15 + int(seed%20), Modules: int(seed % 3), State: seed%5 != 0, Control: seed%7 == 0,
		Clocks: 1 + int(seed%2), Falls: seed%3 == 0, Split: seed%4 == 0, Widths: randcircuit.Narrow,
	})
}

// TestVerdicts: random designs are equal to what the passes make of them, and what is
// said of mutants is what the simulator shows: no two designs that differ in a long
// random run are called equal, and every difference is one that the simulator
// confirms. A mutant of the optimised design is compared with the first one, so that
// little is equal by its structure and few of its nodes are dead.
func TestVerdicts(t *testing.T) {
	n := uint64(60)
	if testing.Short() {
		n = 8
	}
	count := map[string]int{}
	// All state that starts as anything starts at 0 in the simulator: that is alike
	// whatever it is called.
	for seed := range n {
		d := randomDesign(seed)
		opt := passes.Optimize(d, passes.Options{Flatten: seed%2 == 0})
		opts := []equiv.Option{equiv.WithoutABC(), equiv.Limit(20 * time.Second), equiv.Conflicts(20000)}
		if seed%4 == 1 {
			opts = append(opts, equiv.MaxMemory(1)) // memories of more are not expanded
		}
		r, err := equiv.Compare(d, opt, opts...)
		require.NoError(t, err, "seed %d", seed)
		require.NotEqual(t, equiv.Different, r.Outcome, "seed %d: %v", seed, r)
		count["optimised: "+r.Outcome.String()]++
		for k := range uint64(3) {
			bad, what := mutant(t, opt, seed*16+k)
			if bad == nil {
				continue
			}
			what = fmt.Sprintf("seed %d, mutant %d: %s", seed, k, what)
			r, err := equiv.Compare(d, bad, opts...)
			require.NoError(t, err, what)
			count["mutant: "+r.Outcome.String()]++
			if r.Outcome != equiv.Different {
				require.Equal(t, -1, firstDifference(t, d, bad, 1000), "%s: %v\n%s", what, r, text.String(d))
			}
		}
	}
	t.Log(count)
	require.GreaterOrEqual(t, count["optimised: equal"], int(n)*9/10)
	require.Greater(t, count["mutant: different"], int(n)/2)
	require.LessOrEqual(t, count["mutant: unknown"], int(n)/10)
}

// TestSwapped: a difference is one both ways, and nothing differs from itself.
func TestSwapped(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 10 {
		seed := rng.Uint64N(1000)
		d := randomDesign(seed)
		equiv.CheckDesigns(t, d, d.Clone(), equiv.FromPowerUp(), equiv.WithoutABC())
		bad, what := mutant(t, d, seed)
		if bad == nil {
			continue
		}
		var said [2]equiv.Outcome
		for i, pair := range [][2]*ir.Design{{d, bad}, {bad, d}} {
			r, err := equiv.Compare(pair[0], pair[1], equiv.WithoutABC(), equiv.Limit(20*time.Second))
			require.NoError(t, err, what)
			said[i] = r.Outcome
		}
		require.Equal(t, said[0], said[1], "seed %d: %s", seed, what)
	}
}
