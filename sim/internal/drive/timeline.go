package drive

import "slices"

// CycleTime is the time of one cycle by hand: inputs change at its start, clocks rise in its middle
// and fall at its end.
const CycleTime = 10

// Timeline is the time of a Stepper and the state of its clocks.
type Timeline struct {
	Now    uint64      // in the unit of SetPeriod; a cycle by hand takes CycleTime
	Cycles uint64      // events so far; falling edges do not count
	Edges  []uint64    // by clock
	Clocks []FreeClock // by clock
	High   []HighClock // clocks that have yet to fall; kept for observers and falling edges
	fallen []int32     // scratch: clocks that fall
}

// FreeClock is a clock with a period.
type FreeClock struct {
	Period, Phase uint64 // Period 0: none
	Next          uint64 // time of its next edge
	Over          bool   // it has no edge before the end of time
}

// HighClock is a clock that falls at a given time.
type HighClock struct {
	Clock int32  // its number
	Falls uint64 // time
}

func newTimeline(clocks int) Timeline {
	return Timeline{Edges: make([]uint64, clocks), Clocks: make([]FreeClock, clocks)}
}

// Copy copies a timeline; the clocks that are high only if that matters.
func (t Timeline) Copy(high bool) Timeline {
	t.Edges, t.Clocks, t.fallen = slices.Clone(t.Edges), slices.Clone(t.Clocks), nil
	if t.High = slices.Clone(t.High); !high {
		t.High = nil
	}
	return t
}

// Rewind returns to time 0. Periods are the test's choice and stay; their next edges count from 0.
func (t *Timeline) Rewind() {
	clocks := t.Clocks
	*t = newTimeline(len(clocks))
	for k, c := range clocks {
		if c.Period > 0 {
			t.SetPeriod(k, c.Period, c.Phase)
		}
	}
}

// SetPeriod gives clock k edges at phase, phase + period, and so on, from now on.
func (t *Timeline) SetPeriod(k int, period, phase uint64) {
	t.Clocks[k] = FreeClock{Period: period, Phase: phase}
	t.Clocks[k].from(t.Now)
}

// from sets Next to the first edge at time t or later.
func (c *FreeClock) from(t uint64) {
	if c.Over = false; t <= c.Phase {
		c.Next = c.Phase
		return
	}

	// Round up to a multiple of the period; overflow means that there is none.
	gone := t - c.Phase
	c.Next = t
	if r := gone % c.Period; r != 0 {
		c.Next += c.Period - r
		c.Over = c.Next < t
	}
}

// alike is the number of events from the one at t on, and before until, with the same clocks,
// and the time between them: more than one only if one clock runs alone.
func (t *Timeline) alike(at, until uint64) (n int, step uint64) {
	var running *FreeClock
	for k := range t.Clocks {
		if c := &t.Clocks[k]; c.Period > 0 {
			if running != nil {
				return 1, 0
			}
			running = c
		}
	}
	return int(min(1+(until-1-at)/running.Period, 1<<30)), running.Period
}

// NextEdges marks the clocks that rise next in on, and returns the time.
func (t *Timeline) NextEdges(on []byte) (at uint64, ok bool) {
	clear(on)

	// The earliest time of an edge.
	for k := range t.Clocks {
		c := &t.Clocks[k]
		if c.Period > 0 && !c.Over && (!ok || c.Next < at) {
			at, ok = c.Next, true
		}
	}

	// All clocks whose edge is at that time.
	for k := range t.Clocks {
		if c := &t.Clocks[k]; ok && c.Period > 0 && !c.Over && c.Next == at {
			on[k] = 1
		}
	}
	return at, ok
}

// CatchUp leaves out edges whose time has passed.
func (t *Timeline) CatchUp() {
	for k := range t.Clocks {
		if c := &t.Clocks[k]; c.Period > 0 && c.Next < t.Now {
			c.from(t.Now)
		}
	}
}
