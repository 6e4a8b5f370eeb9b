package sim_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"etch/designs/bench"
	"etch/hw"
	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/sim/choose"
	"etch/sim/internal/stopwatch"
	"etch/sim/lanes"
	"etch/testbench/tools"

	"github.com/stretchr/testify/require"
)

// testClock is a clock for contests. Equal clocks must lead to equal code, and so must the same
// clock when it is slow, fast or jumpy.
type testClock struct {
	name string
	read func() time.Duration
}

// jumps is a clock of now that has jumped by a second in one of a hundred readings. A run may have
// ten readings.
func jumps(now func() time.Duration) func() time.Duration {
	r, ahead := rand.New(rand.NewPCG(1, 2)), time.Duration(0)
	return func() time.Duration {
		if r.IntN(100) == 0 {
			ahead += time.Second
		}
		return now() + ahead
	}
}

// ticking is a clock that advances by a step at each reading: all code seems to be equally fast.
func ticking(step time.Duration) func() time.Duration {
	now := time.Duration(0)
	return func() time.Duration { now += step; return now }
}

// clocks come in families. Those that follow the processor find the faster code; those that only
// count their readings find none.
var clocks = [][]func() testClock{
	{
		func() testClock { return testClock{"the thread's own", nil} },
		func() testClock {
			return testClock{"slow", func() time.Duration { return 100 * stopwatch.Processor() }}
		},
		func() testClock {
			return testClock{"fast", func() time.Duration { return stopwatch.Processor() / 10 }}
		},
		func() testClock { return testClock{"jumpy", jumps(stopwatch.Processor)} },
	}, {
		func() testClock { return testClock{"slow ticks", ticking(time.Nanosecond)} },
		func() testClock { return testClock{"fast ticks", ticking(time.Hour)} },
		func() testClock { return testClock{"jumpy ticks", jumps(ticking(time.Millisecond))} },
	},
}

// TestCodeUnderClocks: the contests with plain code and of gates end alike under all clocks of a
// family.
func TestCodeUnderClocks(t *testing.T) {
	if !sim.HasNative() || tools.Emulated() {
		t.Skip("no machine code, or none whose speed means something")
	}
	for name, x := range map[string]struct {
		c      hw.Component[bench.Ports]
		note   string // a contest leaves it
		cycles int
		kind   string // the faster code, by far
	}{
		"rv32i": {bench.RV32I{}, "ns with bodies", 200_000, "bodies"},
		"quiet": {bench.Quiet{Units: 8, Stages: 8, Ops: 50}, "ns without gates", 60_000, "gated"},
	} {
		d, _, err := hw.Build(x.c)
		require.NoError(t, err)
		for i, family := range clocks {
			var want uint64
			for k, make := range family {
				clock := make()
				p := choose.Standard()
				p.Clock, p.FirstTrial = clock.read, 1<<14
				s, err := sim.New(d, sim.WithEngine(sim.Native), sim.WithPolicy(p))
				require.NoError(t, err)
				for range x.cycles / 1000 {
					s.Step(1000 + 1024)
				}
				code := s.Report().Codes[0]
				require.NoError(t, s.Close())

				require.Contains(t, strings.Join(code.Notes, "\n"), x.note, "%s, %s: the contest was not held", name, clock.name)
				if k == 0 {
					want = code.Hash
				}
				require.Equal(t, want, code.Hash, "%s, %s\n%v", name, clock.name, code)
				if i == 0 {
					require.Equal(t, x.kind, code.Kind, "%s, %s\n%v", name, clock.name, code)
				}
			}
		}
	}
}

