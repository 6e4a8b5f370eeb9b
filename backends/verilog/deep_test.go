package verilog_test

import (
	"strings"
	"testing"
	"time"

	"etch/backends/verilog"
	"etch/ir"
	"etch/ir/bits"
)

// TestDeep writes chains of 20,000 operations of every kind that nests: neither
// the stack nor the time may grow out of hand, nor a line.
func TestDeep(t *testing.T) {
	const n = 20_000
	for _, op := range []ir.Op{ir.Not, ir.Add, ir.And, ir.Mux, ir.Slice, ir.Wire, ir.Shl, ir.Eq, ir.Case, ir.SExt, ir.Cat} {
		m := ir.NewModule("deep", ir.NewSources())
		clk := m.AddInput("clk", 1, ir.TypeID(ir.Clock), 0)
		c, sel := m.AddInput("c", 1, 0, 0), m.AddInput("sel", n, 0, 0)
		w := 8
		if op == ir.Eq {
			w = 1
		}
		x := m.AddInput("x", w, 0, 0)
		r := m.AddReg("r", w, 0, clk, 0)
		y := r
		if op == ir.Slice {
			y = sel
		}
		for i := range n - 8 {
			node := ir.Node{Op: op, Width: int32(w)}
			bit := m.Add(ir.Node{Op: ir.Slice, Width: 1, Aux: int32(i)}, sel)
			switch op {
			case ir.Mux:
				y = m.Add(node, bit, x, y)
			case ir.Case:
				y = m.AddCase(w, 0, []bits.Value{bits.New(1, 1)}, bit, x, y)
			case ir.Slice:
				node.Width = int32(n - i - 1)
				y = m.Add(node, y)
			case ir.SExt:
				y = m.Add(node, m.Add(ir.Node{Op: ir.Slice, Width: 7, Aux: 1}, y))
			case ir.Cat:
				y = m.Add(node, m.Add(ir.Node{Op: ir.Slice, Width: 7}, y), bit)
			case ir.Not, ir.Wire:
				y = m.Add(node, y)
			default:
				y = m.Add(node, x, y)
			}
		}
		if op == ir.Slice {
			y = m.Add(ir.Node{Op: ir.Slice, Width: 8}, y)
		}
		m.Regs[0].Next = y
		m.AddOutput("o", w, 0, m.Add(ir.Node{Op: ir.Xor, Width: int32(w)}, r, m.Add(ir.Node{Op: ir.SExt, Width: int32(w)}, c)), 0)
		d := &ir.Design{Top: m, Modules: []*ir.Module{m}, Src: m.Src}
		if err := ir.Verify(d); err != nil {
			t.Fatal(op, err)
		}
		start := time.Now()
		text := written(t, d, verilog.Options{})
		took := time.Since(start)
		t.Logf("%v: %v, %d bytes", op, took, len(text))
		if took > 5*time.Second {
			t.Errorf("%v: %v", op, took)
		}
		for _, line := range strings.Split(text, "\n") {
			if len(line) > 300 {
				t.Errorf("%v: a line of %d columns", op, len(line))
				break
			}
		}
	}
}
