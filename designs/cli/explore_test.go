//go:build unix

package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"etch/designs/examples/counter"
	"etch/designs/explore"
	"etch/hw/arith"
	"etch/ir"
	"etch/testbench/tools"
)

// exploring runs the verb in an app of two designs, one with a latency.
func exploring(args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	app := App{Name: "mine", Designs: []Design{
		Component("counter", "counts", counter.Counter{Width: 8}),
		Component("root", "roots", arith.SquareRoot{Radicand: 16}.Iterative(1)),
	}}
	code = app.Run(append([]string{"explore"}, args...), Output{&o, &e})
	return code, o.String(), e.String()
}

// A main of a user's own has the verb: it writes a table, a document and a picture, and
// goes on where it was.
func TestExplore(t *testing.T) {
	dir := t.TempDir()
	args := []string{"root", "-sweep", "radicand=8..64*2,-1", "-measure", "ops,cycles", "-pareto", "ops,latency", "-o", dir}
	code, out, errs := exploring(args...)
	require.Zero(t, code, errs)
	require.Contains(t, errs, "5 configurations, 4 measured, 1 refused as invalid (8 results new)")
	require.Contains(t, out, "refused")
	csv, err := os.ReadFile(filepath.Join(dir, "explore.csv"))
	require.NoError(t, err)
	require.Contains(t, string(csv), "radicand,logic_depth,memory_bits,ops,register_bits,registers,latency,state,front,note\n8,")
	for _, name := range []string{"pareto.svg", "explore.json", explore.JournalName} {
		require.FileExists(t, filepath.Join(dir, name))
	}

	code, out, errs = exploring(append(args, "-json")...)
	require.Zero(t, code, errs)
	require.Contains(t, errs, "(0 results new)")
	var o explore.Outcome
	require.NoError(t, json.Unmarshal([]byte(out), &o))
	want := arith.SquareRoot{Radicand: 32}.Iterative(1).Latency()
	require.Equal(t, float64(want), o.Rows[2].Results["latency"])
	require.True(t, o.Rows[0].Front)

	code, out, errs = exploring(append(args, "-plot")...)
	require.Zero(t, code, errs)
	require.Contains(t, out, "\nlatency\n")
	require.Contains(t, out, "\na  ops ")

	code, _, errs = exploring("root", "-sweep", "radicand=8", "-o", dir)
	require.Zero(t, code, errs)
	require.NoFileExists(t, filepath.Join(dir, "pareto.svg"), "the picture of another table")
}

// Ctrl-C writes the tables of what there is, with the code of a shell.
func TestExploreInterrupted(t *testing.T) {
	dir := t.TempDir()
	d := Component("counter", "counts", counter.Counter{Width: 8})
	build := d.Build
	d.Build = func(given Values) (*ir.Design, error) {
		switch width, _ := strconv.Atoi(given["width"]); {
		case width == 40:
			require.NoError(t, syscall.Kill(os.Getpid(), syscall.SIGINT))
		case width > 40: // the signal takes its time; what follows must not end before
			time.Sleep(100 * time.Millisecond)
		}
		return build(given)
	}
	var out, errs bytes.Buffer
	app := App{Name: "mine", Designs: []Design{d}}
	args := []string{"explore", "counter", "-sweep", "width=1..60", "-jobs", "1", "-pareto", "ops,register_bits", "-o", dir}
	require.Equal(t, 130, app.Run(args, Output{&out, &errs}), errs.String())
	var done, left int
	_, err := fmt.Sscanf(errs.String(), "60 configurations, %d measured, %d left to do", &done, &left)
	require.NoError(t, err, errs.String())
	require.GreaterOrEqual(t, done, 39)
	require.Equal(t, 60, done+left)
	require.FileExists(t, filepath.Join(dir, "pareto.svg"))
	app.Designs[0].Build = build
	errs.Reset()
	require.Zero(t, app.Run(args, Output{&out, &errs}), errs.String())
	require.Contains(t, errs.String(), fmt.Sprintf("60 configurations, 60 measured (%d results new)", left))
}

