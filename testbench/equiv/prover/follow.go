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
	f := newFollower(s, t, mine, end)
	f.start(free)

	for _, inputs := range t.Inputs {
		if f.step(inputs); f.w.late() {
			return Open
		}
	}

	switch f.e.s.Solve(200000) {
	case sat.Yes:
		return Yes
	case sat.No:
		return No
	}

	return Open
}

// follower replays a trace twice, step by step: as it is, in numbers, and with literals of h in the
// latches that are mine.
type follower struct {
	w      *work
	s      *aig.System
	t      *aig.Trace
	mine   []bool
	v      []uint64 // by node: the values of the trace
	values []uint64 // by latch, of the present step
	h      *aig.Graph
	e      *encoder  // of h
	state  []aig.Lit // by latch, of the present step
}

func newFollower(s *aig.System, t *aig.Trace, mine []bool, end time.Time) *follower {
	f := &follower{s: s, t: t, mine: mine, w: &work{part: &part{System: s}, end: end}, h: aig.New()}
	f.h.Limit(1 << 26)
	f.e = f.w.newEncoder(f.h)
	return f
}

// start has the trace's own start and, for mine, one with leaves for the free choices.
func (f *follower) start(free []bool) {
	s := f.s
	f.v = make([]uint64, s.Graph.Len())

	r := aig.NewRebuilder(s.Graph, f.h)
	for i, l := range s.Free {
		f.v[l.Node()] = word(f.t.Free[i])
		if free[i] {
			r.Set(l, f.h.Leaf())
		} else {
			r.Set(l, aig.Const(f.t.Free[i]))
		}
	}

	// All values of the trace come from one pass; literals are made only for mine.
	s.Graph.Simulate(f.v)
	f.values, f.state = make([]uint64, len(s.Latches)), make([]aig.Lit, len(s.Latches))
	for i, l := range s.Latches {
		if f.values[i] = aig.Value(f.v, l.Init); f.mine[i] {
			f.state[i] = r.Lit(l.Init)
		}
	}

	for _, l := range s.Start {
		f.e.hold(r.Lit(l))
	}
}

// step is one symbolic step for a step of the trace: its constraints hold and nothing bad is high.
func (f *follower) step(inputs []bool) {
	s := f.s
	r := aig.NewRebuilder(s.Graph, f.h)
	for i, l := range s.Inputs {
		r.Set(l, aig.Const(inputs[i]))
		f.v[l.Node()] = word(inputs[i])
	}

	// The other latches are known in each step.
	for i, l := range s.Latches {
		f.v[l.Q.Node()] = f.values[i]
		if !f.mine[i] {
			f.state[i] = aig.Const(f.values[i]&1 == 1)
		}
		r.Set(l.Q, f.state[i])
	}

	for _, l := range s.Constraints {
		f.e.hold(r.Lit(l))
	}

	for _, l := range s.Bad {
		f.e.hold(r.Lit(l).Not())
	}

	// Both go on to the next step.
	s.Graph.Simulate(f.v)
	next := make([]aig.Lit, len(s.Latches))
	for i, l := range s.Latches {
		if f.values[i] = aig.Value(f.v, l.Next); f.mine[i] {
			next[i] = r.Lit(l.Next)
		}
	}
	f.state = next
}
