package net

import "slices"

// queue is the clusters whose operands have been placed in parts.
type queue struct {
	p       *partitioner
	pending []int32 // by cluster: dependencies that have no part yet
	ready   []int32
	late    []int32 // those that Stop does not need, until it is known
	enables []int32
	begun   bool // all that Stop needs is placed: effects may follow
}

// newQueue is the clusters that depend on no other.
func (p *partitioner) newQueue() *queue {
	q := &queue{p: p, pending: make([]int32, p.vertices()), begun: p.n.Stop < 0}
	for _, b := range p.after.all {
		q.pending[b]++
	}
	for v := range int32(p.vertices()) {
		if p.cluster[v] == v && q.pending[v] == 0 {
			q.add(v)
		}
	}
	return q
}

// add takes a cluster into its list.
func (q *queue) add(c int32) {
	switch {
	case q.p.isEnable(c):
		q.enables = append(q.enables, c)
	case q.begun || q.p.isEarly(c):
		q.ready = append(q.ready, c)
	default:
		q.late = append(q.late, c)
	}
}

// placed releases the users of a cluster.
func (q *queue) placed(c int32) {
	for _, b := range q.p.after.of(c) {
		if q.pending[b]--; q.pending[b] == 0 {
			q.add(b)
		}
	}
}

// isEarly reports whether Stop needs a cluster.
func (p *partitioner) isEarly(c int32) bool { return int(c) < len(p.n.N) && p.early[c] }

// order makes parts of clusters by list scheduling: a part starts with the newest cluster whose
// operands are there, and grows by the ready cluster that saves most, as long as that saves
// anything. Successive pieces of an order of dependencies depend on each other in one direction
// only. Clusters that Stop needs come first. order returns the number of their parts.
//
// Registers with enables come as late as possible: those that no part reads behind them need no second
// place for their next values. Nothing but writes of memories that they read can follow them, so their
// parts are neighbours.
func (p *partitioner) order() (early int) {
	p.sequence()

	// Each time that nothing is ready, the next kind of clusters comes.
	q := p.newQueue()
	for {
		if len(q.ready) == 0 && !q.begun {
			early, q.begun = len(p.parts), true
			q.ready, q.late = q.late, nil
		}
		if len(q.ready) == 0 {
			slices.Sort(q.enables)
			for _, e := range q.enables {
				p.in[e] = int32(len(p.parts))
				p.parts = append(p.parts, []int32{e})
				q.placed(e)
			}
			q.enables = nil
		}
		if len(q.ready) == 0 {
			return early
		}
		p.part(q)
	}
}

// sequence finds which clusters must come before others.
func (p *partitioner) sequence() {
	k := p.vertices()
	p.after = listsOf(k, func(f func(of, x int32)) {
		p.precedes(func(first, second int32) {
			if a, b := p.cluster[first], p.cluster[second]; a != b {
				f(a, b)
			}
		})
	})
	p.before = listsOf(k, func(f func(of, x int32)) {
		for a := range int32(k) {
			for _, b := range p.after.of(a) {
				f(b, a)
			}
		}
	})
	p.in, p.share = make([]int32, k), make([]float64, k)
	for c := range p.in {
		p.in[c], p.share[c] = -1, p.a.share(p.row(int32(c)))
	}
}

// part makes the next part from the clusters that are ready.
func (p *partitioner) part(q *queue) {
	var members []int32
	sig, own, size := make([]uint64, p.a.words), 0.0, 0.0
	add := func(at int) {
		c := q.ready[at]
		q.ready = append(q.ready[:at], q.ready[at+1:]...)
		q.placed(c)
		members = append(members, c)
		p.in[c] = int32(len(p.parts))
		size += p.size[c]
		for i, w := range p.row(c) {
			sig[i] |= w
		}
		own = p.a.share(sig)
	}

	// Grow greedily by the ready cluster that saves most.
	add(len(q.ready) - 1)
	for {
		best, most := -1, 0.0
		for at := len(q.ready) - 1; at >= max(0, len(q.ready)-p.given.Near); at-- {
			c := q.ready[at]
			if size+p.size[c] > p.largest {
				continue
			}
			if gain := p.gain(c, sig, own, size); gain > most {
				best, most = at, gain
			}
		}
		if best < 0 {
			break
		}
		add(best)
	}
	p.parts = append(p.parts, members)
}
