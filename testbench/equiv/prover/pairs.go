package prover

import (
	"etch/passes/aig"
	"etch/testbench/equiv/sat"
)

// paired proves by the pairs that the system hints at, if that is easily done: in a
// step from a state in which they are equal they must be equal again. Where both sides
// are nearly the same that is a look at their structure. Unknown otherwise.
func (w *work) paired() Result {
	first := map[int]aig.Lit{} // by latch: the Q that it is equal to, which is not in first
	stands := map[int]bool{}   // latches that others are equal to
	start := w.newEncoder(w.Graph)
	for _, l := range w.Start {
		start.s.Add(start.lit(l))
	}
	for _, x := range w.Pairs {
		i, j := w.latch[x[0].Node()], w.latch[x[1].Node()]
		_, follows := first[i]
		if i != j && !follows && !stands[j] && w.same(start, w.Latches[i].Init, w.Latches[j].Init) {
			first[j], stands[i] = w.Latches[i].Q, true
		}
	}
	for len(first) > 0 && !w.late() {
		h := aig.New()
		h.Limit(4 * (w.Graph.Len() + 64))
		f, e := w.equalState(h, first)
		lost := 0
		for j := range w.Latches {
			q, ok := first[j]
			if ok && !w.same(e, f.of(w.Latches[w.latch[q.Node()]].Next), f.of(w.Latches[j].Next)) {
				delete(first, j)
				lost++
			}
		}
		switch {
		case lost > len(first): // the sides are not nearly the same
			return Result{}
		case lost > 0:
			continue
		}
		for _, i := range w.pending {
			if !w.same(e, f.of(w.Bad[i]), aig.False) {
				return Result{}
			}
		}
		if w.late() {
			break
		}
		return Result{Outcome: Proved, By: "correspondence"}
	}
	return Result{}
}

// equalState is a step from any state in which latches are equal as first says.
func (w *work) equalState(h *aig.Graph, first map[int]aig.Lit) (*frame, *encoder) {
	state, at := make([]aig.Lit, len(w.Latches)), map[int]int{}
	for i, l := range w.Latches {
		at[l.Q.Node()] = i
		if _, ok := first[i]; !ok {
			state[i] = h.Leaf()
		}
	}
	for i := range w.Latches {
		if q, ok := first[i]; ok {
			state[i] = state[at[q.Node()]]
		}
	}
	f, e := w.frame(h, state, nil), w.newEncoder(h)
	for _, l := range w.Constraints {
		e.s.Add(e.lit(f.of(l)))
	}
	return f, e
}

// same reports whether two literals are certainly equal.
func (w *work) same(e *encoder, x, y aig.Lit) bool {
	return x == y || !w.late() && e.really(quick, x, y) == sat.No
}
