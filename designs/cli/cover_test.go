package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/sim/cover"
)

// TestCover: the table, its profile and its limit; a folder without counts is one error.
func TestCover(t *testing.T) {
	dir := t.TempDir()
	c := &cover.Counts{Version: 1, Design: "led", Lines: []cover.Line{
		{File: "x/led.go", Path: "/nowhere/led.go", Line: 4, Kind: cover.Set, Count: 3},
		{File: "x/led.go", Path: "/nowhere/led.go", Line: 9, Kind: cover.Set},
	}}
	require.NoError(t, c.WriteFile(dir, "TestLed"))
	run := func(args ...string) (code int, text, warned string) {
		var out, errs bytes.Buffer
		code = App{}.Run(append([]string{"cover"}, args...), Output{&out, &errs})
		return code, out.String(), errs.String()
	}

	profile := filepath.Join(dir, "hw.out")
	code, text, warned := run(dir, "-o", profile, "-tests")
	require.Zero(t, code)
	require.Contains(t, text, "x/led.go:4 3 TestLed\nx/led.go:9 0 never\n")
	require.Contains(t, text, "1 of    2, never: 9")
	require.Contains(t, text, "1 of    2 statements, 50.0 %")
	require.Equal(t, "/nowhere/led.go is not there: its statements have whole lines\n", warned)
	b, err := os.ReadFile(profile)
	require.NoError(t, err)
	require.Equal(t, "mode: count\nx/led.go:4.1,4.200 1 3\nx/led.go:9.1,9.200 1 0\n", string(b))

	code, _, warned = run(dir, "-min", "60")
	require.Equal(t, 1, code)
	require.Contains(t, warned, "50.0 % of the statements acted, want 60 %")
	code, _, _ = run(dir, "-min", "101")
	require.Equal(t, 2, code)
	code, _, warned = run(t.TempDir())
	require.Equal(t, 1, code)
	require.Contains(t, warned, "run tests with ETCH_COVER=")
}
