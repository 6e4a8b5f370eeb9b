package native

import "etch/sim/net"

// again reports whether the next values of laneCount registers from reg on are of a
// shape in all lanes: most blocks of an array are like the one before, and to see that
// takes a fraction of what finding a shape does.
//
// Vectors stand behind their arguments, so that going backwards each one's lanes are
// there when it is looked at.
func (p *packer) again(s *shape, reg int32) bool {
	p.from = p.home[reg]
	p.of = sized(p.of, len(s.nodes))
	for i := range p.of {
		p.of[i][0] = net.None
	}
	l := p.next(reg, laneCount)
	if !p.chooseAgain(s, 0, &l, reg) {
		return false
	}
	for i := len(s.nodes) - 1; i >= 0; i-- {
		if l := &p.of[i]; l[0] >= 0 && !p.isAgain(s, &s.nodes[i], l) {
			return false
		}
	}
	return true
}

// give says which lanes a vector has. It reports whether that is what others say.
func (p *packer) give(v int32, l *lanes) bool {
	if v < 0 {
		return true
	}
	if p.of[v][0] < 0 {
		p.of[v] = *l
	}
	return p.of[v] == *l
}

// chooseAgain is choose, for a choice of a shape.
func (p *packer) chooseAgain(s *shape, choice int32, l *lanes, reg int32) bool {
	c := &s.choices[choice]
	if c.cond < 0 && c.root >= 0 {
		return p.give(c.root, l)
	}
	var then, els lanes
	for i, x := range l {
		switch nd := &p.n.N[x]; {
		case c.cond < 0:
			if x != p.n.Regs[reg+int32(i)].Q {
				return false
			}
		case nd.Op != net.Mux || nd.A != c.cond:
			return false
		default:
			then[i], els[i] = nd.B, nd.C
		}
	}
	return c.cond < 0 || p.chooseAgain(s, c.then, &then, reg) && p.chooseAgain(s, c.els, &els, reg)
}

// isAgain reports whether lanes are vector v of a shape, and gives its arguments their
// lanes.
func (p *packer) isAgain(s *shape, v *vnode, l *lanes) bool {
	if v.k == vOp {
		return p.operationAgain(s, v, l)
	}
	for i, x := range l {
		if !p.like(v, x, int32(i)) {
			return false
		}
	}
	return v.k != vLoad || p.runOf[(p.from+v.base)/laneCount] == v.run
}

// like reports whether node x looks like a lane of a vector: its operation is the same,
// operands are not looked at.
func (p *packer) like(v *vnode, x net.ID, lane int32) bool {
	nd := &p.n.N[x]
	switch v.k {
	case vLoad:
		return nd.Op == net.Leaf && p.home[nd.Imm] == p.from+v.base+lane
	case vSpread:
		return x == v.node
	case vConst:
		return nd.Op == net.Const && nd.Imm == v.imm
	}
	op := v.op
	if op == opMulPairs {
		op = net.Mul
	}
	return nd.Op == op && nd.W == v.ow && nd.Imm == v.imm
}

// operationAgain is isAgain of an operation. Operands that commute are exchanged when the
// first one does not look like it.
func (p *packer) operationAgain(s *shape, v *vnode, l *lanes) bool {
	a, b := v.a, v.b
	if v.op == opMulPairs {
		a, b = v.factors[0], v.factors[1]
	}
	swaps := b >= 0 && (v.op == opMulPairs || commutes(v.op))
	var in [3]lanes
	for i, x := range l {
		if !p.like(v, x, int32(i)) {
			return false
		}
		nd := &p.n.N[x]
		in[0][i], in[1][i], in[2][i] = nd.A, nd.B, nd.C
		if swaps && !p.like(&s.nodes[a], nd.A, int32(i)) {
			in[0][i], in[1][i] = nd.B, nd.A
		}
	}
	return p.give(a, &in[0]) && p.give(b, &in[1]) && p.give(v.c, &in[2])
}
