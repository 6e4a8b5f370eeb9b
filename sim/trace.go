package sim

import (
	"errors"

	"etch/sim/internal/drive"
)

// Phase is the position of a Moment around an event.
type Phase uint8

// The phases.
const (
	Before = Phase(drive.Before) // settled; the clocks are about to rise
	After  = Phase(drive.After)  // the clocks have just risen; settled again
	Fall   = Phase(drive.Fall)   // the clocks have fallen, with their effects
	Idle   = Phase(drive.Idle)   // time advances without an edge; inputs may have changed
)

// Moment is a point in time at which tracers sample.
type Moment struct {
	Phase Phase
	// Time is the time of the present values. Before an edge that is the time at which inputs
	// could last change, not that of the edge.
	Time uint64
	// Clocks are the clocks of the top that rise or fall, in port order. The slice belongs to
	// the simulator, and the next moment overwrites it.
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
	s.m.Settle()
	if err := t.Start(s); err != nil {
		return err
	}
	s.tracers = append(s.tracers, t)
	s.m.Observer = observer{s}
	return nil
}

// observer passes the events of a simulator to its tracers.
type observer struct{ s *Sim }

// Sample implements drive.Observer.
func (o observer) Sample(phase drive.Phase, at uint64, clocks []int32) {
	o.s.trace(Moment{Phase(phase), at, o.s.clocksAt(clocks)})
}

// Bulk implements drive.Observer.
func (o observer) Bulk(c *drive.ClockSet, n int) int { return o.s.inBulk(c, n) }

// keepTracers goes on with some of the tracers. Without any, machine code need not stop for them.
func (s *Sim) keepTracers(kept []Tracer) {
	if s.tracers = kept; len(kept) == 0 {
		s.m.Observer = nil
	}
}

// trace samples all tracers. A tracer that fails is dropped, and its error stops the simulation.
func (s *Sim) trace(m Moment) {
	kept := s.tracers[:0]
	for _, t := range s.tracers {
		if err := t.Sample(m); err == nil {
			kept = append(kept, t)
		} else if s.m.Err == nil {
			s.m.Err = err
		}
	}
	s.keepTracers(kept)
}
