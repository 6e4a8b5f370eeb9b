package sim

import (
	"fmt"

	"etch/ir"
	"etch/sim/internal/program"
)

// Stop is a stop statement that acted at an edge: it ends the design's simulation.
type Stop struct {
	Code     int // 0 is success; any other code is a failure too
	Name     string
	Instance string // path of its instance, "" for the top
	At       ir.Location
	Cycle    uint64 // Cycles at the edge: 0 is the first
	Time     uint64
}

// String is the stop in one line.
func (s Stop) String() string {
	return fmt.Sprintf("%s: %s in cycle %d with code %d", s.At, program.Saying(ir.Stop, s.Instance, s.Name), s.Cycle, s.Code)
}

// Stopped returns the first stop statement that acted. The simulator may go on afterwards, and
// records no later one; see [Sim.Halt].
func (s *Sim) Stopped() (Stop, bool) {
	if s.stop == nil {
		return Stop{}, false
	}
	return *s.stop, true
}

// OnStop calls f at each stop statement that acts, before the state changes; for a failure,
// after the function of OnFailure. f may read the simulator. It replaces an earlier function;
// nil removes it.
func (s *Sim) OnStop(f func(Stop)) { s.onStop = f }

// Halt lets the current call of Step or Tick return at the end of its cycle. It is for the
// functions of OnStop and OnFailure; otherwise it has no effect.
func (s *Sim) Halt() { s.halted = true }

// end records a stop; a code other than 0 is a failure.
func (s *Sim) end(st *program.Statement) {
	if st.Src.Code != 0 {
		s.fail(st)
	}

	// The first stop is kept; OnStop hears of each.
	if s.stop == nil || s.onStop != nil {
		stop := Stop{Code: st.Src.Code, Name: st.Src.Name, Instance: s.p.Path(st.Inst), At: s.p.Location(st.Inst, st.Src.Pos),
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

// String is the stop in one line, with its lane.
func (s LaneStop) String() string { return fmt.Sprintf("lane %d: %s", s.Lane, s.Stop) }

// Stops returns the first stop of every lane that has one, by cycle, then by lane.
func (l *Lanes) Stops() []LaneStop { return l.stops }

// firstStops adds the stops of lanes that had none before.
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
