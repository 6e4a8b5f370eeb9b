package native

import "etch/sim/net"

// again reports whether the next values of laneCount registers from reg on match a shape in all
// lanes. Most blocks of an array are like the previous one, and checking that takes a fraction
// of the time of finding a shape.
//
// Vectors stand behind their arguments in a shape. So going backwards, the lanes of a vector are
// known when it is checked.
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

// give assigns lanes to a vector. It reports false if another user assigned different lanes.
func (p *packer) give(v int32, l *lanes) bool {
	if v < 0 {
		return true
	}
	if p.of[v][0] < 0 {
		p.of[v] = *l
	}
	return p.of[v] == *l
}

// chooseAgain matches lanes with a choice of a shape, like choose.
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

// isAgain reports whether lanes match vector v of a shape, and assigns lanes to its arguments.
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

// like reports whether node x has the operation of a vector's lane. Operands are not compared.
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

// operationAgain is isAgain for an operation. Operands that commute are exchanged if the first
// does not match.
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
