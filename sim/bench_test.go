package sim_test

import (
	"fmt"
	"io"
	"slices"
	"testing"
	"time"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/sim/internal/simtest"
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

// talkative is a checksum of noise with 64 print statements of four values that nothing
// else needs. Those that a counter chooses print: four in each cycle, or none. Without
// prints there are their conditions, which a register keeps.
func talkative(prints, some bool) *ir.Design {
	b := simtest.NewBuild("talkative")
	var noise []ir.ID
	for i := range 32 {
		noise = append(noise, b.Noise(fmt.Sprintf("noise%d", i), 0x9e3779b97f4a7c15*uint64(i+1)))
	}
	sum := b.Register("sum", 64, 0)
	x := sum
	for _, y := range noise {
		x = b.Put(ir.Add, 64, b.Put(ir.Xor, 64, b.Rotated(x, 64), y), b.Put(ir.Mul, 64, y, noise[0]))
	}
	b.Feed(sum, x)
	count := b.Register("count", 8, 0)
	b.Feed(count, b.Put(ir.Add, 8, count, b.Number(8, 1)))
	if !some {
		count = b.Put(ir.Or, 8, count, b.Number(8, 0x80))
	}
	b.AddOutput("check", 64, 0, sum, 0)
	any := b.Number(1, 0)
	for i := range 64 {
		en := b.Put(ir.Eq, 1, b.Put(ir.And, 8, count, b.Number(8, 0x8f)), b.Number(8, uint64(i/4)))
		any = b.Put(ir.Or, 1, any, en)
		st := ir.Stmt{Kind: ir.Print, Name: fmt.Sprintf("p%d", i), Clk: b.Clk, En: en, Format: "%d %x %d %x\n"}
		for k := range 4 {
			y := b.Put(ir.Mul, 64, noise[(i+k)%32], b.Put(ir.Add, 64, noise[(i+3*k+1)%32], b.Number(64, uint64(i+1))))
			st.Args = append(st.Args, b.Cut(b.Put(ir.Xor, 64, y, sum), k, 32))
		}
		if prints {
			b.Stmts = append(b.Stmts, st)
		}
	}
	b.Feed(b.Register("any", 1, 0), any)
	return simtest.Design(b)
}

// BenchmarkPrints gives the time of a cycle, as a multiple of what it is without print
// statements: of a design with 64 that never print, and of one in which two of 64
// print in a cycle; and the time that each of those takes as a multiple of what
// package fmt takes for as much text. Of one in which an assertion fails in each cycle
// too.
func BenchmarkPrints(b *testing.B) {
	var sims []*sim.Sim
	failing := talkative(false, false)
	failing.Top.Stmts = []ir.Stmt{{Kind: ir.Assert, Name: "no", Clk: failing.Top.Regs[0].Clk, Cond: failing.Top.Const(bits.New(1, 0), 0)}}
	for _, d := range []*ir.Design{talkative(false, false), talkative(true, false), talkative(true, true), failing} {
		s, err := sim.New(d, sim.WithOutput(io.Discard))
		if err != nil {
			b.Fatal(err)
		}
		defer s.Close()
		s.Step(20_000)
		sims = append(sims, s)
	}
	const cycles = 2000
	ns := make([][]float64, 5)
	for b.Loop() {
		for i := range ns {
			start := time.Now()
			if i < len(sims) {
				sims[i].Step(cycles)
			} else {
				for k := range uint32(cycles) {
					fmt.Fprintf(io.Discard, "%d %x %d %x\n", k*0x9e3779b9, k*0x85ebca6b, k*0xc2b2ae35, k*0x27d4eb2f)
				}
			}
			ns[i] = append(ns[i], float64(time.Since(start))/cycles)
		}
	}
	median := func(i int) float64 {
		slices.Sort(ns[i])
		return ns[i][len(ns[i])/2]
	}
	plain, silent, some, fails := median(0), median(1), median(2), median(3)
	b.ReportMetric(plain, "ns/cycle")
	b.ReportMetric(silent/plain, "silent/plain")
	b.ReportMetric(some/plain, "some/plain")
	b.ReportMetric(fails/plain, "failing/plain")
	b.ReportMetric((some-plain)/2/median(4), "print/fmt")
}
