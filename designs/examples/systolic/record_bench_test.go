//go:build unix

package systolic

import (
	"slices"
	"syscall"
	"testing"
	"time"

	"etch/testbench"
)

// BenchmarkRecording is the price of recording a run in which every port is set in every cycle:
// the processor time of a bench that records above one that does not, in percent. The two take
// turns of some milliseconds, and the median of their ratios counts, so that a machine with other
// work gives the same answer.
func BenchmarkRecording(b *testing.B) {
	array := Array{N: 16, PE: PE{Data: 16, Sum: 32}}
	with, p := testbench.New(b, array)
	b.Setenv("ETCH_RECORD", "off")
	without, q := testbench.New(b, array)
	cycle := 0
	turn := func(s *testbench.Bench, p ArrayPorts) float64 {
		start := processorTime(b)
		for range 10_000 {
			cycle++
			everyPort(s, p, cycle)
		}
		return float64(processorTime(b) - start)
	}
	turn(with, p)
	turn(without, q)

	var ratios []float64
	for b.Loop() {
		ratios = append(ratios, turn(with, p)/turn(without, q))
	}
	slices.Sort(ratios)
	b.ReportMetric(100*(ratios[len(ratios)/2]-1), "%recording")
}

// processorTime is that of the whole process so far.
func processorTime(b *testing.B) time.Duration {
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		b.Fatal(err)
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}
