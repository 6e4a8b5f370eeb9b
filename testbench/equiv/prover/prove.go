package prover

import (
	"fmt"
	"time"

	"etch/passes/aig"
)

// Outcome is the knowledge about a system's bad literals.
type Outcome uint8

// The outcomes.
const (
	Unknown Outcome = iota
	Proved
	Refuted
)

// String returns "unknown", "proved" or "refuted".
func (o Outcome) String() string { return [...]string{"unknown", "proved", "refuted"}[o] }

// DefaultDepth is the number of steps to unroll if Limits has none.
const DefaultDepth = 20

// Limits are the bounds of a proof; zero values stand for the defaults.
type Limits struct {
	Conflicts int           // of one question at the end; 0: 200000
	Depth     int           // most steps to unroll; 0: 20
	Time      time.Duration // of the whole; 0: 30 s
	Bounded   bool          // search traces of up to Depth steps, prove nothing beyond
	Shallow   bool          // without the long unrolling: another method goes on
	Paired    bool          // random runs and the system's pairs only: another method goes on
	Step      func(k int)   // nil, or called before each step of the long unrolling, with its number from 1
}

// Result is the answer of a proof.
type Result struct {
	Outcome Outcome
	Why     string     // Unknown: the open question
	Trace   *aig.Trace // Refuted
	By      string     // the method that decided: "structure", "simulation", "sweep", "induction", "unrolling", "k-induction"
	Depth   int        // steps from the start in which nothing bad can happen, as far as known
	Gates   int        // ands of the reduced system
	Latches int
}

// work is a proof in progress.
type work struct {
	*part
	limits  Limits
	end     time.Time
	facts   *classes    // equalities that hold in every step; nil: none is known
	pending []int       // bad literals not yet proved
	latch   map[int]int // by node: number of its latch
	step    []bool      // by node: a step depends on it, not only the start
	depth   int
}

// late reports whether the time is over.
func (w *work) late() bool { return time.Now().After(w.end) }

// newWork begins a proof; limits that are 0 get their defaults.
func newWork(s *aig.System, l Limits) *work {
	if l.Conflicts == 0 {
		l.Conflicts = 200000
	}
	if l.Depth == 0 {
		l.Depth = DefaultDepth
	}
	if l.Time == 0 {
		l.Time = 30 * time.Second
	}
	w := &work{part: reduced(s), latch: map[int]int{}, limits: l, end: time.Now().Add(l.Time)}
	for i, l := range w.Latches {
		w.latch[l.Q.Node()] = i
	}
	w.step = w.steps()
	for i, l := range w.Bad {
		// A literal that is constant low is proved.
		if l != aig.False {
			w.pending = append(w.pending, i)
		}
	}
	return w
}

// Prove decides whether any bad literal of a system can be high. A trace in the result has been
// simulated ([aig.System.Check]).
func Prove(s *aig.System, l Limits) Result {
	w := newWork(s, l)
	r := w.prove()
	r.Gates, r.Latches, r.Depth = w.Graph.Ands(), len(w.Latches), w.depth
	if r.Trace != nil {
		r.Trace = w.whole(s, r.Trace)

		// A trace that the system does not confirm is a mistake of the prover.
		if err := s.Check(r.Trace); err != nil {
			panic(err)
		}
	}
	if r.Outcome == Unknown && w.late() {
		r.Why = fmt.Sprintf("%v were not enough; %s", w.limits.Time, r.Why)
	}
	return r
}

// steps marks the nodes on which a step depends.
func (w *work) steps() []bool {
	in := make([]bool, w.Graph.Len())
	mark := func(lits ...aig.Lit) {
		for _, l := range lits {
			in[l.Node()] = true
		}
	}
	mark(w.Bad...)
	mark(w.Constraints...)
	mark(w.Inputs...)
	for _, l := range w.Latches {
		mark(l.Q, l.Next)
	}

	// Arguments have smaller numbers, so one pass downwards is complete.
	for n := len(in) - 1; n > 0; n-- {
		if in[n] && w.Graph.IsAnd(n) {
			a, b := w.Graph.Args(n)
			mark(a, b)
		}
	}
	return in
}

// apart separates nodes of a step from the classes of nodes that only the start depends on;
// their signatures may agree by chance.
func (w *work) apart(c *classes) {
	for n := range c.rep {
		if r := c.rep[n].Node(); r != 0 && w.step[n] != w.step[r] {
			c.leave(n)
		}
	}
}

// Bounds of conflicts for frequent questions.
const (
	quick = 300
	early = 2000
)

// glance is the number of steps to unroll before induction.
const glance = 4

