//go:build unix

package bench_test

import (
	"fmt"
	"slices"
	"syscall"
	"testing"
	"time"

	"etch/designs/bench"
	"etch/ir/bits"
	"etch/sim"
	"etch/sim/lanes"
)

// cpuTime is the processor time that this process has had: what others do on the
// machine does not count.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return time.Duration(time.Now().UnixNano())
	}
	return time.Duration(u.Utime.Nano())
}

// BenchmarkLanes gives instance-cycles per second of processor time: cycles of all
// lanes together.
func BenchmarkLanes(b *testing.B) {
	for _, d := range bench.Designs() {
		for _, n := range []int{256, 1024} {
			b.Run(fmt.Sprintf("design=%s/n=%d", d.Name, n), func(b *testing.B) {
				design, err := d.Make()
				if err != nil {
					b.Fatal(err)
				}
				l, err := lanes.New(design, n, sim.WithSeed(1))
				if err != nil {
					b.Fatal(err)
				}
				defer l.Close()
				l.Reset()
				const chunk = 64
				start := cpuTime()
				for b.Loop() {
					l.Step(chunk)
				}
				b.ReportMetric(float64(n)*float64(chunk*b.N)/(cpuTime()-start).Seconds(), "instance-cycles/s")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// BenchmarkLanesOfTheirOwn is BenchmarkLanes of the processor where every lane's
// random numbers are its own: it is at another instruction than the others.
func BenchmarkLanesOfTheirOwn(b *testing.B) {
	all := bench.Designs()
	design, err := all[slices.IndexFunc(all, func(d bench.Design) bool { return d.Name == "rv32i" })].Make()
	if err != nil {
		b.Fatal(err)
	}
	for _, chunk := range []int{64, 4096} {
		b.Run(fmt.Sprintf("step=%d", chunk), func(b *testing.B) {
			const n = 256
			l, err := lanes.New(design, n, sim.WithSeed(1))
			if err != nil {
				b.Fatal(err)
			}
			defer l.Close()
			l.Reset()
			l.Step(10) // the program has its first number
			m, err := l.Mem("core.registers.mem")
			if err != nil {
				b.Fatal(err)
			}
			for lane := range n {
				if err := m.Write(lane, 9, bits.New(32, uint64(lane+1)*2654435761&0xffffffff)); err != nil {
					b.Fatal(err)
				}
			}
			l.Step(200_000) // they have gone apart, and code has settled
			start := cpuTime()
			for b.Loop() {
				l.Step(chunk)
			}
			b.ReportMetric(n*float64(chunk*b.N)/(cpuTime()-start).Seconds(), "instance-cycles/s")
			b.ReportMetric(0, "ns/op")
		})
	}
}
