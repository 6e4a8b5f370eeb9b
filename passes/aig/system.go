package aig

import "fmt"

// System is a transition system. All literals are of Graph; what is not a leaf
// among Inputs, Free and the latches' Q must not be reached.
type System struct {
	Graph       *Graph
	Inputs      []Lit // leaves with a new value in every step
	Rare        []int // indices of inputs that are mostly low in random runs: resets
	Free        []Lit // leaves with one value for a whole run, seen by Init and Start
	Latches     []Latch
	Start       []Lit    // hold at the start; follow from Free
	Pairs       [][2]Lit // Q of latches that may be equal always: a hint
	Before      int      // the start is the state after so many steps, or more, in which constraints need not hold
	Constraints []Lit    // hold in every step
	Bad         []Lit    // must not be high in a step before which, and in which, all constraints hold
	Outputs     []Lit    // of interest otherwise

	// Names for files, each parallel to its list or nil.
	InputNames, FreeNames, LatchNames, ConstraintNames, BadNames, OutputNames []string
}

// Latch is a bit of state: Q in this step, Next in the one after, Init in the
// first, which follows from Free.
type Latch struct{ Q, Next, Init Lit }

// Trace is a run that ends with something bad.
type Trace struct {
	Bad    int      // index of the literal that is high in the last step
	Free   []bool   // parallel to System.Free
	Inputs [][]bool // by step, parallel to System.Inputs
}

// Steps is the number of steps of a trace.
func (t *Trace) Steps() int { return len(t.Inputs) }

// Check runs a trace and reports what is wrong with it, nil if it shows what it
// says.
func (s *System) Check(t *Trace) error {
	v := make([]uint64, s.Graph.Len())
	for i, l := range s.Free {
		v[l.Node()] = word(t.Free[i])
	}
	s.Graph.Simulate(v)
	for _, l := range s.Start {
		if Value(v, l)&1 == 0 {
			return fmt.Errorf("aig: the trace does not start as it should")
		}
	}
	state := make([]uint64, len(s.Latches))
	for i, l := range s.Latches {
		state[i] = Value(v, l.Init)
	}
	for at, inputs := range t.Inputs {
		for i, l := range s.Inputs {
			v[l.Node()] = word(inputs[i])
		}
		for i, l := range s.Latches {
			v[l.Q.Node()] = state[i]
		}
		s.Graph.Simulate(v)
		for i, l := range s.Constraints {
			if Value(v, l)&1 == 0 {
				return fmt.Errorf("aig: constraint %d does not hold in step %d of the trace", i, at)
			}
		}
		for i, l := range s.Latches {
			state[i] = Value(v, l.Next)
		}
	}
	if len(t.Inputs) == 0 || Value(v, s.Bad[t.Bad])&1 == 0 {
		return fmt.Errorf("aig: the trace ends without anything bad")
	}
	return nil
}

func word(b bool) uint64 {
	if b {
		return ^uint64(0)
	}
	return 0
}

// ZeroStart makes a system with the same runs whose latches all start at 0, for
// tools that know no other start: a latch that starts at 1 is kept inverted, Free
// becomes inputs that are looked at in the first step only, and what starts at one
// of them, or must hold at the start, is chosen by a latch that is 0 in the first
// step and 1 afterwards. Inputs are those of s, then Free; bad literals,
// constraints and outputs keep their places, with one constraint more at the end
// for Start.
func (s *System) ZeroStart() *System {
	g := New()
	g.Limit(4 * (s.Graph.Len() + len(s.Latches) + 16))
	z := &System{
		Graph: g, BadNames: s.BadNames, ConstraintNames: s.ConstraintNames, OutputNames: s.OutputNames,
	}
	r := NewRebuilder(s.Graph, g)
	for i, l := range s.Inputs {
		z.input(r, l, name(s.InputNames, i))
	}
	for i, l := range s.Free {
		z.input(r, l, name(s.FreeNames, i))
	}
	leaves := make([]Lit, len(s.Latches))
	for i := range leaves {
		leaves[i] = g.Leaf()
	}
	later := False // made when something needs it
	after := func() Lit {
		if later == False {
			later = g.Leaf()
		}
		return later
	}
	flip := make([]bool, len(s.Latches))
	for i, l := range s.Latches {
		q := leaves[i]
		switch start := r.Lit(l.Init); start {
		case False:
		case True:
			q, flip[i] = q.Not(), true
		default:
			q = g.Mux(after(), q, start)
		}
		r.Set(l.Q, q)
	}
	for i, l := range s.Latches {
		z.Latches = append(z.Latches, Latch{Q: leaves[i], Next: r.Lit(l.Next).NotIf(flip[i])})
		z.LatchNames = append(z.LatchNames, name(s.LatchNames, i))
	}
	for _, list := range []struct{ from, to *[]Lit }{{&s.Constraints, &z.Constraints}, {&s.Bad, &z.Bad}, {&s.Outputs, &z.Outputs}} {
		for _, l := range *list.from {
			*list.to = append(*list.to, r.Lit(l))
		}
	}
	if len(s.Start) > 0 {
		hold := True
		for _, l := range s.Start {
			hold = g.And(hold, r.Lit(l))
		}
		z.Constraints = append(z.Constraints, g.Or(after(), hold))
		if z.ConstraintNames != nil {
			z.ConstraintNames = append(z.ConstraintNames[:len(z.ConstraintNames):len(z.ConstraintNames)], "start")
		}
	}
	if later != False {
		z.Latches = append(z.Latches, Latch{Q: later, Next: True})
		z.LatchNames = append(z.LatchNames, "later")
	}
	return z
}

// input adds a leaf that stands for l of another system.
func (s *System) input(r *Rebuilder, l Lit, name string) {
	leaf := s.Graph.Leaf()
	r.Set(l, leaf)
	s.Inputs, s.InputNames = append(s.Inputs, leaf), append(s.InputNames, name)
}

// name is element i of a list of names that may not be there.
func name(names []string, i int) string {
	if names == nil {
		return ""
	}
	return names[i]
}
