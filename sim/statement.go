package sim

import (
	"fmt"
	"io"

	"etch/ir"
	"etch/ir/bits"
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

// log is the results of statements.
type log struct {
	output    io.Writer
	failures  []Failure
	failed    uint64
	onFailure func(Failure)
	stop      *Stop // the first one, or nil
	onStop    func(Stop)
	halted    bool // Halt was called during this Step
	covered   []uint64
	text      []byte   // scratch
	args      []uint64 // scratch
}

// Failures returns the first MaxFailures failures, in order.
func (s *Sim) Failures() []Failure { return s.failures }

// FailureCount returns the number of all failures.
func (s *Sim) FailureCount() uint64 { return s.failed }

// OnFailure calls f at each failure, before the state changes. f may read the simulator. It
// replaces an earlier function; nil removes it.
func (s *Sim) OnFailure(f func(Failure)) { s.onFailure = f }

// Coverage returns all cover statements with their counts, parents first.
func (s *Sim) Coverage() []CoverPoint {
	return coverage(s.p, func(cover int32) uint64 { return s.covered[cover] })
}

// coverage lists cover statements with their counts.
func coverage(p *program.Program, count func(cover int32) uint64) []CoverPoint {
	var all []CoverPoint
	for i := range p.Stmts {
		st := &p.Stmts[i]
		if st.Src.Kind == ir.Cover {
			all = append(all, CoverPoint{Name: st.Src.Name, Instance: p.Path(st.Inst),
				At: p.Location(st.Inst, st.Src.Pos), Count: count(st.Cover)})
		}
	}
	return all
}

// statements runs the statements of p's clocks.
func (s *Sim) statements(p *plan) {
	for _, i := range p.stmts {
		st := &s.p.Stmts[i]
		if s.st.V[st.En] == 0 {
			continue
		}
		switch st.Src.Kind {
		case ir.Assert, ir.Assume:
			if s.st.V[st.Cond] == 0 {
				s.fail(st)
			}
		case ir.Cover:
			s.covered[st.Cover] += s.st.V[st.Cond]
		case ir.Stop:
			s.end(st)
		case ir.Print:
			s.say(st, s.arguments(st))
		}
	}
}

// say prints a print statement with its arguments.
func (s *Sim) say(st *program.Statement, args []uint64) {
	s.text = st.Format(s.text[:0], args)
	if _, err := s.output.Write(s.text); err != nil && s.err == nil {
		s.err = fmt.Errorf("sim: %s: %w", program.Saying(ir.Print, s.p.Path(st.Inst), st.Src.Name), err)
	}
}

// arguments returns the words of a statement's arguments in order; valid until the next call.
func (s *Sim) arguments(st *program.Statement) []uint64 {
	s.args = s.args[:0]
	for _, a := range st.Args {
		s.args = append(s.args, s.st.V[a.Slot:][:bits.WordCount(a.Width)]...)
	}
	return s.args
}

// fail records a failure, and reports it to OnFailure.
func (s *Sim) fail(st *program.Statement) {
	s.failed++

	// Without a listener nobody sees a failure beyond the limit, so that it is only counted.
	if len(s.failures) == MaxFailures && s.onFailure == nil {
		return
	}

	f := Failure{Kind: st.Src.Kind, Name: st.Src.Name, Instance: s.p.Path(st.Inst), At: s.p.Location(st.Inst, st.Src.Pos),
		Cycle: s.cycles, Time: s.now, Message: string(st.Format(nil, s.arguments(st)))}
	if f.Kind == ir.Stop {
		f.Message = fmt.Sprintf("code %d", st.Src.Code)
	}

	if len(s.failures) < MaxFailures {
		s.failures = append(s.failures, f)
	}
	if s.onFailure != nil {
		s.onFailure(f)
	}
}
