package sim

import "fmt"

// CycleTime is the time of one cycle of Step, Tick or TickAll: inputs change at its start,
// clocks rise in its middle and fall at its end.
const CycleTime = 10

// timeline is the time of a simulator and the state of its clocks.
type timeline struct {
	now    uint64
	cycles uint64
	edges  []uint64 // by clock
	clocks []freeClock
	high   []highClock // clocks that have yet to fall; kept for tracers and falling edges
	fallen []Signal    // scratch
}

// freeClock is a clock with a period.
type freeClock struct {
	period, phase uint64 // period 0: none
	next          uint64 // time of its next edge
	over          bool   // it has no edge before the end of time
}

func newTimeline(clocks int) timeline {
	return timeline{edges: make([]uint64, clocks), clocks: make([]freeClock, clocks)}
}

// Time returns the present time, in the unit of SetPeriod.
func (s *Sim) Time() uint64 { return s.now }

// Cycles returns the number of events so far: edges of one clock, or of several at the same
// time.
func (s *Sim) Cycles() uint64 { return s.cycles }

// Edges returns the number of edges of one clock so far. It panics if clk is no clock.
func (s *Sim) Edges(clk Signal) uint64 { return s.edges[s.clockIndex(clk)] }

// Step runs n cycles in which all clocks of the top rise together. Each takes CycleTime.
func (s *Sim) Step(n int) {
	clear(s.set)

	// Only rising edges: falling ones follow by themselves.
	for k := range s.p.Clocks {
		s.set[k] = 1
	}
	s.byHand(n)
}

// Tick runs n cycles in which only clk rises. It panics if clk is no clock.
func (s *Sim) Tick(clk Signal, n int) {
	clear(s.set)
	s.set[s.clockIndex(clk)] = 1
	s.byHand(n)
}

// TickAll runs one cycle in which exactly these clocks rise together. It panics if one of them
// is no clock.
func (s *Sim) TickAll(clks ...Signal) {
	clear(s.set)
	for _, clk := range clks {
		s.set[s.clockIndex(clk)] = 1
	}
	s.byHand(1)
}

// byHand runs n cycles of the clocks in s.set: by native code or in bulk where possible, else
// singly.
func (s *Sim) byHand(n int) {
	if s.recording != nil {
		s.recording.byHand(n)
		return
	}
	s.cyclesByHand(n)
}

// cyclesByHand is byHand without a recording.
func (s *Sim) cyclesByHand(n int) {
	p := s.planFor()
	falls := s.fallsOf(p)
	s.halted = false
	for n > 0 && !s.halted && !s.passedLimit(0) {
		// Falling edges alternate with rising ones, so such cycles run singly.
		if !falls {
			done := s.fast(p, n, times{s.now + CycleTime/2, CycleTime})
			s.now += uint64(done) * CycleTime
			if n -= done; len(s.tracers) > 0 {
				n -= s.inBulk(p, n)
			}
		}

		if n == 0 || s.passedLimit(0) {
			return
		}
		n--
		s.event(p, s.now+CycleTime/2)
		end := s.now + CycleTime/2
		s.fallUntil(end)
		s.now = end
	}
}

// Reset runs one Step with every input of the top of type ir.Reset or ir.AsyncReset high, and
// leaves them low.
func (s *Sim) Reset() {
	s.resets(1)
	s.Step(1)
	s.resets(0)
}

func (s *Sim) resets(v uint64) {
	for _, port := range s.p.Resets {
		s.st.V[s.top[port].slot] = v
	}
	s.touchOutside()
}

// clockIndex returns the number of a clock; it panics for other signals.
func (s *Sim) clockIndex(sig Signal) int {
	s.own(sig)
	k := s.p.ClockAt(sig.slot)
	if k < 0 {
		panic(fmt.Sprintf("sim: %s is not a clock of the top %s", sig.Name(), s.p.Mod(0).Name))
	}
	return k
}

// SetPeriod gives a clock edges in Run, at phase, phase + period, and so on. The unit of time is
// the caller's. Errors: clk is no clock; period is 0.
func (s *Sim) SetPeriod(clk Signal, period, phase uint64) error {
	s.own(clk)
	k := s.p.ClockAt(clk.slot)
	switch {
	case k < 0:
		return fmt.Errorf("sim: %s is not a clock of the top %s", clk.Name(), s.p.Mod(0).Name)
	case period == 0:
		return fmt.Errorf("sim: clock %s: the period is 0", clk.Name())
	}

	if s.recording != nil {
		s.recording.period(k, period, phase)
	}
	s.clocks[k] = freeClock{period: period, phase: phase}
	s.clocks[k].from(s.now)
	return nil
}

