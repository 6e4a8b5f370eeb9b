package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/testbench/tools"
)

// boxed has two black boxes of one Verilog module and one of another.
const boxed = `FIRRTL version 4.0.0
circuit Boxed :
  extmodule Scale :
    input clk : Clock
    input a : UInt<8>
    output y : UInt<10>
    defname = scaler
    parameter FACTOR = 3
  extmodule Flip :
    input a : UInt<8>
    output y : UInt<8>
    defname = flip
  public module Boxed :
    input clock : Clock
    input reset : UInt<1>
    input a : UInt<8>
    output y : UInt<10>
    output z : UInt<8>
    inst s of Scale
    connect s.clk, clock
    connect s.a, a
    connect y, s.y
    inst f of Flip
    connect f.a, a
    connect z, f.y
    stop(clock, eq(s.y, UInt<10>(21)), 4)
`

const scaleBody = `module scaler #(parameter FACTOR = 1) (input clk, input [7:0] a, output reg [9:0] y);
  always @(posedge clk) y <= a * FACTOR;
endmodule
`

const flipBody = `module flip(input [7:0] a, output [7:0] y);
  assign y = ~a;
endmodule
`

// Black boxes of FIRRTL and of netlist text take their bodies from Verilog files.
func TestBodies(t *testing.T) {
	tools.Need(t, "yosys")
	dir := t.TempDir()
	write := func(name, text string) string { return fileOf(t, dir, name, text) }
	fir, scale, flip := write("boxed.fir", boxed), write("scale.v", scaleBody), write("flip.sv", flipBody)
	code, out, errs := callSim(t, "sim", fir, scale, flip, "-cycles", "3", "-set", "a=5", "-print", "y", "-print", "z")
	require.Equal(t, 0, code, errs)
	require.Equal(t, "y = 15\nz = 250\n", out)
	code, _, errs = callSim(t, "sim", fir, scale, flip, "-set", "a=7")
	require.Equal(t, 4, code, errs)

	require.NoError(t, os.Mkdir(filepath.Join(dir, "inc"), 0o777))
	fileOf(t, filepath.Join(dir, "inc"), "factor.vh", "`define TIMES FACTOR + `MORE\n")
	defined := write("defined.v", "`include \"factor.vh\"\n"+strings.Replace(scaleBody, "FACTOR;", "(`TIMES);", 1))
	code, out, errs = callSim(t, "sim", fir, defined, flip, "-include", filepath.Join(dir, "inc"), "-define", "MORE=2", "-cycles", "3", "-set", "a=5", "-print", "y")
	require.Equal(t, 0, code, errs)
	require.Equal(t, "y = 25\n", out)
	for flag, words := range map[string][]string{"-define": {fir, "-define", "MORE=2"}, "-flatten": {fir, scale, "-define", "X", "-flatten"}} {
		code, _, errs = callSim(t, append([]string{"sim"}, words...)...)
		require.Equal(t, 2, code)
		require.Contains(t, errs, flag+" is for Verilog; "+fir+" is FIRRTL")
	}

	bare := filepath.Join(dir, "bare") // without bodies there are instances only
	code, _, errs = callSim(t, "import", fir, "-o", bare)
	require.Equal(t, 0, code, errs)
	code, out, errs = callSim(t, "sim", filepath.Join(bare, "Boxed.etch"), flip, scale, "-cycles", "3", "-set", "a=5", "-print", "y")
	require.Equal(t, 0, code, errs)
	require.Equal(t, "y = 15\n", out)

	whole := filepath.Join(dir, "whole") // with bodies the netlist runs by itself
	code, _, errs = callSim(t, "import", fir, scale, flip, "-o", whole)
	require.Equal(t, 0, code, errs)
	code, out, errs = callSim(t, "sim", filepath.Join(whole, "Boxed.etch"), "-cycles", "3", "-set", "a=5", "-print", "y", "-print", "z")
	require.Equal(t, 0, code, errs)
	require.Equal(t, "y = 15\nz = 250\n", out)
	code, out, errs = callSim(t, "sim", filepath.Join(whole, "Boxed.v"), flip, scale, "-cycles", "3", "-set", "a=5", "-print", "y")
	require.Equal(t, 0, code, errs)
	require.Equal(t, "y = 15\n", out)
}

