package cli

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestFuzz(t *testing.T) {
	cases := "../../testbench/fuzz/testdata/fixedbugs/"
	for _, c := range []struct {
		args string
		code int
		out  string
		err  string
	}{
		{"-n 20 -seed 3 -size 6 -judges interp,native", 0, "20 circuits in", ""},
		{"-n 3 -judges firrtl -size 6", 0, "firrtl", ""},
		{"-judges spice", 2, "", `there is no judge "spice"; judges are interp, native,`},
		{"-n -1", 2, "", "a number is negative"},
		{"-most 0", 2, "", "-most is 0"},
		{"-for 1", 2, "", "invalid value"},
		{"-judges interp,firrtl " + cases + "shift_of_memory_word.etch", 0, "shift_of_memory_word.etch: firrtl: agrees", ""},
		{"none.etch", 1, "", "none.etch"},
	} {
		var o, e bytes.Buffer
		app := App{Name: "demo", Commands: []Command{FuzzCommand}}
		code := app.Run(append([]string{"fuzz"}, strings.Fields(c.args)...), Output{&o, &e})
		require.Equal(t, c.code, code, "%s: %s", c.args, e.String())
		require.Contains(t, o.String(), c.out, c.args)
		require.Contains(t, e.String(), c.err, c.args)
	}
}

// A tool that is missing is named at once.
func TestFuzzWithoutTool(t *testing.T) {
	t.Setenv("PATH", "")
	t.Setenv("ETCH_CACHE", t.TempDir())
	var o, e bytes.Buffer
	app := App{Name: "demo", Commands: []Command{FuzzCommand}}
	require.Equal(t, 1, app.Run([]string{"fuzz", "-judges", "interp,iverilog"}, Output{&o, &e}))
	require.Contains(t, e.String(), "judge iverilog: iverilog not found")
	require.Empty(t, o.String())
}

// The counts of a campaign become the progress; mismatches are printed.
func TestCampaignLines(t *testing.T) {
	var w bytes.Buffer
	var shown locked
	c := &campaignLines{newProgress(&shown, "x", time.Hour), 50, &w}
	defer c.working.End()
	fmt.Fprintln(c, "7 circuits, 0 mismatches, 3 circuits/s")
	require.Empty(t, w.String())
	require.Equal(t, "7 of 50 circuits, 0 mismatches, 3 circuits/s", c.working.of)
	fmt.Fprintln(c, "seed 3, judge native: 1 mismatch")
	require.Equal(t, "seed 3, judge native: 1 mismatch\n", w.String())
}
