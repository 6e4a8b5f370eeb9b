package systolic

import (
	"testing"

	"etch/testbench"
)

// BenchmarkBench is the peers' row "16×16 systolic array, test bench touches it
// every cycle": all inputs set, an edge, all outputs read. part=bench is what
// the test bench takes of that, without any edge; part=step an edge without it.
func BenchmarkBench(b *testing.B) {
	array := Array{N: 16, PE: PE{Data: 16, Sum: 32}}
	b.Run("design=systolic16/part=all", func(b *testing.B) {
		s, p := testbench.New(b, array)
		sum, cycle := 0, 0
		b.ReportAllocs()
		for b.Loop() {
			cycle++
			sum += everyPort(s, p, cycle)
		}
		perCycle(b)
	})
	b.Run("design=systolic16/part=bench", func(b *testing.B) {
		s, p := testbench.New(b, array)
		sum := 0
		b.ReportAllocs()
		for b.Loop() {
			s.Set(p.Load, 0)
			for i := range p.X { // the values that are there: nothing is to be computed
				s.Set(p.Weights[i], 0)
				s.Set(p.X[i], 0)
			}
			for _, y := range p.Y {
				sum += s.Get(y)
			}
		}
		perCycle(b)
	})
	b.Run("design=systolic16/part=step", func(b *testing.B) {
		s, _ := testbench.New(b, array)
		b.ReportAllocs()
		for b.Loop() {
			s.Step(1)
		}
		perCycle(b)
	})
}

// everyPort sets all inputs, makes an edge and adds up the outputs.
func everyPort(s *testbench.Bench, p ArrayPorts, cycle int) (sum int) {
	s.Set(p.Load, cycle>>4&1)
	for i := range p.X {
		s.Set(p.Weights[i], (cycle+i*7)&0xff-128)
		s.Set(p.X[i], (cycle*3+i*5)&0xff-128)
	}
	s.Step(1)
	for _, y := range p.Y {
		sum += s.Get(y)
	}
	return sum
}

func perCycle(b *testing.B) {
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "cycles/s")
}
