package drive

import (
	"fmt"
	"io"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim/internal/program"
)

// Statements is the results of statements: prints go to Output, covers are counted, and the rest is
// for the Listener.
type Statements struct {
	Output   io.Writer
	Listener Listener // nil: nobody is told
	Covered  []uint64 // counts of cover statements
	Halted   bool     // the present call is to return at the end of its cycle

	text []byte   // scratch: of a print
	args []uint64 // scratch: words of arguments
}

// Listener hears of failures and stops at an edge, before the state changes.
type Listener interface {
	// Failed is called for an assertion or assumption that does not hold.
	Failed(st *program.Statement)
	// Stopped is called for a stop statement that acts.
	Stopped(st *program.Statement)
}

// statements runs the statements of p's clocks.
func (s *Stepper) statements(c *ClockSet) {
	for _, i := range c.stmts {
		st := &s.P.Stmts[i]
		if s.St.V[st.En] == 0 {
			continue
		}

		// En and Cond are slots with values of this edge. A cover adds its condition, 0 or 1.
		switch st.Src.Kind {
		case ir.Assert, ir.Assume:
			if s.St.V[st.Cond] == 0 && s.Listener != nil {
				s.Listener.Failed(st)
			}
		case ir.Cover:
			s.Covered[st.Cover] += s.St.V[st.Cond]
		case ir.Stop:
			if s.Listener != nil {
				s.Listener.Stopped(st)
			}
		case ir.Print:
			s.say(st, s.arguments(st))
		}
	}
}

// say prints a print statement with its arguments.
func (s *Stepper) say(st *program.Statement, args []uint64) {
	s.text = st.Format(s.text[:0], args)
	if _, err := s.Output.Write(s.text); err != nil && s.Err == nil {
		s.Err = fmt.Errorf("sim: %s: %w", program.Saying(ir.Print, s.P.Path(st.Inst), st.Src.Name), err)
	}
}

// arguments returns the words of a statement's arguments in order; valid until the next call.
func (s *Stepper) arguments(st *program.Statement) []uint64 {
	s.args = s.args[:0]
	for _, a := range st.Args {
		s.args = append(s.args, s.St.V[a.Slot:][:bits.WordCount(a.Width)]...)
	}
	return s.args
}

// Message is the text of a statement with the present values of its arguments.
func (s *Stepper) Message(st *program.Statement) string {
	return string(st.Format(nil, s.arguments(st)))
}