// prove tries the methods from quick to slow, as the package's documentation lists them.
func (w *work) prove() Result {
	if len(w.pending) == 0 {
		return Result{Outcome: Proved, By: "structure"}
	}

	// Random runs find most mistakes, and the classes for all later methods.
	trace, c := w.random()
	if trace != nil {
		return Result{Outcome: Refuted, Trace: w.shorter(trace), By: "simulation"}
	}
	depth, straight := w.depthOf()
	straight = straight && len(w.Latches) > 0 && !w.limits.Bounded
	if len(w.Pairs) > 0 && !w.limits.Bounded && !(straight && w.own(depth) == 0) {
		var r Result

		// A quarter of the time, or all of it if nothing follows.
		part := time.Duration(4)
		if w.limits.Paired {
			part = 1
		}
		w.within(part, func() { r = w.paired() })
		if r.Outcome == Proved {
			return r
		}
	}
	if w.limits.Paired {
		return Result{Why: "the pairs prove nothing"}
	}

	// The general methods.
	w.apart(c)
	if straight {
		return w.acyclic(c, depth)
	}
	return w.inductive(c)
}

// inductive proves by induction over the classes, then by unrolling and k-induction.
func (w *work) inductive(c *classes) Result {
	// Many assertions follow from themselves in one step, without any equality: on large designs
	// this takes a hundredth of the time of the classes.
	if !w.limits.Bounded && len(w.Latches) > 0 && w.byThemselves() {
		return Result{Outcome: Proved, By: "1-induction"}
	}

	first := w.sweepStart(c)
	if first.Outcome != Proved || len(w.Latches) == 0 {
		return first
	}
	w.depth = 1

	// A few steps from the start find the counterexamples that induction would not.
	u := w.newUnrolling(true)
	if t := u.steps(min(glance, w.limits.Depth), early); t != nil {
		return Result{Outcome: Refuted, Trace: t, By: "unrolling"}
	}
	w.induct(c)
	if w.settle(c); len(w.pending) == 0 {
		return Result{Outcome: Proved, By: "induction"}
	}

	// The equalities hold in all steps, for the longer methods to use.
	w.facts = c
	return w.long()
}

// byThemselves reports whether nothing bad happens in the first step, nor after a step without
// anything bad. It is false as well if one of the questions is not decided soon.
func (w *work) byThemselves() bool {
	u := w.newUnrolling(true)
	if u.steps(1, early) != nil || u.done < 1 {
		return false
	}
	step := w.newUnrolling(false)
	step.steps(1, 0)
	return step.follows(1, early)
}

// within runs f with a part of the time left.
func (w *work) within(part time.Duration, f func()) {
	end := w.end
	w.end = time.Now().Add(time.Until(end) / part)
	f()
	w.end = end
}

// shorter looks for a trace of fewer steps, for its reader: a trace from unrolling is the
// shortest, and low where values do not matter. It takes a second at most.
func (w *work) shorter(t *aig.Trace) *aig.Trace {
	end := w.end
	if soon := time.Now().Add(time.Second); soon.Before(end) {
		w.end = soon
	}
	defer func() { w.end = end }()

	// Unrolling this far would take longer than the second.
	if w.Graph.Ands()*t.Steps() > 1e6 {
		return t
	}
	if s := w.newUnrolling(true).steps(t.Steps(), early); s != nil {
		return s
	}
	return t
}

// settle removes the pending literals that are low by the equalities.
func (w *work) settle(c *classes) {
	var left []int
	for _, i := range w.pending {
		if c.of(w.Bad[i]) != aig.False {
			left = append(left, i)
		}
	}
	w.pending = left
}

// long unrolls from the start and tries k-induction, in turns.
func (w *work) long() Result {
	start, step := w.newUnrolling(true), w.newUnrolling(false)

	step.steps(1, 0)

	// Each depth first looks for a counterexample from the start, then for a proof by induction.
	for k := 1; k <= w.limits.Depth; k++ {
		if w.limits.Step != nil {
			w.limits.Step(k)
		}
		if t := start.steps(k, w.limits.Conflicts); t != nil {
			return Result{Outcome: Refuted, Trace: t, By: "unrolling"}
		}
		if start.stuck {
			return Result{Why: fmt.Sprintf("step %d is not decided within %d conflicts", k-1, w.limits.Conflicts)}
		}
		if w.limits.Shallow && k >= glance {
			return Result{Why: "left to others"}
		}
		if !w.limits.Bounded && step.follows(k, w.limits.Conflicts/10) {
			return Result{Outcome: Proved, By: fmt.Sprintf("%d-induction", k)}
		}
		if w.late() {
			return Result{Why: fmt.Sprintf("nothing bad within %d steps", k)}
		}
	}

	if w.limits.Bounded {
		return Result{Outcome: Proved, By: "unrolling"}
	}
	return Result{Why: fmt.Sprintf("nothing bad within %d steps, but induction over as many proves nothing", w.limits.Depth)}
}
