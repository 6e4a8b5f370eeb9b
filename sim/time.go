package sim

import (
	"fmt"
	"slices"

	"etch/sim/internal/drive"
)

// CycleTime is the time of one cycle of Step, Tick or TickAll: inputs change at its start,
// clocks rise in its middle and fall at its end.
const CycleTime = drive.CycleTime

// Time returns the present time, in the unit of SetPeriod.
func (s *Sim) Time() uint64 { return s.m.Now }

// Cycles returns the number of events so far: edges of one clock, or of several at the same
// time.
func (s *Sim) Cycles() uint64 { return s.m.Cycles }

// Edges returns the number of edges of one clock so far. It panics if clk is no clock.
func (s *Sim) Edges(clk Signal) uint64 { return s.m.Edges[s.clockIndex(clk)] }

// Step runs n cycles in which all clocks of the top rise together. Each takes CycleTime.
func (s *Sim) Step(n int) {
	clear(s.m.On)

	// Only rising edges: falling ones follow by themselves.
	for k := range s.m.P.Clocks {
		s.m.On[k] = 1
	}
	s.byHand(n)
}

// Tick runs n cycles in which only clk rises. It panics if clk is no clock.
func (s *Sim) Tick(clk Signal, n int) {
	clear(s.m.On)
	s.m.On[s.clockIndex(clk)] = 1
	s.byHand(n)
}

// TickAll runs one cycle in which exactly these clocks rise together. It panics if one of them
// is no clock.
func (s *Sim) TickAll(clks ...Signal) {
	clear(s.m.On)
	for _, clk := range clks {
		s.m.On[s.clockIndex(clk)] = 1
	}
	s.byHand(1)
}

// byHand runs n cycles of the clocks in s.m.On: by native code or in bulk where possible, else
// singly.
func (s *Sim) byHand(n int) {
	if s.recording != nil {
		s.recording.byHand(n)
		return
	}
	s.m.CyclesByHand(n)
}

// Reset runs one Step with every input of the top of type ir.Reset or ir.AsyncReset high, and
// leaves them low.
func (s *Sim) Reset() {
	s.m.Resets(1)
	s.Step(1)
	s.m.Resets(0)
}

// clockIndex returns the number of a clock; it panics for other signals.
func (s *Sim) clockIndex(sig Signal) int {
	s.own(sig)
	k := s.m.P.ClockAt(sig.slot)
	if k < 0 {
		panic(fmt.Sprintf("sim: %s is not a clock of the top %s", sig.Name(), s.m.P.Mod(0).Name))
	}
	return k
}

// SetPeriod gives a clock edges in Run, at phase, phase + period, and so on. The unit of time is
// the caller's. Errors: clk is no clock; period is 0.
func (s *Sim) SetPeriod(clk Signal, period, phase uint64) error {
	s.own(clk)
	k := s.m.P.ClockAt(clk.slot)
	switch {
	case k < 0:
		return fmt.Errorf("sim: %s is not a clock of the top %s", clk.Name(), s.m.P.Mod(0).Name)
	case period == 0:
		return fmt.Errorf("sim: clock %s: the period is 0", clk.Name())
	}

	if s.recording != nil {
		s.recording.period(k, period, phase)
	}
	s.m.SetPeriod(k, period, phase)
	return nil
}

// Run advances to time until: every edge of the clocks with a period happens, from now up to but
// not including until. Edges at the same time are one event. Clocks without a period stand
// still. Edges whose time was passed by Step or Tick are left out. A time before now has no
// effect.
func (s *Sim) Run(until uint64) {
	if s.recording != nil {
		s.recording.run(until)
		return
	}
	s.m.EventsUntil(until)
}

// Advance is Run for a duration of dt from now on; it ends at the end of time.
func (s *Sim) Advance(dt uint64) {
	if s.m.Now+dt < s.m.Now {
		dt = ^uint64(0) - s.m.Now
	}
	s.Run(s.m.Now + dt)
}

// NextEdge returns the time of Run's next edge and the clocks that rise then; ok is false if no
// clock has an edge left.
func (s *Sim) NextEdge() (at uint64, clocks []Signal, ok bool) {
	s.m.CatchUp()
	if at, ok = s.m.NextEdges(s.m.On); ok {
		clocks = s.appendClocks(nil, s.m.ClockSet().Clocks)
	}
	return at, clocks, ok
}

// appendClocks appends the clocks with some numbers.
func (s *Sim) appendClocks(to []Signal, numbers []int32) []Signal {
	for _, k := range numbers {
		to = append(to, s.top[s.m.P.Clocks[k]])
	}
	return to
}

// clocksAt is the clocks with some numbers, valid until the next call.
func (s *Sim) clocksAt(numbers []int32) []Signal {
	s.clocks = s.appendClocks(s.clocks[:0], numbers)
	return s.clocks
}

// Falls reports whether anything happens when a clock falls. It panics if clk is no clock.
func (s *Sim) Falls(clk Signal) bool {
	return slices.Contains(s.m.P.Falls, int32(s.clockIndex(clk)))
}
