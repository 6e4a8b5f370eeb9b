package bench_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"etch/designs/bench"
	"etch/designs/bench/benchtool"
	"etch/designs/bench/rival"
	"etch/hw"
	"etch/ir"
	"etch/sim"
	"etch/testbench"
	"etch/testbench/tools"
)

// small are designs of every kind that build and run fast everywhere.
var small = []hw.Component[bench.Ports]{
	bench.DWC{Layers: 2, Width: 64},
	bench.DWC{Layers: 3, Width: 12},
	bench.Systolic{N: 1},
	bench.Systolic{N: 5},
	bench.RV32I{},
	bench.Cores{K: 3},
	bench.Protocol{},
	bench.Quiet{Units: 3, Stages: 2, Ops: 9},
}

func name(c any) string { return strings.TrimPrefix(fmt.Sprintf("%T%+v", c, c), "bench.") }

// The sum is the same in every cycle in the emitted Verilog.
func TestSumsUnderIcarus(t *testing.T) {
	for _, c := range small {
		t.Run(name(c), func(t *testing.T) {
			s, _ := testbench.New(t, c, testbench.CoSim("iverilog"))
			s.Step(300)
		})
	}
}

// The sum after many cycles is the same under Verilator. Models take their time
// to build, once: the run-time library is optimised too.
func TestSumsUnderVerilator(t *testing.T) {
	if testing.Short() {
		t.Skip("builds models")
	}
	v := findRival(t)
	for _, c := range []hw.Component[bench.Ports]{bench.DWC{Layers: 2, Width: 64}, bench.Systolic{N: 5}, bench.RV32I{}, bench.Protocol{}} {
		t.Run(name(c), func(t *testing.T) {
			d, _, err := hw.Build(c)
			require.NoError(t, err)
			const cycles = 20_000
			m, err := v.Build(t.Context(), d, v.Compilers[0])
			require.NoError(t, err)
			r, err := m.Run(t.Context(), cycles)
			require.NoError(t, err)
			require.Equal(t, sumAfter(t, d, cycles), r.Sum)
		})
	}
}

// findRival skips the test without Verilator, or fails it where tools are
// demanded.
func findRival(t *testing.T) *rival.Verilator {
	t.Helper()
	v, err := rival.Find()
	switch {
	case err != nil && tools.Strict("verilator"):
		t.Fatalf("%v (ETCH_STRICT)", err)
	case err != nil:
		t.Skip(err)
	}
	return v
}

// sumAfter is the sum after a cycle of reset and as many without, of the
// interpreter.
func sumAfter(t *testing.T, d *ir.Design, cycles int) uint64 {
	t.Helper()
	s, err := sim.New(d, benchtool.Engines[0].Options...)
	require.NoError(t, err)
	s.Reset()
	s.Step(cycles)
	return s.Get(s.Top()[len(s.Top())-1])
}

// All engines come to the same sums, on all designs that are compared.
func TestEnginesAgree(t *testing.T) {
	for _, d := range bench.Designs() {
		t.Run(d.Name, func(t *testing.T) {
			net, err := d.Make()
			require.NoError(t, err)
			const cycles = 3000
			want := sumAfter(t, net, cycles)
			for _, e := range benchtool.Engines[1:] {
				s, err := sim.New(net, e.Options...)
				if err != nil {
					t.Logf("%s: %v", e.Name, err)
					continue
				}
				defer s.Close()
				s.Reset()
				s.Step(cycles)
				require.Equal(t, want, s.Get(s.Top()[len(s.Top())-1]), e.Name)
			}
		})
	}
}

// Every design keeps its parts as instances of a few modules.
func TestHierarchy(t *testing.T) {
	for want, c := range map[int]hw.Component[bench.Ports]{
		1 + 25: bench.Systolic{N: 5}, // noise and elements
		1 + 3:  bench.DWC{Layers: 2, Width: 64},
		7:      bench.Cores{K: 7},
		1:      bench.RV32I{},
		3:      bench.Protocol{},
	} {
		d, _, err := hw.Build(c)
		require.NoError(t, err)
		require.Len(t, d.Top.Insts, want, name(c))
		require.LessOrEqual(t, len(d.Modules), 12, name(c))
	}
}

// Cores leave reset one after the other and do not fall into step.
func TestCoresDiverge(t *testing.T) {
	const k = 4
	s, _ := testbench.New(t, bench.Cores{K: k})
	var states []sim.Signal
	for i := range k {
		states = append(states, s.Signal(fmt.Sprintf("node_%d.core.pc", i)))
	}
	s.Step(20_000)
	together := 0
	for range 2000 {
		s.Step(1)
		for i := range states {
			for j := range i {
				if s.Sim.Get(states[i]) == s.Sim.Get(states[j]) {
					together++
				}
			}
		}
	}
	require.Less(t, together, 2000*k*(k-1)/2/5)
}

