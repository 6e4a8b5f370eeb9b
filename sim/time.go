package sim

import "fmt"

// CycleTime is what one cycle of Step, Tick or TickAll takes on the time line:
// inputs change at its start, clocks rise in its middle and fall at its end.
const CycleTime = 10

// timeline is where a simulator is in time, and how its clocks run.
type timeline struct {
	now    uint64
	cycles uint64
	edges  []uint64 // by clock
	clocks []freeClock
	high   []highClock // clocks that have yet to fall; kept for tracers and where something falls
	fallen []Signal    // scratch
}

// freeClock is a clock that runs on the time line.
type freeClock struct {
	period, phase uint64 // period 0: it does not
	next          uint64 // its next edge
	over          bool   // there is none before the end of time
}

func newTimeline(clocks int) timeline {
	return timeline{edges: make([]uint64, clocks), clocks: make([]freeClock, clocks)}
}

// Time returns the place on the time line, in the unit of SetPeriod.
func (s *Sim) Time() uint64 { return s.now }

// Cycles returns the number of events so far: edges of one clock or of several
// at the same time.
func (s *Sim) Cycles() uint64 { return s.cycles }

// Edges returns the number of edges of one clock so far. It panics if clk is no
// clock.
func (s *Sim) Edges(clk Signal) uint64 { return s.edges[s.clockIndex(clk)] }

// Step makes n cycles in which all clocks of the top rise together. Time moves
// by CycleTime each.
func (s *Sim) Step(n int) {
	clear(s.set)
	for k := range s.p.clocks {
		s.set[k] = 1
	}
	s.byHand(n)
}

// Tick makes n cycles in which only clk rises. It panics if clk is no clock.
func (s *Sim) Tick(clk Signal, n int) {
	clear(s.set)
	s.set[s.clockIndex(clk)] = 1
	s.byHand(n)
}

// TickAll makes one cycle in which exactly these clocks rise together. It panics
// if one of them is no clock.
func (s *Sim) TickAll(clks ...Signal) {
	clear(s.set)
	for _, clk := range clks {
		s.set[s.clockIndex(clk)] = 1
	}
	s.byHand(1)
}

func (s *Sim) byHand(n int) {
	p := s.planFor()
	falls := s.fallsOf(p)
	s.halted = false
	for n > 0 && !s.halted && !s.passedLimit(1) {
		if !falls {
			done := s.fast(p, n, times{s.now + CycleTime/2, CycleTime})
			s.now += uint64(done) * CycleTime
			if n -= done; len(s.tracers) > 0 {
				n -= s.inBulk(p, n)
			}
		}
		if n == 0 {
			return
		}
		n--
		s.event(p, s.now+CycleTime/2)
		end := s.now + CycleTime/2
		s.fallUntil(end)
		s.now = end
	}
}

// Reset makes one Step with every input of the top high whose type is a reset,
// ir.Reset or ir.AsyncReset, and leaves them low.
func (s *Sim) Reset() {
	s.resets(1)
	s.Step(1)
	s.resets(0)
}

func (s *Sim) resets(v uint64) {
	for _, port := range s.p.resets {
		s.v[s.top[port].slot] = v
	}
	s.touch()
}

// clockIndex returns the number of a clock and panics for other signals.
func (s *Sim) clockIndex(sig Signal) int {
	s.own(sig)
	k := s.p.clockAt(sig.slot)
	if k < 0 {
		panic(fmt.Sprintf("sim: %s is not a clock of the top %s", sig.Name(), s.p.mod(0).Name))
	}
	return k
}

// SetPeriod lets a clock run on the time line: Run gives it edges at phase,
// phase + period, and so on. The unit of time is the caller's. Errors: clk is no
// clock; period is 0.
func (s *Sim) SetPeriod(clk Signal, period, phase uint64) error {
	s.own(clk)
	k := s.p.clockAt(clk.slot)
	switch {
	case k < 0:
		return fmt.Errorf("sim: %s is not a clock of the top %s", clk.Name(), s.p.mod(0).Name)
	case period == 0:
		return fmt.Errorf("sim: clock %s: the period is 0", clk.Name())
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
	gone := t - c.phase
	c.next = t
	if r := gone % c.period; r != 0 {
		c.next += c.period - r
		c.over = c.next < t
	}
}

// Run goes on to time until: every edge of the clocks with a period, from now up
// to but not including until, happens; edges at the same time are one event.
// Clocks without a period stand still. Edges whose time has passed by Step or
// Tick are left out. A time before now changes nothing.
func (s *Sim) Run(until uint64) {
	s.catchUp()
	for first := true; !s.passedLimit(1); first = false {
		t, ok := s.nextEdges()
		if !ok || t >= until {
			if first && until > s.now && len(s.tracers) > 0 {
				s.settle()
				s.trace(Moment{Idle, s.now, nil})
			}
			break
		}
		p, done := s.planFor(), uint64(0)
		if len(s.p.falls) == 0 {
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
	if until > s.now {
		s.fallUntil(until)
		s.now = until
	}
}

// Advance is Run for a time of dt from now on; the end of time is its limit.
func (s *Sim) Advance(dt uint64) {
	if s.now+dt < s.now {
		dt = ^uint64(0) - s.now
	}
	s.Run(s.now + dt)
}

// alike is how many events, from the one at t on and before until, are of the
// same clocks, and the time from each to the next: many when one clock runs alone.
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

// nextEdges marks the clocks that rise next, and returns when.
func (s *Sim) nextEdges() (t uint64, ok bool) {
	clear(s.set)
	for k := range s.clocks {
		c := &s.clocks[k]
		if c.period > 0 && !c.over && (!ok || c.next < t) {
			t, ok = c.next, true
		}
	}
	for k := range s.clocks {
		if c := &s.clocks[k]; ok && c.period > 0 && !c.over && c.next == t {
			s.set[k] = 1
		}
	}
	return t, ok
}

// NextEdge returns when Run makes its next edge and the clocks that rise then; ok is
// false if no clock has one any more.
func (s *Sim) NextEdge() (at uint64, clocks []Signal, ok bool) {
	s.catchUp()
	if at, ok = s.nextEdges(); ok {
		clocks = s.clocksOf(s.planFor())
	}
	return at, clocks, ok
}

// catchUp leaves out the edges whose time has passed.
func (s *Sim) catchUp() {
	for k := range s.clocks {
		if c := &s.clocks[k]; c.period > 0 && c.next < s.now {
			c.from(s.now)
		}
	}
}

// event lets the clocks of p rise at time t.
func (s *Sim) event(p *plan, t uint64) {
	s.resetNow()
	switch falls := len(s.p.falls) > 0; {
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
	s.resetNow() // what the edge resets stays reset, even if inputs change before a look
	if len(s.tracers) > 0 {
		s.trace(Moment{After, s.now, s.clocksOf(p)})
	}
	if len(s.tracers) > 0 || len(s.p.falls) > 0 {
		s.rise(p)
	}
}

// resetNow does the asynchronous resets that have come.
func (s *Sim) resetNow() {
	if s.pending && len(s.p.async) > 0 {
		s.settle()
	}
}
