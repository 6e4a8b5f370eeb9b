package net

import "slices"

// enable is registers that keep their values in cycles in which a node is 0. They form one vertex, and
// one part, with the nodes that only their next values need.
type enable struct {
	on   ID
	regs []int32
	cost float64  // of those nodes
	row  []uint64 // the samples in which one of them is active
}

// vertexOf is the vertex of an enable.
func (p *partitioner) vertexOf(e int32) int32 { return int32(len(p.n.N)+len(p.units)) + e }

// isEnable reports whether a vertex is an enable.
func (p *partitioner) isEnable(v int32) bool { return v >= p.vertexOf(0) }

// enableOf is the enable to which a vertex belongs, less than 0 for none.
func (p *partitioner) enableOf(v int32) int32 {
	if int(v) >= len(p.owner) {
		return -1
	}
	return p.owner[v]
}

// findEnables chooses the enables that save work, and gives their registers next values that count only
// in cycles in which the enable is 1.
func (p *partitioner) findEnables() {
	p.live = p.n.liveNodes()
	if p.n.On == nil {
		return
	}

	// The registers of each enable, in the order of the first ones.
	var all []enable
	at := map[ID]int32{}
	for r, on := range p.n.On {
		if on < 0 {
			continue
		}
		if _, ok := at[on]; !ok {
			at[on] = int32(len(all))
			all = append(all, enable{on: on})
		}
		e := &all[at[on]]
		e.regs = append(e.regs, int32(r))
	}

	// The nodes that each has for itself tell what it saves.
	p.measure(all)
	for i := range all {
		if p.pays(&all[i]) {
			p.enables = append(p.enables, all[i])
		}
	}
	if len(p.enables) == 0 {
		return
	}

	// Those that are 1 most often come first, so that the rest can be tested together.
	slices.SortStableFunc(p.enables, func(a, b enable) int {
		return weight(p.a.truthRow(b.on)) - weight(p.a.truthRow(a.on))
	})
	p.rewrite()
	p.owner = p.owners(p.enables)
}

// owners finds the nodes that only the next values of one enable's registers need.
func (p *partitioner) owners(all []enable) []int32 {
	// From users to operands: a node belongs to the enable to which all its users belong.
	const unused, shared = -2, -1
	n := p.n
	owner := make([]int32, len(n.N))
	for x := range owner {
		owner[x] = unused
	}
	give := func(x ID, e int32) {
		switch {
		case x < 0 || owner[x] == e:
		case owner[x] == unused:
			owner[x] = e
		default:
			owner[x] = shared
		}
	}

	// The roots. Nodes that Stop needs are computed before anything may have an effect.
	of := make([]int32, len(n.Regs))
	for r := range of {
		of[r] = shared
	}
	for e := range all {
		give(all[e].on, shared)
		for _, r := range all[e].regs {
			of[r] = int32(e)
		}
	}
	for r := range n.Regs {
		give(n.Regs[r].Next, of[r])
	}
	for i := range n.Writes {
		n.Writes[i].Each(func(x ID) { give(x, shared) })
	}
	give(n.Stop, shared)
	give(n.Entry, shared)

	// A node that nothing needs takes no part: next values that leave out arms leave such nodes behind.
	for x := ID(len(n.N)) - 1; x >= 0; x-- {
		switch {
		case n.N[x].Op.IsLeaf() || owner[x] == unused:
			owner[x] = shared
		default:
			n.Args(x, func(y ID) { give(y, owner[x]) })
		}
	}
	return owner
}

// measure finds the cost of each enable's own nodes, and the samples in which one of them is active.
func (p *partitioner) measure(all []enable) {
	n := p.n
	owner := p.owners(all)

	for e := range all {
		all[e].row = make([]uint64, p.a.words)
		all[e].cost = p.costs.write * float64(len(all[e].regs))
	}

	// Without parts of their own, the registers would be computed whenever one of their nodes is active,
	// about.
	for x, e := range owner {
		if e < 0 {
			continue
		}
		all[e].cost += float64(n.N[x].Cost())
		for i, w := range p.a.activeRow(ID(x)) {
			all[e].row[i] |= w
		}
	}
}

// pays reports whether the registers of an enable should run only if it is 1: that saves their work in
// the other cycles, and costs a value that passes to their part, and a test.
func (p *partitioner) pays(e *enable) bool {
	ran, runs := p.a.share(e.row), p.a.share(p.a.truthRow(e.on))
	return ran*e.cost > p.given.Enable+runs*e.cost+p.costs.test(runs)+p.given.Write*p.a.share(p.a.activeRow(e.on))
}

// rewrite makes a net in which next values of registers with enables leave out the arms that hold.
func (p *partitioner) rewrite() {
	m := p.n.extension()
	var on []ID
	for i := range p.enables {
		on = append(on, p.enables[i].on)
		for _, r := range p.enables[i].regs {
			g := &m.Regs[r]
			t := taker{m, g.Q, map[ID]ID{}}
			g.Next = m.operation(t.next(g.Next))
		}
	}

	// Enables are needed beside what the net itself needs.
	p.n, p.a, p.live = m, p.a.extended(m), m.liveWith(on)
}

// operation is a node of its own with the value of x.
func (n *Net) operation(x ID) ID {
	if n.N[x].Op == Const { // machine code slices no constants
		return n.push(Or, n.N[x].W, x, x, None, 0)
	}
	return n.push(Slice, n.N[x].W, x, None, None, 0)
}
