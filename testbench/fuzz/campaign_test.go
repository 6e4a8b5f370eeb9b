package fuzz

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// slowJudge takes a while for each circuit, and finds all of them wrong if bad.
func slowJudge(each time.Duration, bad bool) *Judge {
	return &Judge{Name: "slow", Batch: 1000, takes: anything,
		judge: func(ctx context.Context, _ *workshop, cases []*Case) ([]Verdict, error) {
			all := make([]Verdict, len(cases))
			for i := range all {
				select {
				case <-ctx.Done():
					return nil, ctx.Err()
				case <-time.After(each):
				}
				if bad {
					all[i] = Verdict{Kind: Differs, Text: "so it is"}
				}
			}
			return all, nil
		}}
}

// TestRunEndsInTime: however slow the judges, and however much there is to shrink, a
// run ends soon after its time.
func TestRunEndsInTime(t *testing.T) {
	const limit = 300 * time.Millisecond
	for _, c := range []struct {
		name  string
		judge *Judge
		dir   string
		most  time.Duration
	}{
		{"quick judge", slowJudge(0, false), "", time.Second},
		{"slow judge", slowJudge(20*time.Millisecond, false), "", time.Second},
		{"one circuit takes longer", slowJudge(time.Hour, false), "", Grace},
		{"mismatches to shrink", slowJudge(20*time.Millisecond, true), t.TempDir(), LastShrink},
	} {
		t.Run(c.name, func(t *testing.T) {
			start := time.Now()
			sum, err := Run(t.Context(), Options{Seed: 1, Size: 6, Judges: []*Judge{c.judge}, For: limit, Workers: 2, Most: 1000, Dir: c.dir})
			require.NoError(t, err)
			require.Less(t, time.Since(start), limit+c.most+3*time.Second)
			require.Equal(t, c.dir != "", len(sum.Mismatches) > 0)
			require.Equal(t, c.most == Grace, sum.Circuits == 0)
			for _, m := range sum.Mismatches {
				require.FileExists(t, m.File)
			}
		})
	}
}
