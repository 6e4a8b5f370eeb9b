package net

// Compact returns n without dead nodes and without writes that never happen. State words keep
// their numbers, nodes their order.
func (n *Net) Compact() *Net {
	id, count := n.numbers()
	m := &Net{N: make([]Node, 0, count), Regs: make([]Reg, 0, len(n.Regs))}
	n.move(m, id)
	return m.Verified("Compact")
}

// CompactInPlace compacts n itself, in its own memory.
func (n *Net) CompactInPlace() {
	id, _ := n.numbers()
	m := Net{N: n.N[:0], Pool: n.Pool[:0], Regs: n.Regs[:0], Writes: n.Writes[:0], Outs: n.Outs[:0]}
	n.move(&m, id)
	*n = m
	n.Verified("CompactInPlace")
}

// move appends the live parts of n to m; id is the new number of each node. m may share n's
// memory: nothing is overwritten before it was read.
func (n *Net) move(m *Net, id []ID) {
	at := func(x ID) ID {
		if x < 0 {
			return None
		}
		return id[x]
	}

	m.Mems, m.Banks, m.Stop, m.Entry = n.Mems, n.Banks, at(n.Stop), at(n.Entry)
	if v, ok := n.constant(n.Stop); ok && v == 0 {
		m.Stop = None
	}

	// Writes test constants in n.N, so they come before the nodes move.
	for i := range n.Writes {
		if w := &n.Writes[i]; !n.never(w) {
			m.Writes = append(m.Writes, w.Map(at))
		}
	}
	for _, o := range n.Outs {
		m.Outs = append(m.Outs, Out{o.Slot, at(o.Node)})
	}

	// A register that keeps its value needs no next value.
	m.Regs = append(m.Regs, n.Regs...)
	for r := range m.Regs {
		g := &m.Regs[r]
		if g.Q, g.Next = at(g.Q), at(g.Next); g.Next == g.Q {
			g.Next = None
		}
	}

	n.moveNodes(m, id)
}

// moveNodes copies the live nodes, with renumbered arguments.
func (n *Net) moveNodes(m *Net, id []ID) {
	for i := range n.N {
		if id[i] < 0 {
			continue
		}
		m.N = append(m.N, n.N[i])
		switch nd := &m.N[len(m.N)-1]; {
		case nd.Op.IsLeaf():
		// Pooled operands move with their node. Lists lie in the order of their nodes, so that a list
		// moved in place never overwrites one that is still to be read.
		case nd.Op.Pooled():
			operands := n.Pool[nd.A : nd.A+nd.B]
			nd.A = ID(len(m.Pool))
			for _, x := range operands {
				m.Pool = append(m.Pool, id[x])
			}
		default:
			nd.A = id[nd.A]
			if nd.B >= 0 {
				nd.B = id[nd.B]
			}
			if nd.C >= 0 {
				nd.C = id[nd.C]
			}
		}
	}
}

// never reports whether a write is known not to happen.
func (n *Net) never(w *Write) bool {
	v, ok := n.constant(w.En)
	return ok && v == 0
}

// numbers assigns new numbers to live nodes, None to the others.
func (n *Net) numbers() (id []ID, count int) {
	live := n.liveNodes()
	id = make([]ID, len(n.N))
	for i := range id {
		if id[i] = None; live[i] {
			id[i] = ID(count)
			count++
		}
	}
	return id, count
}

// liveNodes marks the nodes that roots depend on. A register that keeps its value depends on
// nothing.
func (n *Net) liveNodes() []bool { return n.liveWith(nil) }

// liveWith marks more nodes too, and the nodes that these depend on.
func (n *Net) liveWith(more []ID) []bool {
	live := make([]bool, len(n.N))
	n.liveRoots(live)
	for _, x := range more {
		if x >= 0 {
			live[x] = true
		}
	}
	n.spread(live)
	return live
}

// spread marks the nodes that marked ones depend on.
func (n *Net) spread(live []bool) {
	// A sweep downwards: arguments have smaller IDs, so a node's mark is final when the sweep reaches
	// it.
	for i := len(n.N) - 1; i >= 0; i-- {
		if !live[i] {
			continue
		}
		switch nd := &n.N[i]; {
		case nd.Op.IsLeaf():
		case nd.Op.Pooled():
			for _, x := range n.Operands(ID(i)) {
				live[x] = true
			}
		default:
			live[nd.A] = true
			if nd.B >= 0 {
				live[nd.B] = true
			}
			if nd.C >= 0 {
				live[nd.C] = true
			}
		}
	}
}

// liveRoots marks the roots.
func (n *Net) liveRoots(live []bool) {
	mark := func(x ID) {
		if x >= 0 {
			live[x] = true
		}
	}

	mark(n.Stop)
	mark(n.Entry)

	// A register that takes its own value needs no computation, nor does a write that never
	// happens.
	for r := range n.Regs {
		if g := &n.Regs[r]; g.Next != g.Q {
			mark(g.Next)
		}
	}

	for i := range n.Writes {
		if w := &n.Writes[i]; !n.never(w) {
			w.Each(mark)
		}
	}
	for i := range n.Outs {
		mark(n.Outs[i].Node)
	}
}