// Every mistake is one error, before anything is measured or written.
func TestExploreMistakes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	negative := filepath.Join(t.TempDir(), "d.json")
	require.NoError(t, os.WriteFile(negative, []byte(`[{"name": "b", "family": "xc7", "lut_inputs": 6, "lut": 10, "ff": -3, "dsp": 0, "dsp_size": "none", "bram": 0, "bram_kbit": 0}]`), 0o666))
	for line, want := range map[string]string{
		"":                                  "DESIGN is missing",
		"nope":                              "no design nope",
		"counter":                           "-sweep is missing; the parameters are width",
		"counter extra":                     `what is "extra"?`,
		"counter -sweep width":              "is not name=",
		"counter -sweep widht=1":            "no parameter widht; did you mean width?",
		"counter -sweep width=1 -p x=1":     "no parameter x",
		"counter -sweep width=0,-1":         "none of 2 configurations is valid; the first: parameter width = 0",
		"counter -sweep width=1 -p width=":  "width is swept and fixed",
		"counter -sweep width=1 -measure x": `no measure "x"; there are ops, cycles, counts:FAMILY, yosys:FAMILY or DEVICE, pnr:DEVICE`,
		"counter -sweep width=1 -measure counts:xc8":              `no counts for family "xc8", only for ecp5, xc7; did you mean xc7?`,
		"counter -sweep width=1 -measure yosys":                   `no measure "yosys"`,
		"counter -sweep width=1 -measure yosys:xc8":               `no family or device "xc8"; did you mean xc7 or xcu?`,
		"counter -sweep width=1 -measure pnr:lfe5u-25":            `no device "lfe5u-25"; did you mean lfe5u-25f?`,
		"counter -sweep width=1 -measure pnr:xc7a35t":             "no place and route for xc7a35t: only for ice40",
		"counter -sweep width=1 -measure cycles":                  "counter has no cycles to measure",
		"counter -sweep width=1 -measure ops,ops":                 "measure ops is given twice",
		"counter -sweep width=1 -pareto lut":                      "no measure gives lut; these give logic_depth, ",
		"counter -sweep width=1 -pareto ,":                        "empty axis",
		"counter -sweep width=1 -margin 0.5":                      "-margin 0.5",
		"counter -sweep width=1 -margin NaN":                      "-margin NaN",
		"counter -sweep width=1 -jobs -1":                         "-jobs -1",
		"counter -sweep width=1 -devices " + negative:             `d.json: device 1, "b": ff = -3 (flip-flops): want 1 to`,
		"counter -sweep width=1..100000 -p x=1 -sweep width=1..9": "no parameter x",
		"counter -sweep width=1,2 -o /dev/null/x":                 "not a directory",
		"-model papers":               `no model "papers"`,
		"-model paper counter":        "-model takes no design",
		"-model paper -net 8-64":      "-net: net",
		"-model paper -algorithm dpg": `no algorithm "dpg"; did you mean ddpg?`,
		"-model paper -batch 0":       `-batch: "0"`,
		"-model paper -dsp 4":         "needs 25 DSP at least, the device has 4 (21 too many)",
	} {
		args := strings.Fields(line)
		if !strings.Contains(line, " -o ") {
			args = append(args, "-o", dir)
		}
		code, out, errs := exploring(args...)
		require.NotZero(t, code, line)
		require.Empty(t, out, line)
		require.Contains(t, errs, want, line)
		require.NotContains(t, errs, "panic", line)
		require.NoFileExists(t, filepath.Join(dir, "explore.csv"), line)
	}
}

// Two explorations of one folder, and tools that are not there, are named.
func TestExploreElsewhere(t *testing.T) {
	dir := t.TempDir()
	j, err := explore.OpenJournal(dir)
	require.NoError(t, err)
	code, _, errs := exploring("counter", "-sweep", "width=1", "-o", dir)
	require.Equal(t, 1, code)
	require.Contains(t, errs, "another process explores in "+dir)
	require.NoError(t, j.Close())

	t.Setenv("PATH", t.TempDir())
	t.Setenv("ETCH_CACHE", t.TempDir())
	for _, measure := range []string{"yosys:ecp5", "pnr:lfe5u-25f"} {
		code, _, errs = exploring("counter", "-sweep", "width=1", "-measure", measure, "-o", dir)
		require.Equal(t, 1, code)
		require.Contains(t, errs, "yosys not found: Debian package yosys; go run etch/testbench/cmd/check installs it")
	}
}

