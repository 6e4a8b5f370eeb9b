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
	if s.results.stop == nil {
		return Stop{}, false
	}
	return *s.results.stop, true
}

// OnStop calls f at each stop statement that acts, before the state changes; for a failure,
// after the function of OnFailure. f may read the simulator. It replaces an earlier function;
// nil removes it.
func (s *Sim) OnStop(f func(Stop)) { s.results.onStop = f }

// Halt lets the current call of Step or Tick return at the end of its cycle. It is for the
// functions of OnStop and OnFailure; otherwise it has no effect.
func (s *Sim) Halt() { s.m.Halted = true }

// Stopped implements drive.Listener: it records a stop; a code other than 0 is a failure.
func (r *results) Stopped(st *program.Statement) {
	if st.Src.Code != 0 {
		r.Failed(st)
	}

	// The first stop is kept; OnStop hears of each.
	if r.stop == nil || r.onStop != nil {
		m := r.m
		stop := Stop{Code: st.Src.Code, Name: st.Src.Name, Instance: m.P.Path(st.Inst), At: m.P.Location(st.Inst, st.Src.Pos),
			Cycle: m.Cycles, Time: m.Now}
		if r.stop == nil {
			r.stop = &stop
		}
		if r.onStop != nil {
			r.onStop(stop)
		}
	}
}
