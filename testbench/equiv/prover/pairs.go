package prover

import (
	"time"

	"etch/passes/aig"
	"etch/testbench/equiv/sat"
)

// paired proves by the pairs that the system hints at, if this is easy: in a step from a state
// in which they are equal, they must be equal again. For two nearly equal sides this is a
// comparison of structure. Otherwise the result is Unknown.
func (w *work) paired() Result {
	first, low := w.partners()

	// Drop pairs until the rest is inductive.
	for len(first) > 0 && !w.late() {
		h := aig.New()
		h.Limit(4 * (w.Graph.Len() + 64))
		f, e := w.equalState(h, first, low)
		lost, open := 0, 0
		differ := func(x, y aig.Lit) bool {
			switch {
			case x == y:
				return false
			case open >= mostOpen || w.late():
				// With many open questions, the sweep answers all of them.
				open++
				return false
			}
			a := e.differ(quick, x, y)
			if a == sat.Unknown {
				open++
			}
			return a == sat.Yes
		}
		for j := range w.Latches {
			if q, ok := first[j]; ok && differ(f.of(w.Latches[w.latch[q.Node()]].Next), f.of(w.Latches[j].Next)) {
				delete(first, j)
				lost++
			}
		}

		switch {
		case lost > len(first): // the sides are not nearly equal
			return Result{}
		case lost > 0:
			continue
		}

		for _, i := range w.pending {
			if differ(f.of(w.Bad[i]), aig.False) {
				return Result{}
			}
		}

		if open > 0 {
			return w.swept(first, low)
		}
		return Result{Outcome: Proved, By: "correspondence"}
	}

	return Result{}
}

// partners gives, by latch, the Q of its partner: of the pairs that are hinted at, those that start
// alike. A partner has no entry itself. Latches that are always low (the second result) need none.
func (w *work) partners() (first map[int]aig.Lit, low []bool) {
	first = map[int]aig.Lit{}
	stands := map[int]bool{} // latches that are partners of others
	start := w.newEncoder(w.Graph)

	for _, l := range w.Start {
		start.hold(l)
	}

	// A partner must not have one itself, and both have to start alike.
	for _, x := range w.Pairs {
		i, j := w.latch[x[0].Node()], w.latch[x[1].Node()]

		_, follows := first[i]
		if i != j && !follows && !stands[j] && w.same(start, w.Latches[i].Init, w.Latches[j].Init) {
			first[j], stands[i] = w.Latches[i].Q, true
		}
	}

	// A latch is low if its next value is, and its start.
	low = make([]bool, len(w.Latches))
	for i, l := range w.Latches {
		low[i] = l.Next == aig.False && (w.same(start, l.Init, aig.False) || w.startsLow(l.Init))
	}

	return first, low
}

// mostOpen is the number of open questions at which all are left to a sweep.
const mostOpen = 4

// swept asks the same as a question without state to Prove, which proves nodes inside the step
// equal first: for instance multipliers with slightly different structure.
func (w *work) swept(first map[int]aig.Lit, low []bool) Result {
	for len(first) > 0 && !w.late() {
		h := aig.New()
		h.Limit(4 * (w.Graph.Len() + 64))
		f, _ := w.equalState(h, first, low)
		sys := &aig.System{Graph: h}
		for n := 1; n < h.Len(); n++ {
			if h.IsLeaf(n) {
				sys.Inputs = append(sys.Inputs, aig.MakeLit(n, false))
			}
		}
		for _, l := range w.Constraints {
			sys.Constraints = append(sys.Constraints, f.of(l))
		}
		var pairs []int // by bad literal: the latch that is not equal
		for j := range w.Latches {
			if q, ok := first[j]; ok {
				if x := h.Xor(f.of(w.Latches[w.latch[q.Node()]].Next), f.of(w.Latches[j].Next)); x != aig.False {
					sys.Bad, pairs = append(sys.Bad, x), append(pairs, j)
				}
			}
		}
		for _, i := range w.pending {
			sys.Bad = append(sys.Bad, f.of(w.Bad[i]))
		}

		r := Prove(sys, Limits{Conflicts: w.limits.Conflicts, Time: max(time.Until(w.end), time.Millisecond)})
		switch {
		case h.Full() || r.Outcome == Unknown:
			return Result{}
		case r.Outcome == Proved:
			return Result{Outcome: Proved, By: "correspondence"}
		case r.Trace.Bad >= len(pairs):
			// A bad literal of the system itself: the pairs do not suffice.
			return Result{}
		}

		// The trace is a step in which some pairs are lost.
		v := make([]uint64, h.Len())
		for i, l := range sys.Inputs {
			v[l.Node()] = word(r.Trace.Inputs[0][i])
		}
		h.Simulate(v)
		for k, j := range pairs {
			if aig.Value(v, sys.Bad[k])&1 == 1 {
				delete(first, j)
			}
		}
	}
	return Result{}
}

// startsLow proves by a sweep of the start that one of its literals is low.
func (w *work) startsLow(l aig.Lit) bool {
	left := time.Until(w.end)
	if left <= 0 {
		return false
	}

	// The start by itself is a combinational system.
	sys := &aig.System{Graph: w.Graph, Inputs: w.Free, Constraints: w.Start, Bad: []aig.Lit{l}}
	return Prove(sys, Limits{Conflicts: w.limits.Conflicts, Time: left / 4}).Outcome == Proved
}

// equalState builds a step from any state in which latches are equal by first, and some are low.
func (w *work) equalState(h *aig.Graph, first map[int]aig.Lit, low []bool) (*frame, *encoder) {
	state, at := make([]aig.Lit, len(w.Latches)), map[int]int{}
	for i, l := range w.Latches {
		at[l.Q.Node()] = i
		if _, ok := first[i]; !ok && !low[i] {
			state[i] = h.Leaf()
		}
	}

	// Partners are known now: they share the literal.
	for i := range w.Latches {
		if q, ok := first[i]; ok {
			state[i] = state[at[q.Node()]]
		}
	}
	f, e := w.frame(h, state, nil), w.newEncoder(h)
	for _, l := range w.Constraints {
		e.hold(f.of(l))
	}
	return f, e
}

// same reports whether two literals are proved equal.
func (w *work) same(e *encoder, x, y aig.Lit) bool {
	return x == y || !w.late() && e.differ(quick, x, y) == sat.No
}