// The table of devices and the paper's Table 2 are printed.
func TestExploreTables(t *testing.T) {
	code, out, _ := exploring("-list-devices")
	require.Zero(t, code)
	require.Contains(t, out, "xc7a35t")
	code, out, _ = exploring("-list-devices", "-json")
	require.Zero(t, code)
	_, err := explore.Devices(nil).With("printed", []byte(out))
	require.NoError(t, err, "what is printed can be read")

	dir := t.TempDir()
	code, out, errs := exploring("-model", "paper", "-batch", "64,128", "-o", dir)
	require.Zero(t, code, errs)
	require.Contains(t, strings.Join(strings.Fields(out), " "), "64 best 2 32 32 16 320 1600 768 128 best 4 32 22 24 440 2200 1248 128 DP = 2 2 64 32 16 320 1600 1280")
	require.FileExists(t, filepath.Join(dir, "paper.svg"))
	code, out, errs = exploring("-model", "paper", "-batch", "32", "-max-unit", "0")
	require.Zero(t, code, errs)
	require.Contains(t, strings.Join(strings.Fields(out), " "), "any unit batch DP PI largest unit T multipliers DSP cycles a step 32 best 1 32 86 6")
	code, out, errs = exploring("-model", "paper", "-algorithm", "ddpg", "-net", "8-64-2", "-batch", "32", "-json")
	require.Zero(t, code, errs)
	require.Contains(t, out, `"dsp": 2560,`)
}

// yosys counts what a counter must have, and a device without it is named with the
// resource.
func TestExploreYosys(t *testing.T) {
	tools.Need(t, "yosys")
	dir := t.TempDir()
	tiny := filepath.Join(dir, "tiny.json")
	require.NoError(t, os.WriteFile(tiny, []byte(`[{"name": "tiny", "family": "ice40", "lut_inputs": 4, "lut": 100, "ff": 5, "dsp": 0, "dsp_size": "none", "bram": 0, "bram_kbit": 0}]`), 0o666))
	code, out, errs := exploring("counter", "-sweep", "width=4,6", "-measure", "yosys:ice40,yosys:tiny", "-devices", tiny, "-o", dir, "-json")
	require.Zero(t, code, errs)
	require.Contains(t, errs, "2 configurations, 1 measured, 1 too large for the device (2 results new)", "both measures share results")
	var o explore.Outcome
	require.NoError(t, json.Unmarshal([]byte(out), &o))
	require.Equal(t, 4.0, o.Rows[0].Results["yosys:ice40.ff"])
	require.Equal(t, "tiny: needs 6 FF, the device has 5 (1 too many)", o.Rows[1].Note)
}

// Cells count in the units of the table of devices.
func TestCellWeights(t *testing.T) {
	counts, err := countFlat("xc7", []byte(`{"design": {"num_cells_by_type": {"LUT6": 3, "RAM32M": 2, "SRL16E": 1, "FDRE": 5, "RAMB36E1": 2, "RAMB18E1": 1, "DSP48E1": 4, "CARRY4": 9, "BUFG": 1}}}`))
	require.NoError(t, err)
	require.Equal(t, cellCounts{lutCells: 12, ffCells: 5, bramCells: 5, dspCells: 4}, counts)
	counts, err = countFlat("ecp5", []byte(`{"design": {"num_cells_by_type": {"LUT4": 3, "CCU2C": 2, "TRELLIS_FF": 7, "DP16KD": 1, "MULT18X18D": 2}}}`))
	require.NoError(t, err)
	require.Equal(t, cellCounts{lutCells: 7, ffCells: 7, bramCells: 1, dspCells: 2}, counts)
}