// TestLanesUnderClocks: the contest of groups with lanes that run one after the other ends alike
// under all clocks of a family. Lanes at instructions of their own are many times faster apart.
func TestLanesUnderClocks(t *testing.T) {
	if !lanes.Best(sim.HostFeatures()).Native || tools.Emulated() {
		t.Skip("lanes have no machine code, or none whose speed means something")
	}
	d := processor(t)
	for i, family := range clocks {
		var want bool
		for k, make := range family {
			// Code that still learns during the contest would make it a close one.
			clock := make()
			p := choose.Standard()
			p.Clock = clock.read
			l := ownPrograms(t, d, 16, 1, p)
			apart := l.settleApart(t, 0)
			require.NoError(t, l.Close())

			if k == 0 {
				want = apart
			}
			require.Equal(t, want, apart, "%s", clock.name)
			require.True(t, apart || i > 0, "%s", clock.name)
		}
	}
}

// TestLanesTrial: lanes end where their simulators are, whatever a trial decides, with one worker
// and with several.
func TestLanesTrial(t *testing.T) {
	if !lanes.Best(sim.HostFeatures()).Native || tools.Emulated() {
		t.Skip("lanes have no machine code, or none whose speed means something")
	}
	d := processor(t)
	for _, workers := range []int{1, 2} {
		for _, better := range []float64{0, 1e9} {
			p := eagerApart()
			p.Apart.Better = better
			l := ownPrograms(t, d, 20, workers, p)
			apart := l.settleApart(t, 17)
			require.Equal(t, better > 0, apart)
			require.NoError(t, l.Close())
		}
	}
}

// processor is a processor that runs a program, over and over.
func processor(t *testing.T) *ir.Design {
	all := bench.Designs()
	d, err := all[slices.IndexFunc(all, func(d bench.Design) bool { return d.Name == "rv32i" })].Make()
	require.NoError(t, err)
	return d
}

// eagerApart is a Policy by which lanes try early to run one after the other, and learn little.
func eagerApart() *choose.Policy {
	p := choose.Standard()
	p.Lanes.Start, p.Apart.After, p.Apart.Make, p.Apart.Part, p.Apart.Run = 1e6, 1e6, 1e3, 3e6, 1e6
	return p
}

// ownLanes is lanes whose processors are at different instructions.
type ownLanes struct{ *sim.Lanes }

// ownPrograms gives every lane another random number to begin with.
func ownPrograms(t *testing.T, d *ir.Design, n, workers int, p *choose.Policy) *ownLanes {
	l, err := sim.NewLanes(d, n, sim.WithSeed(1), sim.WithWorkers(workers), sim.WithPolicy(p))
	require.NoError(t, err)
	l.Reset()
	l.Step(10) // the program has its first number
	m, err := l.Mem("core.registers.mem")
	require.NoError(t, err)
	for lane := range n {
		require.NoError(t, m.Write(lane, 9, first(lane)))
	}
	return &ownLanes{l}
}

// first is the first random number of a lane.
func first(lane int) bits.Value { return bits.New(32, uint64(lane)*2654435761&0xffffffff|1) }

// settleApart runs until a trial has ended, reports its end, and compares a lane with a simulator.
func (l *ownLanes) settleApart(t *testing.T, lane int) (apart bool) {
	s, err := sim.New(l.Design(), sim.WithSeed(1+uint64(lane)))
	require.NoError(t, err)
	defer s.Close()
	s.Reset()
	s.Step(10)
	m, err := s.Mem("core.registers.mem")
	require.NoError(t, err)
	require.NoError(t, m.Write(9, first(lane)))

	// Calls of two lengths, so that turns end within calls and between them.
	sum, err := l.Signal("sum")
	require.NoError(t, err)
	own, err := s.Signal("sum")
	require.NoError(t, err)
	for k := 0; !l.TrialOver(); k++ {
		require.Less(t, k, 4000, "no trial has ended: %s", l.Decisions())
		n := []int{500, 70, 3000}[k%3]
		l.Step(n)
		s.Step(n)
		require.Equal(t, s.Get(own), l.Get(sum, lane), fmt.Sprint("call ", k))
	}
	return l.IsApart()
}
