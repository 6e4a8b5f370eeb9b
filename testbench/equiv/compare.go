package equiv

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"etch/ir"
	"etch/ir/pads"
	"etch/testbench/equiv/prover"
	"etch/testbench/tools"
)

// Compare decides whether two netlists have equal outputs in every cycle of every run; the
// package's documentation defines a run. Errors: a design is invalid or cannot be made gates;
// ports do not match (the error names all of them); an option names an input that does not
// exist.
func Compare(a, b *ir.Design, opts ...Option) (*Result, error) {
	o := collect(opts)
	o.end = time.Now().Add(o.time)
	for i, d := range []*ir.Design{a, b} {
		if d == nil || d.Top == nil {
			return nil, fmt.Errorf("equiv: there is no design %s", [...]string{"a", "b"}[i])
		}
		if err := ir.Verify(d); err != nil {
			return nil, fmt.Errorf("equiv: %w", err)
		}
	}
	pair, err := join(a, b)
	if err != nil {
		return nil, fmt.Errorf("equiv: %w", err)
	}

	// Both sides become one design with common inputs; the question is whether an output of the
	// two ever differs.
	q := &question{design: pair.design, o: o, end: o.end, paired: true, bad: func(p *problem) error {
		if err := p.compare(pair.outs); err != nil || !o.statements {
			return err
		}
		return p.statements()
	}}
	return q.answer()
}

// Verify decides whether assertions of a design hold in every run: the ones whose name, text or
// position contains assertion, all if it is empty. Errors: the errors of Compare, and that there
// is no such assertion.
func Verify(d *ir.Design, assertion string, opts ...Option) (*Result, error) {
	return verify(d, assertion, 0, opts)
}

// VerifyBounded decides whether all assertions of a design hold in the first
// cycles of every run.
func VerifyBounded(d *ir.Design, cycles int, opts ...Option) (*Result, error) {
	if cycles < 1 {
		return nil, fmt.Errorf("equiv: %d cycles are nothing to look at", cycles)
	}
	return verify(d, "", cycles, opts)
}

// verify answers a question about the assertions of a design, over all cycles or the first ones.
func verify(d *ir.Design, assertion string, cycles int, opts []Option) (*Result, error) {
	q, err := about(d, opts)
	if err != nil {
		return nil, err
	}
	q.cycles, q.bad = cycles, func(p *problem) error {
		_, err := p.assertions(assertion)
		return err
	}
	return q.answer()
}

// about returns a question about a design by itself, without bad literals yet.
func about(d *ir.Design, opts []Option) (*question, error) {
	if d == nil || d.Top == nil {
		return nil, errors.New("equiv: there is no design")
	}
	if err := ir.Verify(d); err != nil {
		return nil, fmt.Errorf("equiv: %w", err)
	}
	o := collect(opts)
	o.end = time.Now().Add(o.time)
	return &question{design: pads.Lower(d), o: o, end: o.end}, nil
}

// ask asks the prover and ABC in turns, within a part of the time; with cycles, about so many
// only. The result is the first answer that decides.
func (p *problem) ask(cycles int, part time.Duration) (prover.Result, error) {
	// With falling edges, a cycle is two steps.
	if p.circuit.Falls() {
		cycles *= 2
	}

	// A full graph lacks gates: nothing about it is a proof.
	if p.sys.Graph.Full() {
		if p.o.late() {
			return prover.Result{Why: errLate.Error()}, nil
		}
		return prover.Result{}, errors.New("the comparison has too many gates")
	}

	end := time.Now().Add(part)
	r := prover.Result{Why: "no time was left to try"}

	// The copy loses the pairs once they have been tried.
	sys := *p.sys
	for _, t := range p.turns(cycles, part) {
		left := min(time.Until(end), t.time)
		if left <= 0 {
			continue
		}

		// A short turn would end before ABC has read the file.
		if t.abc && left < leastABC {
			continue
		}

		if t.abc {
			say, err := abc(&sys, left, cycles)
			if err != nil {
				return r, err
			}

			// The reasons of all turns are kept, the latest in front.
			say.Why += "; in process: " + r.Why
			say.Gates, say.Latches, say.Depth = r.Gates, r.Latches, r.Depth
			r = say
		} else {
			limits := prover.Limits{Conflicts: p.o.conflicts, Depth: p.o.depth, Time: left, Shallow: t.shallow, Paired: t.paired}
			if cycles > 0 {
				limits.Depth, limits.Bounded = cycles, true
			}
			limits.Step = func(k int) {
				p.o.tell(func(s *Stage) { s.Step, s.Depth = k, cmp.Or(limits.Depth, prover.DefaultDepth) })
			}
			if r = prover.Prove(&sys, limits); t.paired {
				sys.Pairs = nil // they have been tried
			}
		}

		if r.Outcome != prover.Unknown {
			break
		}
	}
	return r, nil
}

// turn is a time slot of the prover or ABC.
type turn struct {
	abc, shallow, paired bool
	time                 time.Duration
}

// leastABC is the shortest time for which ABC is started.
const leastABC = time.Second

// turns returns the schedule: short turns of both first, as one may find soon the proof that
// takes the other long.
func (p *problem) turns(cycles int, part time.Duration) []turn {
	// Without ABC, the prover has all the time.
	_, err := tools.Find("berkeley-abc")
	var first []turn
	if len(p.sys.Pairs) > 0 && cycles == 0 && !p.o.onlyABC {
		first = []turn{{paired: true, time: part / 2}}
	}
	switch {
	case p.o.onlyABC:
		return []turn{{abc: true, time: part}}
	case err != nil || p.o.noABC:
		return append(first, turn{time: part})
	case cycles > 0 || len(p.sys.Latches) == 0:
		return []turn{{time: part / 3}, {abc: true, time: part}}
	}
	return append(first, turn{shallow: true, time: part / 3}, turn{abc: true, time: part / 12},
		turn{time: part / 3}, turn{abc: true, time: part})
}

// result makes the Result of the prover's answer. A trace is replayed on the simulator, which
// has to confirm it.
func (p *problem) result(r prover.Result) (*Result, error) {
	out := &Result{Outcome: outcome(r.Outcome), By: r.By, Depth: r.Depth, Gates: r.Gates, Latches: r.Latches}
	switch r.Outcome {
	case prover.Unknown:
		out.Why = r.Why
	// The simulator has the last word.
	case prover.Refuted:
		c, err := p.run(r.Trace)
		if err != nil {
			return nil, fmt.Errorf("a mistake in etch: the prover (%s) has a counterexample of %d cycles that the simulator does not confirm: %w", r.By, r.Trace.Steps(), err)
		}
		out.Counterexample = c
	}
	return out, nil
}
