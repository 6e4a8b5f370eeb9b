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
	own := depth
	if len(w.Constraints) == 0 {
		own = max(0, depth-w.Before)
	}
	if r = w.unrolled(depth, own); r.Trace != nil {
		r.Trace = w.whole(s, r.Trace)
	}
	return r, true
}
