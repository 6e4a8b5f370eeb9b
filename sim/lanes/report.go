package lanes

import (
	"fmt"
	"strings"

	"etch/sim"
	"etch/sim/internal/drive"
	"etch/sim/internal/notes"
	"etch/sim/internal/switches"
)

// Report is the present state of the engine of [Lanes], for people and tests. Equal calls give
// an equal report, apart from the times in notes of contests.
type Report struct {
	Engine string           `json:"engine"` // as Lanes.Engine gives it
	Lanes  int              `json:"lanes"`
	Groups int              `json:"groups"` // of lanes in vectors; 0: every lane is a simulator of its own
	Form   string           `json:"form"`   // of the groups: sliced, words or mixed
	Cost   float64          `json:"cost"`   // estimated vector instructions of a cycle for one lane, without bodies
	Bodies bool             `json:"bodies"` // control states have code of their own
	Within float64          `json:"within"` // the share of cycles that such code ran since the last plan
	Faults int              `json:"faults"` // panics while compiling; slower code goes on
	Notes  []string         `json:"notes"`  // decisions, oldest first, with the reason a candidate lost
	Codes  []sim.CodeReport `json:"codes"`  // of simulators of their own: machine code of the first lane
}

// Report describes the engine of l, and why it has taken this form. l must be open.
func (l *Lanes) Report() Report {
	l.open()
	r := Report{Engine: l.name, Lanes: l.n, Faults: l.faults, Notes: l.All()}

	switch e := l.engine.(type) {
	case *grouped:
		r.Groups, r.Form = len(e.groups), e.layout.Form.String()
		r.Cost = e.events[string(l.all())].Cost()
		if s := e.study; s != nil {
			r.Cost = s.home.events[string(l.all())].Cost()
			if r.Bodies = s.within; r.Bodies {
				r.Within = 1 - float64(s.missed)/float64(max(1, s.since(e)))
			}
		}

	// Each lane alone: the code of the first stands for all.
	case *singles:
		one := e.sims[0].Report()
		r.Codes = one.Codes
		if one.Why != "" {
			r.Notes = append(r.Notes, one.Why)
		}
		for _, s := range e.sims {
			if s.m.Faulty() {
				r.Faults++
			}
		}
	}
	return r
}

// String is the report in one line, the notes on lines of their own.
func (r Report) String() string {
	// Without groups each lane is a simulator of its own, which has neither form nor estimated cost.
	var b strings.Builder
	fmt.Fprintf(&b, "%d lanes, engine %s", r.Lanes, r.Engine)
	if r.Groups > 0 {
		fmt.Fprintf(&b, ", %d groups, form %s, cost of a cycle %.2f per lane", r.Groups, r.Form, r.Cost)
	} else {
		b.WriteString(", one after the other")
	}
	if r.Bodies {
		fmt.Fprintf(&b, ", bodies for %.1f %% of the cycles", 100*r.Within)
	}
	if r.Faults > 0 {
		fmt.Fprintf(&b, ", %d faults of the compiler", r.Faults)
	}

	for _, n := range r.Notes {
		b.WriteString("\n  " + n)
	}
	for _, c := range r.Codes {
		b.WriteString("\n  " + c.String())
	}
	return b.String()
}

// diary is the notes of a Report.
type diary struct {
	notes.List
	faults int
}

// note records a decision.
func (d *diary) note(format string, args ...any) { d.Add("lanes", format, args...) }

// guarded calls f, which compiles code for lanes that chose their engine by themselves, and returns
// a panic of it as an error. The caller goes on with other code.
func (d *diary) guarded(f func() error) error {
	return drive.Compiling(f, !switches.Strict(), func(err error) {
		d.note("%v", err)
		if d.faults++; d.faults == 1 {
			drive.TellFault(err)
		}
	})
}
