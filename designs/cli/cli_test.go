package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/examples/counter"
	"etch/designs/examples/fixedmac"
	"etch/designs/examples/systolic"
	"etch/designs/examples/uart"
)

func app() App {
	return App{Name: "demo", Designs: []Design{
		Component("counter", "counts", counter.Counter{Width: 8}),
		Component("uart", "sends", uart.Tx{ClocksPerBit: 4}),
		Component("mac", "multiplies", fixedmac.MulAdd{Integer: 4, Fraction: 4}),
		Component("grid", "multiplies vectors", systolic.Array{N: 2, PE: systolic.PE{Data: 8, Sum: 16}}),
	}}
}

func run(t *testing.T, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	code = app().Run(args, Output{&o, &e})
	return code, o.String(), e.String()
}

func TestExitCodes(t *testing.T) {
	for _, c := range []struct {
		args string
		code int
		want string // on standard error
	}{
		{"", 2, ""},
		{"help", 0, ""},
		{"lisp", 2, "no command lisp; did you mean list?"},
		{"list -nope", 2, "flag provided but not defined: -nope"},
		{"export", 2, "DESIGN is missing"},
		{"export countr", 2, "no design countr; did you mean counter?"},
		{"export zzzzzz", 2, "no design zzzzzz; there are counter, uart, mac, grid"},
		{"report counter -p widht=4", 2, "no parameter widht; did you mean width?"},
		{"report counter -p width=four", 2, `parameter width: "four" is not an integer of int; want 1 to 1048576: bits of the count`},
		{"report counter -p width", 2, `"width" is not name=value`},
		{"report counter -p width=4 -p width=5", 2, "parameter width is given twice"},
		{"report mac -p round=half-even -yosys=false", 0, ""},
		{"report mac -p round=halfeven", 2, `parameter round = "halfeven", want floor, ceil, toward-zero, half-up, half-down, half-even or half-away; did you mean half-even?: what happens`},
		{"report counter -p width=0", 2, "parameter width = 0, want 1 to 1048576: bits of the count"},
		{"report counter -p width=-1", 2, "parameter width = -1, want 1 to 1048576"},
		{"report mac -p integer=0 -p fraction=0", 1, "with -p fraction=0 -p integer=0: Ports of MulAdd: "},
		{"report uart -p clocks_per_bit=1", 2, "parameter clocks_per_bit = 1, want 2 to 16777216: clock cycles that a bit stays on the line"},
		{"report grid -p pe.sum=8", 1, "with -p pe.sum=8: Array: Data = 8, Sum = 8: want Sum at least twice Data"},
		{"list countr", 2, "no design countr; did you mean counter?"},
		{"list counter uart", 2, `what is "uart"?`},
	} {
		args := strings.Fields(c.args)
		code, _, errs := run(t, args...)
		require.Equal(t, c.code, code, "%s\n%s", c.args, errs)
		require.Contains(t, errs, c.want, c.args)
	}
}

// -h lists usage and flags on standard output and succeeds.
func TestHelp(t *testing.T) {
	code, out, errs := run(t, "export", "-h")
	require.Zero(t, code)
	require.Empty(t, errs)
	require.Contains(t, out, "usage: demo export DESIGN")
	require.Contains(t, out, "folder")
}

// What a component says of its parameters comes without a line of etch's own.
func TestParameterErrors(t *testing.T) {
	for p, want := range map[string]string{
		"uart clocks_per_bit=1":  "parameter clocks_per_bit = 1",
		"counter width=0":        "parameter width = 0",
		"counter width=99999999": "parameter width = 99999999",
		"grid pe.sum=15":         "with -p pe.sum=15: ",
	} {
		design, value, _ := strings.Cut(p, " ")
		_, _, errs := run(t, "report", design, "-p", value)
		require.Contains(t, errs, want)
		require.NotContains(t, errs, ".go:")
	}
}

func TestList(t *testing.T) {
	code, out, _ := run(t, "list", "-json")
	require.Zero(t, code)
	var got []map[string]any
	require.NoError(t, json.Unmarshal([]byte(out), &got))
	require.Equal(t, "counter", got[0]["name"])
	require.Equal(t, []any{map[string]any{
		"name": "width", "type": "int", "default": "8", "doc": "bits of the count", "range": "1..2^20",
	}}, got[0]["params"])

	_, out, _ = run(t, "list")
	require.Equal(t, "counter  counts\nuart     sends\nmac      multiplies\ngrid     multiplies vectors\n", out)
	_, out, _ = run(t, "list", "grid")
	require.Equal(t, `grid: multiplies vectors
  -p n=2        1 to 256      rows and columns of the grid
  -p pe.data=8  1 to 4096     bits of activations and weights
  -p pe.sum=16  2 to 1048576  bits of partial sums, at least twice data
`, out)
	_, out, _ = run(t, "list", "uart", "-json")
	require.NoError(t, json.Unmarshal([]byte(out), &got))
	require.Len(t, got, 1)
	require.Equal(t, "uart", got[0]["name"])
}

func TestExport(t *testing.T) {
	dir := t.TempDir()
	code, out, errs := run(t, "export", "-o", dir, "counter", "-p", "width=5")
	require.Zero(t, code, errs)
	require.Contains(t, out, "counter.v")
	v, err := os.ReadFile(filepath.Join(dir, "counter.v"))
	require.NoError(t, err)
	require.Contains(t, string(v), "[4:0] count")
	files, _ := os.ReadDir(dir)
	require.Len(t, files, 3, "no temporary files stay")
}

