package lowprectool

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/cli"
	"etch/testbench/tools"
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
	require.Contains(t, first, "@1001 ")
	require.Contains(t, errs, "4 of 4: ")
	code, second, errs := app(args...)
	require.Zero(t, code, errs)
	require.Equal(t, first, second)
	require.NotContains(t, errs, " of ")
}

// Areas are kept by netlist, and the table is written as the documentation of a package.
func TestArea(t *testing.T) {
	tools.Need(t, "yosys")
	doc := filepath.Join(t.TempDir(), "area.go")
	code, _, errs := app("lowprecision-area", "-formats", "fp16", "-units", "detector", "-doc", doc)
	require.Zero(t, code, errs)
	text, err := os.ReadFile(doc)
	require.NoError(t, err)
	require.Regexp(t, `(?s)^// Code generated .*//\tdetector, 16 lanes +e5m10 .*\npackage lowprec\n$`, string(text))

	for want, args := range map[string][]string{
		"-units quotient: there are": {"-units", "quotient"},
		"-formats: ":                 {"-formats", "fp16,single"},
		"no such file or directory":  {"-units", "detector", "-doc", "nowhere/area.go"},
	} {
		code, _, errs := app(append([]string{"lowprecision-area"}, args...)...)
		require.NotZero(t, code)
		require.Contains(t, errs, want)
	}
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
		"-seed 0: want 1 to 9223372":      {"-seed", "0"},
		"-seed 18446744073709551615: wan": {"-check", "-seed", "18446744073709551615"},
		"-short has no effect with -chec": {"-check", "-short"},
		"-variants has no effect with -c": {"-check", "-variants", "hAdam"},
	} {
		code, _, errs := app(append([]string{"lowprecision"}, args...)...)
		require.NotZero(t, code)
		require.Contains(t, errs, want)
	}
}

// A run that ends before the first test has no return: it is refused, and never kept as a
// crash. One that ends with the first test has one.
func TestExperimentNeedsATest(t *testing.T) {
	dir := t.TempDir()
	args := []string{"lowprecision", "-variants", "float32,fp16 naive", "-seeds", "1", "-o", dir, "-steps"}
	code, out, errs := app(append(args, "999")...)
	require.Equal(t, 2, code)
	require.Empty(t, out)
	require.Equal(t, "etch experiment lowprecision: -steps 999: the first test is after 1000 steps: want that many and more (etch help experiment lowprecision)\n", errs)
	require.NoFileExists(t, filepath.Join(dir, "lowprecision.jsonl"))

	code, out, errs = app(append(args, "1000")...)
	require.Zero(t, code, errs)
	require.NotRegexp(t, `@\d`, out+errs)
}
