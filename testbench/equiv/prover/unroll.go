package prover

import (
	"etch/passes/aig"
	"etch/testbench/equiv/sat"
)

// unrolling is consecutive steps, from the start or from any state in which the facts hold.
type unrolling struct {
	w         *work
	h         *aig.Graph
	e         *encoder
	fromStart bool
	free      []aig.Lit
	state     []aig.Lit
	inputs    [][]aig.Lit // by step
	bad       []aig.Lit   // of the last step, parallel to pending
	done      int         // steps in which nothing bad can happen
	stuck     bool        // the last step was not decided
}

// newUnrolling begins an unrolling.
func (w *work) newUnrolling(fromStart bool) *unrolling {
	u := &unrolling{w: w, h: aig.New(), fromStart: fromStart}
	u.h.Limit(1 << 26)
	if fromStart {
		var hold []aig.Lit
		u.state, hold, u.free = w.start(u.h)
		u.e = w.newEncoder(u.h)
		for _, l := range hold {
			u.e.hold(l)
		}
	}
	return u
}

// push adds a step. Nodes that are equal by the facts become one.
func (u *unrolling) push() {
	w := u.w
	var f *frame

	// Without a start, the first step is any in which the facts hold.
	if !u.fromStart && u.e == nil {
		s := &sweep{w: w}
		f, _ = w.assumed(u.h, w.facts, s)
		u.e = s.e
	} else {
		f = u.next()
	}
	u.state = w.next(f)
	u.bad = u.bad[:0]
	for _, i := range w.pending {
		u.bad = append(u.bad, f.of(w.Bad[i]))
	}
}

// next builds the step after the others, or the first from the start. The facts rest on the
// constraints, so the constraints are built without them.
func (u *unrolling) next() *frame {
	w := u.w
	inputs, at := make([]aig.Lit, len(w.Inputs)), map[int]int{}
	for i, l := range w.Inputs {
		inputs[i], at[l.Node()] = u.h.Leaf(), i
	}
	for _, l := range w.lawful(u.h, u.state, inputs) {
		u.e.hold(l)
	}

	// The inputs are kept for the trace.
	u.inputs = append(u.inputs, inputs)
	return w.frame(u.h, u.state, func(f *frame, n int) {
		if i, ok := at[n]; ok {
			f.lits[n] = inputs[i]
		}
		if !w.facts.alone(n) {
			f.lits[n] = f.of(w.facts.rep[n])
		}
	})
}

// steps looks for a bad literal in the steps before step n.
func (u *unrolling) steps(n, conflicts int) *aig.Trace {
	if !u.fromStart {
		u.push()
		return nil
	}
	for !u.stuck && u.done < n && !u.w.late() {
		// A step that an earlier call has built but not decided is there already.
		if len(u.inputs) == u.done {
			u.push()
		}

		// Ask for each bad literal of the step; a No becomes a fact for the later steps.
		for k, l := range u.bad {
			if l == aig.False {
				continue
			}
			switch u.e.s.Solve(conflicts, u.e.lit(l)) {
			case sat.Yes:
				t := &aig.Trace{Bad: u.w.pending[k], Free: u.e.values(u.free)}
				for _, in := range u.inputs {
					t.Inputs = append(t.Inputs, u.e.values(in))
				}
				return t
			case sat.Unknown:
				u.stuck = true
				return nil
			}
			u.e.hold(l.Not())
		}
		u.done++
		u.w.depth = max(u.w.depth, u.done)
	}
	return nil
}

// follows reports whether nothing bad can happen after k steps without anything bad, within a
// number of conflicts for each question. It is called with k rising by one, and tried at every
// depth, so each try is short.
func (u *unrolling) follows(k, conflicts int) bool {
	// The induction assumes that nothing bad happens in the steps so far.
	for _, l := range u.bad {
		u.e.hold(l.Not())
	}
	u.push()
	for _, l := range u.bad {
		if u.e.s.Solve(conflicts, u.e.lit(l)) != sat.No {
			return false
		}
	}
	return true
}
