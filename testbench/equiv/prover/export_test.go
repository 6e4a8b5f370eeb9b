package prover

import "etch/passes/aig"

// Unrolled is what unrolling to the depth alone says; false for a system with
// feedback.
func Unrolled(s *aig.System) (r Result, acyclic bool) {
	w := newWork(s, Limits{})
	depth, ok := w.depthOf()
	if !ok {
		return r, false
	}
	if r = w.unrolled(depth, w.own(depth)); r.Trace != nil {
		r.Trace = w.whole(s, r.Trace)
	}
	return r, true
}
