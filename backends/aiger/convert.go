package aiger

import (
	"fmt"

	"etch/passes/aig"
)

// FromSystem converts a system to a file. A latch whose Init is a leaf of Free, used
// nowhere else, starts with any value. Any other Init that is not constant is an error, as
// is a condition on the start; [aig.System.ZeroStart] can then be written instead.
func FromSystem(s *aig.System) (*File, error) {
	f := &File{}
	w := &numbering{g: s.Graph, at: make([]uint32, s.Graph.Len())}
	// AIGER numbers variables in the order inputs, latches, gates.
	for i, l := range s.Inputs {
		f.Inputs = append(f.Inputs, Symbol{w.next(l), nameAt(s.InputNames, i)})
	}

	for i, l := range s.Latches {
		f.Latches = append(f.Latches, Latch{Lit: w.next(l.Q), Name: nameAt(s.LatchNames, i)})
	}

	if err := starts(s, f); err != nil {
		return nil, err
	}

	// Gates are numbered in the order of the graph, so operands come first, as the binary
	// form requires. Only the gates that something depends on are written.
	w.known = make([]bool, s.Graph.Len())
	for _, l := range append(append([]aig.Lit(nil), s.Inputs...), latchLits(s)...) {
		w.known[l.Node()] = true
	}

	needed := w.needed(s)
	for n := 1; n < s.Graph.Len(); n++ {
		switch {
		case !needed[n] || w.known[n]:
		case !s.Graph.IsAnd(n):
			return nil, fmt.Errorf("aiger: node %d is a leaf but neither input nor latch", n)
		default:
			a, b := s.Graph.Args(n)
			lit := w.next(aig.MakeLit(n, false))
			f.Ands = append(f.Ands, And{lit, max(w.lit(a), w.lit(b)), min(w.lit(a), w.lit(b))})
		}
	}

	// The literals are all known now.
	for i := range s.Latches {
		f.Latches[i].Next = w.lit(s.Latches[i].Next)
	}

	f.Outputs = w.symbols(s.Outputs, s.OutputNames)
	f.Bad = w.symbols(s.Bad, s.BadNames)
	f.Constraints = w.symbols(s.Constraints, s.ConstraintNames)
	f.MaxVar = w.last
	return f, nil
}

// starts sets the initial values. The format expresses an unknown start by the latch's own
// literal.
func starts(s *aig.System, f *File) error {
	free := map[int]bool{}
	for _, l := range s.Free {
		free[l.Node()] = true
	}

	// Each free leaf may start one latch, uninverted.
	used := map[int]bool{}
	for i, l := range s.Latches {
		n := l.Init.Node()
		switch {
		case l.Init.IsConst():
			f.Latches[i].Init = uint32(l.Init)
		case free[n] && !used[n] && !l.Init.Inverted():
			used[n] = true
			f.Latches[i].Init = f.Latches[i].Lit
		default:
			return fmt.Errorf("aiger: latch %d starts at what other latches start at too, or at more than a constant: write the system's ZeroStart", i)
		}
	}

	// A condition has no place in the format.
	if len(s.Start) > 0 {
		return fmt.Errorf("aiger: the format has no conditions on the start: write the system's ZeroStart")
	}
	return nil
}

func latchLits(s *aig.System) (list []aig.Lit) {
	for _, l := range s.Latches {
		list = append(list, l.Q)
	}
	return list
}

// numbering assigns variables of a file to nodes.
type numbering struct {
	g     *aig.Graph
	at    []uint32 // by node: the variable
	known []bool
	last  uint32
}

func (w *numbering) next(l aig.Lit) uint32 {
	w.last++
	w.at[l.Node()] = w.last
	return 2 * w.last
}

func (w *numbering) lit(l aig.Lit) uint32 {
	v := 2 * w.at[l.Node()]
	if l.Inverted() {
		v++
	}
	return v
}

func (w *numbering) symbols(lits []aig.Lit, names []string) (list []Symbol) {
	for i, l := range lits {
		list = append(list, Symbol{w.lit(l), nameAt(names, i)})
	}
	return list
}

