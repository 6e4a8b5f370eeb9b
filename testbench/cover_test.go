package testbench

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/hw"
	"etch/sim/cover"
)

// TestCovered: with ETCH_COVER every bench adds its counts to the folder, as go tool cover reads them.
func TestCovered(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "hwcover")
	t.Setenv("ETCH_COVER", dir)
	t.Setenv("ETCH_RECORD", "off") // coverage records all the same
	for range 2 {
		attempt(t, func(t testing.TB) {
			s, p := New(t, gatedCounter())
			s.Set(p.En, 1)
			s.Step(3)
			s.Expect(p.Count, 3)
		})
	}
	c, err := cover.Read(dir)
	require.NoError(t, err)
	require.Empty(t, c.Uncounted)

	// Two benches count three cycles each.
	count := uint64(0)
	for _, l := range c.Lines {
		if l.Kind == cover.Set && l.File == "etch/testbench/why_test.go" && l.Line == 24 {
			count += l.Count
		}
	}
	require.Equal(t, uint64(6), count)

	profile := filepath.Join(t.TempDir(), "hw.out")
	text := writeProfile(t, c, profile)
	require.Contains(t, text, "mode: count\netch/testbench/why_test.go:")
	out, err := exec.Command("go", "tool", "cover", "-func="+profile).CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "gatedCounter")
	require.Contains(t, string(out), "total:")
	out, err = exec.Command("go", "tool", "cover", "-html="+profile, "-o", profile+".html").CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// TestCoveredLanes: lanes add the counts of all of them, as many benches do.
func TestCoveredLanes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "hwcover")
	t.Setenv("ETCH_COVER", dir)
	d, _, err := hw.Build(gatedCounter())
	require.NoError(t, err)
	attempt(t, func(t testing.TB) {
		l := Lanes(t, d, 5)
		l.Reset()
		en, err := l.Signal("en")
		require.NoError(t, err)
		for lane := range 5 {
			require.NoError(t, l.Set(en, lane, uint64(lane)&1))
		}
		l.Step(3)
	})
	c, err := cover.Read(dir)
	require.NoError(t, err)

	// Two of five lanes count, three cycles each.
	count := uint64(0)
	for _, l := range c.Lines {
		if l.Kind == cover.Set && l.Line == 24 {
			count += l.Count
		}
	}
	require.Equal(t, uint64(6), count)
	require.Equal(t, uint64(20), c.Cycles)

	// Without the folder they are plain lanes.
	t.Setenv("ETCH_COVER", "")
	require.Equal(t, d, Lanes(t, d, 2).Design())
}

// TestUncovered: a bench that cannot be replayed passes, and is named in the folder.
func TestUncovered(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "hwcover")
	t.Setenv("ETCH_COVER", dir)
	f := attempt(t, func(t testing.TB) {
		s, _ := New(t, gatedCounter())
		s.Step(1)
		snap, err := s.Sim.Snapshot()
		require.NoError(t, err)
		s.Step(1)
		require.NoError(t, s.Sim.Restore(snap))
		s.Step(1)
	})
	require.False(t, f.Failed())
	c, err := cover.Read(dir)
	require.NoError(t, err)
	require.Len(t, c.Uncounted, 1)
	require.Contains(t, c.Uncounted[0], "the recording does not begin at power-up")
}

// writeProfile writes the profile of counts to a file, and returns its text.
func writeProfile(t *testing.T, c *cover.Counts, file string) string {
	t.Helper()
	var text bytes.Buffer
	warnings, err := c.Profile(&text)
	require.NoError(t, err)
	require.Empty(t, warnings)
	require.NoError(t, os.WriteFile(file, text.Bytes(), 0o666))
	return text.String()
}
