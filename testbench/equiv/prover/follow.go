package prover

import (
	"time"

	"etch/passes/aig"
	"etch/testbench/equiv/sat"
)

// Answer is the answer to a question about one trace.
type Answer uint8

// The answers.
const (
	Open Answer = iota // not decided in time
	Yes
	No
)

// Follows decides whether some latches (mine) can start in another way, by other values of some
// of Free, such that no bad literal is high in any step of a trace. The inputs and all other
// latches are as in the trace.
func Follows(s *aig.System, t *aig.Trace, mine, free []bool, end time.Time) Answer {
	w := &work{part: &part{System: s}, end: end}
	h := aig.New()
	h.Limit(1 << 26)
	e := w.newEncoder(h)

	// The trace as it is: the values of the other latches, step by step.
	v := make([]uint64, s.Graph.Len())
	for i, l := range s.Free {
		v[l.Node()] = word(t.Free[i])
	}

	s.Graph.Simulate(v)
	values := make([]uint64, len(s.Latches))
	for i, l := range s.Latches {
		values[i] = aig.Value(v, l.Init)
	}

	// The start of mine, with leaves for the free choices.
	r := aig.NewRebuilder(s.Graph, h)
	for i, l := range s.Free {
		if free[i] {
			r.Set(l, h.Leaf())
		} else {
			r.Set(l, aig.Const(t.Free[i]))
		}
	}

	state := make([]aig.Lit, len(s.Latches))
	for i, l := range s.Latches {
		if mine[i] {
			state[i] = r.Lit(l.Init)
		}
	}

	for _, l := range s.Start {
		e.s.Add(e.lit(r.Lit(l)))
	}

	// One symbolic step for each step of the trace.
	for _, inputs := range t.Inputs {
		r := aig.NewRebuilder(s.Graph, h)
		for i, l := range s.Inputs {
			r.Set(l, aig.Const(inputs[i]))
			v[l.Node()] = word(inputs[i])
		}

		for i, l := range s.Latches {
			v[l.Q.Node()] = values[i]

			// The other latches are known in each step.
			if !mine[i] {
				state[i] = aig.Const(values[i]&1 == 1)
			}
			r.Set(l.Q, state[i])
		}
		for _, l := range s.Constraints {
			e.s.Add(e.lit(r.Lit(l)))
		}
		for _, l := range s.Bad {
			e.s.Add(e.lit(r.Lit(l).Not()))
		}
		s.Graph.Simulate(v)
		next := make([]aig.Lit, len(s.Latches))
		for i, l := range s.Latches {
			if values[i] = aig.Value(v, l.Next); mine[i] {
				next[i] = r.Lit(l.Next)
			}
		}
		if state = next; w.late() {
			return Open
		}
	}

	switch e.s.Solve(200000) {
	case sat.Yes:
		return Yes
	case sat.No:
		return No
	}

	return Open
}
