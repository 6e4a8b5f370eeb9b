package lanes_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/bench"
	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/sim/choose"
	"etch/sim/internal/contest/contesttest"
	"etch/sim/internal/drive"
	"etch/sim/lanes"
	"etch/sim/lanes/internal/code"
	"etch/testbench/tools"
)

// TestLanesUnderClocks: the contest of groups with lanes that run one after the other ends alike
// under all clocks of a family. Lanes at instructions of their own are many times faster apart.
func TestLanesUnderClocks(t *testing.T) {
	if !code.Best(drive.Features).Native || tools.Emulated() {
		t.Skip("lanes have no machine code, or none whose speed means something")
	}
	d := processor(t)
	for i, family := range contesttest.Families {
		var want bool
		for k, make := range family {
			// Code that still learns during the contest would make it a close one.
			clock := make()
			p := choose.Standard()
			p.Clock = clock.Read
			l := ownPrograms(t, d, 16, 1, p)
			apart := l.settleApart(t, 0)
			require.NoError(t, l.Close())

			if k == 0 {
				want = apart
			}
			require.Equal(t, want, apart, "%s", clock.Name)
			require.True(t, apart || i > 0, "%s", clock.Name)
		}
	}
}

// TestLanesTrial: lanes end where their simulators are, whatever a trial decides, with one worker
// and with several.
func TestLanesTrial(t *testing.T) {
	if !code.Best(drive.Features).Native || tools.Emulated() {
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
	p.Lanes.Start, p.Apart.After, p.Apart.Make, p.Apart.Round, p.Apart.Run = 1e6, 1e6, 1e3, 3e6, 1e6
	return p
}

// ownLanes is lanes whose processors are at different instructions.
type ownLanes struct{ *lanes.Lanes }

// ownPrograms gives every lane another random number to begin with.
func ownPrograms(t *testing.T, d *ir.Design, n, workers int, p *choose.Policy) *ownLanes {
	l, err := lanes.New(d, n, sim.WithSeed(1), lanes.WithWorkers(workers), sim.WithPolicy(p))
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
