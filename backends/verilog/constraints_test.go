package verilog_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/backends/verilog"
	"etch/ir"
	"etch/ir/bits"
)

// A clock on which nothing but a memory is read is a clock like others: its paths are found.
func TestReadClock(t *testing.T) {
	m := ir.NewModule("rom", ir.NewSources())
	a := m.AddInput("clk_a", 1, ir.TypeID(ir.Clock), 0)
	b := m.AddInput("clk_b", 1, ir.TypeID(ir.Clock), 0)
	addr := m.AddReg("addr", 2, 0, a, 0)
	m.Regs[0].Next = addr
	q := m.Add(ir.Node{Op: ir.MemOut, Width: 8})
	m.Mems = []ir.Memory{{Name: "words", Depth: 4, Width: 8, Init: []bits.Value{bits.New(8, 1)}, Reads: []ir.ReadPort{{Node: q, Clk: b, Addr: addr}}}}
	out := m.AddReg("out", 8, 0, a, 0)
	m.Regs[1].Next = q
	m.AddOutput("o", 8, 0, out, 0)
	d := &ir.Design{Top: m, Modules: []*ir.Module{m}, Src: m.Src}
	require.NoError(t, ir.Verify(d))

	xdc, _, err := verilog.Constraints(d, []verilog.Period{{Port: "clk_a", NS: 4}, {Port: "clk_b", NS: 5}})
	require.NoError(t, err)
	require.Contains(t, string(xdc), "-from [get_cells {addr_reg[*]}] -to [get_cells {words_reg*}] 4.000")
	require.Contains(t, string(xdc), "-from [get_cells {words_reg*}] -to [get_cells {out_reg[*]}] 4.000")
}
