package passes_test

import (
	"fmt"
	"testing"

	"etch/ir"
	"etch/ir/bits"
	"etch/passes"
	"etch/testbench/randcircuit"
)

// bigRandom is a random module of n nodes or a little more.
func bigRandom(n int) *ir.Design {
	return randcircuit.Design(1, randcircuit.Config{Nodes: n * 2 / 3, State: true, Widths: []int{1, 8, 16, 32, 64}})
}

// luts is thermometers of 16 inputs under layers of look-up tables of six inputs,
// about n nodes.
func luts(n int) *ir.Design {
	d := &ir.Design{Src: ir.NewSources()}
	m := ir.NewModule("luts", d.Src)
	var layer []ir.ID
	for i := range 16 {
		x := m.AddInput(fmt.Sprintf("x%d", i), 12, ir.TypeID(ir.SInt), 0)
		for k := range 63 {
			t := m.Const(bits.FromInt(12, int64(k-31)*60), 0)
			layer = append(layer, m.Add(ir.Node{Op: ir.LtS, Width: 1}, t, x))
		}
	}
	seed := uint64(1)
	next := func() uint64 {
		seed = seed*6364136223846793005 + 1442695040888963407
		return seed >> 11
	}
	for m.Len() < n {
		above := make([]ir.ID, 1024)
		for i := range above {
			pins := make([]ir.ID, 6)
			for k := range pins {
				pins[k] = layer[next()%uint64(len(layer))]
			}
			above[i] = m.AddLut(bits.New(64, next()<<32|next()), 0, pins...)
		}
		layer = above
	}
	for i, id := range layer {
		m.AddOutput(fmt.Sprintf("y%d", i), 1, 0, id, 0)
	}
	d.Modules, d.Top = []*ir.Module{m}, m
	return d
}

// chain is a chain of n operations in which nothing can be done at once, for
// passes that walk.
func chain(n int) *ir.Design {
	d := &ir.Design{Src: ir.NewSources()}
	m := ir.NewModule("chain", d.Src)
	clk := m.AddInput("clk0", 1, ir.TypeID(ir.Clock), 0)
	x := m.AddInput("x", 16, 0, 0)
	zero := m.Const(bits.Zero(16), 0)
	for m.Len() < n {
		wide := m.Add(ir.Node{Op: ir.ZExt, Width: 24}, x)
		sum := m.Add(ir.Node{Op: ir.Add, Width: 24}, wide, wide)
		low := m.Add(ir.Node{Op: ir.Slice, Width: 16, Aux: 1}, sum)
		r := m.AddReg(fmt.Sprintf("r%d", len(m.Regs)), 16, 0, clk, 0)
		m.Regs[len(m.Regs)-1].Next, m.Regs[len(m.Regs)-1].Init = low, zero
		x = r
	}
	m.AddOutput("y", 16, 0, x, 0)
	d.Modules, d.Top = []*ir.Module{m}, m
	return d
}

func BenchmarkPasses(b *testing.B) {
	designs := []struct {
		name string
		make func(n int) *ir.Design
	}{{"random", bigRandom}, {"luts", luts}, {"chain", chain}}
	for _, d := range designs {
		for _, n := range []int{10_000, 100_000} {
			design := d.make(n)
			nodes := float64(size(design))
			for _, p := range passes.Table {
				if p.Module == nil {
					continue
				}
				b.Run(fmt.Sprintf("pass=%s/design=%s/nodes=%d", p.Name, d.name, n), func(b *testing.B) {
					for b.Loop() {
						b.StopTimer()
						c := design.Clone()
						b.StartTimer()
						for _, m := range c.Modules {
							p.Module(m, &passes.Options{})
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/nodes, "ns/node")
				})
			}
			b.Run(fmt.Sprintf("pass=all/design=%s/nodes=%d", d.name, n), func(b *testing.B) {
				for b.Loop() {
					passes.Optimize(design, passes.Options{})
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/nodes, "ns/node")
			})
		}
	}
}
