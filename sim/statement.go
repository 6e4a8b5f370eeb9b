package sim

import (
	"fmt"

	"etch/ir"
	"etch/sim/internal/drive"
	"etch/sim/internal/program"
)

// Failure is an assertion or assumption that failed at an edge, or a stop with a code other than
// 0.
type Failure struct {
	Kind     ir.StmtKind // ir.Assert, ir.Assume or ir.Stop
	Name     string
	Instance string // path of its instance, "" for the top
	At       ir.Location
	Cycle    uint64 // Cycles at the edge: 0 is the first
	Time     uint64
	Message  string // the format filled in; for a stop, "code" and the code
}

// Error is the failure in one line.
func (f Failure) Error() string {
	text := fmt.Sprintf("%s: %s failed in cycle %d", f.At, program.Saying(f.Kind, f.Instance, f.Name), f.Cycle)
	if f.Message != "" {
		text += ": " + f.Message
	}
	return text
}

// CoverPoint is a cover statement of one instance.
type CoverPoint struct {
	Name     string
	Instance string // path of its instance, "" for the top
	At       ir.Location
	Count    uint64 // edges with enable and condition high
}

// MaxFailures is the number of failures that Failures keeps.
const MaxFailures = 1000

// results is the failures and stops of statements.
type results struct {
	m         *drive.Stepper
	failures  []Failure // the first MaxFailures
	failed    uint64    // all failures
	onFailure func(Failure)
	stop      *Stop // the first one, or nil
	onStop    func(Stop)
}

// Failures returns the first MaxFailures failures, in order.
func (s *Sim) Failures() []Failure { return s.results.failures }

// FailureCount returns the number of all failures.
func (s *Sim) FailureCount() uint64 { return s.results.failed }

// OnFailure calls f at each failure, before the state changes. f may read the simulator. It
// replaces an earlier function; nil removes it.
func (s *Sim) OnFailure(f func(Failure)) { s.results.onFailure = f }

// Coverage returns all cover statements with their counts, parents first.
func (s *Sim) Coverage() []CoverPoint {
	var all []CoverPoint
	p := s.m.P
	for i := range p.Stmts {
		st := &p.Stmts[i]
		if st.Src.Kind == ir.Cover {
			all = append(all, CoverPoint{Name: st.Src.Name, Instance: p.Path(st.Inst),
				At: p.Location(st.Inst, st.Src.Pos), Count: s.m.Covered[st.Cover]})
		}
	}
	return all
}

// ClearResults forgets failures, their count, and the stop: a bench calls it behind a part of a run
// that was to fail. Functions of OnFailure and OnStop stay.
func (s *Sim) ClearResults() { s.results.failures, s.results.failed, s.results.stop = nil, 0, nil }

// Failed implements drive.Listener: it records a failure, and reports it to OnFailure.
func (r *results) Failed(st *program.Statement) {
	r.failed++

	// Without a listener nobody sees a failure beyond the limit, so that it is only counted.
	if len(r.failures) == MaxFailures && r.onFailure == nil {
		return
	}

	m := r.m
	f := Failure{Kind: st.Src.Kind, Name: st.Src.Name, Instance: m.P.Path(st.Inst), At: m.P.Location(st.Inst, st.Src.Pos),
		Cycle: m.Cycles, Time: m.Now, Message: m.Message(st)}
	if f.Kind == ir.Stop {
		f.Message = fmt.Sprintf("code %d", st.Src.Code)
	}

	if len(r.failures) < MaxFailures {
		r.failures = append(r.failures, f)
	}
	if r.onFailure != nil {
		r.onFailure(f)
	}
}
