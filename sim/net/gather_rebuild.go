package net

import "slices"

// rebuild makes the net with banks.
func (g *gatherer) rebuild() *Net {
	n := g.n
	m := New()
	g.m = m
	m.Mems = n.Mems

	// All state words stay under their numbers; leaves are made on demand.
	m.Regs = make([]Reg, len(n.Regs))
	for r := range n.Regs {
		m.Regs[r] = Reg{Slot: n.Regs[r].Slot, W: n.Regs[r].W, Q: None, Next: None, Host: n.Regs[r].Host}
	}

	// Copy on demand, from the roots: a bank is made when its first word is needed.
	g.made = make([]ID, len(n.N))
	for i := range g.made {
		g.made[i] = None
	}
	m.Stop = g.build(n.Stop)
	m.Entry = g.build(n.Entry)
	for r := range n.Regs {
		m.Regs[r].Next = g.build(n.Regs[r].Next)
	}
	for i := range n.Writes {
		m.Writes = append(m.Writes, n.Writes[i].Map(g.build))
	}
	for _, o := range n.Outs {
		m.Outs = append(m.Outs, Out{o.Slot, g.build(o.Node)})
	}
	return m.Verified("Gather")
}

// build makes node x in the new net, with its arguments.
func (g *gatherer) build(x ID) ID {
	if x < 0 {
		return None
	}
	if g.made[x] < 0 {
		g.made[x] = g.node(x)
	}
	return g.made[x]
}

// node copies node x; banked cells and trees read from their banks.
func (g *gatherer) node(x ID) ID {
	m, nd := g.m, &g.n.N[x]
	if t := g.trees[x]; t != nil {
		return g.assemble(t)
	}
	if c := g.banked(x); c != nil && c.lut {
		return m.Slice(g.output(c.word), c.at, 1)
	}
	if nd.Op == Leaf {
		return m.Leaf(int(nd.Imm))
	}
	return m.Copy(g.n, x, g.build)
}

// output is the node of a banked output.
func (g *gatherer) output(k int32) ID {
	o := &g.outs[k]
	c := &g.banks[o.bank]
	if c.node < 0 {
		c.node = g.bank(c)
	}
	return g.m.TableWord(c.node, o.index)
}

// assemble makes the value of a tree from its spans and other leaves.
func (g *gatherer) assemble(t *tree) ID {
	m := g.m
	rest := slices.Clone(t.rest)
	z := m.Const(0)

	// Banked spans are shifted into place; cells of outputs without bank are leaves again.
	for _, s := range t.spans {
		o := &g.outs[s.word]
		if o.bank >= 0 {
			v := m.Slice(g.output(s.word), s.from, s.w)
			z = m.Or(z, m.Cat(v, m.Const(0), s.low))
			continue
		}
		for i, x := range o.cells[s.from:][:s.w] {
			if x >= 0 {
				rest = append(rest, leafAt{x, s.low + uint8(i)})
			}
		}
	}

	// The other leaves, from the lowest bit up.
	slices.SortFunc(rest, func(a, b leafAt) int { return int(a.at) - int(b.at) })
	others := m.Const(0)
	for _, l := range rest {
		others = m.Cat(g.build(l.node), others, l.at)
	}
	return m.Or(z, others)
}

// bank makes the Tables node of a cluster.
func (g *gatherer) bank(c *cluster) ID {
	b := &Bank{Words: make([][]Lookup, len(c.outs))}
	first, operands := g.operands(c)
	for i, k := range c.outs {
		for _, x := range g.outs[k].cells {
			var l Lookup
			if x >= 0 {
				l = g.lookup(&g.cells[g.cellOf[x]], first)
			}
			b.Words[i] = append(b.Words[i], l)
		}
	}
	return g.m.Tables(b, operands)
}

// lookup is the look-up of a cell; first gives the first bit of each source.
func (g *gatherer) lookup(c *cell, first map[ID]int32) Lookup {
	l := Lookup{Table: c.table, K: uint8(len(c.in))}
	for i, b := range c.in {
		s, at := g.source(b)
		l.In[i] = first[s] + int32(at)
	}
	return l
}

// operands makes the source words of a cluster. first is the bit at which each source begins.
// State words come first, in their order, then nodes, bank outputs, and packed single bits.
func (g *gatherer) operands(c *cluster) (first map[ID]int32, operands []ID) {
	sources := make([]ID, 0, len(c.sources))
	for x := range c.sources {
		sources = append(sources, x)
	}

	// A fixed order, since maps have none. A scratch word has a negative slot and comes first.
	rank := func(x ID) int {
		switch {
		case x < None:
			return 1 << 29
		case g.n.Width(x) == 1:
			return 1 << 30
		case g.n.N[x].Op == Leaf:
			return int(g.n.Regs[g.n.N[x].Imm].Slot)
		}
		return 1 << 28
	}
	slices.SortFunc(sources, func(x, y ID) int {
		if a, b := rank(x), rank(y); a != b {
			return a - b
		}
		return max(int(x), -int(x)) - max(int(y), -int(y))
	})

	// Words first: each takes an operand, of which a narrower word fills only the low bits.
	first = map[ID]int32{}
	single := len(sources)
	for i, x := range sources {
		switch {
		case x < None:
			operands = append(operands, g.output(int32(None-1-x)))
		case g.n.Width(x) == 1:
			single = min(single, i)
			continue
		default:
			operands = append(operands, g.build(x))
		}
		first[x] = int32(len(operands)-1) * 64
	}

	// Pack single bits, 64 per word.
	for list := sources[single:]; len(list) > 0; list = list[min(64, len(list)):] {
		word := g.m.Const(0)
		for i, x := range list[:min(64, len(list))] {
			word = g.m.Cat(g.build(x), word, uint8(i))
			first[x] = int32(len(operands))*64 + int32(i)
		}
		operands = append(operands, word)
	}
	return first, operands
}
