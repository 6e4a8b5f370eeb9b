package lanes_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/bench"
	"etch/ir/bits"
	"etch/sim"
	"etch/sim/lanes"
	"etch/testbench/randcircuit"
)

// TestLanesApart has lanes run in groups and one after the other by turns, with
// inputs of their own, and every lane in a simulator of its own.
func TestLanesApart(t *testing.T) {
	seeds := 24
	if testing.Short() {
		seeds = 8
	}
	studied := 0
	for seed := range uint64(seeds) {
		d := randcircuit.Control(100 + seed)
		b, ok := studyBench(t, d, seed, []int{16, 20, 5, 64}[seed%4])
		if !ok {
			continue
		}
		studied++
		for round := range 12 {
			require.True(t, b.l.Apart(b.IntN(2) == 0))
			if round%3 == 0 {
				b.drive(t)
			}
			switch b.IntN(8) {
			case 0:
				lane := b.IntN(b.l.Len())
				b.l.ResetLane(lane)
				b.each[lane].Reset()
			case 1:
				b.l.Restart()
				b.before = make([][]sim.Failure, b.l.Len())
				for _, s := range b.each {
					s.Restart()
				}
			}
			k := []int{1, 40, 700}[b.IntN(3)]
			b.l.Step(k)
			for _, s := range b.each {
				s.Step(k)
			}
			b.compare(t, d.Top.Name)
		}
		b.compareFailures(t, "apart")
		require.NoError(t, b.l.Close())
	}
	if studied == 0 {
		t.Skip("no machine code for lanes")
	}
	require.Greater(t, studied, seeds/2)
}

// TestLanesGoApart has processors with one program, of which each works on other
// numbers, run one after the other by themselves: at the end they are where their
// simulators are.
func TestLanesGoApart(t *testing.T) {
	if testing.Short() {
		t.Skip("half a second of simulation")
	}
	all := bench.Designs()
	d, err := all[slices.IndexFunc(all, func(d bench.Design) bool { return d.Name == "rv32i" })].Make()
	require.NoError(t, err)
	l, err := lanes.New(d, 64, sim.WithSeed(1), lanes.WithWorkers(2))
	require.NoError(t, err)
	defer l.Close()
	s, err := sim.New(d, sim.WithSeed(1+17))
	require.NoError(t, err)
	defer s.Close()
	l.Reset()
	s.Reset()
	l.Step(10) // the program has its first number
	s.Step(10)
	m, err := l.Mem("core.registers.mem")
	require.NoError(t, err)
	own, err := s.Mem("core.registers.mem")
	require.NoError(t, err)
	for lane := range l.Len() {
		v := bits.New(32, uint64(lane)*2654435761&0xffffffff|1)
		require.NoError(t, m.Write(lane, 9, v))
		if lane == 17 {
			require.NoError(t, own.Write(9, v))
		}
	}
	steps := 0
	for ; steps < 4000 && !l.IsApart(); steps++ {
		l.Step(500)
		s.Step(500)
	}
	t.Logf("apart after %d cycles", 500*steps)
	l.Step(100_000)
	s.Step(100_000)
	sum, err := l.Signal("sum")
	require.NoError(t, err)
	require.Equal(t, s.Get(s.Top()[len(s.Top())-1]), l.Get(sum, 17))
	if !l.IsApart() {
		t.Skip("lanes stayed together on this machine")
	}
}
