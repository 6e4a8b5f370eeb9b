package net

// Gated returns n with gates: each of its regions is computed only when its flag
// is up, which is a state word of its own. When it is down, the registers of the
// region keep their values, which they would take anyway. flags are the numbers
// of the flags among the registers of the new net, one for each region, and kept
// those of the words that keep values of regions; place gives each its slot.
//
// The flag of a region goes up when a word of state changes that it follows from.
// Whoever writes to the state otherwise puts up all flags.
func (n *Net) Gated(r *Regions, place func(i int) (slot uint32)) (gated *Net, flags, kept []int) {
	g := &gater{n: n, r: r, m: NewSized(len(n.Regs), len(n.N)+len(n.N)/4), at: make([]ID, len(n.N)), place: place}
	g.m.Mems, g.m.Banks, g.m.Regs = n.Mems, n.Banks, append([]Reg(nil), n.Regs...)
	for i := range g.m.Regs {
		g.m.Regs[i].Q, g.m.Regs[i].Next = None, None
	}
	for range r.Count {
		k := g.word(1)
		g.flags, g.up = append(g.flags, k), append(g.up, g.m.Leaf(k))
	}
	g.findKept()
	for i := range n.N {
		g.node(ID(i))
	}
	g.roots()
	g.raise()
	return g.m, g.flags, g.kept
}

// gater makes a gated net.
type gater struct {
	n     *Net
	r     *Regions
	m     *Net
	at    []ID   // by node of n: its value within its region
	shown []ID   // and for everybody else
	keeps []bool // somebody else needs it
	place func(int) uint32
	words int // placed so far
	flags []int
	up    []ID // by region: its flag
	kept  []int
}

// word adds a state word of the gates' own.
func (g *gater) word(w uint8) int {
	g.m.Regs = append(g.m.Regs, Reg{Slot: g.place(g.words), W: w, Q: None, Next: None})
	g.words++
	return len(g.m.Regs) - 1
}

// gate is work when the flag of a region is up, and rest when it is down. It is
// not simplified: schedulers are to make a branch of it.
func (g *gater) gate(region int32, work, rest ID) ID {
	if work == rest {
		return work
	}
	w := max(g.m.N[work].W, g.m.N[rest].W)
	return g.m.add(&Node{Op: Mux, W: w, A: g.up[region], B: work, C: rest})
}

// findKept marks the nodes whose values leave their regions.
func (g *gater) findKept() {
	n, of := g.n, g.r.Of
	g.keeps, g.shown = make([]bool, len(n.N)), make([]ID, len(n.N))
	live := n.liveNodes()
	need := func(x ID, by int32) {
		if x >= 0 && of[x] >= 0 && of[x] != by {
			g.keeps[x] = true
		}
	}
	for i := range n.N {
		if live[i] {
			n.Args(ID(i), func(x ID) { need(x, of[i]) })
		}
	}
	for i := range n.Regs {
		need(n.Regs[i].Next, g.r.Reg[i])
	}
	for i := range n.Writes {
		n.Writes[i].Each(func(x ID) { need(x, -1) })
	}
	for i := range n.Outs {
		need(n.Outs[i].Node, -1)
	}
}

// see is node x as region by sees it.
func (g *gater) see(x ID, by int32) ID {
	if x < 0 {
		return None
	}
	if g.r.Of[x] >= 0 && g.r.Of[x] != by {
		return g.shown[x]
	}
	return g.at[x]
}

// node copies a node.
func (g *gater) node(x ID) {
	m, nd, of := g.m, g.n.N[x], g.r.Of[x]
	switch {
	case nd.Op == Leaf:
		g.at[x] = m.Leaf(int(nd.Imm))
		return
	case nd.Op == Const:
	case nd.Op.Pooled():
		from := len(m.Pool)
		for _, y := range g.n.Pool[nd.A : nd.A+nd.B] {
			m.Pool = append(m.Pool, g.see(y, of))
		}
		nd.A = ID(from)
	default:
		nd.A, nd.B, nd.C = g.see(nd.A, of), g.see(nd.B, of), g.see(nd.C, of)
	}
	g.at[x] = m.add(&nd)
	if g.keeps[x] {
		k := g.word(nd.W)
		g.kept = append(g.kept, k)
		g.shown[x] = g.gate(of, g.at[x], m.Leaf(k))
		m.Regs[k].Next = g.shown[x]
	}
}

// roots copies what needs nodes.
func (g *gater) roots() {
	n, m := g.n, g.m
	for i := range n.Regs {
		x := n.Regs[i].Next
		switch of := g.r.Reg[i]; {
		case x < 0:
		case of >= 0:
			m.Regs[i].Next = g.gate(of, g.at[x], m.Leaf(i))
		default:
			m.Regs[i].Next = g.see(x, -1)
		}
	}
	for i := range n.Writes {
		m.Writes = append(m.Writes, n.Writes[i].Map(func(x ID) ID { return g.see(x, -1) }))
	}
	for _, o := range n.Outs {
		m.Outs = append(m.Outs, Out{o.Slot, g.see(o.Node, -1)})
	}
	m.Stop = g.see(n.Stop, -1)
	m.Entry = g.see(n.Entry, -1)
}

// raise gives the flags their next values: the region itself, when it works, and
// the words that it watches tell whether it has something to do.
func (g *gater) raise() {
	m := g.m
	watched := map[[2]int32]ID{}                                             // by region that writes and region that reads
	all, _ := g.n.supports(func(x ID) int32 { return g.r.Of[x] }, g.r.Count) // Divide has seen that it is not too much
	for _, s := range all {
		own, other := m.Const(0), m.Const(0)
		regions := []int32{}
		for _, r := range s.regs {
			x := g.n.Regs[r].Next
			if x < 0 {
				continue
			}
			switch from := g.r.Reg[r]; {
			case from == s.region:
				own = m.Or(own, g.differs(g.at[x], int(r), 0))
			case from < 0:
				other = m.Or(other, g.differs(g.see(x, -1), int(r), 0))
			default:
				k := [2]int32{from, s.region}
				if _, ok := watched[k]; !ok {
					watched[k] = m.Const(0)
					regions = append(regions, from)
				}
				watched[k] = m.Or(watched[k], g.differs(g.at[x], int(r), 0))
			}
		}
		for _, from := range regions {
			other = m.Or(other, g.gate(from, watched[[2]int32{from, s.region}], m.Const(0)))
		}
		k := g.flags[s.region]
		if v, ok := m.IsConst(other); ok && v == 0 { // it stays down: nothing is written
			m.Regs[k].Next = g.gate(s.region, own, g.up[s.region])
			continue
		}
		// what others tell stays outside of the gate: it may follow from what the region keeps
		m.Regs[k].Next = m.Or(g.gate(s.region, own, m.Const(0)), other)
	}
	for i, k := range g.flags {
		if m.Regs[k].Next < 0 { // it follows from constants: once is enough
			m.Regs[k].Next = g.gate(int32(i), m.Const(0), g.up[i])
		}
	}
}

// fewHolds is how many muxes deep differs looks.
const fewHolds = 4

// differs is whether x is another value than register r has.
func (g *gater) differs(x ID, r, depth int) ID {
	m := g.m
	q := m.Leaf(r)
	if x == q {
		return m.Const(0)
	}
	if nd := m.N[x]; nd.Op == Mux && depth < fewHolds {
		switch q {
		case nd.C:
			return m.Mux(nd.A, g.differs(nd.B, r, depth+1), m.Const(0))
		case nd.B:
			return m.Mux(nd.A, m.Const(0), g.differs(nd.C, r, depth+1))
		}
	}
	return m.Ne(x, q)
}
