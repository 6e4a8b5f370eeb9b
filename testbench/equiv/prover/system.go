package prover

import (
	"slices"

	"etch/passes/aig"
)

// part is the part of a system on which its bad literals and constraints depend.
type part struct {
	*aig.System
	inputs, free []int // by index in the part: index in the whole
}

// reduced copies that part into a graph of its own: what the start, the constraints and the
// properties depend on.
func reduced(s *aig.System) *part {
	before := map[int][]aig.Lit{}
	for _, l := range s.Latches {
		before[l.Q.Node()] = []aig.Lit{l.Next, l.Init}
	}
	return keep(s, s.Graph.Support(slices.Concat(s.Start, s.Constraints, s.Bad), before))
}

// keep copies the needed nodes, in order.
func keep(s *aig.System, need []bool) *part {
	p := &part{System: &aig.System{Graph: aig.New(), Before: s.Before}}
	p.Graph.Limit(2 * s.Graph.Len())

	// Operands have lower numbers than their gates, so one pass in ascending order copies every
	// operand before its use. A leaf (input, free value or latch) stays a leaf.
	at := make([]aig.Lit, s.Graph.Len())
	for n := 1; n < s.Graph.Len(); n++ {
		if !need[n] {
			continue
		}
		if !s.Graph.IsAnd(n) {
			at[n] = p.Graph.Leaf()
			continue
		}
		a, b := s.Graph.Args(n)
		at[n] = p.Graph.And(at[a.Node()].NotIf(a.Inverted()), at[b.Node()].NotIf(b.Inverted()))
	}

	// at has nodes; the inversion of a literal stays with the literal.
	to := func(l aig.Lit) aig.Lit { return at[l.Node()].NotIf(l.Inverted()) }
	all := func(ls []aig.Lit) (list []aig.Lit) {
		for _, l := range ls {
			list = append(list, to(l))
		}
		return list
	}

	// Inputs and free values get new indices. p.inputs and p.free lead back to the whole's, by which
	// a counterexample is told.
	rare := map[int]bool{}
	for _, i := range s.Rare {
		rare[i] = true
	}
	for i, l := range s.Inputs {
		if need[l.Node()] {
			if rare[i] {
				p.Rare = append(p.Rare, len(p.Inputs))
			}
			p.Inputs, p.inputs = append(p.Inputs, to(l)), append(p.inputs, i)
		}
	}
	for i, l := range s.Free {
		if need[l.Node()] {
			p.Free, p.free = append(p.Free, to(l)), append(p.free, i)
		}
	}

	// A pair of latches that may always be equal is a hint. It is kept only if both latches are.
	for _, l := range s.Latches {
		if need[l.Q.Node()] {
			p.Latches = append(p.Latches, aig.Latch{Q: to(l.Q), Next: to(l.Next), Init: to(l.Init)})
		}
	}
	for _, x := range s.Pairs {
		if need[x[0].Node()] && need[x[1].Node()] {
			p.Pairs = append(p.Pairs, [2]aig.Lit{to(x[0]), to(x[1])})
		}
	}

	// Start, constraints and properties are the roots of need, so all of them are copied.
	p.Start, p.Constraints, p.Bad = all(s.Start), all(s.Constraints), all(s.Bad)
	return p
}

// whole translates a trace of the part into one of the whole; all other values are low.
func (p *part) whole(s *aig.System, t *aig.Trace) *aig.Trace {
	w := &aig.Trace{Bad: t.Bad, Free: make([]bool, len(s.Free))}
	for i, at := range p.free {
		w.Free[at] = t.Free[i]
	}
	for _, step := range t.Inputs {
		in := make([]bool, len(s.Inputs))
		for i, at := range p.inputs {
			in[at] = step[i]
		}
		w.Inputs = append(w.Inputs, in)
	}
	return w
}

// word returns a value for all 64 runs.
func word(b bool) uint64 {
	if b {
		return ^uint64(0)
	}
	return 0
}
