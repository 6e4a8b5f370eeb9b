package net

// Gated returns n with gates: each region is computed only while its flag is set, which is a
// state word of its own. While it is clear, the region's registers keep their values, which the
// computation would give them anyway. flags are the numbers of the flags among the new net's
// registers, one per region; kept those of the words that keep values of regions. slot assigns
// one to each.
//
// The flag of a region is set when a state word changes that the region depends on. Code that
// writes the state outside of the net must set all flags.
func (n *Net) Gated(r *Regions, slot func(i int) int32) (gated *Net, flags, kept []int) {
	g := &gater{n: n, r: r, m: NewSized(len(n.Regs), len(n.N)+len(n.N)/4), at: make([]ID, len(n.N)), slot: slot}
	g.m.Mems, g.m.Banks, g.m.Regs = n.Mems, n.Banks, append([]Reg(nil), n.Regs...)

	// Copied registers get new leaves and next values; the old ones are IDs of n.
	for i := range g.m.Regs {
		g.m.Regs[i].Q, g.m.Regs[i].Next = None, None
	}

	// Flags first, so that they are consecutive.
	for range r.Count {
		k := g.word(1)
		g.flags, g.up = append(g.flags, k), append(g.up, g.m.Leaf(k))
	}

	// Nodes in their order, then the users outside of nodes. The flags' own next values come last,
	// since they compare values of all regions.
	g.findKept()
	for i := range n.N {
		g.node(ID(i))
	}
	g.roots()
	g.raise()
	return g.m.Verified("Gated"), g.flags, g.kept
}

// gater builds a gated net.
type gater struct {
	n     *Net
	r     *Regions
	m     *Net
	at    []ID   // by node of n: its value inside of its region
	shown []ID   // by node of n: its value for all others
	keeps []bool // by node of n: it is used outside of its region
	slot  func(int) int32
	words int // words that have a slot
	flags []int
	up    []ID // by region: its flag, as a node
	kept  []int
}

// word adds a state word for the gates.
func (g *gater) word(w uint8) int {
	g.m.Regs = append(g.m.Regs, Reg{Slot: g.slot(g.words), W: w, Q: None, Next: None})
	g.words++
	return len(g.m.Regs) - 1
}

// gate selects work while the flag of a region is set, else rest. The mux is not simplified, so
// that schedulers find it and make a branch of it.
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

	// A value leaves its region if a node of another region uses it, or one of none (-1).
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

	// Roots use values too: registers in the region that writes them, all others in none.
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

// see is node x as region by sees it: computed, or kept.
func (g *gater) see(x ID, by int32) ID {
	if x < 0 {
		return None
	}
	if g.r.Of[x] >= 0 && g.r.Of[x] != by {
		return g.shown[x]
	}
	return g.at[x]
}

// node copies a node, and keeps its value for users outside of its region.
func (g *gater) node(x ID) {
	m, nd, of := g.m, g.n.N[x], g.r.Of[x]
	switch {
	case nd.Op == Leaf:
		g.at[x] = m.Leaf(int(nd.Imm))
		return
	case nd.Op == Const:
	// Arguments are seen from the node's own region: plain inside of it, kept from other regions.
	case nd.Op.Pooled():
		from := len(m.Pool)
		for _, y := range g.n.Pool[nd.A : nd.A+nd.B] {
			m.Pool = append(m.Pool, g.see(y, of))
		}
		nd.A = ID(from)
	default:
		nd.A, nd.B, nd.C = g.see(nd.A, of), g.see(nd.B, of), g.see(nd.C, of)
	}

	// The node is simplified already: add only shares it with an equal one.
	g.at[x] = m.add(&nd)
	if g.keeps[x] {
		// The kept word holds the value of the last cycle in which the region ran.
		k := g.word(nd.W)
		g.kept = append(g.kept, k)
		g.shown[x] = g.gate(of, g.at[x], m.Leaf(k))
		m.Regs[k].Next = g.shown[x]
	}
}

// roots copies the users of nodes: registers, writes, outputs, stop.
func (g *gater) roots() {
	// A register of a region holds while the flag is clear.
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

// raise computes the flags' next values: a working region tells whether its own registers
// change, and the watched words tell whether its inputs change.
func (g *gater) raise() {
	m := g.m
	watched := map[[2]int32]ID{}                                                                // by writing and reading region
	all, _ := g.n.supports(func(x ID) int32 { return g.r.Of[x] }, g.r.Count, g.r.costs.Watched) // it succeeded in Divide already

	// Changes come from the region itself, from outside of regions, or from other regions.
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
		if v, ok := m.IsConst(other); ok && v == 0 { // it stays clear: nothing is written
			m.Regs[k].Next = g.gate(s.region, own, g.up[s.region])
			continue
		}
		// The other regions' terms stay outside of the gate: they may depend on values that the
		// region keeps.
		m.Regs[k].Next = m.Or(g.gate(s.region, own, m.Const(0)), other)
	}

	for i, k := range g.flags {
		if m.Regs[k].Next < 0 { // it depends on constants only: one evaluation suffices
			m.Regs[k].Next = g.gate(int32(i), m.Const(0), g.up[i])
		}
	}
}

// differs computes whether x differs from the value of register r. Where a mux holds r, only its
// other arm can differ.
func (g *gater) differs(x ID, r, depth int) ID {
	m := g.m
	q := m.Leaf(r)
	if x == q {
		return m.Const(0)
	}

	// An enabled register is a mux that holds: its change is the enable and a difference of the
	// other arm, which is cheaper than a comparison where the enable is 0.
	if nd := m.N[x]; nd.Op == Mux && depth < g.r.costs.Holds {
		switch q {
		case nd.C:
			return m.Mux(nd.A, g.differs(nd.B, r, depth+1), m.Const(0))
		case nd.B:
			return m.Mux(nd.A, m.Const(0), g.differs(nd.C, r, depth+1))
		}
	}
	return m.Ne(x, q)
}
