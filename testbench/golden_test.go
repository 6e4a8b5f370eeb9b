package testbench

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/hw"
)

// inFolder runs the test in a folder of its own, as go test would in a package's.
func inFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("ETCH_UPDATE", "")
	on, mine := update.on, *own // this test run may be one of -update itself
	update.on, *own = false, false
	t.Cleanup(func() { update.on, *own = on, mine })
}

func countTo(t testing.TB, start int) {
	s, p := New(t, two)
	Golden(s, "sub/count", p.OutA).Inside("count")
	s.Set(p.InA, start)
	s.Step(4)
}

func TestGolden(t *testing.T) {
	inFolder(t)
	file := filepath.Join("testdata", "sub", "count.wave")
	fails(t, func(t testing.TB) { countTo(t, 5) }, "testdata/sub/count.wave does not exist yet; go test -update writes it", "count  |0 |1 |2 |3")
	require.NoFileExists(t, file)

	t.Setenv("ETCH_UPDATE", "1")
	passes(t, func(t testing.TB) { countTo(t, 5) })
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "out_a  |0 |5\ncount  |0 |1 |2 |3\n", string(text))
	entries, err := os.ReadDir(filepath.Dir(file))
	require.NoError(t, err)
	require.Len(t, entries, 1, "a temporary file is left")

	t.Setenv("ETCH_UPDATE", "")
	passes(t, func(t testing.TB) { countTo(t, 5) })
	fails(t, func(t testing.TB) { countTo(t, 6) }, strings.Join([]string{
		"count.wave differs (- file, + this run; go test -update rewrites it):",
		"- out_a  |0 |5", "+ out_a  |0 |6", "             ^", "  count  |0 |1 |2 |3"}, "\n"))

	// Below stands why the first signal that differs has its value, at the cycle of the difference.
	f := attempt(t, func(t testing.TB) { countTo(t, 6) })
	require.Contains(t, strings.Join(f.logs, "\n"), "why is out_a 6 in cycle 2?")

	require.NoError(t, os.WriteFile(file, []byte(strings.ReplaceAll(string(text), "\n", "\r\n")), 0o666))
	passes(t, func(t testing.TB) { countTo(t, 5) }) // a checkout on Windows
}

// A test that fails does not bless what it has seen.
func TestGoldenKeepsFileOfFailedTest(t *testing.T) {
	inFolder(t)
	t.Setenv("ETCH_UPDATE", "1")
	passes(t, func(t testing.TB) { countTo(t, 5) })
	f := attempt(t, func(t testing.TB) { countTo(t, 6); t.Error("wrong") })
	require.Equal(t, []string{"wrong"}, f.errors)
	require.Contains(t, strings.Join(f.logs, "\n"), "is not updated: the test failed")
	t.Setenv("ETCH_UPDATE", "")
	passes(t, func(t testing.TB) { countTo(t, 5) })
}

func TestGoldenMisuse(t *testing.T) {
	inFolder(t)
	for _, name := range []string{"", ".", "../up", "/abs"} {
		fails(t, func(t testing.TB) { s, _ := New(t, two); Golden(s, name) }, "is no name for a file below testdata")
	}
	fails(t, func(t testing.TB) { s, _ := New(t, two); Golden(s, "x", hw.Bit{}) }, "Golden: the hw.Bit is no signal")
	fails(t, func(t testing.TB) { s, _ := New(t, two); s.Wave(hw.Bit{}) }, "Wave: the hw.Bit is no signal")
	fails(t, func(t testing.TB) { s, _ := New(t, two); Golden(s, "x").Inside("cuont") }, `"cuont"`)
	fails(t, func(t testing.TB) { s, _ := New(t, two); w := Golden(s, "x"); s.Step(1); w.Inside("count") }, "Inside must come before the first edge")
	require.NoError(t, os.MkdirAll("testdata/dir.wave", 0o777))
	fails(t, func(t testing.TB) { s, _ := New(t, two); Golden(s, "dir"); s.Step(1) }, "dir.wave")
	require.NoError(t, os.WriteFile("file", nil, 0o666))
	require.NoError(t, os.Chdir("testdata"))
	require.NoError(t, os.WriteFile("testdata", nil, 0o666))
	t.Setenv("ETCH_UPDATE", "1")
	fails(t, func(t testing.TB) { countTo(t, 5) }, "Golden: mkdir testdata")
}

func TestDiffWaves(t *testing.T) {
	require.Equal(t, "  a  ___\n- b  |1\n- c  |2 |3\n+ c  |2 |4\n         ^\n+ d  |5\n",
		diffWaves("a  ___\nb  |1\nc  |2 |3\n", "a  ___\nc  |2 |4\nd  |5\n"))
}

func TestWave(t *testing.T) {
	s, p := New(t, two)
	s.Step(3)
	w := s.Wave(p.CountB)
	s.Step(2)
	require.Equal(t, "count_b  |3 |4\n", w.String())
	require.Equal(t, 3, strings.Count(s.Wave().String(), "\n")) // all ports but clocks and resets
}
