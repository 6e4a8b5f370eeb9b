package hw_test

import (
	"fmt"
	"runtime"
	"testing"

	"etch/hw"
	"etch/ir"
)

// cellPorts are the ports of one cell of an output-stationary array: data flows
// right and down, and the sum stays.
type cellPorts struct {
	A, B          hw.SInt
	RightA, DownB hw.SInt
	Sum           hw.SInt
}

// cell is a multiply-accumulate element as a component of its own.
type cell struct{ Data, Sum int }

func (c cell) Ports() cellPorts {
	return cellPorts{
		A: hw.In(hw.Signed(c.Data)), B: hw.In(hw.Signed(c.Data)),
		RightA: hw.Out(hw.Signed(c.Data)), DownB: hw.Out(hw.Signed(c.Data)), Sum: hw.Out(hw.Signed(c.Sum)),
	}
}

func (c cell) Build(m *hw.Module, p cellPorts) {
	right, down, sum := c.body(m, p.A, p.B)
	p.RightA.Set(right)
	p.DownB.Set(down)
	p.Sum.Set(sum)
}

// body is 6 operations: product, extension, sum and three registers.
func (c cell) body(m *hw.Module, a, b hw.SInt) (right, down, sum hw.SInt) {
	right, down = hw.Delay(m, "right", a, 1), hw.Delay(m, "down", b, 1)
	sum = hw.Reg(m, "sum", hw.Signed(c.Sum), hw.S(0))
	sum.Set(sum.Add(a.Mul(b).Extend(c.Sum)))
	return right, down, sum
}

// array is N×N cells, 6N²+3N operations, flat or as instances.
type array struct {
	N    int
	Flat bool
}

type arrayPorts struct {
	A, B hw.Vec[hw.SInt]
	Out  hw.Vec[hw.SInt]
}

func (a array) Ports() arrayPorts {
	return arrayPorts{A: hw.In(hw.VecOf(a.N, hw.Signed(8))), B: hw.In(hw.VecOf(a.N, hw.Signed(8))), Out: hw.Out(hw.VecOf(a.N, hw.Signed(32)))}
}

func (a array) Build(m *hw.Module, p arrayPorts) {
	c := cell{Data: 8, Sum: 32}
	down := append(hw.Vec[hw.SInt](nil), p.B...)
	for i := range a.N {
		right := p.A[i]
		var sum hw.SInt
		for j := range a.N {
			if a.Flat {
				right, down[j], sum = c.body(m.Scope("pe", i, j), right, down[j])
				continue
			}
			pe := hw.Inst(m, hw.Name("pe", i, j), c, cellPorts{A: right, B: down[j]})
			right, down[j], sum = pe.RightA, pe.DownB, pe.Sum
		}
		p.Out[i].Set(sum)
	}
}

// BenchmarkElaborate builds a million operations at N = 408.
func BenchmarkElaborate(b *testing.B) {
	for _, flat := range []bool{true, false} {
		for _, n := range []int{128, 408} {
			b.Run(fmt.Sprintf("array=%d/flat=%v", n, flat), func(b *testing.B) {
				b.ReportAllocs()
				var d *ir.Design
				for b.Loop() {
					var err error
					if d, _, err = hw.Build(array{N: n, Flat: flat}); err != nil {
						b.Fatal(err)
					}
				}
				b.StopTimer()
				var before, after runtime.MemStats
				ops := 6*n*n + 3*n
				runtime.GC()
				runtime.ReadMemStats(&before)
				nodes := d.Top.Len()
				d = nil
				runtime.GC()
				runtime.ReadMemStats(&after)
				b.ReportMetric(float64(before.HeapAlloc-after.HeapAlloc)/float64(ops), "liveB/op")
				b.ReportMetric(float64(nodes), "nodes")
				b.ReportMetric(float64(ops)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mops/s")
			})
		}
	}
}
