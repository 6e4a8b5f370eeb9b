package network

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/dwc/model"
)

func folded(t testing.TB, spec model.RandomSpec, seed uint64) *model.Folded {
	t.Helper()
	m, err := model.Random(spec, seed)
	require.NoError(t, err)
	f, err := m.Fold()
	require.NoError(t, err)
	return f
}

// subsets are all 32 choices of reductions.
func subsets() (out []Options) {
	for i := range 32 {
		out = append(out, Options{Pins: i&1 > 0, Unreached: i&2 > 0, Constants: i&4 > 0, Duplicates: i&8 > 0, Dead: i&16 > 0})
	}
	return out
}

// Every choice of reductions keeps every count, for all codes of a small sensor.
func TestReduceIsExact(t *testing.T) {
	for _, n := range []int{2, 3, 4, 6} {
		f := folded(t, model.RandomSpec{Obs: 2, Groups: 2, Widths: []int{40, 24, 12}, N: []int{n}, DACBits: 8, B: 7, SensorBits: 4}, uint64(n))
		whole, eval := Of(f), model.NewEval(f)
		for _, o := range subsets() {
			small, _ := whole.Reduce(o)
			for a := -8; a < 8; a++ {
				for b := -8; b < 8; b++ {
					codes := []int{a, b}
					want := eval.Counts(codes)
					require.Equal(t, want, whole.Run(codes), "not reduced")
					require.Equal(t, want, small.Run(codes), "n=%d %+v %v", n, o, codes)
				}
			}
		}
	}
}

// The reductions find what they are for, and all of them together are never
// larger than fewer.
func TestReduceCounts(t *testing.T) {
	f := folded(t, model.RandomSpec{Obs: 3, Groups: 1, Widths: []int{64, 16}, N: []int{6}, DACBits: 8, B: 31, SensorBits: 8}, 1)
	whole := Of(f)
	small, c := whole.Reduce(All)
	require.Positive(t, c.RepeatedPins)
	require.Positive(t, c.Unreached)
	require.Positive(t, c.DeadLuts[0])
	require.Positive(t, c.DeadComparators)
	require.Zero(t, c.DeadLuts[1], "the last layer is all counted")
	require.Less(t, small.Comparisons(), whole.Comparisons())
	for _, o := range subsets() {
		part, _ := whole.Reduce(o)
		require.LessOrEqual(t, small.Luts(), part.Luts(), fmt.Sprint(o))
	}
}

// smallest agrees with brute force: no smaller set of pins would do.
func TestSmallest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		p := partial{n: 1 + r.IntN(4)}
		p.table, p.care = r.Uint64()&entries(p.n), r.Uint64()&r.Uint64()&entries(p.n)
		q, keep := p.smallest()
		for a := range uint(1) << p.n {
			if p.care>>a&1 == 1 {
				require.Equal(t, p.table>>a&1, q.table>>compress(a, keep)&1)
			}
		}
		for other := range uint(1) << p.n {
			if _, ok := p.keepOnly(other); ok {
				require.GreaterOrEqual(t, ones(uint64(other)), q.n)
			}
		}
	}
}

// Connectivity counts pins, and removing dead tables takes away theirs only.
func TestConnectivity(t *testing.T) {
	f := folded(t, model.RandomSpec{Obs: 3, Groups: 1, Widths: []int{50, 20}, N: []int{4}, DACBits: 8, B: 5, SensorBits: 8}, 3)
	before, after := ConnectivityOf(f)
	require.Equal(t, 50*4, before.Pins)
	read := map[int]bool{}
	for _, pins := range f.Model.Layers[1].Pins {
		for _, p := range pins {
			read[p] = true
		}
	}
	require.Equal(t, len(read)*4, after.Pins)
	for _, c := range []Connectivity{before, after} {
		sum := 0
		for _, v := range c.ByDim {
			sum += v
		}
		require.Equal(t, c.Pins, sum)
	}
	dims := make([]int, 3)
	for _, pins := range f.Model.Layers[0].Pins {
		for _, p := range pins {
			dims[p/5]++
		}
	}
	require.Equal(t, dims, before.ByDim)
}
