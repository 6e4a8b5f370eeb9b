package testbench

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/sim/replay/runfile"
)

// runs returns the runs that a test has kept, and checks that the log names each, with waves.
func runs(t *testing.T, f *fake) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(f.ArtifactDir(), "*.run"))
	require.NoError(t, err)
	logs := strings.Join(f.logs, "\n")
	for _, path := range found {
		waves := strings.TrimSuffix(path, ".run") + ".fst"
		require.FileExists(t, waves)
		require.Contains(t, logs, path)
		require.Contains(t, logs, waves)
	}
	return found
}

// withoutRuns is the log but for the lines that name runs.
func (f *fake) withoutRuns() []string {
	return slices.DeleteFunc(slices.Clone(f.logs), func(l string) bool { return strings.HasPrefix(l, "the run, kept") })
}

// A failing test leaves its run: whoever opens it sees what the test saw.
func TestRunOfFailure(t *testing.T) {
	f := attempt(t, func(t testing.TB) {
		s, p := New(t, tallies)
		for i := range 300 {
			s.Set(p.En, i%5)
			s.Step(1)
		}
		s.Expect(p.Count, -1)
	})
	require.True(t, f.Failed())
	found := runs(t, f)
	require.Len(t, found, 1)
	require.Contains(t, strings.Join(f.logs, "\n"), "waves of cycles 101 to 301")

	r, err := runfile.Open(found[0])
	require.NoError(t, err)
	for _, cycle := range []uint64{301, 6, 5, 300} { // the first edge is the reset's
		require.NoError(t, r.Go(cycle))
		n, err := r.Sim().Signal("n")
		require.NoError(t, err)
		sum := uint64(0)
		for i := range cycle - 1 {
			sum += i % 5
		}
		require.Equal(t, sum&0xff, r.Sim().Get(n), "cycle %d", cycle)
	}
}

// Of a test with many benches the last few are kept; a passing test keeps none but by
// ETCH_RECORD=all.
func TestRunsKept(t *testing.T) {
	many := func(fail bool) func(t testing.TB) {
		return func(t testing.TB) {
			for range 2 * mostRuns {
				s, _ := New(t, tallies)
				s.Step(3)
			}
			if fail {
				t.Error("it fails")
			}
		}
	}
	require.Len(t, runs(t, attempt(t, many(true))), mostRuns)
	require.Empty(t, runs(t, attempt(t, many(false))))
	t.Setenv("ETCH_RECORD", "all")
	require.Len(t, runs(t, attempt(t, many(false))), 2*mostRuns)
}
