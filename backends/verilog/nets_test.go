package verilog_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/backends/verilog"
	"etch/hw"
	"etch/testbench/tools"
)

type padPorts struct {
	En  hw.Bit
	D   hw.UInt
	Pad hw.Pad[hw.UInt]
	Low hw.Pad[hw.Bit]
	Q   hw.UInt
}

func padShapes() padPorts {
	return padPorts{
		En: hw.In(hw.Bit{}), D: hw.In(hw.Unsigned(4)), Q: hw.Out(hw.Unsigned(4)),
		Pad: hw.InOut(hw.Unsigned(4), hw.PullDown), Low: hw.InOut(hw.Bit{}),
	}
}

// padTop has pads, one of which an instance shares, and a net between two instances.
var padTop = hw.Func("pad_top", padShapes(), func(m *hw.Module, p padPorts) {
	cell := hw.Func("pad_cell", padShapes(), func(m *hw.Module, p padPorts) {
		p.Pad.Drive(p.D.Add(hw.U(3)), p.En.And(p.D.Bit(0)))
		p.Low.DriveLow(p.En)
		p.Low.Drive(p.D.Bit(1), p.D.Bit(2))
		p.Q.Set(p.Pad.Value())
	})
	net := hw.Net(m, "wires", hw.Unsigned(4), hw.PullUp)
	pulled := hw.Net(m, "own", hw.Unsigned(4), hw.PullDown)
	a := hw.Inst(m, "a", cell, padPorts{En: p.En, D: p.D, Pad: p.Pad, Low: p.Low})
	b := hw.Inst(m, "b", cell, padPorts{En: p.En, D: a.Q, Pad: pulled})
	net.Drive(p.D, p.En.Not())
	p.Q.Set(b.Q.Add(net.Value()))
})

// TestNets reads pads and nets with the tools, and the text with the eye.
func TestNets(t *testing.T) {
	d, _, err := hw.Build(padTop)
	require.NoError(t, err)
	got, err := verilog.Text(d, verilog.Options{NoPositions: true})
	require.NoError(t, err)
	for _, want := range []string{
		"  inout wire [3:0] pad,\n  inout wire low,\n",
		"  assign pad = pad_en ? pad_out : 4'bz;\n",
		"  assign low = en ? 1'b0 : 1'bz;\n",
		"  wire [3:0] wires;\n",
		"  assign wires = wires_en ? d : 4'bz;\n`ifndef SYNTHESIS\n  pullup (wires[0]), (wires[1]), (wires[2]), (wires[3]);\n`endif\n",
		"    .pad(own),\n    .low(b_low),\n",
	} {
		require.Contains(t, string(got), want)
	}
	require.Equal(t, 2, strings.Count(string(got), " pull"), "a pull below is not repeated: %s", got)

	file := filepath.Join(folder(t), "pad_top.v")
	require.NoError(t, os.WriteFile(file, got, 0o644))
	t.Run("verilator", func(t *testing.T) {
		quiet(t, tools.Need(t, "verilator")[0].Command(t.Context(), "--lint-only", "-Wall", "--top-module", "pad_top", file))
	})
	t.Run("iverilog", func(t *testing.T) {
		quiet(t, tools.Need(t, "iverilog")[0].Command(t.Context(), "-g2005", "-Wall", "-Wno-timescale", "-o", os.DevNull, file))
	})
	t.Run("yosys", func(t *testing.T) {
		quietButTristate(t, tools.Need(t, "yosys")[0].Command(t.Context(), "-q", "-p",
			"read_verilog "+file+"; hierarchy -check -top pad_top; proc; flatten; tribuf -logic; check -assert"))
	})
}

// quietButTristate lets yosys say that it knows little of tri-state logic.
func quietButTristate(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	out, err := cmd.CombinedOutput()
	for line := range bytes.Lines(out) {
		require.Contains(t, string(line), "limited support for tri-state logic")
	}
	require.NoError(t, err, "%s", out)
}

// TestNetsOfCheckedRegisters: a register that drives a pad and that an assertion looks
// at is hardware, though nothing else takes it.
func TestNetsOfCheckedRegisters(t *testing.T) {
	type ports struct {
		D    hw.Bit
		Line hw.Pad[hw.Bit]
	}
	top := hw.Func("top", ports{D: hw.In(hw.Bit{}), Line: hw.InOut(hw.Bit{})}, func(m *hw.Module, p ports) {
		low := hw.Delay(m, "low", p.D, 1, hw.Low)
		p.Line.DriveLow(low)
		m.Assert(low.Not().Or(p.Line.Value().Not()), "the line is not low")
	})
	d, _, err := hw.Build(top)
	require.NoError(t, err)
	got, err := verilog.Text(d, verilog.Options{NoPositions: true})
	require.NoError(t, err)
	hardware, _, _ := strings.Cut(string(got), "`ifndef SYNTHESIS")
	require.Contains(t, hardware, "reg low;")
}

// TestPadDrivesNet: the value of a pad gets a wire of its own before it drives a net, since
// Verilator takes 1'b1 ? pad : 8'bz for a connection; see testbench/fuzz, pad_drives_a_net.
func TestPadDrivesNet(t *testing.T) {
	d, _, err := hw.Build(hw.Func("through", padShapes(), func(m *hw.Module, p padPorts) {
		net := hw.Net(m, "inner", hw.Unsigned(4))
		net.Drive(p.Pad.Value(), hw.B(true))
		p.Pad.Drive(p.D, p.En)
		p.Q.Set(net.Value())
	}))
	require.NoError(t, err)
	got, err := verilog.Text(d, verilog.Options{NoPositions: true})
	require.NoError(t, err)
	require.Contains(t, string(got), "  wire [3:0] pad_in = pad;\n")
	require.Contains(t, string(got), "  assign inner = 1'b1 ? pad_in : 4'bz;\n")
}
