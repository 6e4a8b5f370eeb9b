package code

import "etch/sim/lanes/internal/gates"

// remap covers the graph with three-operand gates again, now that all users are known.
func (b *blaster) remap(stop *gates.Lit, roots []root, ws []write) {
	// Everything outside of the graph that refers to nodes, as roots.
	all := []gates.Lit{*stop}
	for _, r := range roots {
		all = append(all, r.lit)
	}
	for _, w := range ws {
		all = append(all, w.cond)
		all = append(append(append(all, w.addr...), w.data...), w.mask...)
	}
	for _, r := range b.reads {
		all = append(append(all, r.cond), r.addr...)
	}

	g, became := b.g.Remap(all)
	b.g = g
	move := func(l *gates.Lit) { *l = became[l.Node()] ^ *l&1 }
	moveAll := func(x []gates.Lit) {
		for k := range x {
			move(&x[k])
		}
	}

	// Literals are replaced; an inverted one keeps its sign.
	move(stop)
	for k := range roots {
		move(&roots[k].lit)
	}
	for k := range b.reads {
		move(&b.reads[k].cond)
	}
	for k, w := range ws {
		move(&ws[k].cond)
		moveAll(w.addr)
		moveAll(w.data)
		moveAll(w.mask)
	}

	b.moved(became, moveAll)
}

// moved updates the tables that are indexed by node.
func (b *blaster) moved(became []gates.Lit, moveAll func([]gates.Lit)) {
	slot, from := b.slot, b.from
	b.slot, b.from = nil, nil
	for n, l := range became {
		// A leaf keeps its slot or its read, under its new number.
		if n < len(slot) && slot[n] >= 0 {
			b.slot = note(b.slot, l, slot[n])
			b.leaf[slot[n]] = l
		}
		if n < len(from) && from[n] >= 0 {
			b.from = note(b.from, l, from[n])
		}
	}

	for k := range b.reads {
		moveAll(b.reads[k].addr)
		moveAll(b.reads[k].out)
	}
	b.memo = nil                   // it refers to the old graph
	first := func(n int32) int32 { // the first node made for nodes from n on
		for ; int(n) < len(became); n++ {
			if l := became[n]; l > gates.True {
				return l.Node()
			}
		}
		return int32(len(b.g.N))
	}
	// Knots keep the order of creation, which the new graph preserves.
	for k, r := range b.knots {
		b.knots[k] = [2]int32{first(r[0]), first(r[1])}
	}
}