// Black boxes take the Verilog that annotations hold, in the circuit or beside it; a
// file behind the circuit goes first. A body may gate a clock.
func TestHeldBodies(t *testing.T) {
	tools.Need(t, "yosys")
	dir := t.TempDir()
	inline := func(module, file, text string) string {
		b, err := json.Marshal(map[string]string{"class": "firrtl.transforms.BlackBoxInlineAnno", "target": "~Boxed|" + module, "name": file, "text": text})
		require.NoError(t, err)
		return string(b)
	}
	gated := strings.Replace(boxed, "connect s.clk, clock", "inst g of Gate\n    connect g.in, clock\n    connect g.en, bits(a, 0, 0)\n    connect s.clk, g.out", 1)
	gated = strings.Replace(gated, "  public module", "  extmodule Gate :\n    input in : Clock\n    input en : UInt<1>\n    output out : Clock\n    defname = gate\n  public module", 1)
	const gate = "module gate(input in, input en, output out);\n  reg held;\n  always @* if (!in) held = en;\n  assign out = in & held;\nendmodule\n"
	gated = strings.Replace(gated, "circuit Boxed :", "circuit Boxed : %[[\n"+inline("Scale", "../all.v", scaleBody)+",\n"+inline("Gate", "gate.v", gate)+",\n"+inline("Flip", "all.v", flipBody)+"]]", 1)
	fir := fileOf(t, dir, "boxed.fir", gated)
	for a, want := range map[string]string{"5": "y = 15\nz = 250\n", "4": "y = 0\nz = 251\n"} {
		code, out, errs := callSim(t, "sim", fir, "-cycles", "3", "-set", "a="+a, "-print", "y", "-print", "z")
		require.Equal(t, 0, code, errs)
		require.Equal(t, want, out)
	}

	own := fileOf(t, dir, "own.v", strings.Replace(flipBody, "~a", "a", 1))
	code, out, errs := callSim(t, "sim", fir, own, "-cycles", "3", "-set", "a=5", "-print", "y", "-print", "z")
	require.Equal(t, 0, code, errs)
	require.Equal(t, "y = 15\nz = 5\n", out)

	bare := fileOf(t, dir, "beside.fir", boxed)
	fileOf(t, dir, "beside.anno.json", "["+inline("Scale", "s.v", scaleBody)+","+inline("Flip", "f.v", flipBody)+"]")
	code, out, errs = callSim(t, "sim", bare, "-cycles", "3", "-set", "a=5", "-print", "y")
	require.Equal(t, 0, code, errs)
	require.Equal(t, "y = 15\n", out)
}

func TestBodyErrors(t *testing.T) {
	dir := t.TempDir()
	fir, scale, other := filepath.Join(dir, "boxed.fir"), filepath.Join(dir, "scale.v"), filepath.Join(dir, "other.v")
	require.NoError(t, os.WriteFile(fir, []byte(boxed), 0o666))
	require.NoError(t, os.WriteFile(scale, []byte(scaleBody), 0o666))
	require.NoError(t, os.WriteFile(other, []byte("module other; endmodule\n"), 0o666))
	fails := func(want string, args ...string) {
		t.Helper()
		code, _, errs := callSim(t, args...)
		require.Equal(t, 1, code, errs)
		require.Contains(t, errs, want)
	}
	fails("black box Scale has no body: name the Verilog file of its module scaler behind "+fir, "sim", fir, "-cycles", "1")
	fails("gone.v: no such file", "sim", fir, "gone.v", "-cycles", "1")
	fails("other.v: no module there is a black box of Boxed, which has flip, scaler", "sim", fir, other, "-cycles", "1")
	if _, err := tools.Find("yosys"); err != nil {
		return
	}
	fails("black box Flip has no body", "sim", fir, scale, "-cycles", "1")
	require.NoError(t, os.WriteFile(scale, []byte("module scaler #(parameter FACTOR = 1) (input clk, input [7:0] a, output [8:0] y);\n  assign y = {1'b0, a};\nendmodule\n"), 0o666))
	fails("black box Scale: port y has 10 bits, in module scaler 9", "import", fir, scale, "-o", dir)
	require.NoFileExists(t, filepath.Join(dir, "Boxed.v"))
}
