package learnertool

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"etch/designs/cli"
	"etch/designs/explore/area"
)

// exhaustive is the front of all combinations of the smallest tiles for each beat, and how
// many of them there are.
func exhaustive(t *testing.T, q question) (front []Choice, tried int) {
	t.Helper()
	networks := q.networks()
	seen := map[string]bool{}
	var tilings [][][]int
	for _, beat := range beats(networks) {
		combos := [][][]int{nil}
		for _, n := range networks {
			layers := [][]int{nil}
			for l := range n.layers() {
				var next [][]int
				for _, tile := range n.smallest(l, beat) {
					for _, c := range layers {
						next = append(next, append(slices.Clip(c), tile[:]...))
					}
				}
				layers = next
			}
			var next [][][]int
			for _, c := range combos {
				for _, tiles := range layers {
					next = append(next, append(slices.Clip(c), tiles))
				}
			}
			combos = next
		}
		for _, c := range combos {
			if key := fmt.Sprint(c); !seen[key] {
				seen[key] = true
				tilings = append(tilings, c)
			}
		}
	}
	slices.SortFunc(tilings, func(a, b [][]int) int { return slices.CompareFunc(a, b, slices.Compare[[]int]) })

	// Of each combination exact cycles, and of those as fast the fewest multipliers.
	var all []Choice
	for _, tiles := range tilings {
		for dp := 1; dp <= min(q.batch, maxDP); dp *= 2 {
			if c, err := q.choice(q.formats[0], tiles, dp); err == nil {
				all = append(all, c)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Choice) int {
		return 1_000_000*(a.Cycles-b.Cycles) + a.Multipliers - b.Multipliers
	})
	for _, c := range all {
		if len(front) == 0 || c.Multipliers < front[len(front)-1].Multipliers {
			front = append(front, c)
		}
	}
	return front, len(all)
}

// The front is that of all combinations, tile for tile; with a replay memory, whose cycles
// are the later of two ends, equal ones may have other tiles.
func TestFront(t *testing.T) {
	for _, line := range []string{
		"-net 4-2 -batch 8",
		"-net 12-6 -batch 1",
		"-net 4-64-2 -batch 32",
		"-net 8-64-4 -batch 64",
		"-net 6-12-30-5 -batch 16",
		"-net 12-12-12-12 -batch 4",
		"-net 9-7-24-18 -batch 2",
		"-net 2-4-6-4-3-2 -batch 8",
		"-algorithm ddpg -net 3-64-1 -batch 64",
		"-algorithm ddpg -net 2-4-1 -batch 8",
		"-algorithm ddpg -net 6-12-4 -batch 4",
		"-algorithm ddpg -net 3-4-6-2 -batch 4",
		"-net 4-64-2 -batch 32 -replay 64",
		"-net 6-12-30-5 -batch 16 -replay 64",
		"-net 4-8-6-2 -batch 2 -replay 16",
		"-algorithm ddpg -net 6-12-4 -batch 8 -replay 64",
		"-algorithm ddpg -net 2-4-4-1 -batch 4 -replay 16",
	} {
		q, err := questionOf("dqn", append(strings.Fields(line), "-formats", "16", "-device", "u200"), cli.Output{})
		require.NoError(t, err)
		want, tried := exhaustive(t, q)
		q.device.DSP = 1 << 30
		got, covered, err := q.candidates(t.Context())
		require.NoError(t, err)
		require.Equal(t, tried, covered, line)
		require.Len(t, got, len(want), line)
		for i, w := range want {
			g := got[i]
			require.Equal(t, [2]int{w.Cycles, w.Multipliers}, [2]int{g.cycles, g.multipliers}, line)
			if q.replay == 0 {
				c, err := q.choice(g.bits, g.tiles, g.dp)
				require.NoError(t, err)
				require.Equal(t, w.export(), c.export(), line)
			}
		}
		t.Logf("%s: %d of %d", line, len(got), tried)
	}
}

// Networks with many divisors have millions of combinations.
func TestFrontLarge(t *testing.T) {
	for line, least := range map[string]int{
		"-net 720-720-720-720":                                 500_000,
		"-net 4096-4096-4096-4096-4096-4096 -batch 1024":       1_000_000,
		"-algorithm ddpg -net 720-720-720-720 -batch 64":       50_000_000,
		"-algorithm ddpg -net 360-720-720-360 -replay 1048576": 50_000_000,
	} {
		q, err := questionOf("dqn", strings.Fields(line), cli.Output{})
		require.NoError(t, err)
		front, covered, err := q.candidates(t.Context())
		require.NoError(t, err)
		require.Greater(t, covered, least, line)
		t.Logf("%s: %d of %d", line, len(front), covered)
	}
}

// The search ends with its context, and time that runs out is said, with an answer and
// without one.
func TestSearchEnds(t *testing.T) {
	q, err := questionOf("dqn", []string{"-net", "4-16-2", "-top", "2"}, cli.Output{})
	require.NoError(t, err)
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = q.answer(canceled)
	require.ErrorIs(t, err, context.Canceled)

	q.time = time.Nanosecond
	_, err = q.answer(t.Context())
	require.EqualError(t, err, "time ran out (-time 1ns) before the cycles of all configurations were worked out")

	// As if time ran out behind some estimates: the smallest, then the one in the middle.
	q.time = time.Hour
	all, _, err := q.candidates(t.Context())
	require.NoError(t, err)
	model, _, err := areaModel(q.family)
	require.NoError(t, err)
	last := len(all) - 1
	s := sizing{q, model, all, make([]*Choice, len(all))}
	expired, stop := context.WithTimeout(t.Context(), 0)
	defer stop()
	require.ErrorIs(t, s.enough(expired, 2), context.DeadlineExceeded)
	fits, err := s.fits(t.Context(), last)
	require.NoError(t, err)
	require.True(t, fits)
	best, _ := s.best(2)
	require.Len(t, best, 1)
	require.Equal(t, fmt.Sprintf("time ran out (-time 7s): the cells of %d faster configurations were not estimated, some of which may fit; slower ones are missing, too", last), s.late(7*time.Second, true))

	var out bytes.Buffer
	require.NoError(t, q.print(&out, Answer{Best: best, Late: s.late(7*time.Second, false)}))
	require.Contains(t, out.String(), "\ntime ran out (-time 7s): the cells of")
	text, err := json.Marshal(Answer{Late: "time ran out"})
	require.NoError(t, err)
	require.Contains(t, string(text), `"late":"time ran out"`)
}

// The bound of block RAMs, which spares netlists, is none that a netlist is below.
func TestLeastBlocks(t *testing.T) {
	for _, line := range []string{"-net 4-64-64-2 -formats 18", "-net 8-256-4 -formats 9", "-algorithm ddpg -net 3-64-64-1 -formats 16", "-net 4-128-2 -replay 64"} {
		q, err := questionOf("dqn", append(strings.Fields(line), "-device", "xc7a35t"), cli.Output{})
		require.NoError(t, err)
		all, _, err := q.candidates(t.Context())
		require.NoError(t, err)
		for _, x := range all[len(all)-2:] {
			c, err := q.choice(x.bits, x.tiles, x.dp)
			require.NoError(t, err)
			d, err := c.build()
			require.NoError(t, err)
			least := q.blocks(x)
			require.Positive(t, least, line)
			for _, family := range []string{"xc7", "ecp5"} {
				require.LessOrEqual(t, least, area.Of(d, family).Block, line)
			}
		}
	}

	q, err := questionOf("dqn", []string{"-net", "4096-4096-4096-4096-4096-4096", "-time", "1h"}, cli.Output{})
	require.NoError(t, err)
	_, err = q.answer(t.Context())
	require.ErrorContains(t, err, "block RAM, the device has 56 (")
	require.ErrorContains(t, err, "for weights and gradients alone")
}
