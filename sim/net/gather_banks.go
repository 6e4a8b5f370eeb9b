package net

import "slices"

// Sources of a cluster are words: nodes of the net, or outputs of other banks, which have IDs
// below None. One-bit nodes are packed into words.

// outputID is the ID of output k as a source.
func outputID(k int32) ID { return None - 1 - ID(k) }

// source is the source word of bit b, and the bit's position there.
func (g *gatherer) source(b bit) (ID, uint8) {
	if k := g.banked(b.node); k != nil {
		return outputID(k.word), k.at
	}
	return b.node, b.at
}

// banked is the cell of x if it is in a bank, else nil.
func (g *gatherer) banked(x ID) *cell {
	if k := g.cellOf[x]; k >= 0 {
		if c := &g.cells[k]; c.word >= 0 && g.outs[c.word].bank >= 0 {
			return c
		}
	}
	return nil
}

// sourceBits estimates the bits that a source adds to the operands of a bank.
func (g *gatherer) sourceBits(x ID) int {
	switch {
	case x < None:
		return 64
	case g.n.Width(x) == 1:
		return 1
	}
	return int(g.n.Width(x)+7) &^ 7
}

// makeBanks clusters outputs, level by level, and reports whether any cluster is worth a bank.
func (g *gatherer) makeBanks() bool {
	order := make([]int32, len(g.outs))
	for i := range order {
		order[i] = int32(i)
	}

	// Lower levels first: their banks are sources of higher ones.
	slices.SortStableFunc(order, func(a, b int32) int { return int(g.outs[a].level - g.outs[b].level) })
	any := false

	// Runs of equal level: look-ups of one level do not depend on each other.
	for len(order) > 0 {
		k := 1
		for k < len(order) && g.outs[order[k]].level == g.outs[order[0]].level {
			k++
		}
		any = g.clusterLevel(order[:k]) || any
		order = order[k:]
	}
	return any
}

// clusterLevel clusters the outputs of one level and makes banks of the clusters that pay.
func (g *gatherer) clusterLevel(outs []int32) bool {
	var list []cluster
	for _, k := range outs {
		c := g.sourcesOf(k)

		// Greedy: join the cluster with the most common sources, if the union is not too wide or if
		// enough of the output's own source bits are common.
		best, most := -1, -1
		for i := max(0, len(list)-g.costs.Recent); i < len(list); i++ {
			shared, union := 0, list[i].bits
			for x := range c.sources {
				if list[i].sources[x] {
					shared += g.sourceBits(x)
				} else {
					union += g.sourceBits(x)
				}
			}
			if (union <= g.costs.Bits || g.costs.SharedOneIn*shared > c.bits) && shared > most {
				best, most = i, shared
			}
		}

		if best < 0 {
			list = append(list, c)
			continue
		}

		// The union of sources counts each word once, which is the gain of a bank.
		into := &list[best]
		into.outs = append(into.outs, k)
		for x := range c.sources {
			if !into.sources[x] {
				into.sources[x] = true
				into.bits += g.sourceBits(x)
			}
		}
	}

	// A cluster that does not pay stays without bank; its look-ups are computed one by one.
	any := false
	for _, c := range list {
		if !g.pays(&c) {
			continue
		}
		any = true
		for i, k := range c.outs {
			g.outs[k].bank, g.outs[k].index = int32(len(g.banks)), i
		}
		g.banks = append(g.banks, c)
	}
	return any
}

// sourcesOf is a cluster of the single output k.
func (g *gatherer) sourcesOf(k int32) cluster {
	c := cluster{outs: []int32{k}, sources: map[ID]bool{}, node: None}

	// None is a gap in a span of a Cat tree.
	for _, x := range g.outs[k].cells {
		if x < 0 {
			continue
		}
		for _, b := range g.cells[g.cellOf[x]].in {
			if s, _ := g.source(b); !c.sources[s] {
				c.sources[s] = true
				c.bits += g.sourceBits(s)
			}
		}
	}
	return c
}

// pays compares the estimated cost of a bank with that of its look-ups alone.
func (g *gatherer) pays(c *cluster) bool {
	// A look-up alone gathers its inputs, then takes its bit of the table.
	cells, alone := 0, 0
	for _, k := range c.outs {
		for _, x := range g.outs[k].cells {
			if x >= 0 {
				cells++
				alone += g.costs.Alone + g.costs.AloneInput*len(g.cells[g.cellOf[x]].in)
			}
		}
	}

	// Single bits must be packed first.
	sources := 0
	for x := range c.sources {
		if x >= 0 && g.n.Width(x) == 1 {
			sources += g.costs.Bit
		} else {
			sources += g.costs.Word
		}
	}

	// A bank has a fixed price, a price per operand, and one per look-up.
	return cells >= g.costs.Least && g.costs.Bank+sources+g.costs.LookUp*cells < alone
}
