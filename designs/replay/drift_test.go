package replay_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/replay"
	"etch/designs/replay/host"
	"etch/designs/replay/model"
	"etch/ir/bits"
	"etch/sim"
)

// repeats is ten million under ETCH_SLOW=1, fewer otherwise.
func repeats() int {
	switch {
	case os.Getenv("ETCH_SLOW") != "":
		return 10_000_000
	case testing.Short():
		return 30_000
	}
	return 1_000_000
}

// leavesOf is the priorities of all slots as the head's copy has them.
func leavesOf(t *testing.T, tree *host.Tree, c replay.Config) []uint64 {
	mem, err := tree.Sim.Mem("unit.leaves")
	require.NoError(t, err)
	leaves := make([]uint64, 1<<c.IndexBits())
	for i := range c.Capacity {
		leaves[i] = mem.Read(i).Big().Uint64()
	}
	return leaves
}

// After many updates every word of every row is the sum of its leaves.
func TestNoDrift(t *testing.T) {
	c := replay.Config{Params: model.Params{Capacity: 1000, Leaf: 16, Fraction: 12}, K: 4, Read: 1, Strata: 2}
	tree, err := host.Simulate(replay.Tree{Config: c, Seed: 1}, sim.WithEngine(sim.Native))
	require.NoError(t, err)
	defer tree.Close()
	r := rand.New(rand.NewPCG(1, 2))
	want := make([]uint64, 1<<c.IndexBits())
	for i := range c.Capacity {
		want[i] = r.Uint64N(1 << 16)
		tree.Cycle(&model.Operation{Kind: model.Insert, Priority: want[i]})
	}
	op := model.Operation{Kind: model.Update}
	for range repeats() {
		op.Index, op.Priority = r.IntN(c.Capacity), r.Uint64N(1<<16)
		want[op.Index] = op.Priority
		tree.Cycle(&op)
	}
	for range 100 {
		tree.Cycle(nil)
	}
	require.Equal(t, want, leavesOf(t, tree, c))

	for i, l := range c.Levels() {
		for row := range l.Rows {
			var word bits.Value
			sum := uint64(0)
			for j := range l.Words() {
				child := (row<<l.Digit + j) << l.Below
				for _, p := range want[child:][:1<<l.Below] {
					sum += p
				}
				if i == 0 {
					s, err := tree.Sim.Signal(fmt.Sprintf("unit.level_0_row_%d", j))
					require.NoError(t, err)
					word = tree.Sim.GetBits(s)
				} else {
					word = field(t, tree, i, row, j, l)
				}
				require.Equal(t, sum, word.Big().Uint64(), "level %d, row %d, word %d", i, row, j)
			}
		}
	}
}

// field is a word of a row in memory: word 0 is at the bottom.
func field(t *testing.T, tree *host.Tree, level, row, j int, l replay.Level) bits.Value {
	mem, err := tree.Sim.Mem(fmt.Sprintf("unit.level_%d_rows", level))
	require.NoError(t, err)
	below := 0
	for i := range j {
		below += l.WordBits(i)
	}
	v := mem.Read(row).Shr(uint64(below)).Big()
	return bits.FromBig(l.WordBits(j), v.And(v, bits.Ones(l.WordBits(j)).Big()))
}

// Slots are drawn in proportion to their priorities: χ² over skewed ones, plain and
// stratified; a priority of 1 LSB among large ones is drawn as often as it should be,
// and draws one behind the other are not correlated.
func TestDraws(t *testing.T) {
	c := replay.Config{Params: model.Params{Capacity: 200, Leaf: 16, Fraction: 12}, K: 4, Read: 1, Strata: 128}
	for _, strata := range []int{0, 7} {
		tree, err := host.Simulate(replay.Tree{Config: c, Seed: 0x9E3779B9}, sim.WithEngine(sim.Native))
		require.NoError(t, err)
		defer tree.Close()
		priority := make([]float64, c.Capacity)
		total := 0.0
		for i := range priority {
			p := uint64(40_000 / (i + 1)) // from 40,000 down to 200, as by rank
			if i%17 == 16 {
				p = 0
			}
			priority[i] = float64(p)
			total += priority[i]
			tree.Cycle(&model.Operation{Kind: model.Insert, Priority: p})
		}

		n := repeats() / 128 * 128
		drawn := make([]float64, c.Capacity)
		var before, lag, square float64
		count, writes := 0, c.Capacity
		op := model.Operation{Kind: model.Sample, Strata: strata}
		for i := 0; count < n; i++ {
			op.Stratum = i & (1<<strata - 1)
			_, r, came := tree.Cycle(&op)
			if !came {
				continue
			}
			if writes > 0 {
				writes--
				continue
			}
			drawn[r.Index]++
			u := float64(r.Index) - 100
			lag, square, before = lag+u*before, square+u*u, u
			count++
		}

		// Plain: 188 slots that can be drawn, so 187 degrees of freedom, whose χ² has a
		// deviation of √(2·187) ≈ 19.3. Stratified draws vary less.
		chi, slots := 0.0, 0
		for i, p := range priority {
			if p == 0 {
				require.Zero(t, drawn[i], "a slot of priority 0 was drawn")
				continue
			}
			expected := p / total * float64(n)
			chi += (drawn[i] - expected) * (drawn[i] - expected) / expected
			slots++
		}
		t.Logf("%d draws, 2^%d strata: χ² = %.1f over %d slots", n, strata, chi, slots)
		require.Less(t, chi, float64(slots)+4*19.4)
		if strata == 0 {
			require.Greater(t, chi, float64(slots)-4*19.4, "too even to be random")
			// Independent draws have E[u·u'] = E[u]², within six deviations.
			mean := 0.0
			for i, p := range priority {
				mean += (float64(i) - 100) * p / total
			}
			require.InDelta(t, mean*mean, lag/float64(n), 6*square/float64(n)/math.Sqrt(float64(n)))
		}
	}
}

// The only leaf of 1 LSB is drawn in its proportion, in the largest tree that a test
// can fill quickly: the target has bits enough.
func TestSmallestLeaf(t *testing.T) {
	c := replay.Config{Params: model.Params{Capacity: 16, Leaf: 10, Fraction: 4}, K: 4, Read: 1, Strata: 2}
	tree, err := host.Simulate(replay.Tree{Config: c, Seed: 77}, sim.WithEngine(sim.Native))
	require.NoError(t, err)
	defer tree.Close()
	total := uint64(0)
	for i := range 16 {
		p := uint64(1023)
		if i == 9 {
			p = 1
		}
		total += p
		tree.Cycle(&model.Operation{Kind: model.Insert, Priority: p})
	}
	n, hits := repeats(), 0.0
	op := model.Operation{Kind: model.Sample}
	for range n {
		if _, r, came := tree.Cycle(&op); came && r.Index == 9 && r.Priority == 1 {
			hits++
		}
	}
	expected := float64(n) / float64(total)
	t.Logf("%d draws: the leaf of 1 in %d came %.0f times, expected %.1f", n, total, hits, expected)
	require.InDelta(t, expected, hits, 4*math.Sqrt(expected)+1)
}