// from sets next to the first edge at time t or later.
func (c *freeClock) from(t uint64) {
	if c.over = false; t <= c.phase {
		c.next = c.phase
		return
	}

	// Round up to a multiple of the period; overflow means that there is none.
	gone := t - c.phase
	c.next = t
	if r := gone % c.period; r != 0 {
		c.next += c.period - r
		c.over = c.next < t
	}
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
	s.eventsUntil(until)
}

// eventsUntil is Run without a recording.
func (s *Sim) eventsUntil(until uint64) {
	s.catchUp()
	for first := true; !s.passedLimit(0); first = false {
		t, ok := s.nextEdges()
		if !ok || t >= until {
			if first && until > s.now && len(s.tracers) > 0 {
				s.settle()
				s.trace(Moment{Idle, s.now, nil})
			}
			break
		}

		// A single clock may run many events in native code.
		p, done := s.planFor(), uint64(0)
		if len(s.p.Falls) == 0 {
			n, step := s.alike(t, until)
			done = uint64(s.fast(p, n, times{t, step}))
		}

		if done == 0 {
			done = 1
			s.event(p, t)
			copy(s.set, p.on) // falling edges in between have used it
		}

		for k := range s.clocks {
			if c := &s.clocks[k]; s.set[k] != 0 {
				s.now = t + (done-1)*c.period
				c.next += done * c.period
				c.over = c.next < t
			}
		}
	}

	// Without further edges time still passes.
	if until > s.now {
		s.fallUntil(until)
		s.now = until
	}
}

// Advance is Run for a duration of dt from now on; it ends at the end of time.
func (s *Sim) Advance(dt uint64) {
	if s.now+dt < s.now {
		dt = ^uint64(0) - s.now
	}
	s.Run(s.now + dt)
}

// alike is the number of events from the one at t on, and before until, with the same clocks,
// and the time between them: more than one only if one clock runs alone.
func (s *Sim) alike(t, until uint64) (n int, step uint64) {
	var running *freeClock
	for k := range s.clocks {
		if c := &s.clocks[k]; c.period > 0 {
			if running != nil {
				return 1, 0
			}
			running = c
		}
	}
	return int(min(1+(until-1-t)/running.period, 1<<30)), running.period
}

// nextEdges marks the clocks that rise next in s.set, and returns the time.
func (s *Sim) nextEdges() (t uint64, ok bool) {
	clear(s.set)

	// The earliest time of an edge.
	for k := range s.clocks {
		c := &s.clocks[k]
		if c.period > 0 && !c.over && (!ok || c.next < t) {
			t, ok = c.next, true
		}
	}

	// All clocks whose edge is at that time.
	for k := range s.clocks {
		if c := &s.clocks[k]; ok && c.period > 0 && !c.over && c.next == t {
			s.set[k] = 1
		}
	}
	return t, ok
}

// NextEdge returns the time of Run's next edge and the clocks that rise then; ok is false if no
// clock has an edge left.
func (s *Sim) NextEdge() (at uint64, clocks []Signal, ok bool) {
	s.catchUp()
	if at, ok = s.nextEdges(); ok {
		clocks = s.clocksOf(s.planFor())
	}
	return at, clocks, ok
}

// catchUp leaves out edges whose time has passed.
func (s *Sim) catchUp() {
	for k := range s.clocks {
		if c := &s.clocks[k]; c.period > 0 && c.next < s.now {
			c.from(s.now)
		}
	}
}

// event runs a rising edge of p's clocks at time t.
func (s *Sim) event(p *plan, t uint64) {
	// Order: falls before t, tracers' Before, the edge, asynchronous resets, tracers' After. In
	// designs without falling edges, Before may come first, since falls change nothing.
	s.resetNow()
	switch falls := len(s.p.Falls) > 0; {
	case falls:
		s.fallUntil(t)
		if len(s.tracers) > 0 {
			s.settle()
			s.trace(Moment{Before, s.now, s.clocksOf(p)})
		}
		s.now = t
		s.oneEdge(p)
	case len(s.tracers) > 0:
		s.trace(Moment{Before, s.now, s.clocksOf(p)})
		s.fallUntil(t)
		fallthrough
	default:
		s.now = t
		if len(s.tracers) == 0 || !s.fastEdge(p) {
			s.slowEdge(p)
		}
	}
	s.resetNow() // so that inputs that change before the next reading cannot undo them

	if len(s.tracers) > 0 {
		s.trace(Moment{After, s.now, s.clocksOf(p)})
	}
	if len(s.tracers) > 0 || len(s.p.Falls) > 0 {
		s.rise(p)
	}
}

// resetNow applies asynchronous resets that have come.
func (s *Sim) resetNow() {
	if s.pending && len(s.p.Async) > 0 {
		s.settle()
	}
}
