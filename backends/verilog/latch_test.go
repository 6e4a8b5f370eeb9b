package verilog_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/backends/verilog"
	"etch/ir"
	"etch/ir/bits"
	"etch/testbench/randcircuit"
	"etch/testbench/tools"
)

// stillDesign has state that no event ever moves: latches that are open or closed
// for ever, and a register that is reset for ever. Each has outputs of its own; want
// are their values, and those of latches that follow input d = 5 come last.
func stillDesign(t *testing.T) (d *ir.Design, want []uint64) {
	t.Helper()
	d = &ir.Design{Src: ir.NewSources()}
	m := ir.NewModule("still", d.Src)
	in := m.AddInput("d", 4, 0, 0)
	k := func(w int, v uint64) ir.ID { return m.Const(bits.New(w, v), 0) }
	named := func(name string, x ir.ID) ir.ID {
		id := m.Add(ir.Node{Op: ir.Wire, Width: int32(m.Width(x))}, x)
		m.SetName(id, name)
		return id
	}
	add := func(value uint64, open, takes, start ir.ID) {
		name := fmt.Sprintf("q%d", len(m.Regs))
		clk := m.Add(ir.Node{Op: ir.Wire, Width: 1, Type: ir.TypeID(ir.Clock)}, k(1, 0))
		id := m.AddReg(name, 4, 0, clk, 0)
		r := &m.Regs[len(m.Regs)-1]
		r.MakeLatch(clk, open, takes)
		r.Init = start
		m.AddOutput("o"+name, 4, 0, id, 0)
		want = append(want, value)
	}
	on, off, nine := named("on", k(1, 1)), named("off", k(1, 0)), named("nine", k(4, 9))
	add(3, k(1, 0), in, k(4, 3))
	add(3, off, in, k(4, 3))
	add(0, k(1, 0), in, ir.None)
	add(9, k(1, 1), nine, k(4, 3))
	add(9, on, nine, ir.None)
	add(7, k(1, 1), k(4, 7), k(4, 3))
	add(7, on, k(4, 7), ir.None)
	add(5, k(1, 1), named("same", in), k(4, 3))
	add(10, on, m.Add(ir.Node{Op: ir.Not, Width: 4}, in), ir.None)
	add(0, on, m.Add(ir.Node{Op: ir.And, Width: 4}, in, k(4, 0)), k(4, 3))
	high := m.Add(ir.Node{Op: ir.Eq, Width: 1}, m.Regs[0].Node, k(4, 3)) // from power-up
	add(7, high, k(4, 7), k(4, 3))
	add(4, m.Add(ir.Node{Op: ir.Not, Width: 1}, high), k(4, 7), k(4, 4))
	add(8, high, m.Add(ir.Node{Op: ir.Add, Width: 4}, m.Regs[len(m.Regs)-1].Node, k(4, 4)), k(4, 3))
	d.Modules, d.Top = []*ir.Module{m}, m
	require.NoError(t, ir.Verify(d))
	return d, want
}

// TestStillLatches: what no event moves has its value under Icarus Verilog too, and
// the linters say nothing.
func TestStillLatches(t *testing.T) {
	d, want := stillDesign(t)
	iverilog := tools.Need(t, "iverilog")[0]
	vvp := tools.Need(t, "vvp")[0]
	text, err := verilog.Text(d, verilog.Options{})
	require.NoError(t, err)
	bench, wantText := "module bench;\n  reg [3:0] d = 5;\n", ""
	conns, shown := ".d(d)", ""
	for i, v := range want {
		bench += fmt.Sprintf("  wire [3:0] o%d;\n", i)
		conns += fmt.Sprintf(", .oq%d(o%d)", i, i)
		shown += fmt.Sprintf(", o%d", i)
		wantText += fmt.Sprintf(" %2d", v)
	}
	bench += fmt.Sprintf("  still dut(%s);\n  initial #1 $display(\"%s\"%s);\nendmodule\n", conns, string(bytes.Repeat([]byte(" %d"), len(want))), shown)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "bench.v"), append([]byte(bench), text...), 0o644))
	cmd := exec.Command(iverilog.Path, "-Wall", "-Wno-timescale", "-g2005", "-o", "model", "bench.v")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Empty(t, string(out))
	cmd = exec.Command(vvp.Path, "-n", "model")
	cmd.Dir = dir
	out, err = cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, wantText+"\n", string(out), "%s", text)
	lint(t, d, verilog.Options{})
}

// TestLintLatches: linters say nothing of random circuits with latches.
func TestLintLatches(t *testing.T) {
	for seed := range uint64(8) {
		d := randcircuit.Design(seed, randcircuit.Config{Widths: []int{1, 2, 8, 33, 64, 65}, Nodes: 20, Modules: int(seed % 3), State: true, Latches: true, Calm: seed%2 == 0})
		lint(t, d, verilog.Options{Zero: seed%2 == 0})
	}
}

// TestLatchOfConstant: a latch whose data are a constant is written as any other latch.
func TestLatchOfConstant(t *testing.T) {
	d := &ir.Design{Src: ir.NewSources()}
	m := ir.NewModule("top", d.Src)
	open := m.AddInput("open", 1, 0, 0)
	never := m.Add(ir.Node{Op: ir.Wire, Width: 1, Type: ir.TypeID(ir.Clock)}, m.Const(bits.New(1, 0), 0))
	q := m.AddReg("q", 4, 0, never, 0)
	m.Regs[0].MakeLatch(never, open, m.Const(bits.New(4, 9), 0))
	m.AddOutput("y", 4, 0, q, 0)
	d.Modules, d.Top = []*ir.Module{m}, m
	require.NoError(t, ir.Verify(d))

	text, err := verilog.Text(d, verilog.Options{})
	require.NoError(t, err)
	require.Contains(t, string(text), "  always @* begin\n    if (open) q = 4'd9;\n  end\n")
	require.NotContains(t, string(text), "posedge")
}
