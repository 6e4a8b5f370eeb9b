//go:build unix

package systolic

import (
	"math/rand/v2"
	"slices"
	"syscall"
	"testing"
	"time"

	"etch/testbench"
)

// BenchmarkRecording is the price of recording a run in which every port is set in every cycle:
// the processor time of cycles that are recorded above that of cycles that are not, in percent.
// The two take turns of some milliseconds on one bench, since two equal benches differ by several
// percent. Each turn with a recording is compared with the mean of the turns around it, and the
// median of these ratios counts, so that a machine with other work gives the same answer. With inputs=counting each input moves by the same difference in most cycles, as in
// BenchmarkBench; with inputs=random it is an arbitrary number of 8 bits.
func BenchmarkRecording(b *testing.B) {
	var random [1 << 12]int
	for i := range random {
		random[i] = rand.IntN(256) - 128
	}
	b.Run("inputs=counting", func(b *testing.B) { benchmarkRecording(b, everyPort) })
	b.Run("inputs=random", func(b *testing.B) {
		benchmarkRecording(b, func(s *testbench.Bench, p ArrayPorts, cycle int) (sum int) {
			s.Set(p.Load, cycle>>4&1)
			at := random[cycle*32%len(random):]
			for i := range p.X {
				s.Set(p.Weights[i], at[i])
				s.Set(p.X[i], at[16+i])
			}
			s.Step(1)
			for _, y := range p.Y {
				sum += s.Get(y)
			}
			return sum
		})
	})
}

// turnCycles is long beside the beginning of a recording.
const turnCycles = 20_000

func benchmarkRecording(b *testing.B, drive func(*testbench.Bench, ArrayPorts, int) int) {
	b.Setenv("ETCH_RECORD", "off")
	s, p := testbench.New(b, Array{N: 16, PE: PE{Data: 16, Sum: 32}})
	cycle := 0
	turn := func(limit int) (time.Duration, int) {
		recording := s.Sim.Record(limit)
		start := processorTime(b)
		for range turnCycles {
			cycle++
			drive(s, p, cycle)
		}
		took := processorTime(b) - start
		if recording == nil {
			return took, 0
		}
		return took, recording.Bytes()
	}
	turn(0)

	var ratios []float64
	bytes := 0
	for before, _ := turn(0); b.Loop(); {
		with, size := turn(64 << 20)
		behind, _ := turn(0)
		ratios = append(ratios, 2*float64(with)/float64(before+behind))
		before, bytes = behind, size
	}
	slices.Sort(ratios)
	b.ReportMetric(100*(ratios[len(ratios)/2]-1), "%recording")
	b.ReportMetric(float64(bytes)/turnCycles, "B/cycle")
}

// processorTime is that of the whole process so far.
func processorTime(b *testing.B) time.Duration {
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		b.Fatal(err)
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}
