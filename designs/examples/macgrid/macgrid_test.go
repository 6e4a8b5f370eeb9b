package macgrid

import (
	"fmt"
	"io"
	"runtime"
	"testing"
	"time"

	"etch/backends/verilog"
	"etch/hw"
	"etch/testbench"
)

// The sums are those of the delayed products, flat or not.
func TestGrid(t *testing.T) {
	const n = 3
	for _, flat := range []bool{false, true} {
		s, p := testbench.New(t, Grid{N: n, Flat: flat}, testbench.CoSim())
		var as, bs [][n]int
		for c := range 20 {
			var a, b [n]int
			for i := range n {
				a[i], b[i] = c*37%256-128, (c*91+i*13)%256-128
				s.Set(p.A[i], a[i])
				s.Set(p.B[i], b[i])
			}
			as, bs = append(as, a), append(bs, b)
			s.Step(1)
			for i := range n {
				want := 0
				for at := range as { // cell (i, n-1) sees row i late by n-1, column n-1 late by i
					if at >= n-1 && at >= i {
						want += as[at-(n-1)][i] * bs[at-i][n-1]
					}
				}
				// Before the delays have filled, the registers hold 0.
				s.Expect(p.Sum[i], want)
			}
		}
	}
}

// BenchmarkToVerilog is the peers' row "1 M ops to Verilog": N = 408, from Go to
// text, with the peak of the heap.
func BenchmarkToVerilog(b *testing.B) {
	for _, flat := range []bool{true, false} {
		b.Run(fmt.Sprintf("macs=408/flat=%v", flat), func(b *testing.B) {
			var size countWriter
			var heap uint64
			for b.Loop() {
				size = 0
				runtime.GC()
				d, _, err := hw.Build(Grid{N: 408, Flat: flat})
				if err != nil {
					b.Fatal(err)
				}
				if err := verilog.Write(&size, d, verilog.Options{}); err != nil {
					b.Fatal(err)
				}
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				heap = max(heap, m.HeapSys)
			}
			b.ReportMetric(float64(size)/1e6, "MB")
			b.ReportMetric(float64(heap)/1e6, "heapMB")
		})
	}
}

// BenchmarkEmit is the Verilog writer alone.
func BenchmarkEmit(b *testing.B) {
	d, _, err := hw.Build(Grid{N: 408, Flat: true})
	if err != nil {
		b.Fatal(err)
	}
	var size countWriter
	start := time.Now()
	for b.Loop() {
		if err := verilog.Write(&size, d, verilog.Options{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(size)/1e6/time.Since(start).Seconds(), "MB/s")
}

type countWriter int

func (w *countWriter) Write(p []byte) (int, error) {
	*w += countWriter(len(p))
	return len(p), nil
}

var _ io.Writer = (*countWriter)(nil)
