package sim_test

import (
	"fmt"
	"testing"

	"etch/ir"
	"etch/sim"
)

// benchDesigns are what speed is told by; the checksum keeps every op alive.
var benchDesigns = []struct {
	name string
	make func() *ir.Design
}{
	{"dwc_2x1024", func() *ir.Design { return dwcNet(1024) }},
	{"systolic_16x16", func() *ir.Design { return systolic(16) }},
	{"systolic_64x64", func() *ir.Design { return systolic(64) }},
}

// benchEngines are what the designs run under.
var benchEngines = []struct {
	name string
	opts []sim.Option
}{
	{"interpreter", []sim.Option{sim.WithEngine(sim.Interpreter)}},
	{"plain", []sim.Option{sim.WithoutSpecialisation()}},
	{"native", nil},
}

// eachEngine runs f for every design under every engine.
func eachEngine(b *testing.B, f func(b *testing.B, s *sim.Sim)) {
	for _, d := range benchDesigns {
		for _, e := range benchEngines {
			b.Run(fmt.Sprintf("design=%s/engine=%s", d.name, e.name), func(b *testing.B) {
				s, err := sim.New(d.make(), e.opts...)
				if err != nil {
					b.Fatal(err)
				}
				defer s.Close()
				f(b, s)
				b.ReportMetric(float64(s.Cycles())/b.Elapsed().Seconds(), "cycles/s")
			})
		}
	}
}

// BenchmarkSim gives cycles per second with many cycles a call.
func BenchmarkSim(b *testing.B) {
	eachEngine(b, func(b *testing.B, s *sim.Sim) {
		const chunk = 16
		for b.Loop() {
			s.Step(chunk)
		}
	})
}

// BenchmarkTouched gives cycles per second when the test bench reads an output
// in every cycle.
func BenchmarkTouched(b *testing.B) {
	eachEngine(b, func(b *testing.B, s *sim.Sim) {
		check := s.Top()[1]
		var sum uint64
		for b.Loop() {
			s.Step(1)
			sum += s.Get(check)
		}
	})
}

// BenchmarkNew gives the time and memory of making a simulator, by node.
func BenchmarkNew(b *testing.B) {
	for _, n := range []int{16, 408} {
		b.Run(fmt.Sprintf("design=systolic_%dx%d", n, n), func(b *testing.B) {
			d := systolic(n)
			nodes := d.Top.Len() + n*n*d.Modules[0].Len()
			b.ReportAllocs()
			for b.Loop() {
				if _, err := sim.New(d); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(nodes), "ns/node")
		})
	}
}
