package prover

import (
	"math/rand/v2"

	"etch/passes/aig"
)

// induct splits classes, which hold in the first step, until they hold in each step that follows
// a step in which they hold: then they hold always (van Eijk). If time runs out, no class is
// left, as unproved classes are no facts.
func (w *work) induct(c *classes) {
	for round := uint64(0); w.round(c, round); round++ {
		if w.late() {
			for n := range c.rep {
				c.leave(n)
			}
			return
		}
	}
}

// round assumes all equalities in one step and proves them in the next. It reports whether some
// were lost: then all others have to be proved again without them.
func (w *work) round(c *classes, round uint64) bool {
	h := aig.New()
	h.Limit(8 * (w.Graph.Len() + 64))
	s := &sweep{w: w, c: c, rng: rand.New(rand.NewPCG(round, 3))}
	before, inputs0 := w.assumed(h, c, s)
	state := w.next(before)

	inputs1 := make([]aig.Lit, len(w.Inputs))
	for i := range inputs1 {
		inputs1[i] = h.Leaf()
	}
	for _, l := range w.lawful(h, state, inputs1) {
		s.e.hold(l)
	}

	input := map[int]int{}
	for i, l := range w.Inputs {
		input[l.Node()] = i
	}

	// Candidates that a counterexample separates leave their class; the frame merges the others.
	s.learn = func(rng *rand.Rand) { w.learnStep(s, before, inputs0, inputs1) }
	w.frame(h, state, func(f *frame, n int) {
		if i, ok := input[n]; ok {
			f.lits[n] = inputs1[i]
		}
		s.merge(f, n)
	})
	return s.changed
}

// assumed builds a step from any state in which the equalities of c hold: nodes of a class are
// one, and clauses say so where the structure does not.
func (w *work) assumed(h *aig.Graph, c *classes, s *sweep) (f *frame, inputs []aig.Lit) {
	state := make([]aig.Lit, len(w.Latches))
	for i := range state {
		state[i] = h.Leaf()
	}
	type pair struct{ x, y aig.Lit }
	var equal []pair
	f = w.frame(h, state, func(f *frame, n int) {
		if c.alone(n) {
			return
		}
		if want := f.of(c.rep[n]); f.lits[n] != want {
			if _, ok := w.latch[n]; !ok {
				equal = append(equal, pair{f.lits[n], want})
			}
			f.lits[n] = want // a latch has no leaf of its own then
		}
	})
	s.e = s.w.newEncoder(h)
	for _, p := range equal {
		s.e.equal(p.x, p.y)
	}
	for _, l := range w.Inputs {
		inputs = append(inputs, f.of(l))
	}
	for _, l := range w.Constraints {
		s.e.hold(f.of(l))
	}
	return f, inputs
}

// learnStep splits classes by a step that the solver has found to follow a step in which they
// hold, and by 63 steps with other inputs.
func (w *work) learnStep(s *sweep, before *frame, inputs0, inputs1 []aig.Lit) {
	hv := make([]uint64, before.h.Len())
	for n := range hv {
		if before.h.IsLeaf(n) {
			hv[n] = word(s.e.value(aig.MakeLit(n, false)))
		}
	}

	// The values of the first step, then of the step after it, on the system's own graph.
	before.h.Simulate(hv)
	v := make([]uint64, w.Graph.Len())
	for _, l := range w.Latches {
		v[l.Q.Node()] = aig.Value(hv, before.of(l.Q))
	}
	for i, l := range w.Inputs {
		v[l.Node()] = aig.Value(hv, inputs0[i])
	}
	w.Graph.Simulate(v)
	state := make([]uint64, len(w.Latches))
	for i, l := range w.Latches {
		state[i] = aig.Value(v, l.Next)
	}
	for i, l := range w.Inputs {
		v[l.Node()] = aig.Value(hv, inputs1[i]) ^ random(s.rng, true)&^1
	}
	w.setState(v, state)
	w.Graph.Simulate(v)
	s.c.split(v, w.allowed(v))
}
