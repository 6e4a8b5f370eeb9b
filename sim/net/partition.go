package net

import "slices"

// Partition divides a net into parts that are computed only when something they read has changed
// (the method of ESSENT, Beamer and Donofrio 2020, and of GSIM, Chen et al. 2025; here with parts
// cut by sampled activity). Parts are numbered in the order in which a cycle computes them. A
// value that another part reads is kept in a word of its own; it is compared with the kept one,
// and its readers run only if it changed.
//
// The invariant: a part that does not run would compute the values that are kept.
type Partition struct {
	Net   *Net    // the net divided: the original one, Prepared
	Of    []int32 // by node: its part, or -1
	Early int     // parts before this number compute Stop, and have no effects
	Parts []Section
	Unit  []int32 // by write: its part

	samples *Activity
	kept    []bool // by node: see Kept
	readers lists  // by kept node: the other parts that it wakes
	always  []bool // by kept node: see PartWord.Always

	// Estimates from the samples.
	Base   float64 // cost of a cycle that computes all nodes
	Cost   float64 // of one that computes active parts, with the comparisons of kept values
	Active float64 // active parts in a cycle
	Woken  float64 // parts that read a state word which has changed
	Crowd  float64 // how far the branches of a cycle exceed what a processor predicts, from 0 to 1
}

// Section is one part.
type Section struct {
	Nodes  []ID // in ascending order
	Writes []int
	// Enable, unless None, is not 0 in the cycles in which the part must run. It has no effects but on
	// registers, which keep their values in other cycles. Changes of other values do not wake it.
	Enable ID
	Busy   bool     // it runs in every cycle: nothing needs to wake it
	Share  float64  // of the cycles in which it is active
	Cost   float64  // of computing it
	active []uint64 // the samples in which it is
}

// Divisible reports whether a partition of n is possible: nothing may leave the net but state.
func (n *Net) Divisible() bool {
	if len(n.Outs) > 0 || len(n.Regs) == 0 {
		return false
	}
	for i := range n.N {
		if n.N[i].Op == Tables || n.N[i].Op == TableWord {
			return false
		}
	}
	return true
}

// Prepared is a copy of n in which each next value is an operation that Stop does not need, as
// partitions require: other next values go through a slice of their full width.
func (n *Net) Prepared() *Net {
	m := n.extension()

	// A leaf is computed by no part, and a node that Stop needs is computed before the edge may
	// happen: such a next value needs an operation of its own.
	early := m.below(m.Stop)
	for r := range m.Regs {
		x := m.Regs[r].Next
		if x < 0 || x == m.Regs[r].Q {
			m.Regs[r].Next = None
			continue
		}
		if m.N[x].Op.IsLeaf() || early[x] {
			m.Regs[r].Next = m.operation(x)
		}
	}
	return m
}

// below marks the nodes that x needs, and x.
func (n *Net) below(x ID) []bool {
	need := make([]bool, len(n.N))
	if x >= 0 {
		need[x] = true
		n.spread(need)
	}
	return need
}

// partitioner makes a partition. It first makes clusters, by joining nodes to the only cluster that
// uses them, then makes parts of clusters, in an order of dependencies.
//
// All writes of a memory form one vertex behind the nodes: repeating them with the same operands has
// no further effect. The writes of all journals form one vertex together.
type partitioner struct {
	n       *Net
	a       *Activity
	largest float64
	crowd   float64
	given   *PartCosts
	costs   branchCosts // for the crowd
	early   []bool

	live    []bool   // by node: something needs it
	enables []enable // vertices behind the units
	owner   []int32  // by node: the enable of which it is, or less than 0

	units  [][]int // writes by vertex behind the nodes
	unitOf []int32 // by memory: its unit, or -1

	cluster []int32 // by vertex: the vertex at the top of its cluster, -1 if it is no operation
	size    []float64
	sig     []uint64 // by vertex: a row of samples, of the cluster that it tops
	users   lists
	nexts   []int32 // by node: registers that take its value

	// The order of clusters: those that come no earlier than a cluster, and no later. An element is
	// repeated for each dependency.
	after, before lists
	in            []int32   // by cluster: its part, -1 before it has one
	share         []float64 // by cluster: of the samples in which it is active
	parts         [][]int32 // clusters of each part
}

// lists is lists of numbers by number, in one slice.
type lists struct{ at, all []int32 }

func (l *lists) of(i int32) []int32 { return l.all[l.at[i]:l.at[i+1]] }

// pair is an element of a list.
type pair struct{ of, x int32 }

