package gaetool

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/cli"
)

func command(t *testing.T, c cli.Command, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	app := cli.App{Name: "etch", Commands: []cli.Command{c}}
	code = app.Run(append([]string{c.Name}, args...), cli.Output{Out: &o, Err: &e})
	return code, o.String(), e.String()
}

// Two iterations, of a variant that quantises and of one that does not: all runs are
// made, the circuit takes every step, the picture is there, and the text says what
// the runs are worth.
func TestDemo(t *testing.T) {
	for _, c := range []struct{ variant, seeds, worth string }{
		{"5", "2", "no difference is shown"}, {"1", "1", "one seed says nothing of the difference"},
	} {
		dir := t.TempDir()
		code, out, errs := command(t, Demo, "-variant", c.variant, "-seeds", c.seeds, "-seed", "4", "-iterations", "2", "-o", dir)
		require.Zero(t, code, errs)
		require.Contains(t, out, c.worth)
		require.Contains(t, out, "seed 4   float64 ")
		require.Equal(t, c.seeds == "2", strings.Contains(out, "seed 5   float64 "))
		require.Regexp(t, map[string]string{"1": "2048", "2": "4096"}[c.seeds]+` steps in \d+ cycles from start to done`, out)
		require.Contains(t, out, "circuit: 8 rows of 128 steps, variant "+c.variant)
		svg, err := os.ReadFile(filepath.Join(dir, "gae.svg"))
		require.NoError(t, err)
		require.Contains(t, string(svg), "</svg>")
	}
	for _, c := range [][]string{{"-variant", "6"}, {"-bits", "11"}, {"-seeds", "0"}} {
		code, _, errs := command(t, Demo, c...)
		require.Equal(t, 2, code)
		require.Contains(t, errs, c[1])
	}
}

// Two iterations of every kind: a row for each, with what its runs came to, in the
// units of the task whatever the reward scale, and a picture.
func TestQuant(t *testing.T) {
	dir := t.TempDir()
	code, out, errs := command(t, Quant, "-seeds", "2", "-iterations", "2", "-variant", "1,5", "-bits", "8,3", "-reward-scale", "10", "-plain", "-o", dir, "-json")
	require.Zero(t, code, errs)
	var got struct{ Rows []QuantRow }
	require.NoError(t, json.Unmarshal([]byte(out), &got))
	require.Len(t, got.Rows, 2*7)
	for _, r := range got.Rows {
		require.Len(t, r.Last, 2)
		require.Less(t, r.Last[0], -500.0) // nothing is learned in two iterations
		require.Greater(t, r.Last[0], -2000.0)
		require.NotEqual(t, r.Last[0], r.Last[1])
	}
	rows := map[string]QuantRow{}
	for _, r := range got.Rows {
		rows[r.Name] = r
	}
	require.NotEqual(t, rows["float64"].Controller, rows["float64, plain"].Controller)
	require.NotEqual(t, rows["float64"].Controller, rows["variant 5, float64"].Controller)
	require.InDeltaSlice(t, rows["float64"].Controller, rows["variant 1, circuit"].Controller, 5) // its arithmetic alone
	require.NotEqual(t, rows["variant 5, circuit, 8 bits"].Controller, rows["variant 5, circuit, 3 bits"].Controller)
	require.FileExists(t, filepath.Join(dir, "gae-quant.svg"))
}

// The table of text: intervals where there are seeds for them, of either task.
func TestQuantTable(t *testing.T) {
	for _, task := range []string{"pendulum", "cart"} {
		code, out, errs := command(t, Quant, "-task", task, "-seeds", "2", "-iterations", "2", "-variant", "4", "-gamma", "0.9", "-normalise", "-o", t.TempDir())
		require.Zero(t, code, errs)
		require.Contains(t, out, "PPO on "+task+", γ = 0.9, 2048 steps, seeds 1 to 2")
		require.Equal(t, 5*3-1, strings.Count(out, " ± ")-1, out) // one in the heading
	}
	for _, c := range [][]string{{"-seeds", "0"}, {"-iterations", "1"}, {"-variant", "6"}, {"-variant", "x"}, {"-bits", "11"}, {"-gamma", "1.5"}, {"-task", "ant"}, {"-variant", "0", "-baselines=false"}} {
		code, _, errs := command(t, Quant, c...)
		require.Equal(t, 2, code, errs)
	}
}

// Student's interval of known numbers.
func TestInterval(t *testing.T) {
	m, half := interval([]float64{1, 2, 3, 4})
	require.Equal(t, 2.5, m)
	require.InDelta(t, 3.182*1.29099/2, half, 1e-4)
	_, half = interval([]float64{1})
	require.True(t, math.IsNaN(half))
}
