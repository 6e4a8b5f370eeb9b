package prover

import (
	"math/rand/v2"

	"etch/passes/aig"
	"etch/testbench/equiv/sat"
)

// frame is one step of the system in another graph, where nodes that are known to be equal are
// one.
type frame struct {
	h    *aig.Graph
	lits []aig.Lit // by node of the system's graph
}

// frame builds a step from the literals of its latches. merge may replace the literal of a node;
// it is called for nodes in order, arguments first. Nodes that only the start depends on are
// left out.
func (w *work) frame(h *aig.Graph, state []aig.Lit, merge func(f *frame, n int)) *frame {
	f := &frame{h: h, lits: make([]aig.Lit, w.Graph.Len())}
	for n := 1; n < w.Graph.Len(); n++ {
		if !w.step[n] {
			continue
		}
		if w.Graph.IsAnd(n) {
			a, b := w.Graph.Args(n)
			f.lits[n] = h.And(f.of(a), f.of(b))
		} else if i, ok := w.latch[n]; ok {
			f.lits[n] = state[i]
		} else {
			f.lits[n] = h.Leaf()
		}
		if merge != nil {
			merge(f, n)
		}
	}
	return f
}

// of returns the literal of l in the step.
func (f *frame) of(l aig.Lit) aig.Lit { return f.lits[l.Node()].NotIf(l.Inverted()) }

// next returns the literals of the latches after a step.
func (w *work) next(f *frame) []aig.Lit {
	state := make([]aig.Lit, len(w.Latches))
	for i, l := range w.Latches {
		state[i] = f.of(l.Next)
	}
	return state
}

// start returns the literals of the latches in the first step, over new leaves for Free, and the
// literals that hold at the start.
func (w *work) start(h *aig.Graph) (state, hold, free []aig.Lit) {
	r := aig.NewRebuilder(w.Graph, h)
	for _, l := range w.Free {
		leaf := h.Leaf()
		free = append(free, leaf)
		r.Set(l, leaf)
	}
	for _, l := range w.Latches {
		state = append(state, r.Lit(l.Init))
	}
	for _, l := range w.Start {
		hold = append(hold, r.Lit(l))
	}
	return state, hold, free
}

// lawful returns the constraints of a step in h, built without merging, from its state and its
// leaves for inputs. Merging may rest on the constraints, so they must not rest on it.
func (w *work) lawful(h *aig.Graph, state, inputs []aig.Lit) (hold []aig.Lit) {
	if len(w.Constraints) == 0 {
		return nil
	}
	r := aig.NewRebuilder(w.Graph, h)
	for i, l := range w.Latches {
		r.Set(l.Q, state[i])
	}
	for i, l := range w.Inputs {
		r.Set(l, inputs[i])
	}
	for _, l := range w.Constraints {
		hold = append(hold, r.Lit(l))
	}
	return hold
}

// sweep proves or refutes the equalities of classes in one frame (SAT sweeping).
type sweep struct {
	w       *work
	c       *classes
	e       *encoder
	hold    []aig.Lit         // literals that are true in every model
	changed bool              // some class became smaller
	left    map[int][]aig.Lit // by representative: literals of its class that were not decided
	// learn splits the classes by the model that the solver has found.
	learn func(rng *rand.Rand)
	rng   *rand.Rand
}

// fresh begins with a new solver.
func (s *sweep) fresh(h *aig.Graph) {
	s.e = s.w.newEncoder(h)
	for _, l := range s.hold {
		s.e.hold(l)
	}
}

// manyVars is the number of variables at which a solver with clauses of gates only is replaced:
// each model gives a value to every variable.
const manyVars = 1 << 19

// merge replaces node n by its representative if the two are equal; otherwise it splits the
// class. A node that is not decided is compared with the undecided nodes of its class: of two
// copies of a hard circuit, one equals the other.
func (s *sweep) merge(f *frame, n int) {
	for !s.c.alone(n) {
		r := s.c.rep[n]
		want := f.of(r)
		if f.lits[n] == want {
			return
		}
		switch s.compare(want, f.lits[n]) {
		case sat.No:
			f.lits[n] = want
			return
		case sat.Unknown:
			// An open question counts as a difference.
			s.changed = true
			s.c.leave(n)
			s.twin(f, n, r)
			return
		}

		// The model separates the two, and perhaps other nodes.
		s.learn(s.rng)
		if s.c.rep[n] == r {
			s.c.leave(n) // the model does not separate this node: not all nodes were in the question
		}
		s.changed = true
	}
}

// compare asks whether two literals can differ.
func (s *sweep) compare(x, y aig.Lit) sat.Answer {
	if s.w.late() {
		return sat.Unknown
	}
	return s.e.differ(quick, x, y)
}

// twins is the most undecided nodes of a class with which a node is compared.
const twins = 4

