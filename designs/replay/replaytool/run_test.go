package replaytool

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/cli"
)

// etch runs a command line.
func etch(t *testing.T, args ...string) (code int, outs, errs string) {
	t.Helper()
	var out, err bytes.Buffer
	app := cli.App{Name: "etch", Designs: Designs(), Commands: []cli.Command{
		cli.Verb("run", "design", "runs", Run), cli.Verb("experiment", "experiment", "measures", Area, Speed, Draws),
	}}
	code = app.Run(args, cli.Output{Out: &out, Err: &err})
	return code, out.String(), err.String()
}

// runs puts operations through the circuit.
func runs(t *testing.T, ops string, args ...string) (code int, results, errs string) {
	t.Helper()
	dir := t.TempDir()
	in, to := filepath.Join(dir, "ops.csv"), filepath.Join(dir, "results.csv")
	require.NoError(t, os.WriteFile(in, []byte(ops), 0o644))
	code, _, errs = etch(t, append([]string{"run", "replay", "-in", in, "-out", to}, args...)...)
	text, err := os.ReadFile(to)
	if code != 0 {
		require.ErrorIs(t, err, os.ErrNotExist, "results of a run that failed")
	}
	return code, string(text), strings.ReplaceAll(errs, dir+"/", "")
}

func TestRun(t *testing.T) {
	ops := "op,index,value\nfind,,0\ninsert,,1.5\ninsert,,\ninsert,,0.25\nupdate,0,4\nupdate,3,1\nfind,,4\nfind,,6\nsample,,2\nstratified,,2\nclear,,\nsample,,1\ninsert,,\n"
	want := `line,op,index,generation,priority,sum,weight,note
2,find,,,,0,,empty
3,insert,0,0,1.5,1.5,,
4,insert,1,0,1.5,3,,
5,insert,2,0,0.25,3.25,,
6,update,0,0,4,5.75,,
7,update,3,,,5.75,,dropped: unfilled
8,find,1,0,1.5,5.75,,
9,find,,,,5.75,,out of range
`
	for _, form := range []string{"pipelined", "serial", "scan"} {
		code, got, errs := runs(t, ops, "-p", "capacity=6", "-p", "form="+form)
		require.Zero(t, code, errs)
		require.True(t, strings.HasPrefix(got, want), got)
		require.Contains(t, got, "12,clear,,,,0,,\n13,sample,,,,0,,empty\n14,insert,0,1,1,1,,\n")
		require.Equal(t, 2, strings.Count(got, "\n10,sample,"))
		require.Equal(t, 2, strings.Count(got, "\n11,sample,"))
		require.Contains(t, errs, "15 operations in ")
		require.Contains(t, errs, form+", K = 4: all responses equal the model's; 1 slots filled, sum 1\n")
	}
	code, got, errs := runs(t, "op,index,value\ninsert,,7\nfind,,6\nfind,,7\n", "-codes")
	require.Zero(t, code, errs)
	require.Contains(t, got, "3,find,0,0,7,7,,\n4,find,,,,7,,out of range\n")
	code, got, errs = runs(t, "op,index,value\ninsert,,0.99\ninsert,,8\nsample,,2\n", "-error", "-alpha", "0.5")
	require.Zero(t, code, errs)
	require.Contains(t, got, "2,insert,0,0,1,1,,\n")
}

func TestRunRefuses(t *testing.T) {
	for ops, want := range map[string]string{
		"":                                   "ops.csv: line 1: the header is not op,index,value",
		"op,index,value\n":                   "ops.csv: no operations",
		"op,index,value\nisert,,1\n":         `ops.csv: line 2: op: no operation "isert"; did you mean insert?`,
		"op,index,value\ninsert,,x\n":        `ops.csv: line 2: value: "x" is not a number that fits; want 0 to 15.999755859375`,
		"op,index,value\ninsert,,16\n":       `ops.csv: line 2: value: "16" is not a number that fits`,
		"op,index,value\ninsert,,NaN\n":      `ops.csv: line 2: value: "NaN" is not a number that fits`,
		"op,index,value\ninsert,3,1\n":       "ops.csv: line 2: index: insert takes none",
		"op,index,value\nupdate,64,1\n":      `ops.csv: line 2: index: "64" is no slot; want 0 to 63`,
		"op,index,value\nupdate,,1\n":        `ops.csv: line 2: index: "" is no slot`,
		"op,index,value\nstratified,,3\n":    "ops.csv: line 2: value: 3 strata; want a power of two",
		"op,index,value\nstratified,,1024\n": "ops.csv: line 2: value: 1024 strata; this tree has at most 128",
		"op,index,value\nsample,,0\n":        `ops.csv: line 2: value: "0" is no number of draws`,
		"op,index,value\nclear,,1\n":         "ops.csv: line 2: value: clear takes none",
		"op,index,value\ninsert,1\n":         "ops.csv: line 2: 2 fields; the header has 3: op,index,value",
	} {
		code, _, errs := runs(t, ops, "-p", "capacity=64")
		require.Equal(t, 1, code)
		require.Contains(t, errs, want)
	}
	for _, args := range [][]string{{"-p", "k=3"}, {"-p", "capacity=0"}, {"-p", "capacity=2000000"}, {"-p", "fraction=16"}, {"-p", "leaf=40"}, {"-p", "form=fast"}, {"-p", "form=scan", "-p", "capacity=1"}, {"-alpha", "2"}} {
		code, _, errs := runs(t, "op,index,value\ninsert,,1\n", args...)
		require.Equal(t, 2, code, args)
		require.NotEmpty(t, errs)
	}
}

// Any file is read or refused, and no circuit ever differs from the model.
func FuzzOps(f *testing.F) {
	f.Add("op,index,value\ninsert,,1.5\nsample,,3\nupdate,0,2\nfind,,1\nclear,,\nstratified,,4\n")
	f.Add("op,index,value\n\"insert\",,\n")
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, ops string) {
		in := filepath.Join(dir, "ops.csv")
		require.NoError(t, os.WriteFile(in, []byte(ops), 0o644))
		var out bytes.Buffer
		app := cli.App{Name: "etch", Designs: Designs(), Commands: []cli.Command{cli.Verb("run", "design", "runs", Run)}}
		code := app.Run([]string{"run", "replay", "-p", "capacity=5", "-in", in, "-out", filepath.Join(dir, "out.csv")}, cli.Output{Out: &out, Err: &out})
		if code != 0 && !strings.Contains(out.String(), "ops.csv: ") {
			t.Fatalf("%q: %s", ops, out.String())
		}
		if strings.Contains(out.String(), "the circuit answers") {
			t.Fatalf("%q: %s", ops, out.String())
		}
	})
}

// The measured cycles of a batch are those of the latency: a draw a cycle, or one after
// the other, and a cycle for the last response to be taken.
func TestMeasures(t *testing.T) {
	d := Designs()[0]
	for _, given := range []cli.Values{{}, {"k": "16"}, {"capacity": "100"}, {"form": "serial"}, {"form": "serial", "capacity": "37"}} {
		m, err := d.Measures(given)
		require.NoError(t, err)
		r, err := report(given, io.Discard, "")
		require.NoError(t, err)
		require.Equal(t, float64(r.(Report).Batch+1), m["draws_128"], given)
		require.Equal(t, float64(r.(Report).Latency), m["latency"], given)
	}

	m, err := d.Measures(cli.Values{"form": "scan"})
	require.NoError(t, err)
	require.NotContains(t, m, "latency")
	require.Greater(t, m["draws_128"], m["updates_128"])
}
