package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/sim/cover"
)

// TestCover: the table, its profile and its limit; a folder without counts is one error.
func TestCover(t *testing.T) {
	dir := t.TempDir()
	at := func(line int, kind cover.Kind, name string, n uint64) cover.Line {
		return cover.Line{File: "x/led.go", Path: "/nowhere/led.go", Line: line, Kind: kind, Module: "led", Name: name, Count: n}
	}
	c := &cover.Counts{Design: "led", Lines: []cover.Line{
		at(2, cover.State, "phase.on", 7), at(2, cover.State, "phase.off", 0), at(2, cover.Transition, "phase.on → off", 0),
		at(4, cover.Set, "", 3), at(9, cover.Set, "", 0), at(9, cover.True, "", 2), at(9, cover.False, "", 0),
	}, Toggles: []cover.Toggle{{Module: "led", Name: "count", Width: 4, Rose: "4'h7", Fell: "4'h3"}}}
	require.NoError(t, c.WriteFile(dir, "TestLed"))
	run := func(args ...string) (code int, text, warned string) {
		var out, errs bytes.Buffer
		code = App{}.Run(append([]string{"cover"}, args...), Output{&out, &errs})
		return code, out.String(), errs.String()
	}

	profile := filepath.Join(dir, "hw.out")
	code, text, warned := run(dir, "-o", profile, "-tests")
	require.Zero(t, code)
	require.Contains(t, text, "x/led.go:2 transition phase.on → off 0 never\nx/led.go:4 set 3 TestLed\nx/led.go:9 set 0 never\n")
	require.Contains(t, text, "1 of    2, never: 9")
	require.Contains(t, text, "1 of    2 statements, 50.0 %")
	require.Equal(t, "/nowhere/led.go is not there: its statements have whole lines\n", warned)
	b, err := os.ReadFile(profile)
	require.NoError(t, err)
	require.Equal(t, "mode: count\nx/led.go:4.1,4.200 1 3\nx/led.go:9.1,9.200 1 0\n", string(b))

	// The document has the list where it is asked for, without branches, as the text.
	code, text, _ = run(dir, "-json")
	require.Zero(t, code)
	require.NotContains(t, text, `"lines"`)
	code, text, _ = run(dir, "-json", "-tests")
	require.Zero(t, code)
	var doc struct {
		Statements int
		Lines      []cover.Line
	}
	require.NoError(t, json.Unmarshal([]byte(text), &doc))
	require.Equal(t, 2, doc.Statements)
	require.Len(t, doc.Lines, 5)
	acted := at(4, cover.Set, "", 3)
	acted.First = "TestLed"
	require.Contains(t, doc.Lines, acted)
	require.Contains(t, doc.Lines, at(9, cover.Set, "", 0))

	code, text, _ = run(dir, "-modules")
	require.Zero(t, code)
	require.Contains(t, text, "module  statements  branches  toggles  states  transitions  covers  assertions\n"+
		"led     1 of 2      1 of 2    5 of 8   1 of 2  0 of 1       -       -\n"+
		"led never had: state phase.off, transition phase.on → off\n"+
		"led, bits that did not rise or did not fall: count\n")

	code, _, warned = run(dir, "-min", "60")
	require.Equal(t, 1, code)
	require.Contains(t, warned, "50.0 % of the statements acted, want 60 %")
	code, _, _ = run(dir, "-min", "101")
	require.Equal(t, 2, code)
	bad := t.TempDir()
	c.Toggles[0].Rose = "5'h7"
	require.NoError(t, c.WriteFile(bad, "TestLed"))
	code, _, warned = run(bad)
	require.Equal(t, 1, code)
	require.Contains(t, warned, "led.count: rose: 5'h7 has 5 bits, want 4")
	code, _, warned = run(filepath.Join(bad, "none"))
	require.Equal(t, 1, code)
	require.Regexp(t, "the folder .*none does not exist", warned)
	code, _, warned = run(profile)
	require.Equal(t, 1, code)
	require.Contains(t, warned, "hw.out is not a folder")
	code, _, warned = run(t.TempDir())
	require.Equal(t, 1, code)
	require.Contains(t, warned, "run tests with ETCH_COVER=")
}
