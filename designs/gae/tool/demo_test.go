package tool

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
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

// Two iterations, of a variant that quantises and of one that does not: both runs
// are made, the circuit takes every step, the picture is there.
func TestDemo(t *testing.T) {
	for _, variant := range []string{"5", "1"} {
		dir := t.TempDir()
		code, out, errs := command(t, Demo, "-variant", variant, "-iterations", "2", "-o", dir)
		require.Zero(t, code, errs)
		require.Contains(t, out, "2048 steps in 284 cycles from start to done, 7.2 a cycle")
		require.Contains(t, out, "circuit: 8 rows of 128 steps, variant "+variant)
		svg, err := os.ReadFile(filepath.Join(dir, "gae.svg"))
		require.NoError(t, err)
		require.Contains(t, string(svg), "</svg>")
	}
	code, _, errs := command(t, Demo, "-variant", "6")
	require.Equal(t, 2, code)
	require.Contains(t, errs, "-variant 6, want 1 to 5")
	code, _, errs = command(t, Demo, "-bits", "11")
	require.Equal(t, 2, code)
	require.Contains(t, errs, "CodeBits = 11, want 3 to 10")
}

// One iteration of every kind: a row for each, with what its runs came to, and two
// pictures.
func TestQuant(t *testing.T) {
	dir := t.TempDir()
	code, out, errs := command(t, Quant, "-seeds", "2", "-iterations", "2", "-o", dir, "-json")
	require.Zero(t, code, errs)
	var got struct{ Rows []QuantRow }
	require.NoError(t, json.Unmarshal([]byte(out), &got))
	require.Len(t, got.Rows, 15)
	for _, r := range got.Rows {
		require.Len(t, r.Last, 2)
		require.Less(t, r.Last[0], -500.0) // nothing is learned in two iterations
		require.NotEqual(t, r.Last[0], r.Last[1])
	}
	require.NotEqual(t, got.Rows[0].Controller, got.Rows[5].Controller)
	require.FileExists(t, filepath.Join(dir, "gae-variants.svg"))
	require.FileExists(t, filepath.Join(dir, "gae-bits.svg"))
	code, _, errs = command(t, Quant, "-seeds", "0")
	require.Equal(t, 2, code)
	require.Contains(t, errs, "-seeds 0")
}
