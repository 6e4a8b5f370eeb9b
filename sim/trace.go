package sim

import "errors"

// Phase is what a Moment lies next to.
type Phase uint8

// The phases.
const (
	Before Phase = iota // all is settled, the clocks are about to rise
	After               // the clocks have just risen, all is settled again
	Fall                // the clocks have fallen; what moves with that has moved
	Idle                // time goes on to a place without an edge; inputs may have changed
)

// Moment is a point in time at which a tracer looks.
type Moment struct {
	Phase Phase
	// Time is when the values that are there came to be. Before an edge that is
	// the time at which inputs could last change, not that of the edge.
	Time uint64
	// Clocks of the top that rise or fall, in the order of ports. They belong to
	// the simulator.
	Clocks []Signal
}

// Tracer is told of every event. It may read the simulator but not change it.
type Tracer interface {
	// Start comes once, from Trace. The values that are there hold since Time.
	Start(s *Sim) error
	// Sample comes around each event, in order of time except after Restart and
	// Restore. Several moments may have the same time.
	Sample(m Moment) error
}

// Trace has t told of everything from now on. When t returns an error, Trace
// returns it or, later, Err does, and t is told no more.
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

// trace tells all tracers.
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

// highClock is a clock that falls at a time.
type highClock struct {
	clock Signal
	falls uint64
}

// rise notes when the clocks of p, which have just risen, will fall: after half
// their period, or half a cycle by hand; a clock of period 1 at once.
func (s *Sim) rise(p *plan) {
	for _, k := range p.clocks {
		half := uint64(CycleTime / 2)
		if c := &s.clocks[k]; c.period > 0 && c.next == s.now {
			half = c.period / 2
		}
		s.high = append(s.high, highClock{s.top[s.p.clocks[k]], s.now + half})
	}
}

// fallUntil lets the clocks fall whose time has come by t, in order of time.
func (s *Sim) fallUntil(t uint64) {
	for len(s.high) > 0 && (len(s.tracers) > 0 || len(s.p.falls) > 0) {
		first, found := t, false
		for _, h := range s.high {
			if h.falls <= first {
				first, found = h.falls, true
			}
		}
		if !found {
			return
		}
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

// fallNow tells tracers that all clocks fall, since the time at which they would
// never comes. Nothing moves with that.
func (s *Sim) fallNow() {
	clocks := s.fallen[:0]
	for _, h := range s.high {
		clocks = append(clocks, h.clock)
	}
	s.high, s.fallen = s.high[:0], clocks
	if len(clocks) > 0 && len(s.tracers) > 0 {
		s.trace(Moment{Fall, s.now, clocks})
	}
}
