package fuzz

import (
	"context"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/ir/pads"
)

// withoutNets is a case whose nets are lowered, as shrinking begins with.
func withoutNets(c *Case) *Case { return c.again(pads.Lower(c.Design), c.Stim) }

// Leaving out what nothing depends on, and names and types, changes no output.
func TestRemakeKeeps(t *testing.T) {
	smaller := 0
	for seed := range uint64(64) {
		c := withoutNets(NewCase(seed, 0))
		for _, plain := range []bool{false, true} {
			s := &shrinker{best: c}
			small := s.remade(c, nil, nil, plain)
			require.NotNil(t, small, c.Name)
			require.NoError(t, ir.Verify(small.Design), c.Name)
			got := *small.Reference(fromZero)
			want := *c.Reference(fromZero)
			if plain { // a print shows numbers without signs
				got.Said, want.Said = nil, nil
			}
			require.Empty(t, got.Diff(&want, c.Design.Top, false), c.Name)
			require.LessOrEqual(t, small.weight(), c.weight(), c.Name)
			if small.weight() < c.weight() {
				smaller++
			}
		}
	}
	require.Greater(t, smaller, 64)
}

// Every edit alone, and all values of a width narrower, give a valid design or none.
func TestEditsAreValid(t *testing.T) {
	for seed := range uint64(20) {
		c := withoutNets(NewCase(seed, 12))
		s := &shrinker{best: c}
		kinds := map[editKind]bool{}
		for _, e := range append(tableEdits(c.Design), nodeEdits(c.Design)...) {
			kinds[e.kind] = true
			small := s.remade(c, []edit{e}, nil, false)
			require.NotNil(t, small, "%s: %v", c.Name, e)
			require.NoError(t, ir.Verify(small.Design), "%s: %v", c.Name, e)
			require.NoError(t, small.Reference(fromZero).Err, "%s: %v", c.Name, e)
		}
		for _, w := range widths(c.Design) {
			small := s.remade(c, nil, func(have int) int {
				if have == w {
					return w / 2
				}
				return have
			}, false)
			require.NotNil(t, small, "%s: width %d", c.Name, w)
			require.NoError(t, ir.Verify(small.Design), "%s: width %d", c.Name, w)
		}
		require.Greater(t, len(kinds), 4)
	}
}

// A case that does not fail comes back as it is.
func TestShrinkWithoutReason(t *testing.T) {
	c := NewCase(3, 0)
	small, err := Shrink(context.Background(), &workshop{dir: t.TempDir()}, find("interp"), c, Verdict{Kind: Differs}, time.Minute)
	require.NoError(t, err)
	require.Same(t, c, small)
}

func TestRun(t *testing.T) {
	judges, err := Lookup("interp,firrtl")
	require.NoError(t, err)
	sum, err := Run(t.Context(), Options{N: 250, Seed: 5, Size: 6, Judges: judges, Progress: io.Discard})
	require.NoError(t, err)
	require.Equal(t, 250, sum.Circuits)
	require.Empty(t, sum.Mismatches)
	require.Equal(t, 250, sum.Judges[0].Judged)
	skipped := 0
	for _, n := range sum.Judges[1].Skipped {
		skipped += n
	}
	require.Equal(t, 250, sum.Judges[1].Judged+skipped)

	sum, err = Run(t.Context(), Options{Seed: 5, Size: 6, Judges: judges[:1], For: time.Millisecond})
	require.NoError(t, err)
	require.NotZero(t, sum.Circuits)

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = Run(ctx, Options{N: 10, Judges: judges})
	require.ErrorIs(t, err, context.Canceled)

	_, err = Run(t.Context(), Options{N: 1, Judges: []*Judge{{Name: "odd", Tools: []string{"no such tool"}}}})
	require.ErrorContains(t, err, "judge odd:")
}
