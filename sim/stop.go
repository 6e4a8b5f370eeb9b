package sim

import (
	"fmt"

	"etch/ir"
)

// Stop is a stop statement that came into force at an edge: with it the design ends
// its simulation.
type Stop struct {
	Code     int // 0 is a good end; any other is a failure too
	Name     string
	Instance string // path of the instance it is in, "" for the top
	At       ir.Location
	Cycle    uint64 // what Cycles gave at the edge: 0 is the first
	Time     uint64
}

// String is one line with everything.
func (s Stop) String() string {
	return fmt.Sprintf("%s: %s in cycle %d with code %d", s.At, saying(ir.Stop, s.Instance, s.Name), s.Cycle, s.Code)
}

// Stopped returns the first stop statement that came into force. The simulator goes
// on when it is told to, and notes no later one; see [Sim.Halt].
func (s *Sim) Stopped() (Stop, bool) {
	if s.stop == nil {
		return Stop{}, false
	}
	return *s.stop, true
}

// OnStop has f called at each stop statement that comes into force, before the state
// changes and, where it is a failure, after f of OnFailure; f may read the simulator. It replaces an earlier one; nil is none.
func (s *Sim) OnStop(f func(Stop)) { s.onStop = f }

// Halt has the call of Step or Tick under way return at the end of its cycle. It is
// for the functions of OnStop and OnFailure; otherwise it does nothing.
func (s *Sim) Halt() { s.halted = true }

// end notes a stop; one with a code other than 0 is a failure.
func (s *Sim) end(st *statement) {
	if st.src.Code != 0 {
		s.fail(st)
	}
	if s.stop == nil || s.onStop != nil {
		stop := Stop{Code: st.src.Code, Name: st.src.Name, Instance: s.p.path(st.inst), At: s.p.location(st.inst, st.src.Pos),
			Cycle: s.cycles, Time: s.now}
		if s.stop == nil {
			s.stop = &stop
		}
		if s.onStop != nil {
			s.onStop(stop)
		}
	}
}

// LaneStop is the stop of one lane.
type LaneStop struct {
	Lane int
	Stop
}

// String is one line with everything.
func (s LaneStop) String() string { return fmt.Sprintf("lane %d: %s", s.Lane, s.Stop) }

// Stops returns the first stop of every lane that has had one, by cycle, then by
// lane.
func (l *Lanes) Stops() []LaneStop { return l.stops }

// firstStops adds to the first stops of lanes those of lanes that had none.
func firstStops(have, more []LaneStop) []LaneStop {
	had := map[int]bool{}
	for _, s := range have {
		had[s.Lane] = true
	}
	for _, s := range more {
		if !had[s.Lane] {
			had[s.Lane] = true
			have = append(have, s)
		}
	}
	return have
}