// twin looks for a node equal to n among the nodes that have left the class of r undecided.
func (s *sweep) twin(f *frame, n int, r aig.Lit) {
	left := s.left[r.Node()]

	// Only the latest ones.
	for i := len(left) - 1; i >= 0 && i >= len(left)-twins; i-- {
		other := left[i].NotIf(r.Inverted()) // as n, inverted or not
		if s.c.alone(other.Node()) && s.compare(f.of(other), f.lits[n]) == sat.No {
			s.c.rep[n], f.lits[n] = other, f.of(other)
			return
		}
	}
	if s.left == nil {
		s.left = map[int][]aig.Lit{}
	}
	s.left[r.Node()] = append(left, aig.MakeLit(n, r.Inverted()))
}

// sweepStart proves the classes for the first step of all runs, and that nothing bad happens in
// it. The logic of the start is swept together with the step's.
func (w *work) sweepStart(c *classes) Result {
	h := aig.New()
	h.Limit(4 * (w.Graph.Len() + 64))
	state, hold, free := w.start(h)
	inputs := make([]aig.Lit, len(w.Inputs))
	for i := range inputs {
		inputs[i] = h.Leaf()
	}
	s := &sweep{w: w, c: c, hold: append(hold, w.lawful(h, state, inputs)...), rng: rand.New(rand.NewPCG(1, 2))}
	s.learn = func(rng *rand.Rand) { w.learnStart(s, free, inputs) }
	s.fresh(h)
	f := &frame{h: h, lits: make([]aig.Lit, w.Graph.Len())}
	for i, l := range w.Inputs {
		f.lits[l.Node()] = inputs[i]
	}
	for i, l := range w.Free {
		f.lits[l.Node()] = free[i]
	}
	for n := 1; n < w.Graph.Len(); n++ {
		if w.Graph.IsAnd(n) {
			a, b := w.Graph.Args(n)
			f.lits[n] = h.And(f.of(a), f.of(b))
		} else if i, ok := w.latch[n]; ok {
			f.lits[n] = state[i]

			// The start has been swept by now: its literal may be merged.
			if init := w.Latches[i].Init; init.Node() < n {
				f.lits[n] = f.of(init)
			}
		}

		// A solver of gates only can be replaced at any time; facts learned are lost, not truth.
		if s.e.s.Vars() > manyVars {
			s.fresh(h)
		}
		s.merge(f, n)
	}
	return w.first(s, f, free, inputs)
}

// first looks for a bad literal in the first step after its sweep.
func (w *work) first(s *sweep, f *frame, free, inputs []aig.Lit) Result {
	by := "structure"
	s.e.s.Focus(nil)
	for _, i := range w.pending {
		bad := f.of(w.Bad[i])
		if bad == aig.False {
			by = "sweep"
			continue
		}
		by = "sweep"
		switch s.e.s.Solve(w.limits.Conflicts, s.e.lit(bad)) {
		case sat.Yes:
			return Result{Outcome: Refuted, By: "sweep", Trace: &aig.Trace{Bad: i, Free: s.e.values(free), Inputs: [][]bool{s.e.values(inputs)}}}
		case sat.Unknown:
			return Result{Why: "the first step was not decided"}
		}
	}
	return Result{Outcome: Proved, By: by}
}

// learnStart splits classes by a first step that the solver has found, and by 63 similar ones.
func (w *work) learnStart(s *sweep, free, inputs []aig.Lit) {
	v := make([]uint64, w.Graph.Len())

	// Run 0 is the model; the 63 others differ from it in few values.
	like := func(b bool) uint64 { return word(b) ^ random(s.rng, true)&^1 }
	for i, l := range w.Free {
		v[l.Node()] = like(s.e.value(free[i]))
	}
	w.Graph.Simulate(v)
	mask := ^uint64(0)
	for _, l := range w.Start {
		mask &= aig.Value(v, l)
	}
	state := make([]uint64, len(w.Latches))
	for i, l := range w.Latches {
		state[i] = aig.Value(v, l.Init)
	}
	for i, l := range w.Inputs {
		v[l.Node()] = like(s.e.value(inputs[i]))
	}
	w.setState(v, state)
	w.Graph.Simulate(v)
	s.c.split(v, mask&w.allowed(v))
}

// setState sets the values of the latches.
func (w *work) setState(v, state []uint64) {
	for i, l := range w.Latches {
		v[l.Q.Node()] = state[i]
	}
}

// allowed returns the runs of a step in which all constraints hold, as a mask.
func (w *work) allowed(v []uint64) uint64 {
	mask := ^uint64(0)
	for _, l := range w.Constraints {
		mask &= aig.Value(v, l)
	}
	return mask
}

// values returns the model's values of leaves.
func (e *encoder) values(leaves []aig.Lit) []bool {
	list := make([]bool, len(leaves))
	for i, l := range leaves {
		list[i] = e.value(l)
	}
	return list
}