// needed marks the nodes that something in the file depends on.
func (w *numbering) needed(s *aig.System) []bool {
	need := make([]bool, s.Graph.Len())
	mark := func(lits []aig.Lit) {
		for _, l := range lits {
			need[l.Node()] = true
		}
	}
	// Roots, then down: operands have smaller numbers.
	mark(s.Outputs)
	mark(s.Bad)
	mark(s.Constraints)
	for _, l := range s.Latches {
		need[l.Next.Node()] = true
	}
	for n := s.Graph.Len() - 1; n > 0; n-- {
		if need[n] && s.Graph.IsAnd(n) {
			a, b := s.Graph.Args(n)
			need[a.Node()], need[b.Node()] = true, true
		}
	}
	need[0] = false
	return need
}

func nameAt(names []string, i int) string {
	if names == nil {
		return ""
	}
	return names[i]
}

// System converts a file to a system. Errors: a literal without definition; a gate that
// depends on itself.
func (f *File) System() (*aig.System, error) {
	b := &building{s: &aig.System{Graph: aig.New()}, at: make([]aig.Lit, f.MaxVar+1), state: make([]uint8, f.MaxVar+1), ands: map[uint32]And{}}
	b.state[0] = done
	// Inputs and latches are leaves.
	for _, in := range f.Inputs {
		b.s.Inputs, b.s.InputNames = append(b.s.Inputs, b.leaf(in.Lit)), append(b.s.InputNames, in.Name)
	}

	for _, l := range f.Latches {
		init := aig.Const(l.Init == 1)
		q := b.leaf(l.Lit)
		if l.Init > 1 {
			init = b.s.Graph.Leaf()
			b.s.Free, b.s.FreeNames = append(b.s.Free, init), append(b.s.FreeNames, l.Name)
		}
		b.s.Latches, b.s.LatchNames = append(b.s.Latches, aig.Latch{Q: q, Init: init}), append(b.s.LatchNames, l.Name)
	}

	// Gates may stand in any order: they are made on demand.
	for _, a := range f.Ands {
		b.ands[a.Lit/2] = a
	}

	for _, a := range f.Ands {
		if err := b.gate(a.Lit / 2); err != nil {
			return nil, err
		}
	}

	// A literal may also refer to a variable that nothing defines.
	var err error
	lit := func(l uint32) aig.Lit {
		if b.state[l/2] != done && err == nil {
			err = fmt.Errorf("aiger: nothing defines literal %d", l)
		}
		return b.lit(l)
	}

	for i, l := range f.Latches {
		b.s.Latches[i].Next = lit(l.Next)
	}

	for _, k := range []struct {
		from  []Symbol
		to    *[]aig.Lit
		names *[]string
	}{{f.Outputs, &b.s.Outputs, &b.s.OutputNames}, {f.Bad, &b.s.Bad, &b.s.BadNames}, {f.Constraints, &b.s.Constraints, &b.s.ConstraintNames}} {
		for _, x := range k.from {
			*k.to, *k.names = append(*k.to, lit(x.Lit)), append(*k.names, x.Name)
		}
	}
	return b.s, err
}

// building makes the gates of a file, in any order.
type building struct {
	s     *aig.System
	at    []aig.Lit // by variable
	state []uint8   // by variable
	ands  map[uint32]And
}

const (
	open = 1
	done = 2
)

func (b *building) leaf(l uint32) aig.Lit {
	b.at[l/2], b.state[l/2] = b.s.Graph.Leaf(), done
	return b.at[l/2]
}

func (b *building) lit(l uint32) aig.Lit { return b.at[l/2].NotIf(l&1 == 1) }

// gate makes the gate of a variable and everything below it, by a depth-first search with
// an explicit stack. An open operand closes a loop.
func (b *building) gate(v uint32) error {
	stack := []uint32{v}

	for len(stack) > 0 {
		v := stack[len(stack)-1]
		if b.state[v] == done {
			stack = stack[:len(stack)-1]
			continue
		}
		a, ok := b.ands[v]
		if !ok {
			return fmt.Errorf("aiger: nothing defines literal %d", 2*v)
		}

		// Operands first: a gate stays on the stack, open, until both exist.
		ready := true
		for _, x := range []uint32{a.A / 2, a.B / 2} {
			if b.state[x] == open {
				return fmt.Errorf("aiger: gate %d follows from itself", 2*x)
			}
			if b.state[x] != done {
				ready = false
				stack = append(stack, x)
			}
		}
		if !ready {
			b.state[v] = open
			continue
		}

		b.at[v], b.state[v] = b.s.Graph.And(b.lit(a.A), b.lit(a.B)), done
		stack = stack[:len(stack)-1]
	}
	return nil
}
