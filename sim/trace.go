package sim

import "errors"

// Phase is the position of a Moment around an event.
type Phase uint8

// The phases.
const (
	Before Phase = iota // settled; the clocks are about to rise
	After               // the clocks have just risen; settled again
	Fall                // the clocks have fallen, with their effects
	Idle                // time advances without an edge; inputs may have changed
)

// Moment is a point in time at which tracers sample.
type Moment struct {
	Phase Phase
	// Time is the time of the present values. Before an edge that is the time at which inputs
	// could last change, not that of the edge.
	Time uint64
	// Clocks are the clocks of the top that rise or fall, in port order. The slice belongs to
	// the simulator.
	Clocks []Signal
}

// Tracer observes every event. It may read the simulator but not change it.
type Tracer interface {
	// Start is called once, by Trace. The present values hold since Time.
	Start(s *Sim) error
	// Sample is called around each event, in order of time except after Restart and Restore.
	// Several moments may have the same time.
	Sample(m Moment) error
}

// Trace reports everything to t from now on. If t returns an error, Trace returns it or, later,
// Err does, and t is detached.
func (s *Sim) Trace(t Tracer) error {
	if t == nil {
		return errors.New("sim: there is no Tracer to trace with")
	}
	s.settle()
	if err := t.Start(s); err != nil {
		return err
	}
	s.tracers = append(s.tracers, t)
	return nil
}

// trace reports a moment to all tracers.
func (s *Sim) trace(m Moment) {
	kept := s.tracers[:0]
	for _, t := range s.tracers {
		if err := t.Sample(m); err == nil {
			kept = append(kept, t)
		} else if s.err == nil {
			s.err = err
		}
	}
	s.tracers = kept
}

// highClock is a clock that falls at a given time.
type highClock struct {
	clock Signal
	falls uint64
}

// rise records when the clocks of p, which have just risen, will fall: after half their period,
// or half a cycle without a period; with period 1 at once.
func (s *Sim) rise(p *plan) {
	for _, k := range p.clocks {
		half := uint64(CycleTime / 2)

		// An edge of Run falls after half its period. An edge by Step or Tick falls after half a
		// cycle, though the clock may have a period.
		if c := &s.clocks[k]; c.period > 0 && c.next == s.now {
			half = c.period / 2
		}
		s.high = append(s.high, highClock{s.top[s.p.Clocks[k]], s.now + half})
	}
}

// fallUntil runs the falling edges due by time t, in order of time.
func (s *Sim) fallUntil(t uint64) {
	for len(s.high) > 0 && (len(s.tracers) > 0 || len(s.p.Falls) > 0) {
		// The earliest time at which a clock falls.
		first, found := t, false
		for _, h := range s.high {
			if h.falls <= first {
				first, found = h.falls, true
			}
		}

		if !found {
			return
		}

		// All clocks that fall then.
		clocks, kept := s.fallen[:0], s.high[:0]
		for _, h := range s.high {
			if h.falls == first {
				clocks = append(clocks, h.clock)
			} else {
				kept = append(kept, h)
			}
		}

		s.high, s.fallen = kept, clocks
		s.fall(clocks, first)
		if len(s.tracers) > 0 {
			s.trace(Moment{Fall, first, clocks})
		}
	}
}

// fallNow tells tracers that all clocks fall, because the time of their falling edges never
// comes. Nothing else happens.
func (s *Sim) fallNow() {
	clocks := s.fallen[:0]
	for _, h := range s.high {
		clocks = append(clocks, h.clock)
	}

	// The list is emptied first, since a tracer may look at the simulator.
	s.high, s.fallen = s.high[:0], clocks
	if len(clocks) > 0 && len(s.tracers) > 0 {
		s.trace(Moment{Fall, s.now, clocks})
	}
}
