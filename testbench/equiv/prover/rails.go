package prover

import "etch/passes/aig"

// rails is a literal that may be unknown (dual-rail encoding): whether it can be 1, and whether
// it can be 0.
type rails struct{ one, zero aig.Lit }

// notIf inverts a literal if c is set.
func (r rails) notIf(c bool) rails {
	if c {
		return rails{r.zero, r.one}
	}
	return r
}

// UnknownStart makes a system in which some of Free are unknown, and all values that depend on them
// (ternary simulation, as X in Verilog without its optimism). A bad literal is high there only
// if it is high for all values of them. Constraints have to hold for certain. A trace of the
// system is a trace of s for any values of the unknown ones; Inputs and Free have the same
// places.
func UnknownStart(s *aig.System, unknown []bool) *aig.System {
	g := aig.New()
	g.Limit(4 * (s.Graph.Len() + 2*len(s.Latches) + 64))
	z := &aig.System{Graph: g, Rare: s.Rare, Before: s.Before}
	at := make([]rails, s.Graph.Len())
	at[0] = rails{aig.False, aig.True}
	leaf := func(l aig.Lit) aig.Lit {
		x := g.Leaf()
		at[l.Node()] = rails{x, x.Not()}
		return x
	}
	for _, l := range s.Inputs {
		z.Inputs = append(z.Inputs, leaf(l))
	}
	for i, l := range s.Free {
		z.Free = append(z.Free, leaf(l))
		if unknown[i] {
			// An unknown value can be both.
			at[l.Node()] = rails{aig.True, aig.True}
		}
	}
	for _, l := range s.Latches {
		at[l.Q.Node()] = rails{g.Leaf(), g.Leaf()}
	}

	// An and can be 1 if both arguments can, and 0 if one of them can.
	for n := 1; n < s.Graph.Len(); n++ {
		if s.Graph.IsAnd(n) {
			x, y := s.Graph.Args(n)
			a, b := at[x.Node()].notIf(x.Inverted()), at[y.Node()].notIf(y.Inverted())
			at[n] = rails{g.And(a.one, b.one), g.Or(a.zero, b.zero)}
		}
	}
	of := func(l aig.Lit) rails { return at[l.Node()].notIf(l.Inverted()) }
	certain := func(l aig.Lit) aig.Lit { return of(l).zero.Not() }

	// Each latch becomes two.
	for _, l := range s.Latches {
		q, next, init := of(l.Q), of(l.Next), of(l.Init)
		z.Latches = append(z.Latches,
			aig.Latch{Q: q.one, Next: next.one, Init: init.one},
			aig.Latch{Q: q.zero, Next: next.zero, Init: init.zero})
	}
	for _, list := range []struct{ from, to *[]aig.Lit }{{&s.Start, &z.Start}, {&s.Constraints, &z.Constraints}, {&s.Bad, &z.Bad}} {
		for _, l := range *list.from {
			*list.to = append(*list.to, certain(l))
		}
	}
	return z
}
