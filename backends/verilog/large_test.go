package verilog_test

import (
	"fmt"
	"io"
	"runtime"
	"testing"
	"time"

	"etch/backends/verilog"
	"etch/ir"
	"etch/ir/bits"
)

// grid is an N×N array of multiply-accumulate cells in one module, 6N²+3N
// operations: a product, its extension and the sum, and registers for the two
// operands that pass through and for the sum.
func grid(n int) *ir.Design {
	src := ir.NewSources()
	m := ir.NewModule("grid", src)
	pos := func(line int) ir.Pos { return src.Line("grid.go", line) }
	sint := ir.TypeID(ir.SInt)
	clk := m.AddInput("clk", 1, ir.TypeID(ir.Clock), pos(10))
	rst := m.AddInput("rst", 1, ir.TypeID(ir.Reset), pos(10))
	zero := m.Const(bits.Zero(32), 0)
	down := make([]ir.ID, n)
	for j := range n {
		down[j] = m.AddInput(fmt.Sprintf("b_%d", j), 8, sint, pos(12))
	}
	delay := func(name string, x ir.ID) ir.ID {
		r := m.AddReg(name, 8, sint, clk, pos(20))
		m.Regs[len(m.Regs)-1].Next = x
		return r
	}
	for i := range n {
		right := m.AddInput(fmt.Sprintf("a_%d", i), 8, sint, pos(11))
		var sum ir.ID
		for j := range n {
			a, b := right, down[j]
			right, down[j] = delay(fmt.Sprintf("a_%d_%d", i, j), a), delay(fmt.Sprintf("b_%d_%d", i, j), b)
			sum = m.AddReg(fmt.Sprintf("sum_%d_%d", i, j), 32, sint, clk, pos(21))
			product := m.Add(ir.Node{Op: ir.MulS, Type: sint, Width: 16, Pos: pos(22)}, a, b)
			wide := m.Add(ir.Node{Op: ir.SExt, Type: sint, Width: 32, Pos: pos(22)}, product)
			next := m.Add(ir.Node{Op: ir.Add, Type: sint, Width: 32, Pos: pos(22)}, sum, wide)
			r := &m.Regs[len(m.Regs)-1]
			r.Next, r.Rst, r.Reset = next, rst, zero
		}
		m.AddOutput(fmt.Sprintf("out_%d", i), 32, sint, sum, pos(13))
	}
	return &ir.Design{Top: m, Modules: []*ir.Module{m}, Src: src}
}

// meter counts what is written.
type meter struct{ n int }

func (c *meter) Write(p []byte) (int, error) { c.n += len(p); return len(p), nil }

// BenchmarkWrite prints a flat module of a million operations.
func BenchmarkWrite(b *testing.B) {
	for _, n := range []int{64, 408} {
		for _, bare := range []bool{false, true} {
			b.Run(fmt.Sprintf("grid=%d/positions=%v", n, !bare), func(b *testing.B) {
				d := grid(n)
				var c meter
				b.ReportAllocs()
				for b.Loop() {
					if err := verilog.Write(&c, d, verilog.Options{NoPositions: bare}); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(c.n)/b.Elapsed().Seconds()/1e6, "MB/s")
				b.ReportMetric(float64(c.n)/float64(b.N)/1e6, "MB")
			})
		}
	}
}

// TestMillionOperations holds the writer to its promise of memory; its speed is measured by
// the benchmarks above.
func TestMillionOperations(t *testing.T) {
	if testing.Short() {
		t.Skip("a million operations")
	}
	d := grid(408)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	start := time.Now()
	var c meter
	if err := verilog.Write(io.Writer(&c), d, verilog.Options{}); err != nil {
		t.Fatal(err)
	}
	took := time.Since(start)
	runtime.ReadMemStats(&after)
	alloc := float64(after.TotalAlloc-before.TotalAlloc) / 1e6
	t.Logf("%.1f MB in %v, %.0f MB/s, %.0f MB allocated in %d pieces", float64(c.n)/1e6, took, float64(c.n)/1e6/took.Seconds(), alloc, after.Mallocs-before.Mallocs)
	if c.n > 50e6 {
		t.Errorf("%d bytes", c.n)
	}
	if alloc > 200 {
		t.Errorf("%.0f MB allocated", alloc)
	}
}
