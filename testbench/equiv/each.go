package equiv

import (
	"time"

	"etch/ir"
)

// Verdict is the result for one assertion.
type Verdict struct {
	Assertion string // its name and text, or its position
	*Result
}

// VerifyEach is [Verify] with a result for each assertion, in the order of the netlist. It first
// asks about all at once, for a third of the time, since together they are often inductive where
// one alone is not. If that decides nothing, it asks about each by itself, with an equal share
// of the remaining time: one hard assertion then hides no others. If all at once have a
// counterexample, the assertion that fails in it is the only one in the result.
func VerifyEach(d *ir.Design, assertion string, opts ...Option) ([]Verdict, error) {
	q, err := about(d, opts)
	if err != nil {
		return nil, err
	}

	// All at once. The statements are those of the flat circuit, which are numbered
	// alike in every question about the design.
	var list []int
	var labels []string
	end, third := q.end, time.Now().Add(q.o.time/3)
	q.bad = func(p *problem) (err error) {
		if list, err = p.assertions(assertion); len(list) > 1 {
			q.end = third // a single assertion is asked about once
		}
		labels = nil
		for _, i := range list {
			labels = append(labels, p.circuit.Stmts[i].Label())
		}
		return err
	}
	all, err := q.answer()
	switch {
	case err != nil:
		return nil, err
	case all.Outcome == Different:
		return []Verdict{{all.Counterexample.Assertion, all}}, nil
	}

	out := make([]Verdict, len(list))
	for i := range out {
		out[i] = Verdict{labels[i], all}
	}

	if all.Outcome == Equal || len(list) == 1 {
		return out, nil
	}

	// One by one.
	for i, number := range list {
		q.o.tell(func(s *Stage) { *s = Stage{Done: i, All: len(list)} })
		q.end = time.Now().Add(max(time.Until(end)/time.Duration(len(list)-i), time.Millisecond))
		q.bad = func(p *problem) error {
			s := &p.circuit.Stmts[number]
			p.add(bad{stmt: s}, s.Hit)
			return nil
		}
		if out[i].Result, err = q.answer(); err != nil {
			return nil, err
		}
	}
	return out, nil
}
