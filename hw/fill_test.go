package hw_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/backends/verilog"
	"etch/hw"
	"etch/ir"
	"etch/testbench"
)

type filledPorts struct {
	En  hw.Bit `dir:"in"`
	In  hw.UInt
	Out hw.Vec[hw.UInt]
}

// Fill is the reset value of a vector register, and a vector of one signal.
func TestFill(t *testing.T) {
	c := hw.Func("filled", filledPorts{In: hw.In(hw.Unsigned(4)), Out: hw.Out(hw.VecOf(3, hw.Unsigned(4)))}, func(m *hw.Module, p filledPorts) {
		r := hw.Reg(m, "r", hw.VecOf(3, hw.Unsigned(4)), hw.Fill(3, hw.U(9)))
		hw.SetIf(r, p.En, hw.Fill(3, p.In))
		hw.Set(p.Out, r)
	})
	s, p := testbench.New(t, c)
	for _, o := range p.Out {
		s.Expect(o, 9)
	}
	s.Set(p.En, 1)
	s.Set(p.In, 5)
	s.Step(1)
	for _, o := range p.Out {
		s.Expect(o, 5)
	}
	require.Empty(t, hw.Fill(-1, hw.U(0)))
}

type flaggedPorts struct {
	Valid hw.Bit  `dir:"in"`
	In    hw.UInt // 4 bits
	Out   flagged
}

type flagged struct {
	Valid hw.Bit
	Data  hw.UInt
}

// In a pipeline of a bundle whose reset value has the flag alone, only the flag is
// reset, at every stage.
func TestDelayResetsFlagAlone(t *testing.T) {
	c := hw.Func("flag_alone", flaggedPorts{In: hw.In(hw.Unsigned(4)), Out: hw.Out(flagged{Data: hw.Unsigned(4)})}, func(m *hw.Module, p flaggedPorts) {
		hw.Set(p.Out, hw.Delay(m, "line", flagged{p.Valid, p.In}, 3, flagged{Valid: hw.Low}))
	})
	d, _, err := hw.Build(c)
	require.NoError(t, err)
	require.Len(t, d.Top.Regs, 6)
	for _, r := range d.Top.Regs {
		require.Equal(t, d.Top.Width(r.Node) == 1, r.Reset != ir.None, d.Top.NameOf(r.Node))
	}
}

// A memory may be made of the large RAM blocks.
func TestUltraStyle(t *testing.T) {
	d, _, err := hw.Build(hw.Func("large", filledPorts{In: hw.In(hw.Unsigned(4)), Out: hw.Out(hw.VecOf(1, hw.Unsigned(4)))}, func(m *hw.Module, p filledPorts) {
		mem := hw.Mem(m, "mem", 16, hw.Unsigned(4), hw.Style("ultra"))
		m.When(p.En, func() { mem.Write(p.In, p.In) })
		p.Out[0].Set(mem.SyncRead("read", p.In, hw.Undefined))
	}))
	require.NoError(t, err)
	text, err := verilog.Text(d, verilog.Options{})
	require.NoError(t, err)
	require.Contains(t, string(text), `(* ram_style = "ultra" *)`)
}
