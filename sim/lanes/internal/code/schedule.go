package code

import (
	"slices"

	"etch/sim/lanes/internal/gates"
)

// item is a unit of work: a gate, a read, or storing a slot of the state at the end of the
// cycle.
type item struct {
	kind itemKind
	at   int32 // node, index in reads, or index in roots
}

type itemKind uint8

const (
	doGate itemKind = iota
	doRead
	doRoot
	doStop
)

// schedule is an order of work, by depth-first search, so that few values are live at once.
type schedule struct {
	b       *blaster
	items   []item
	done    []bool  // by node
	reading []bool  // by read: it is in the order
	knot    []int32 // by node: its knot, or -1
	live    []bool  // by node: it is needed
	stack   []step  // of visit
}

// step is a node to visit, or an item to append.
type step struct {
	visit bool
	item
}

// newSchedule orders the gates for the roots, the stop condition and the writes. Nodes of a knot
// go in order of creation.
func newSchedule(b *blaster, stop gates.Lit, roots []root, ws []write) *schedule {
	n := len(b.g.N)
	s := &schedule{b: b, done: make([]bool, n), reading: make([]bool, len(b.reads)), knot: make([]int32, n)}
	s.mark(stop, roots, ws)

	for i := range s.knot {
		s.knot[i] = -1
	}
	for k, r := range b.knots {
		for i := r[0]; i < r[1]; i++ {
			s.knot[i] = int32(k)
		}
	}

	// The stop comes first: it must leave before anything is stored.
	if stop != gates.False {
		s.visit(stop.Node())
		s.items = append(s.items, item{doStop, 0})
	}

	for k, r := range roots {
		// A slot that keeps its value is not stored.
		if r.lit != b.leaf[r.slot] || r.lit <= gates.True {
			s.visit(r.lit.Node())
			s.items = append(s.items, item{doRoot, int32(k)})
		}
	}

	for _, w := range ws {
		s.visit(w.cond.Node())
		for _, x := range [][]gates.Lit{w.addr, w.data, w.mask} {
			for _, l := range x {
				s.visit(l.Node())
			}
		}
	}
	return s
}

// mark finds the nodes that are needed, by depth-first search from the roots.
func (s *schedule) mark(stop gates.Lit, roots []root, ws []write) {
	s.live = make([]bool, len(s.b.g.N))
	var stack []int32
	push := func(l gates.Lit) {
		if n := l.Node(); !s.live[n] {
			s.live[n] = true
			stack = append(stack, n)
		}
	}

	push(stop)
	for _, r := range roots {
		push(r.lit)
	}
	for _, w := range ws {
		push(w.cond)
		for _, x := range [][]gates.Lit{w.addr, w.data, w.mask} {
			for _, l := range x {
				push(l)
			}
		}
	}

	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, l := range s.b.g.Operands(n) {
			push(l)
		}
		// A bit of a read needs the read's condition and address.
		if r := s.b.readOf(n); r >= 0 {
			push(s.b.reads[r].cond)
			for _, l := range s.b.reads[r].addr {
				push(l)
			}
		}
	}
}

// readOf is the read that node n is a bit of, or -1.
func (b *blaster) readOf(n int32) int32 {
	if int(n) >= len(b.from) {
		return -1
	}
	return b.from[n]
}

// visit appends node first to the order, after its operands: a depth-first post-order. Its stack
// holds nodes to visit, and items to append once everything above them is done, since paths may be
// millions of gates long.
func (s *schedule) visit(first int32) {
	stack := append(s.stack[:0], step{true, item{at: first}})
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !at.visit {
			s.items = append(s.items, at.item)
			continue
		}
		n := at.item.at
		if s.done[n] || !s.live[n] {
			continue
		}

		// Reaching one node of a knot places all of it; the marks go first.
		top := len(stack)
		if k := s.knot[n]; k >= 0 {
			s.knot[n] = -1
			for i := s.b.knots[k][0]; i < s.b.knots[k][1]; i++ {
				s.knot[i] = -1
			}
			for i := s.b.knots[k][0]; i < s.b.knots[k][1]; i++ {
				stack = append(stack, step{true, item{at: i}})
			}
			slices.Reverse(stack[top:])
			continue
		}

		s.done[n] = true
		if s.b.g.IsLeaf(n) {
			// A bit of a read: the read itself goes first, once, after its condition and address.
			if r := s.b.readOf(n); r >= 0 && !s.reading[r] {
				s.reading[r] = true
				stack = append(stack, step{true, item{at: s.b.reads[r].cond.Node()}})
				for _, l := range s.b.reads[r].addr {
					stack = append(stack, step{true, item{at: l.Node()}})
				}
				stack = append(stack, step{false, item{doRead, r}})
				slices.Reverse(stack[top:])
			}
			continue
		}
		for _, l := range s.b.g.Operands(n) {
			stack = append(stack, step{true, item{at: l.Node()}})
		}
		stack = append(stack, step{false, item{doGate, n}})
		slices.Reverse(stack[top:])
	}
	s.stack = stack
}
