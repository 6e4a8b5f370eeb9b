package counter

import (
	"testing"

	"etch/testbench"
)

func TestCounter(t *testing.T) {
	s, p := testbench.New(t, Counter{Width: 4})
	s.Set(p.En, 1)
	s.Step(3)
	s.Expect(p.Count, 3)
	s.Step(16)
	s.Expect(p.Count, 3) // wrapped once
	s.Set(p.En, 0)
	s.Step(5)
	s.Expect(p.Count, 3)
}

func TestClock(t *testing.T) {
	s, p := testbench.New(t, Clock{}, testbench.CoSim())
	s.Set(p.Pulse, 1)
	s.Step(64*2 + 5)
	s.Expect(p.Seconds, 5)
	s.Expect(p.Minutes, 2)
}
