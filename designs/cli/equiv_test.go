package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/testbench/tools"
)

func TestEquivAndProve(t *testing.T) {
	a := app()
	a.Commands = []Command{EquivCommand, ProveCommand}
	call := func(args ...string) (int, string, string) {
		var o, e bytes.Buffer
		code := a.Run(args, Output{&o, &e})
		return code, o.String(), e.String()
	}
	dir := t.TempDir()
	code, _, errs := call("export", "counter", "-o", dir)
	require.Zero(t, code, errs)
	file := filepath.Join(dir, "counter.etch")
	text, err := os.ReadFile(file)
	require.NoError(t, err)

	code, out, errs := call("equiv", "counter", file)
	require.Zero(t, code, errs)
	require.Contains(t, out, "equal: holds, by ")

	wrong := filepath.Join(dir, "wrong.etch")
	require.NoError(t, os.WriteFile(wrong, []byte(strings.Replace(string(text), "= add ", "= sub ", 1)), 0o666))
	code, out, errs = call("equiv", "counter", wrong, "-o", filepath.Join(dir, "run.vcd"))
	require.Equal(t, 1, code)
	require.Contains(t, out, "count differs in cycle 1 (after 1 of reset): a has 8'h1, b has 8'hff")
	require.Contains(t, errs, "demo equiv: not equal")
	_, err = os.Stat(filepath.Join(dir, "run.vcd"))
	require.NoError(t, err)

	code, _, errs = call("equiv", "counter")
	require.Equal(t, 2, code)
	require.Contains(t, errs, "B is missing")
	code, _, errs = call("equiv", "counter", "uart")
	require.Equal(t, 1, code)
	require.Contains(t, errs, "the ports of counter (a) and tx (b) do not match")
	code, out, errs = call("prove", "counter")
	require.Zero(t, code, errs)
	require.Contains(t, out, "proved: holds, by ")
	code, _, errs = call("prove", "counter", "-assertion", "another")
	require.Equal(t, 1, code, errs)

	asserted := strings.TrimSuffix(strings.TrimSpace(string(text)), "}") + "  assert small clk %3 cond %1 format \"en is low\"\n}\n"
	require.NoError(t, os.WriteFile(wrong, []byte(asserted), 0o666))
	code, out, errs = call("prove", wrong)
	require.Equal(t, 1, code, out+errs)
	require.Contains(t, out, "en is low", errs)
	require.Contains(t, errs, "demo prove: not proved")
}

// acc adds up while it is not in reset, which is low when active; STEP and the sign
// are what a second design may have otherwise.
const accVerilog = `module acc #(parameter STEP = 0) (input clk, input resetn, input [7:0] x, output [7:0] sum);
  reg [7:0] total;
  always @(posedge clk) if (!resetn) total <= STEP; else total <= total + x;
  assign sum = total;
endmodule
`

// TestVerilogEquiv: what resets a Verilog design by its name does here too.
func TestVerilogEquiv(t *testing.T) {
	tools.Need(t, "yosys")
	dir := t.TempDir()
	write := func(name, text string) string { return fileOf(t, dir, name, text) }
	call := func(args ...string) (int, string, string) {
		var o, e bytes.Buffer
		code := App{Commands: []Command{EquivCommand, ProveCommand}}.Run(args, Output{&o, &e})
		return code, o.String(), e.String()
	}
	a := write("acc.v", accVerilog)
	b := write("other.v", strings.ReplaceAll(strings.ReplaceAll(accVerilog, "total + x", "total - (-x)"), "total", "state"))
	code, out, errs := call("equiv", a, b)
	require.Zero(t, code, out+errs)
	require.Contains(t, out, "equal: holds, by ")
	require.Contains(t, errs, "note: resetn is taken for a reset that acts when low")

	code, out, _ = call("equiv", a, b, "-set", "resetn=0", "-reset", "1", "-param", "STEP=3")
	require.Zero(t, code, out)
	wrong := write("wrong.v", strings.Replace(accVerilog, "total <= STEP", "total <= 1", 1))
	code, out, _ = call("equiv", a, wrong)
	require.Equal(t, 1, code)
	require.Contains(t, out, "sum differs in cycle 0 (after 1 of reset): a has 8'h0, b has 8'h1")

	part := write("part.v", strings.Replace(accVerilog, "assign sum = total", "same s(total, sum)", 1))
	rest := write("rest.v", "module same(input [7:0] a, output [7:0] y); assign y = a; endmodule\n")
	code, out, errs = call("equiv", a, part+","+rest, "-top", "acc,acc")
	require.Zero(t, code, out+errs)

	checked := write("checked.sv", strings.Replace(accVerilog, "assign sum = total;", "assign sum = total;\n  always @(posedge clk) if (resetn) small: assert (total < 200);", 1))
	code, out, errs = call("prove", checked)
	require.Equal(t, 1, code, out+errs)
	require.Regexp(t, `(?m)^fails in cycle \d+ \(after 1 of reset\): .*checked.sv:5: assert .*small.* failed$`, out)
	require.NotRegexp(t, `in cycle.*in cycle`, out)

	for _, bad := range []struct{ args, say string }{
		{"-set x=300", "300 does not fit the 8 bits of x"},
		{"-set z=1", "there is no input z"},
		{"-top a,b,c", "names for 3 designs"},
	} {
		code, _, errs = call(append([]string{"equiv", a, b}, strings.Fields(bad.args)...)...)
		require.Equal(t, 2, code)
		require.Contains(t, errs, bad.say)
	}
}
