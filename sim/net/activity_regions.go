package net

// collect numbers the regions, and sums up their costs.
func (d *divider) collect() {
	n := d.n
	d.id = make([]int32, len(d.joined))
	for i := range d.id {
		d.id[i] = -1
	}

	// The first node of a region gives it its number and signature, which all its nodes share.
	for i := range n.N {
		if !d.cold(ID(i)) {
			continue
		}
		g := d.joined.Find(int32(i))
		if d.id[g] < 0 {
			d.id[g] = int32(len(d.regions))
			d.regions = append(d.regions, region{into: d.id[g], sig: append([]uint64(nil), d.row(d.sig, i)...)})
		}
		p := &d.regions[d.id[g]]
		p.cost += float64(n.N[i].Cost())
	}

	// A region is wide if a value crosses its border.
	for i := range n.N {
		n.Args(ID(i), func(x ID) {
			if d.live[i] && d.cold(x) && (!d.cold(ID(i)) || d.joined.Find(int32(x)) != d.joined.Find(int32(i))) {
				d.regions[d.id[d.joined.Find(int32(x))]].wide = true
				if d.cold(ID(i)) {
					d.regions[d.id[d.joined.Find(int32(i))]].wide = true
				}
			}
		})
	}
}

// at is the region of element e of up, or of the region that absorbed it; -1 without one.
func (d *divider) at(e int32) int32 {
	k := d.id[d.joined.Find(e)]
	for k >= 0 && d.regions[k].into != k {
		k = d.regions[k].into
	}
	if k < 0 || d.regions[k].dead {
		return -1
	}
	return k
}

func (d *divider) ofNode(x ID) int32 {
	if !d.cold(x) {
		return -1
	}
	return d.at(int32(x))
}

func (d *divider) ofReg(r int) int32 {
	if !d.cold(d.n.Regs[r].Next) {
		return -1
	}
	return d.at(int32(len(d.n.N) + r))
}

func (d *divider) busy(p *region) float64 { return float64(weight(p.sig)) / float64(d.samples) }

// merge joins regions that exchange values only through registers, if a common flag costs less
// than two.
func (d *divider) merge() {
	n := d.n
	type pair struct{ a, b int32 }
	var pairs []pair
	seen := map[pair]bool{}

	// Candidates are pairs in which one region reads registers that the other writes.
	for i := range n.N {
		g := d.ofNode(ID(i))
		if g < 0 || d.regions[g].wide {
			continue
		}
		n.Args(ID(i), func(x ID) {
			if nd := &n.N[x]; nd.Op == Leaf {
				h := d.ofReg(int(nd.Imm))
				if p := (pair{min(g, h), max(g, h)}); h >= 0 && h != g && !d.regions[h].wide && !seen[p] {
					seen[p] = true
					pairs = append(pairs, p)
				}
			}
		})
	}

	// Neighbours in the order of nodes are candidates too.
	for g := 1; g < len(d.regions); g++ {
		if !d.regions[g-1].wide && !d.regions[g].wide {
			pairs = append(pairs, pair{int32(g - 1), int32(g)})
		}
	}

	for _, p := range pairs {
		d.join(p.a, p.b)
	}
}

// join merges two regions if that pays.
func (d *divider) join(a, b int32) {
	for d.regions[a].into != a {
		a = d.regions[a].into
	}
	for d.regions[b].into != b {
		b = d.regions[b].into
	}

	// An earlier pair may have joined them.
	if a == b {
		return
	}
	p, q := &d.regions[a], &d.regions[b]
	if p.cost+q.cost > d.costs.Large {
		return
	}

	// Merged, both run whenever one of them is busy; apart, each has a test of its own.
	both := make([]uint64, d.words)
	for k := range both {
		both[k] = p.sig[k] | q.sig[k]
	}
	apart := d.busy(p)*p.cost + d.busy(q)*q.cost + d.costs.Gate + d.costs.Watch
	if float64(weight(both))/float64(d.samples)*(p.cost+q.cost) > apart {
		return
	}

	p.sig, p.cost = both, p.cost+q.cost
	q.into = a
}

// links finds the words that each region must watch, and the values that it must keep for
// others. It returns false if that is too much.
func (d *divider) links() bool {
	n := d.n
	for i := range d.regions {
		d.regions[i].watch, d.regions[i].keeps = map[int32]bool{}, map[ID]bool{}
	}

	keep := func(x ID, by int32) {
		if g := d.ofNode(x); g >= 0 && g != by {
			d.regions[g].keeps[x] = true
		}
	}

	// Values used in another region or outside of any.
	for i := range n.N {
		if !d.live[i] || n.N[i].Op.IsLeaf() {
			continue
		}
		g := d.ofNode(ID(i))
		n.Args(ID(i), func(x ID) {
			keep(x, g)
		})
	}

	// A register that another region writes, or none, must be watched.
	all, ok := n.supports(d.ofNode, len(d.regions), d.costs.Watched)
	if !ok {
		return false
	}
	for _, r := range all {
		for _, reg := range r.regs {
			if d.n.Regs[reg].Next >= 0 && d.ofReg(int(reg)) != r.region {
				d.regions[r.region].watch[reg] = true
			}
		}
	}

	// Roots that use values: registers of other regions, writes, and outputs.
	for r := range n.Regs {
		if x := n.Regs[r].Next; x >= 0 {
			keep(x, d.ofReg(r))
		}
	}
	for i := range n.Writes {
		n.Writes[i].Each(func(x ID) { keep(x, -1) })
	}
	for i := range n.Outs {
		keep(n.Outs[i].Node, -1)
	}
	return true
}

// gain is the saving of a region per cycle, in instructions.
func (d *divider) gain(p *region) float64 {
	return (1-d.busy(p))*p.cost - d.costs.Gate - d.costs.Watch*float64(len(p.watch)) - d.costs.Keep*float64(len(p.keeps))
}

// drop gives up regions that save nothing, and reports whether there were any.
func (d *divider) drop() bool {
	any := false
	for i := range d.regions {
		if p := &d.regions[i]; p.into == int32(i) && !p.dead && d.gain(p) <= d.least {
			p.dead, any = true, true
		}
	}
	return any
}

// result numbers the remaining regions and estimates the cost of a cycle.
func (d *divider) result() *Regions {
	n := d.n
	r := &Regions{costs: d.costs, Of: make([]int32, len(n.N)), Reg: make([]int32, len(n.Regs))}
	number := make([]int32, len(d.regions))

	for i := range n.N {
		if d.live[i] {
			r.Base += float64(n.N[i].Cost())
		}
	}
	r.Base += d.costs.Register * float64(len(n.Regs))
	r.Cost = r.Base

	// Absorbed and dropped regions have no number.
	for i := range d.regions {
		p := &d.regions[i]
		if number[i] = -1; p.into == int32(i) && !p.dead {
			number[i] = int32(r.Count)
			r.Count++
			r.Cost -= d.gain(p)
		}
	}

	// Numbers of the divider become numbers of the result.
	of := func(g int32) int32 {
		if g < 0 {
			return -1
		}
		return number[g]
	}

	for i := range n.N {
		r.Of[i] = of(d.ofNode(ID(i)))
	}
	for i := range n.Regs {
		if r.Reg[i] = -1; n.Regs[i].Next >= 0 {
			r.Reg[i] = of(d.ofReg(i))
		}
	}
	return r
}
