package sim

import (
	"errors"
	"io"
)

// tracedLane is a simulator that does what a lane does, for tracers: it takes over
// the lane's inputs and state whenever events come, and makes them too.
type tracedLane struct {
	lane int
	sim  *Sim
}

// Trace has t told of everything that happens in one lane from now on, as
// Sim.Trace does. It costs what a Sim of its own costs that is traced; t may not
// read other lanes. What ResetLane and RestartLane do is seen when the next cycle
// begins. Errors: those of t; t is nil.
func (l *Lanes) Trace(lane int, t Tracer) error {
	l.check(lane)
	if t == nil {
		return errors.New("sim: there is no Tracer to trace with")
	}
	if l.sims != nil {
		return l.sims[lane].Trace(t)
	}
	s, err := New(l.Design(), WithOutput(io.Discard))
	if err != nil {
		return err
	}
	if err := l.Copy(s, lane); err != nil {
		return err
	}
	s.cycles, s.now = l.cycles, l.cycles*CycleTime
	if err := s.Trace(t); err != nil {
		return err
	}
	l.traced = append(l.traced, tracedLane{lane, s})
	return nil
}

// trace makes n events in the simulators of traced lanes, before the lanes do.
func (l *Lanes) trace(on []byte, n int) {
	for _, tr := range l.traced {
		if len(tr.sim.tracers) > 0 && l.Copy(tr.sim, tr.lane) == nil { // it is of this design
			tr.sim.runEvents(on, n)
		}
	}
}
