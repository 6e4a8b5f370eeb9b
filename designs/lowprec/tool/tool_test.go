package tool

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/cli"
)

func app(args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	a := cli.App{Commands: []cli.Command{cli.Verb("experiment", "experiment", "", Experiment, Area)}}
	code = a.Run(append([]string{"experiment"}, args...), cli.Output{Out: &o, Err: &e})
	return code, o.String(), e.String()
}

// A run is taken from the file of results the second time, and gives the same table.
func TestExperimentGoesOn(t *testing.T) {
	dir := t.TempDir()
	args := []string{"lowprecision", "-variants", "fp16 naive,hAdam", "-seeds", "2", "-steps", "1030", "-o", dir}
	code, first, errs := app(args...)
	require.Zero(t, code, errs)
	require.Contains(t, first, "crash@1001 (")
	require.Contains(t, errs, "4 of 4: ")
	code, second, errs := app(args...)
	require.Zero(t, code, errs)
	require.Equal(t, first, second)
	require.NotContains(t, errs, " of ")
}

func TestExperimentRefuses(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "lowprecision.jsonl"), []byte("what\n"), 0o666))
	for want, args := range map[string][]string{
		`no variant "hadam"`:              {"-variants", "hadam"},
		"-setting wild: want default or":  {"-setting", "wild"},
		"-seeds 0":                        {"-seeds", "0"},
		"line 1 is no result of this":     {"-variants", "fp16 naive", "-o", dir},
		"an even number, for targets":     {"-check", "-every", "3"},
		"want more than 1000, and an":     {"-check", "-steps", "900"},
		"-seeds 3, -jobs 0, -steps 0: wa": {"-jobs", "0"},
	} {
		code, _, errs := app(append([]string{"lowprecision"}, args...)...)
		require.NotZero(t, code)
		require.Contains(t, errs, want)
	}
}
