package pack

import "etch/sim/net"

// choose matches elements at the root, where a condition common to all elements becomes a branch. It
// returns the saving.
func (p *packer) choose(l *elements, reg int32, depth int) float32 {
	n := p.n
	at := len(p.Choices)
	p.Choices = append(p.Choices, choice{Cond: net.None, Root: -1})
	sel, same, keep := net.None, true, true
	for i, x := range l {
		if x < 0 {
			continue
		}

		// Find out whether all elements keep their values, or are muxes with one select.
		nd := &n.N[x]
		keep = keep && x == n.Regs[reg+int32(i)].Q
		if nd.Op != net.Mux || sel >= 0 && nd.A != sel {
			same = false
			continue
		}
		sel = nd.A
	}
	switch {
	case keep:
		return 0
	case same && depth < p.pol.Choices:
		var b, c elements
		for i, x := range l {
			b[i], c[i] = net.None, net.None
			if x >= 0 {
				b[i], c[i] = n.N[x].B, n.N[x].C
			}
		}

		then := int32(len(p.Choices))
		gain := p.choose(&b, reg, depth+1)
		els := int32(len(p.Choices))
		gain += p.choose(&c, reg, depth+1)
		p.Choices[at] = choice{Cond: sel, Then: then, Els: els, Root: -1}

		// A cycle runs one arm, so half of the savings count.
		return gain/2 + p.pol.Arm
	}

	// No branch: build the vectors and weigh them against one store per element in plain code.
	care := float32(0)
	for _, x := range l {
		if x >= 0 {
			care++
		}
	}
	mark := len(p.Nodes)
	patched := len(p.patches)

	root := p.build(l, 0)
	p.Choices[at].Root = root
	return p.pol.Store*care - p.pol.Block - p.cost(mark, patched)
}

// cost is the cost of the vectors and patches from the given ones on, less the cost of the same
// in plain code.
func (p *packer) cost(from, patched int) float32 {
	var cost float32
	for i := from; i < len(p.Nodes); i++ {
		v := &p.Nodes[i]
		switch v.K {
		case VOp:
			// One vector operation replaces as many of plain code as elements matter.
			care := float32(0)
			for _, x := range p.of[i] {
				if x >= 0 {
					care++
				}
			}
			cost += p.pol.Op
			switch v.Op {
			case OpMulPairs:
				cost -= p.pol.Scalar * care * (&net.Node{Op: net.Mul}).Cost()
			case OpSigned16:
			default:
				cost -= p.pol.Scalar * care * (&net.Node{Op: v.Op}).Cost()
			}
		case VConst:
		default:
			cost += p.pol.Load
		}
	}

	// A patch loads, blends, and computes its elements in plain code after all.
	for _, t := range p.patches[patched:] {
		cost += p.pol.Patch
		for i := range ElementCount {
			if t.Mask>>i&1 != 0 {
				cost += p.pol.PatchElement
				if v := &p.Nodes[t.V]; v.K == VOp && v.Op < net.NumOps { // its cost was credited above as if a vector computed this element
					cost += p.pol.Scalar * (&net.Node{Op: v.Op}).Cost()
				}
			}
		}
	}
	return cost
}
