package verilog_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/backends/firrtl"
	"etch/backends/verilog"
	"etch/ir"
	"etch/sim"
	"etch/testbench/cosim"
	"etch/testbench/tools"
)

// highFromStart has registers whose asynchronous reset comes through ports: as it is,
// through logic, and through another module.
const highFromStart = `FIRRTL version 4.0.0
circuit top :
  module leaf :
    input clock : Clock
    input reset : AsyncReset
    input d : UInt<4>
    output q : UInt<4>
    regreset r : UInt<4>, clock, reset, UInt<4>(6)
    connect r, d
    connect q, r

  public module top :
    input clock : Clock
    input reset : UInt<1>
    input d : UInt<4>
    output a : UInt<4>
    output b : UInt<4>
    output c : UInt<4>
    inst l of leaf
    connect l.clock, clock
    connect l.reset, asAsyncReset(reset)
    connect l.d, d
    regreset ra : UInt<4>, clock, asAsyncReset(reset), UInt<4>(9)
    regreset rb : UInt<4>, clock, asAsyncReset(and(reset, eq(d, UInt<4>(3)))), UInt<4>(10)
    connect ra, d
    connect rb, d
    connect a, ra
    connect b, rb
    connect c, l.q
`

// fromStart is the design with what its outputs are while reset is high and d is 3
// since power-up, with no edge of any kind, by package sim.
func fromStart(t *testing.T) (d *ir.Design, text []byte, want string) {
	t.Helper()
	d, _, err := firrtl.ReadText(highFromStart, "high.fir", firrtl.ReadOptions{})
	require.NoError(t, err)
	s, err := sim.New(d)
	require.NoError(t, err)
	for _, p := range s.Top() {
		switch p.Name() {
		case "reset":
			require.NoError(t, s.Set(p, 1))
		case "d":
			require.NoError(t, s.Set(p, 3))
		}
	}
	for _, p := range s.Top() {
		if !p.IsInput() && p.Name() != "clock" {
			want += " " + s.GetBits(p).Dec()
		}
	}
	text, err = verilog.Text(d, verilog.Options{})
	require.NoError(t, err)
	return d, text, want
}

// TestHighFromStart: registers have their reset value from the first moment also in
// Verilog, under benches of every kind.
func TestHighFromStart(t *testing.T) {
	_, text, want := fromStart(t)
	require.Equal(t, " 9 10 6", want)
	for name, head := range map[string]string{
		"constant": "wire clock = 0, reset = 1; wire [3:0] d = 3;",
		"declared": "reg clock = 0, reset = 1; reg [3:0] d = 3;",
		"initial":  "reg clock, reset; reg [3:0] d; initial begin clock = 0; reset = 1; d = 3; end",
	} {
		t.Run(name, func(t *testing.T) {
			bench := "module bench;\n  " + head + "\n  wire [3:0] a, b, c;\n  top dut (clock, reset, d, a, b, c);\n" +
				"  initial #1 $display(\" %0d %0d %0d\", a, b, c);\nendmodule\n"
			require.Equal(t, want+"\n", iverilog(t, folder(t), append(text, bench...), "bench"))
		})
	}
}

// TestHighFromStartVerilated is that for Verilator, whose first look at an input sees
// no edge, with state that starts at random.
func TestHighFromStartVerilated(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles C++")
	}
	d, text, want := fromStart(t)
	lint(t, d, verilog.Options{})
	list, dir := tools.Need(t, "verilator", "g++"), t.TempDir()
	write(t, filepath.Join(dir, "top.v"), text)
	write(t, filepath.Join(dir, "main.cpp"), []byte(`#include "Vtop.h"
#include "verilated.h"
#include <cstdio>
int main() {
  for (int seed = 1; seed < 9; seed++) {
    VerilatedContext* context = new VerilatedContext;
    context->randReset(2);
    context->randSeed(seed);
    Vtop* top = new Vtop(context);
    top->clock = 0, top->reset = 1, top->d = 3;
    top->eval();
    printf(" %d %d %d\n", top->a, top->b, top->c);
  }
}
`))
	run := func(cmd *exec.Cmd) string {
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return string(out)
	}
	run(list[0].Command(t.Context(), "--cc", "--x-initial", "unique", "--top-module", "top", "--Mdir", ".", "top.v"))
	parts, err := filepath.Glob(filepath.Join(dir, "Vtop*.cpp"))
	require.NoError(t, err)
	whole := "#include \"main.cpp\"\n"
	for _, p := range parts {
		whole += "#include \"" + filepath.Base(p) + "\"\n"
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "whole.cpp"), []byte(whole), 0o644))
	args, err := cosim.Runtime(t.Context(), dir)
	require.NoError(t, err)
	run(list[1].Command(t.Context(), append(args, "whole.cpp", "-o", "model")...))
	require.Equal(t, strings.Repeat(want+"\n", 8), run(exec.Command(filepath.Join(dir, "model"))))
}