// listsOf collects pairs into lists of k numbers, in the order of the pairs.
func listsOf(k int, each func(f func(of, x int32))) (l lists) {
	// A counting sort. Counts stand two places up, so that after the running sums at[of+1] is the
	// begin of a list; filling the list moves it to the end, which is the begin of the next one.
	l.at = make([]int32, k+2)
	each(func(of, _ int32) { l.at[of+2]++ })
	for i := 2; i < len(l.at); i++ {
		l.at[i] += l.at[i-1]
	}
	l.all = make([]int32, l.at[k+1])
	each(func(of, x int32) {
		l.all[l.at[of+1]] = x
		l.at[of+1]++
	})
	return l
}

// Partition divides the net of the samples, which must be Prepared, into parts of at most a
// number of instructions.
func (a *Activity) Partition(largest float64, costs *PartCosts) *Partition {
	crowd := a.crowd(costs)
	p := &partitioner{n: a.n, a: a, largest: largest, crowd: crowd, given: costs, costs: costs.at(crowd)}
	p.findEnables()
	p.early, p.nexts = p.n.below(p.n.Stop), make([]int32, len(p.n.N))
	for r := range p.n.Regs {
		if x := p.n.Regs[r].Next; x >= 0 {
			p.nexts[x]++
		}
	}
	p.findUnits()
	p.join()
	early := p.order()
	return p.result(early)
}

// row is the samples in which the cluster topped by v is active.
func (p *partitioner) row(v int32) []uint64 { return p.sig[int(v)*p.a.words:][:p.a.words] }

// join makes the clusters, from the last users to the first operands: a node joins the only
// cluster that uses it (a maximum fanout-free cone), if computing both together costs no more
// than keeping the value between them. Clusters have one value each, so the dependencies between
// them have no cycle.
func (p *partitioner) join() {
	n, k := p.n, p.vertices()
	p.users = listsOf(k, func(f func(of, x int32)) {
		for v := range int32(k) {
			if p.isOp(v) {
				p.needs(v, func(x int32) { f(x, v) })
			}
		}
	})
	p.cluster, p.size, p.sig = make([]int32, k), make([]float64, k), make([]uint64, k*p.a.words)

	// Users come before operands in this direction, so the clusters of all users are known.
	for v := int32(k) - 1; v >= 0; v-- {
		p.cluster[v] = -1
		if !p.isOp(v) {
			continue
		}
		row, cost := p.own(v)
		if e := p.enableOf(v); e >= 0 { // whatever it costs
			t := p.vertexOf(e)
			p.cluster[v] = t
			p.size[t] += cost
			continue
		}
		if t := p.only(v); t >= 0 && !p.isEnable(t) && p.early[v] == (int(t) < len(n.N) && p.early[t]) && p.size[t]+cost <= p.largest && p.mayJoin(v, t) && p.together(t, row, cost) {
			p.cluster[v] = t
			p.size[t] += cost
			for i, w := range row {
				p.row(t)[i] |= w
			}
			continue
		}
		p.cluster[v], p.size[v] = v, cost
		copy(p.row(v), row)
	}
}

// mayJoin reports whether vertex v may join cluster t without a circular dependency. A unit comes
// after all reads of its memory: of two units whose clusters read each other's memories, neither
// could come first.
func (p *partitioner) mayJoin(v, t int32) bool {
	if int(t) < len(p.n.N) || int(v) >= len(p.n.N) || p.n.N[v].Op != Read {
		return true
	}
	u := p.unitOf[p.n.N[v].Imm]
	return u < 0 || int32(len(p.n.N))+u == t
}

// own is the samples in which a vertex is active, and its cost.
func (p *partitioner) own(v int32) (row []uint64, cost float64) {
	if int(v) < len(p.n.N) {
		return p.a.activeRow(ID(v)), float64(p.n.N[v].Cost()) + p.costs.write*float64(p.nexts[v])
	}

	// Registers with an enable are active when it is 1.
	if p.isEnable(v) {
		return p.a.truthRow(p.enables[v-p.vertexOf(0)].on), p.given.Test
	}

	// A unit is active when an operand of a write changes: repeating equal writes has no effect.
	row = make([]uint64, p.a.words)
	for _, w := range p.units[int(v)-len(p.n.N)] {
		cost += p.given.Write
		p.n.Writes[w].Each(func(x ID) {
			for i, b := range p.a.changedRow(x) {
				row[i] |= b
			}
		})
	}
	return row, cost
}

// only is the one cluster that uses v, or -1.
func (p *partitioner) only(v int32) int32 {
	t := int32(-1)
	for _, u := range p.users.of(v) {
		if t >= 0 && p.cluster[u] != t {
			return -1
		}
		t = p.cluster[u]
	}
	return t
}

