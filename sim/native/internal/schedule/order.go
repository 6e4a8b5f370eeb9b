package schedule

import "etch/sim/net"

// sink is an effect of a cycle: a register write or a store.
type sink struct {
	reg   int32 // -1 for a store
	store int32 // write number; entriesOf stands for all journal writes
	res   int32 // the resource that it writes, see reads
	unit  int32 // the first sink written by the same top-level branch
	done  bool
}

// entriesOf is the store number of the sink for all journal writes.
const entriesOf = -1

// listSinks lists the effects of a cycle. Sinks of one top-level branch form a unit, because the
// arms write them together.
func (s *Scheduler) listSinks() {
	n := s.n
	s.sinks = s.sinks[:0]

	// Registers; those that never change have no sink.
	head := map[int32]int32{}
	for r := range n.Regs {
		d := n.Regs[r].Next
		if d < 0 || s.fixed(r, d) {
			continue
		}
		k := int32(len(s.sinks))
		unit := k
		if s.writes[d] == int32(r) && s.place[d] == 0 {
			if h, ok := head[s.branchOf[d]]; ok {
				unit = h
			} else {
				head[s.branchOf[d]] = k
			}
		}
		s.sinks = append(s.sinks, sink{reg: int32(r), store: -1, unit: unit})
	}

	// Stores, then the journal as one.
	for i := range n.Writes {
		if k := int32(len(s.sinks)); !s.isEntry(i) {
			s.sinks = append(s.sinks, sink{reg: -1, store: int32(i), unit: k})
		}
	}
	if s.journal.arm >= 0 {
		s.sinks = append(s.sinks, sink{reg: -1, store: entriesOf, unit: int32(len(s.sinks))})
	}
}

// roots calls f for the nodes that a sink needs.
func (s *Scheduler) roots(k *sink, f func(net.ID)) {
	switch {
	case k.reg >= 0:
		f(s.n.Regs[k.reg].Next)
		return
	case k.store == entriesOf:
		s.journalRoots(f)
		return
	}
	s.n.Writes[k.store].Each(f)
}

// readersOf lists, for each resource, the units that read it. Large nets have no bit rows
// (reads.words is 0). There a node counts only for the first unit that needs it: units that
// share nodes are close together anyway, and hazards repairs the rest by copies.
func (s *Scheduler) readersOf() [][]int32 {
	n, rd := s.n, &s.reads
	readers := make([][]int32, rd.regs+len(n.Mems)+1)

	// Units arrive in order, so a comparison with the last one removes duplicates.
	note := func(res, unit int32) {
		if l := readers[res]; len(l) == 0 || l[len(l)-1] != unit {
			readers[res] = append(l, unit)
		}
	}

	// Exact, by the rows of resources per node.
	if rd.words > 0 {
		for i := range s.sinks {
			k := &s.sinks[i]
			s.roots(k, func(x net.ID) {
				if x < 0 {
					return
				}
				for q, v := range s.readBy(x) {
					for ; v != 0; v &= v - 1 {
						note(int32(q*64+Trailing(v)), k.unit)
					}
				}
			})
		}
		return readers
	}

	// Approximate, by one walk over all nodes.
	seen := make([]bool, len(n.N))
	var stack []net.ID
	for i := range s.sinks {
		k := &s.sinks[i]
		push := func(x net.ID) {
			if x < 0 || n.N[x].Op == net.Const {
				return
			}
			if nd := &n.N[x]; nd.Op == net.Leaf {
				if r := rd.res[nd.Imm]; r >= 0 {
					note(r, k.unit)
				}
				return
			}
			if !seen[x] {
				seen[x] = true
				stack = append(stack, x)
			}
		}

		s.roots(k, push)
		for len(stack) > 0 {
			x := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if nd := &n.N[x]; nd.Op == net.Read {
				note(int32(rd.regs)+int32(nd.Imm), k.unit)
			}
			n.Args(x, push)
		}
	}
	return readers
}

// sorted orders the sinks so that readers of a register come before its writer, except on
// cycles. A store that something else reads from, or that shares its memory, comes last, in the
// order of ports.
func (s *Scheduler) sorted() (first, late []int32) {
	readers := s.readersOf()

	// A unit's sinks stand together: the first member names the unit.
	members := make([][]int32, len(s.sinks))
	for i := range s.sinks {
		u := s.sinks[i].unit
		members[u] = append(members[u], int32(i))
	}

	// Depth-first post-order over units, with an explicit stack since chains of registers may be
	// long.
	order := make([]int32, 0, len(s.sinks))
	type step struct {
		unit   int32
		at, in int
	}
	var stack []step
	for u := range s.sinks {
		if s.sinks[u].unit != int32(u) || s.sinks[u].done {
			continue
		}
		s.sinks[u].done = true
		stack = append(stack[:0], step{unit: int32(u)})
	walk:
		for len(stack) > 0 {
			t := &stack[len(stack)-1]
			for t.at < len(members[t.unit]) {
				list := readers[s.sinks[members[t.unit][t.at]].res]
				for t.in < len(list) {
					r := list[t.in]
					t.in++
					if !s.sinks[r].done {
						s.sinks[r].done = true
						stack = append(stack, step{unit: r})
						continue walk
					}
				}
				t.at, t.in = t.at+1, 0
			}

			order = append(order, members[t.unit]...)
			stack = stack[:len(stack)-1]
		}
	}

	// Split off the stores that must wait.
	stores := 0
	for _, k := range order {
		if q := &s.sinks[k]; q.reg < 0 && s.waits(q, readers) {
			stores++
			continue
		}
		first = append(first, k)
	}

	if stores > 0 {
		for i := range s.sinks { // by port
			if q := &s.sinks[i]; q.reg < 0 && s.waits(q, readers) {
				late = append(late, int32(i))
			}
		}
	}
	return first, late
}

// waits reports whether a store must come after everything else.
func (s *Scheduler) waits(q *sink, readers [][]int32) bool {
	switch {
	case q.store == entriesOf:
		return false
	case s.reads.words == 0:
		return true
	}

	// Another unit reads the memory, or another port writes it.
	for _, r := range readers[q.res] {
		if r != q.unit {
			return true
		}
	}

	n := s.n
	for i := range n.Writes {
		if int32(i) != q.store && n.Writes[i].Mem == n.Writes[q.store].Mem {
			return true
		}
	}
	w := &n.Writes[q.store] // its operands read memories: a waiting store must not overtake the port
	for _, x := range [4]net.ID{w.En, w.Addr, w.Data, w.Mask} {
		if x >= 0 && s.memory[x] {
			return true
		}
	}
	return n.Stop >= 0 && s.memory[n.Stop]
}
