package thermometer

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// thresholds draws n distinct ones, crowded around 0 if normal.
func thresholds(r *rand.Rand, w, n int, normal bool) []int {
	top := 1 << (w - 1)
	seen := map[int]bool{}
	for range 50 * n {
		t := r.IntN(2*top-1) - top
		if normal {
			t = int(r.NormFloat64() * float64(top) / 6)
		}
		if t >= -top && t <= top-2 && len(seen) < n {
			seen[t] = true
		}
	}
	var out []int
	for t := range seen {
		out = append(out, t)
	}
	slices.Sort(out)
	return out
}

// codes are all of a narrow sensor; of a wide one those around the thresholds.
func codes(r *rand.Rand, w int, ts []int) (out []int) {
	top := 1 << (w - 1)
	if w <= 12 {
		for c := -top; c < top; c++ {
			out = append(out, c)
		}
		return out
	}
	for _, t := range append([]int{-top, top - 1, 0}, ts...) {
		for d := -2; d <= 2; d++ {
			out = append(out, min(max(t+d, -top), top-1))
		}
	}
	for range 200 {
		out = append(out, r.IntN(2*top)-top)
	}
	return out
}

// Every kind of graph compares like Go; none has a table of more than six inputs,
// and the one that is chosen is the smallest.
func TestGraphsCompare(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, w := range []int{2, 3, 5, 6, 7, 8, 11, 12, 16, 20} {
		for _, n := range []int{1, 2, 5, 17, 40} {
			for _, normal := range []bool{false, true} {
				ts := thresholds(r, w, n, normal)
				if len(ts) == 0 {
					continue
				}
				best := Share(w, ts)
				graphs := []*Graph{suffixes(w, ts)}
				for s := 1; s <= 4 && s < w-1; s++ {
					graphs = append(graphs, prefixes(w, ts, s, 1), prefixes(w, ts, s, 3))
				}
				all := codes(r, w, ts)
				require.LessOrEqual(t, len(best.Nodes), len(graphs[0].Nodes))
				for k, g := range graphs {
					for _, c := range all[:min(len(all), 100)] {
						for i, above := range g.Run(c) {
							require.Equal(t, c > ts[i], above, "w=%d %v graph %d: %d > %d", w, ts, k, c, ts[i])
						}
					}
				}
				for _, c := range all {
					for i, above := range best.Run(c) {
						require.Equal(t, c > ts[i], above)
					}
				}
			}
		}
	}
}

// With eight bits a threshold takes a table of its own and seven are shared; with
// fourteen, a tenth fewer than comparisons of their own.
func TestSizes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	ts := thresholds(r, 8, 63, false)
	require.LessOrEqual(t, len(Share(8, ts).Nodes), 63+7)
	ts = thresholds(r, 14, 63, false)
	alone := len(suffixes(14, ts).Nodes)
	require.Less(t, len(Share(14, ts).Nodes), alone*9/10)
	require.Panics(t, func() { Share(8, []int{3, 3}) })
	require.Panics(t, func() { Share(8, []int{127}) })
}