// Each flag of export reaches the Verilog.
func TestExportForms(t *testing.T) {
	export := func(args ...string) (names []string, v string) {
		dir := t.TempDir()
		code, out, errs := run(t, append([]string{"export", "-o", dir}, args...)...)
		require.Zero(t, code, errs)
		for name := range strings.Lines(out) {
			names = append(names, filepath.Base(strings.TrimSpace(name)))
		}
		for _, name := range names {
			b, err := os.ReadFile(filepath.Join(dir, name))
			require.NoError(t, err)
			if strings.HasSuffix(name, ".v") {
				v += string(b)
			}
		}
		return names, v
	}
	_, plain := export("counter")
	require.Contains(t, plain, "// counter.go:")
	require.NotContains(t, plain, "(* src")
	require.NotContains(t, plain, "initial")
	_, v := export("counter", "-positions=false")
	require.NotContains(t, v, "// counter.go:") // messages of statements keep their line
	_, v = export("counter", "-src")
	require.Regexp(t, `\(\* src = "counter\.go:\d+" \*\) output reg \[7:0\] count`, v)
	require.Regexp(t, `\(\* src = "counter\.go:\d+" \*\)\n  always @`, v)
	_, v = export("uart", "-zero")
	require.Contains(t, v, "initial shift = 8'd0;")
	_, v = export("uart")
	require.NotContains(t, v, "initial shift")
}

// -clock gives constraints their periods; a wrong one is one error, and nothing is written.
func TestExportClock(t *testing.T) {
	dir := t.TempDir()
	code, out, errs := run(t, "export", "counter", "-o", dir, "-clock", "clk=125MHz")
	require.Zero(t, code, errs)
	require.Contains(t, out, "counter.xdc")
	for _, name := range []string{"counter.xdc", "counter.sdc"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		require.Equal(t, "# Written by etch for counter. Do not edit.\ncreate_clock -name clk -period 8.000 [get_ports {clk}]\n", string(text))
	}

	for _, c := range []struct {
		clocks []string
		code   int
		want   string
	}{
		{[]string{"clk=abc"}, 2, `"clk=abc" is not a clock; want clk=100MHz, with kHz, MHz or GHz`},
		{[]string{"clk=0MHz"}, 2, `"clk=0MHz" is not a clock`},
		{[]string{"clk=NaNMHz"}, 2, `"clk=NaNMHz" is not a clock`},
		{[]string{"=100MHz"}, 2, `"=100MHz" is not a clock`},
		{[]string{"clk=1MHz", "clk=2MHz"}, 2, "clk is given twice"},
		{[]string{"en=100MHz"}, 1, "counter has no clock en"},
	} {
		dir, args := t.TempDir(), []string{"export", "counter"}
		for _, clock := range c.clocks {
			args = append(args, "-clock", clock)
		}
		code, _, errs := run(t, append(args, "-o", dir)...)
		require.Equal(t, c.code, code, "%v\n%s", c.clocks, errs)
		require.Equal(t, 1, strings.Count(errs, c.want), errs)
		require.Empty(t, contents(t, dir), "%v", c.clocks)
	}
}

// A folder that cannot be written gives an error and nothing half done.
func TestExportFails(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	code, _, errs := run(t, "export", "counter", "-o", file)
	require.Equal(t, 1, code)
	require.Contains(t, errs, file)
}

func TestReport(t *testing.T) {
	code, out, errs := run(t, "report", "counter", "-json", "-yosys=false", "-p", "width=6")
	require.Zero(t, code, errs)
	var r Report
	require.NoError(t, json.Unmarshal([]byte(out), &r))
	require.Equal(t, 6, r.RegisterBits)
	require.Equal(t, 1, r.Registers)
	require.Equal(t, map[string]int{"add": 1, "mux": 1}, r.ByOp)
	require.Equal(t, 2, r.LogicDepth)
}

func TestCountCells(t *testing.T) {
	got, err := countCells([]byte(`{"modules": {"\\top": {"num_cells_by_type": {"LUT6": 3, "LUT2": 1, "FDRE": 5, "CARRY4": 2, "RAMB18E1": 1, "RAM32M": 4, "BUFG": 1}}}}`))
	require.NoError(t, err)
	require.Equal(t, map[string]Cells{"top": {LUT: 4, FF: 5, Carry: 2, BRAM: 1, LUTRAM: 4}}, got)
	_, err = countCells([]byte("{"))
	require.Error(t, err)
}

// What yosys 0.23 prints of a hierarchy: a tree between two members.
func TestCountCellsOfHierarchy(t *testing.T) {
	cells, err := countCells([]byte(`{
   "modules": {
      "\\top": {
         "num_cells_by_type": {
            "FDRE": 3,
            "SRL16E": 2
         }
      }
   },
       row_1                 2
         element_2d7b        1
      "design": {
         "num_wires": 3905
      }
}`))
	require.NoError(t, err)
	require.Equal(t, map[string]Cells{"top": {FF: 3, LUTRAM: 2}}, cells)
}

// fileOf makes a file in a folder and returns its path.
func fileOf(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	return path
}
