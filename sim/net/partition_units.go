package net

// vertices is the number of nodes, units, and enables.
func (p *partitioner) vertices() int { return len(p.n.N) + len(p.units) + len(p.enables) }

// isOp reports whether a vertex is computed.
func (p *partitioner) isOp(v int32) bool {
	return int(v) >= len(p.n.N) || p.live[v] && !p.n.N[v].Op.IsLeaf()
}

// findUnits makes a unit of the writes of each memory, and one of the writes of all journals.
func (p *partitioner) findUnits() {
	n := p.n
	// One unit for each memory that is written, and one for all journals.
	p.unitOf = make([]int32, len(n.Mems))
	for m := range p.unitOf {
		p.unitOf[m] = -1
	}
	journal := int32(-1)
	for i := range n.Writes {
		u := &p.unitOf[n.Writes[i].Mem]
		if n.journal(&n.Writes[i]) {
			u = &journal
		}
		if *u < 0 {
			*u = int32(len(p.units))
			p.units = append(p.units, nil)
		}
		p.units[*u] = append(p.units[*u], i)
		p.unitOf[n.Writes[i].Mem] = *u
	}
}

// needs calls f for the operations that a vertex needs in the same cycle: arguments, and for a
// unit the operands of its writes.
func (p *partitioner) needs(v int32, f func(int32)) {
	op := func(x ID) {
		if x >= 0 && p.isOp(int32(x)) {
			f(int32(x))
		}
	}

	// The next values of its registers belong to an enable itself.
	if p.isEnable(v) {
		op(p.enables[v-p.vertexOf(0)].on)
		return
	}

	// A unit needs the operands of its writes. Journals also need the net's Entry, which skips
	// them.
	if k := int(v) - len(p.n.N); k >= 0 {
		for _, w := range p.units[k] {
			p.n.Writes[w].Each(op)
		}
		if p.n.journal(&p.n.Writes[p.units[k][0]]) {
			op(p.n.Entry)
		}
		return
	}
	p.n.Args(ID(v), op)
}

// precedes calls f for every pair of vertices of which the first comes no later than the second:
// operands before users, and all reads of a memory before its writes.
func (p *partitioner) precedes(f func(first, second int32)) {
	for v := range int32(p.vertices()) {
		if p.isOp(v) {
			p.needs(v, func(x int32) { f(x, v) })
		}
	}

	// A memory is written at the end of the cycle: all its reads see the old words.
	for i := range p.n.N {
		if nd := &p.n.N[i]; nd.Op == Read && p.isOp(int32(i)) {
			if u := p.unitOf[nd.Imm]; u >= 0 {
				f(int32(i), int32(len(p.n.N))+u)
			}
		}
	}
}
