package equiv

import (
	"errors"
	"fmt"
	"time"

	"etch/ir"
	"etch/testbench/equiv/prover"
	"etch/testbench/tools"
)

// Compare decides whether two netlists have equal outputs in every cycle of every
// run; see the package's documentation for what a run is. Errors: a design is not
// valid or cannot be made gates; the ports do not match, all of those that do not
// are named; an option speaks of an input that there is not.
func Compare(a, b *ir.Design, opts ...Option) (*Result, error) {
	o := collect(opts)
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
	p, err := newProblem(pair.design, o, true)
	if err == nil {
		err = p.compare(pair.outs)
	}
	if err == nil && o.statements {
		err = p.statements()
	}
	if err != nil {
		return nil, fmt.Errorf("equiv: %w", err)
	}
	return p.decide(0)
}

// Verify decides whether assertions of a design hold in every run: those whose
// name, text or position contains assertion, all of them if it is empty. Errors are
// those of Compare, and that there is no such assertion.
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

func verify(d *ir.Design, assertion string, cycles int, opts []Option) (*Result, error) {
	if d == nil || d.Top == nil {
		return nil, errors.New("equiv: there is no design")
	}
	if err := ir.Verify(d); err != nil {
		return nil, fmt.Errorf("equiv: %w", err)
	}
	p, err := newProblem(d, collect(opts), false)
	if err == nil {
		err = p.assertions(assertion)
	}
	if err != nil {
		return nil, fmt.Errorf("equiv: %w", err)
	}
	return p.decide(cycles)
}

// decide asks the prover, then ABC, then the prover for longer. With cycles it is
// about so many only.
func (p *problem) decide(cycles int) (*Result, error) {
	if p.sys.Graph.Full() {
		return nil, errors.New("equiv: the comparison has too many gates")
	}
	end := time.Now().Add(p.o.time)
	_, err := tools.Find("berkeley-abc")
	outside := err == nil && !p.o.noABC
	limits := prover.Limits{Conflicts: p.o.conflicts, Depth: p.o.depth, Time: p.o.time}
	if cycles > 0 {
		limits.Depth, limits.Bounded = cycles, true
	}
	if outside {
		limits.Time = p.o.time / 3
		limits.Shallow = cycles == 0
	}
	r := prover.Result{Why: "not tried"}
	if !p.o.onlyABC {
		r = prover.Prove(p.sys, limits)
	}
	if left := time.Until(end); r.Outcome == prover.Unknown && outside && left > 0 {
		say, err := abc(p.sys, left*3/4, cycles)
		if err != nil {
			return nil, fmt.Errorf("equiv: %w", err)
		}
		r.Why = say.Why + "; in process: " + r.Why
		if say.Outcome != prover.Unknown {
			r.Outcome, r.By, r.Trace = say.Outcome, say.By, say.Trace
		}
	}
	if left := time.Until(end); r.Outcome == prover.Unknown && outside && left > time.Second && cycles == 0 && !p.o.onlyABC {
		limits.Shallow, limits.Time = false, left
		r = prover.Prove(p.sys, limits)
	}
	return p.result(r)
}

// result describes what the prover has found; a trace is replayed.
func (p *problem) result(r prover.Result) (*Result, error) {
	out := &Result{Outcome: outcome(r.Outcome), By: r.By, Depth: r.Depth, Gates: r.Gates, Latches: r.Latches}
	switch r.Outcome {
	case prover.Unknown:
		out.Why = r.Why
	case prover.Refuted:
		c, err := p.run(r.Trace)
		if err != nil {
			return nil, fmt.Errorf("equiv: a mistake in etch: the prover (%s) has a counterexample of %d cycles that the simulator does not confirm: %w", r.By, r.Trace.Steps(), err)
		}
		out.Counterexample = c
	}
	return out, nil
}
