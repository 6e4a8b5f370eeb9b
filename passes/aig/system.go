package aig

import "fmt"

// System is a transition system. All literals belong to Graph; leaves other than Inputs,
// Free and the latches' Q must not be reachable.
type System struct {
	Graph       *Graph
	Inputs      []Lit // leaves with a new value in every step
	Rare        []int // indices of inputs that are mostly low in random runs: resets
	Free        []Lit // leaves with one value for a whole run, used by Init and Start
	Latches     []Latch
	Start       []Lit    // hold at the start; depend on Free only
	Pairs       [][2]Lit // Q of latches that may always be equal: a hint
	Before      int      // the start is the state after at least so many steps, in which constraints need not hold
	Constraints []Lit    // hold in every step
	Bad         []Lit    // must not be high in a step if all constraints hold up to and including it
	Outputs     []Lit    // other signals of interest

	// Names for files, each parallel to its list or nil.
	InputNames, FreeNames, LatchNames, ConstraintNames, BadNames, OutputNames []string
}

// Latch is a bit of state: Q in this step, Next in the next one, Init in the first, which
// depends on Free.
type Latch struct{ Q, Next, Init Lit }

// Trace is a run that ends in a bad state.
type Trace struct {
	Bad    int      // index of the literal that is high in the last step
	Free   []bool   // parallel to System.Free
	Inputs [][]bool // by step, parallel to System.Inputs
}

// Steps is the number of steps of a trace.
func (t *Trace) Steps() int { return len(t.Inputs) }

// Check runs a trace and returns an error if it is not a run of the system that ends in its
// bad state.
func (s *System) Check(t *Trace) error {
	v := make([]uint64, s.Graph.Len())
	// The start,
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

	// then step by step: constraints, next state.
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

// ZeroStart makes a system with the same runs whose latches all start at 0, for tools that
// support no other start. A latch that starts at 1 is kept inverted. Free becomes inputs,
// whose value counts in the first step only. A latch whose start depends on them, and the
// condition Start, are chosen by an added latch that is 0 in the first step and 1
// afterwards. Inputs are those of s, then Free. Bad literals, constraints and outputs keep
// their places, with one added constraint at the end for Start.
func (s *System) ZeroStart() *System {
	g := New()

	// Room for everything: each latch takes a few gates more.
	g.Limit(4 * (s.Graph.Len() + len(s.Latches) + 16))
	z := &System{
		Graph: g, BadNames: s.BadNames, ConstraintNames: s.ConstraintNames, OutputNames: s.OutputNames,
	}

	r := NewRebuilder(s.Graph, g)
	leaves := z.leaves(s, r)

	// The added latch is made only if it is needed.
	later := False // made when something needs it
	after := func() Lit {
		if later == False {
			later = g.Leaf()
		}
		return later
	}

	// A latch as its readers see it: inverted, or with its start in the first step.
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

	// Next states, then the results, then the condition at the start.
	for i, l := range s.Latches {
		z.Latches = append(z.Latches, Latch{Q: leaves[i], Next: r.Lit(l.Next).NotIf(flip[i])})
		z.LatchNames = append(z.LatchNames, name(s.LatchNames, i))
	}

	z.Constraints, z.Bad, z.Outputs = r.lits(s.Constraints), r.lits(s.Bad), r.lits(s.Outputs)

	// A condition at the start becomes a constraint that every later step meets.
	if len(s.Start) > 0 {
		hold := r.all(s.Start)
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

// leaves makes the inputs of s, then its free choices, inputs of z, and returns new leaves for its
// latches.
func (z *System) leaves(s *System, r *Rebuilder) []Lit {
	for i, l := range s.Inputs {
		z.input(r, l, name(s.InputNames, i))
	}
	for i, l := range s.Free {
		z.input(r, l, name(s.FreeNames, i))
	}

	latches := make([]Lit, len(s.Latches))
	for i := range latches {
		latches[i] = z.Graph.Leaf()
	}
	return latches
}

// input adds a leaf for literal l of another system.
func (s *System) input(r *Rebuilder, l Lit, name string) {
	leaf := s.Graph.Leaf()
	r.Set(l, leaf)
	s.Inputs, s.InputNames = append(s.Inputs, leaf), append(s.InputNames, name)
}

// name is element i of an optional list of names.
func name(names []string, i int) string {
	if names == nil {
		return ""
	}
	return names[i]
}