// The benchmark of the link visits every state of every machine, and some frames
// are damaged.
func TestProtocolVisitsAll(t *testing.T) {
	s, _ := testbench.New(t, bench.Protocol{})
	machines := map[string]int{"bus": 3, "walker": 5, "sender": 7, "tx": 4, "rx": 5, "receiver": 7} // the walker never rests
	seen := map[string]map[uint64]bool{}
	signals := map[string]sim.Signal{}
	for m := range machines {
		seen[m] = map[uint64]bool{}
		signals[m] = s.Signal("link." + m + ".state")
	}
	valid, good := s.Signal("link.receiver.reply_valid"), s.Signal("link.receiver.reply_good")
	bad := 0
	for range 150_000 {
		s.Step(1)
		for m, sig := range signals {
			seen[m][s.Sim.Get(sig)] = true
		}
		if s.Sim.Get(valid) == 1 && s.Sim.Get(good) == 0 {
			bad++
		}
	}
	for m, n := range machines {
		require.Len(t, seen[m], n, m)
	}
	require.Positive(t, bad)
}

// Names in tables differ, and what is small is among all.
func TestLists(t *testing.T) {
	all := map[string]bool{}
	for _, d := range bench.Designs() {
		require.False(t, all[d.Name], d.Name)
		all[d.Name] = true
	}
	for _, d := range bench.Small() {
		require.True(t, all[d.Name], d.Name)
	}
	require.Len(t, bench.Series(), 4)
}

func TestParameters(t *testing.T) {
	for want, c := range map[string]hw.Component[bench.Ports]{
		"N = 0":       bench.Systolic{},
		"Width = 6":   bench.DWC{Layers: 1, Width: 6},
		"Layers = 0":  bench.DWC{Width: 8},
		"K = 0":       bench.Cores{},
		"K = 1000000": bench.Cores{K: 1_000_000},
	} {
		_, _, err := hw.Build(c)
		require.ErrorContains(t, err, want)
	}
}

// BenchmarkSim is cycles per second of every design under every engine.
func BenchmarkSim(b *testing.B) {
	each(b, func(b *testing.B, net *ir.Design, e benchtool.Engine) {
		s, err := sim.New(net, e.Options...)
		if err != nil {
			b.Skip(err)
		}
		defer s.Close()
		s.Reset()
		const chunk = 1000
		for b.Loop() {
			s.Step(chunk)
		}
		b.ReportMetric(chunk*float64(b.N)/b.Elapsed().Seconds(), "cycles/s")
	})
}

// BenchmarkNew is the time from netlist to the end of the first cycle.
func BenchmarkNew(b *testing.B) {
	each(b, func(b *testing.B, net *ir.Design, e benchtool.Engine) {
		b.ReportAllocs()
		for b.Loop() {
			s, err := sim.New(net, e.Options...)
			if err != nil {
				b.Skip(err)
			}
			s.Reset()
			s.Close()
		}
		b.ReportMetric(float64(b.Elapsed())/float64(time.Millisecond)/float64(b.N), "ms/first-cycle")
	})
}

// BenchmarkFirstCycle is the same of the size series, with the best of all runs:
// what it takes where nobody else uses the machine.
func BenchmarkFirstCycle(b *testing.B) {
	for _, d := range bench.Series() {
		b.Run("design="+d.Name, func(b *testing.B) {
			net, err := d.Make()
			require.NoError(b, err)
			b.ReportAllocs()
			best := time.Hour
			for b.Loop() {
				start := time.Now()
				s, err := sim.New(net, sim.WithEngine(sim.Native))
				if err != nil {
					b.Skip(err)
				}
				s.Reset()
				best = min(best, time.Since(start))
				s.Close()
			}
			b.ReportMetric(float64(best)/float64(time.Millisecond), "ms/best")
		})
	}
}

func each(b *testing.B, f func(b *testing.B, net *ir.Design, e benchtool.Engine)) {
	for _, d := range bench.Designs() {
		for _, e := range benchtool.Engines {
			b.Run(fmt.Sprintf("design=%s/engine=%s", d.Name, e.Name), func(b *testing.B) {
				net, err := d.Make()
				if err != nil {
					b.Fatal(err)
				}
				f(b, net, e)
			})
		}
	}
}
