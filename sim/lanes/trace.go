package lanes

import (
	"errors"

	"etch/sim"
	"etch/sim/internal/drive"
)

// traced is a simulator that repeats a lane for tracers: it copies the lane's inputs and state before
// events, and runs the same events.
type traced struct {
	lane int
	single
}

// Trace tells t about everything in one lane from now on, like Sim.Trace. It costs as much as a
// traced Sim; t must not read other lanes. Effects of ResetLane and RestartLane show at the next
// cycle. Errors: those of t; t is nil.
func (l *Lanes) Trace(lane int, t sim.Tracer) error {
	l.check(lane)
	if t == nil {
		return errors.New("sim: there is no Tracer to trace with")
	}
	if can, err := l.engine.trace(lane, t); can {
		return err
	}

	// A simulator of its own repeats the lane for the tracer. It prints nothing: the lane does.
	m, err := drive.Make(l.Design(), drive.Configure([]sim.Option{sim.WithOutput(nil), sim.WithPacking(l.m.P.Pack)}))
	if err != nil {
		return err
	}
	s := single{sim.Of(m), m}
	if err := l.Copy(s.Sim, lane); err != nil {
		return err
	}

	m.Cycles, m.Now = l.cycles, l.cycles*sim.CycleTime
	if err := s.Trace(t); err != nil {
		return err
	}
	l.traced = append(l.traced, traced{lane, s})
	return nil
}

// trace runs n events in the simulators of traced lanes, before the lanes run them.
func (l *Lanes) trace(on []byte, n int) {
	// The copy takes over everything that was changed in the lane since: inputs, pokes, restarts.
	for _, tr := range l.traced {
		if tr.m.Observer != nil && l.Copy(tr.Sim, tr.lane) == nil { // it cannot fail: the design is the same
			tr.RunEvents(on, n)
		}
	}
}
