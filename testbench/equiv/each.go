package equiv

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"etch/ir"
	"etch/ir/pads"
	"etch/passes/aig"
)

// Verdict is the result about one assertion.
type Verdict struct {
	Assertion string // its name, or its text and position
	*Result
}

// VerifyEach is [Verify] with a result for each assertion, in the order of the
// netlist. It first asks about all at once, for a third of the time, since together
// they are often inductive where one alone is not. Where that decides nothing, each is
// asked about by itself, with an equal share of the time that is left: one hard
// assertion then hides no others.
func VerifyEach(d *ir.Design, assertion string, opts ...Option) ([]Verdict, error) {
	if d == nil || d.Top == nil {
		return nil, errors.New("equiv: there is no design")
	}
	if err := ir.Verify(d); err != nil {
		return nil, fmt.Errorf("equiv: %w", err)
	}
	o := collect(opts)
	end := time.Now().Add(o.time)

	// All at once. The statements are those of the flat circuit, which are numbered
	// alike in every question about the design.
	var list []int
	var labels []string
	lowered := pads.Lower(d)
	share := *o
	share.time = o.time / 3
	all := &question{design: lowered, o: &share, bad: func(p *problem) error {
		list, labels = p.matching(assertion)
		return p.assertions(assertion)
	}}
	r, err := all.answer()
	if err != nil {
		return nil, err
	}
	out := make([]Verdict, len(list))
	for i := range list {
		out[i] = Verdict{labels[i], r}
	}
	if r.Outcome != Unknown || len(list) == 1 && time.Until(end) <= 0 {
		return failing(out), nil
	}

	// One by one.
	for i, number := range list {
		one := *o
		one.time = max(time.Until(end)/time.Duration(len(list)-i), time.Millisecond)
		q := &question{design: lowered, o: &one, bad: func(p *problem) error {
			s := &p.circuit.Stmts[number]
			p.add(bad{stmt: s}, s.Hit)
			return nil
		}}
		if out[i].Result, err = q.answer(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// failing leaves the assertion of a counterexample, if there is one: nothing is known
// of the others then.
func failing(all []Verdict) []Verdict {
	for _, v := range all {
		if v.Outcome == Different && v.Counterexample.Assertion == v.Assertion {
			return []Verdict{v}
		}
	}
	if len(all) > 0 && all[0].Outcome == Different {
		return []Verdict{{all[0].Counterexample.Assertion, all[0].Result}}
	}
	return all
}

// matching lists the statements that assertions asks about, with their labels.
func (p *problem) matching(what string) (list []int, labels []string) {
	for i := range p.circuit.Stmts {
		if s := &p.circuit.Stmts[i]; s.Fails() && matches(s, what) {
			list, labels = append(list, i), append(labels, s.Label())
		}
	}
	return list, labels
}

// matches reports whether the name, text or position of a statement contains what.
func matches(s *aig.Stmt, what string) bool {
	return strings.Contains(s.Name, what) || strings.Contains(s.Text, what) || strings.Contains(s.At, what)
}
