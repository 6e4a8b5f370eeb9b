package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/testbench/tools"
)

const counterVerilog = "`include \"width.vh\"\n" + `module counter #(parameter STEP = 1) (input clk, input rst, output reg [` + "`WIDTH" + `-1:0] count, output reg [3:0] half);
  always @(posedge clk) if (rst) count <= 0; else count <= count + STEP;
  always @(negedge clk) half <= count[4:1];
` + "`ifdef BROKEN\n  wire x = ;\n`endif" + `
endmodule
`

// Verilog is imported and run through yosys.
func TestVerilogFiles(t *testing.T) {
	tools.Need(t, "yosys")
	dir := t.TempDir()
	file := filepath.Join(dir, "counter.v")
	require.NoError(t, os.WriteFile(file, []byte(counterVerilog), 0o666))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "inc"), 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "inc", "width.vh"), []byte("`define WIDTH 8\n"), 0o666))
	run := func(args ...string) (int, string, string) {
		var out, errs bytes.Buffer
		code := App{Commands: []Command{ImportCommand, SimCommand}}.Run(args, Output{&out, &errs})
		return code, out.String(), errs.String()
	}
	include := "-include=" + filepath.Join(dir, "inc")
	code, out, errs := run("sim", file, "-top", "counter", include, "-param", "STEP=3", "-cycles", "20", "-print", "count", "-print", "half", "-set", "rst=0")
	require.Equal(t, 0, code, errs)
	require.Equal(t, "count = 63\nhalf = 15\n", out) // a cycle of reset, that is not held here, and 20 more; 63 = 6'b111111
	code, out, errs = run("import", file, "-top", "counter", include, "-o", filepath.Join(dir, "out"))
	require.Equal(t, 0, code, errs)
	require.Contains(t, out, "counter.v")
	text, err := os.ReadFile(filepath.Join(dir, "out", "counter.v"))
	require.NoError(t, err)
	require.Contains(t, string(text), "always @(negedge clk)")
	code, _, errs = run("import", file, "-top", "counter", include, "-define", "BROKEN")
	require.Equal(t, 1, code)
	require.Contains(t, errs, file+":6: syntax error")
	code, _, errs = run("import", filepath.Join(dir, "x.etch"), "-flatten")
	require.Equal(t, 2, code)
	require.Contains(t, errs, "-flatten is for Verilog")
	code, _, errs = run("sim", file, "-top", "counter", "-param", "STEP")
	require.Equal(t, 2, code)
	require.Contains(t, errs, `has no =`)
}
