//go:build unix

package rv32i

import (
	"io"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"etch/designs/examples/rv32i/asm"
	"etch/hw"
	"etch/ir"
	"etch/sim"
	"etch/sim/fst"
)

// BenchmarkTraceCost gives what a cycle with all signals traced to FST costs in
// cycles without, both of one body for all states: by the clock and in processor
// time. Both simulators run in turns of a fraction of a millisecond, of which the
// medians count, since the machine may have other work. What x-cpu has more than
// x-wall is the packing of blocks, which goes on beside: as long as it is less than
// x-wall, two idle processors are not waiting for it.
func BenchmarkTraceCost(b *testing.B) {
	prog, err := asm.Assemble(busyProgram)
	require.NoError(b, err)
	d, _, err := hw.Build(Core{Words: 1024, Program: prog})
	require.NoError(b, err)
	plain, traced := busy(b, d, sim.WithoutSpecialisation()), busy(b, d)
	w := fst.New(io.Discard)
	require.NoError(b, traced.Trace(w))
	const turn, turns = 2_000, 500
	plain.Step(turns * turn)
	traced.Step(turns * turn)
	var wall [2][]float64
	var cpu [2]float64
	for b.Loop() {
		for i, s := range [2]*sim.Sim{plain, traced} {
			used := cpuTime(b)
			for range turns {
				from := time.Now()
				s.Step(turn)
				wall[i] = append(wall[i], time.Since(from).Seconds())
			}
			time.Sleep(packed)
			cpu[i] += cpuTime(b) - used
		}
	}
	require.NoError(b, traced.Err())
	require.NoError(b, w.Close())
	ns := [2]float64{median(wall[0]) / turn * 1e9, median(wall[1]) / turn * 1e9}
	b.ReportMetric(ns[0], "ns/plain")
	b.ReportMetric(ns[1], "ns/traced")
	b.ReportMetric(ns[1]/ns[0], "x-wall")
	b.ReportMetric(cpu[1]/cpu[0], "x-cpu")
}

// packed is the time in which the last block of a turn is packed.
const packed = 5 * time.Millisecond

// busy is a simulator of the core that is past its reset.
func busy(b *testing.B, d *ir.Design, opts ...sim.Option) *sim.Sim {
	s, err := sim.New(d, opts...)
	require.NoError(b, err)
	b.Cleanup(func() { s.Close() })
	ready, err := s.Signal("out_ready")
	require.NoError(b, err)
	require.NoError(b, s.Set(ready, 1))
	s.Reset()
	return s
}

// cpuTime is the time that processors have given to this program, in seconds.
func cpuTime(b *testing.B) float64 {
	var u syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

func median(x []float64) float64 {
	slices.Sort(x)
	return x[len(x)/2]
}
