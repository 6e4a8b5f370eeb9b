//go:build unix

package bench_test

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"etch/designs/bench"
	"etch/sim"
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
				l, err := sim.NewLanes(design, n, sim.WithSeed(1))
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