// result collects the parts.
func (p *partitioner) result(early int) *Partition {
	n := p.n
	r := &Partition{Net: n, samples: p.a, Crowd: p.crowd, Of: make([]int32, len(n.N)), Early: early, Parts: make([]Section, len(p.parts)), Unit: make([]int32, len(n.Writes))}
	// The part of each cluster, then of each node and write.
	of := make([]int32, p.vertices())
	for i, list := range p.parts {
		for _, c := range list {
			of[c] = int32(i)
		}
	}
	for i := range n.N {
		r.Of[i] = -1
		if c := p.cluster[i]; c >= 0 {
			r.Of[i] = of[c]
			s := &r.Parts[of[c]]
			s.Nodes = append(s.Nodes, ID(i))
		}
	}
	for u, writes := range p.units {
		k := of[len(n.N)+u] // nothing uses a unit, so it tops its cluster
		for _, w := range writes {
			r.Unit[w] = k
		}
		r.Parts[k].Writes = append(r.Parts[k].Writes, writes...)
	}
	for i := range r.Parts {
		slices.Sort(r.Parts[i].Writes)
		r.Parts[i].Enable = None
	}
	for e := range p.enables {
		r.Parts[of[p.vertexOf(int32(e))]].Enable = p.enables[e].on
	}
	r.findKept()
	p.judge(r)
	p.spare(r)
	return r
}

// judge estimates the costs of a partition. A part is active if a value that it reads changes.
func (p *partitioner) judge(r *Partition) {
	n := p.n

	// sig marks the sampled cycles in which a value that the part reads changes, state those in
	// which a word of the state among these values does.
	sig, state := make([]uint64, p.a.words), make([]uint64, p.a.words)
	for k := range r.Parts {
		s := &r.Parts[k]
		clear(sig)
		clear(state)
		cost := 0.0
		see := func(x ID) {
			if x >= 0 && r.Of[x] != int32(k) {
				for i, w := range p.a.changedRow(x) {
					sig[i] |= w
					if n.N[x].Op == Leaf {
						state[i] |= w
					}
				}
			}
		}
		for _, x := range s.Nodes {
			cost += float64(n.N[x].Cost())
			n.Args(x, see)
			if n.N[x].Op == Read {
				for i, w := range p.a.activeRow(x) {
					sig[i] |= w
				}
			}
			if r.kept[x] {
				r.Cost += p.given.Compare * p.a.share(sig)
			}
		}

		// Writes cost a store with its address and test.
		for _, w := range s.Writes {
			cost += p.given.Write
			n.Writes[w].Each(see)
		}

		// A part with an enable runs when that is 1. The flag of every part is tested in each cycle: one
		// instruction more.
		if s.Enable >= 0 {
			copy(sig, p.a.truthRow(s.Enable))
			clear(state)
		}
		s.Share, s.Cost, s.active = p.a.share(sig), cost, slices.Clone(sig)
		if s.Enable < 0 && s.Share >= p.given.Busy {
			p.a.fill(s.active)
			s.Busy, s.Share, state = true, 1, slices.Clone(s.active)
		}
		r.Base += cost
		r.Cost += s.Share*cost + p.given.Flag
		r.Active += s.Share
		r.Woken += p.a.share(state)
	}
}

// Kept marks the nodes whose values leave their parts.
func (r *Partition) Kept() []bool { return r.kept }

// findKept finds the nodes whose values leave their parts, and the parts that read them.
func (r *Partition) findKept() {
	n := r.Net
	kept := make([]bool, len(n.N))
	if n.Stop >= 0 {
		kept[n.Stop] = r.Of[n.Stop] >= 0
	}
	need := func(x ID, by int32) {
		if x >= 0 && r.Of[x] >= 0 && r.Of[x] != by {
			kept[x] = true
		}
	}
	// Users in other parts: nodes, then writes.
	for k := range r.Parts {
		for _, x := range r.Parts[k].Nodes {
			n.Args(x, func(y ID) { need(y, int32(k)) })
		}
	}
	for i := range n.Writes {
		n.Writes[i].Each(func(x ID) { need(x, r.Unit[i]) })
		if n.journal(&n.Writes[i]) {
			need(n.Entry, r.Unit[i])
		}
	}
	for k := range r.Parts {
		need(r.Parts[k].Enable, int32(k))
	}
	r.kept = kept
	r.readers = distinct(listsOf(len(n.N), func(f func(of, x int32)) {
		r.reads(func(x ID, part int32) {
			if r.Of[x] >= 0 && r.Of[x] != part && r.wakes(part) {
				f(int32(x), part)
			}
		})
	}))
}
