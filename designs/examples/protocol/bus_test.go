package protocol

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/testbench"
)

// A word that one master writes is read by another, each access in its time.
func TestBus(t *testing.T) {
	for _, latency := range []int{0, 1, 3} {
		s, p := testbench.New(t, Bus{Words: 16, Masters: 2, Latency: latency, Patience: 9, Contents: []uint64{7, 8}}, testbench.CoSim())
		access := func(master, write, addr, data int) int {
			a := p.Master[master]
			s.Set(a.Write, write)
			s.Set(a.Addr, addr)
			s.Set(a.Data, data)
			s.Set(a.Valid, 1)
			require.Equal(t, latency+2, s.StepUntil(func() bool { return s.High(a.Done) }, 100))
			s.Expect(p.Master[1-master].Done, 0)
			read := s.Get(a.Read)
			s.Step(1)
			s.Set(a.Valid, 0)
			return read
		}
		require.Equal(t, 8, access(0, 0, 1, 0))
		access(0, 1, 1, 0xcafe0000)
		access(1, 1, 15, 5)
		require.Equal(t, 0xcafe0000, access(1, 0, 1, 0))
		require.Equal(t, 5, access(0, 0, 15, 0))
		require.Equal(t, 7, access(1, 0, 0, 0))
	}
}

// Master 0 goes first as long as master 1 has patience.
func TestPatience(t *testing.T) {
	const patience = 20
	s, p := testbench.New(t, Bus{Words: 16, Masters: 2, Patience: patience}, testbench.CoSim())
	s.Set(p.Master[0].Valid, 1)
	s.Set(p.Master[1].Valid, 1)
	var served [2]int
	var times []int
	for cycle := range 200 {
		served[0] += s.Get(p.Master[0].Done)
		if s.High(p.Master[1].Done) {
			served[1]++
			times = append(times, cycle)
		}
		s.Step(1)
	}
	require.Greater(t, served[0], 5*served[1])
	require.GreaterOrEqual(t, served[1], 200/(patience+6))
	for i, at := range times {
		if i > 0 {
			require.InDelta(t, patience+3, at-times[i-1], 3) // an access may be under way
		}
	}
}
