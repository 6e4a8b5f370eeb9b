package net

// Compact returns n without what nothing needs, and without writes that never
// happen. State words keep their numbers; the nodes keep their order.
func (n *Net) Compact() *Net {
	live := n.liveNodes()
	m := &Net{Mems: n.Mems, Banks: n.Banks, Regs: make([]Reg, len(n.Regs)), Stop: None, Entry: None}
	id := make([]ID, len(n.N))
	count := 0
	for i := range id {
		if id[i] = None; live[i] {
			id[i] = ID(count)
			count++
		}
	}
	at := func(x ID) ID {
		if x < 0 {
			return None
		}
		return id[x]
	}
	m.N = make([]Node, 0, count)
	for i := range n.N {
		if !live[i] {
			continue
		}
		nd := n.N[i]
		switch {
		case nd.Op.IsLeaf():
		case nd.Op.Pooled():
			from := len(m.Pool)
			for _, x := range n.Pool[nd.A : nd.A+nd.B] {
				m.Pool = append(m.Pool, id[x])
			}
			nd.A = ID(from)
		default:
			nd.A, nd.B, nd.C = at(nd.A), at(nd.B), at(nd.C)
		}
		m.N = append(m.N, nd)
	}
	for r := range n.Regs {
		g := n.Regs[r]
		g.Q, g.Next = at(g.Q), at(g.Next)
		if g.Next == g.Q {
			g.Next = None
		}
		m.Regs[r] = g
	}
	if v, ok := n.constant(n.Stop); !ok || v != 0 {
		m.Stop = at(n.Stop)
	}
	m.Entry = at(n.Entry)
	for i := range n.Writes {
		if w := &n.Writes[i]; !n.never(w) {
			m.Writes = append(m.Writes, w.Map(at))
		}
	}
	for _, o := range n.Outs {
		m.Outs = append(m.Outs, Out{o.Slot, at(o.Node)})
	}
	return m
}

// never reports whether a write is known not to happen.
func (n *Net) never(w *Write) bool {
	v, ok := n.constant(w.En)
	return ok && v == 0
}

// liveNodes marks what roots need. A register that keeps its value needs nothing.
func (n *Net) liveNodes() []bool {
	live := make([]bool, len(n.N))
	var last ID = None
	mark := func(x ID) {
		if x >= 0 {
			live[x] = true
			last = max(last, x)
		}
	}
	mark(n.Stop)
	mark(n.Entry)
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
	for i := last; i >= 0; i-- { // arguments have smaller IDs
		if live[i] {
			n.Args(i, mark)
		}
	}
	return live
}
