package pack

import (
	"etch/sim/native/internal/schedule"
	"etch/sim/net"
)

// again reports whether the next values of LaneCount registers from reg on match a shape in all
// lanes. Most blocks of an array are like the previous one, and checking that takes a fraction
// of the time of finding a shape.
//
// Vectors stand behind their arguments in a shape. So going backwards, the lanes of a vector are
// known when it is checked.
func (p *packer) again(s *shape, reg int32) bool {
	p.from = p.home[reg]

	// None: no lanes are assigned yet.
	p.of = schedule.Sized(p.of, len(s.Nodes))
	for i := range p.of {
		p.of[i][0] = net.None
	}

	l := p.next(reg, LaneCount)
	if !p.chooseAgain(s, 0, &l, reg) {
		return false
	}
	for i := len(s.Nodes) - 1; i >= 0; i-- {
		if l := &p.of[i]; l[0] >= 0 && !p.isAgain(s, &s.Nodes[i], l) {
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
	c := &s.Choices[choice]
	if c.Cond < 0 && c.Root >= 0 {
		return p.give(c.Root, l)
	}
	var then, els lanes

	// All lanes keep their registers, or are muxes on the condition of the shape.
	for i, x := range l {
		switch nd := &p.n.N[x]; {
		case c.Cond < 0:
			if x != p.n.Regs[reg+int32(i)].Q {
				return false
			}
		case nd.Op != net.Mux || nd.A != c.Cond:
			return false
		default:
			then[i], els[i] = nd.B, nd.C
		}
	}

	return c.Cond < 0 || p.chooseAgain(s, c.Then, &then, reg) && p.chooseAgain(s, c.Els, &els, reg)
}

// isAgain reports whether lanes match vector v of a shape, and assigns lanes to its arguments.
func (p *packer) isAgain(s *shape, v *Vnode, l *lanes) bool {
	if v.K == VOp {
		return p.operationAgain(s, v, l)
	}
	for i, x := range l {
		if !p.like(v, x, int32(i)) {
			return false
		}
	}

	// The run decides the size of lanes in memory, so it must be the same.
	return v.K != VLoad || p.runOf[(p.from+v.Base)/LaneCount] == v.Run
}

// like reports whether node x has the operation of a vector's lane. Operands are not compared.
func (p *packer) like(v *Vnode, x net.ID, lane int32) bool {
	nd := &p.n.N[x]
	switch v.K {
	case VLoad:
		return nd.Op == net.Leaf && p.home[nd.Imm] == p.from+v.Base+lane
	case VSpread:
		return x == v.node
	case VConst:
		return nd.Op == net.Const && nd.Imm == v.Imm
	}

	// A lane of a product of pairs is one product.
	op := v.Op
	if op == OpMulPairs {
		op = net.Mul
	}
	return nd.Op == op && nd.W == v.Ow && nd.Imm == v.Imm
}

// operationAgain is isAgain for an operation. Operands that commute are exchanged if the first
// does not match.
func (p *packer) operationAgain(s *shape, v *Vnode, l *lanes) bool {
	a, b := v.A, v.B
	if v.Op == OpMulPairs {
		a, b = v.factors[0], v.factors[1]
	}

	// Each lane may have its operands the other way round.
	swaps := b >= 0 && v.Commutes()
	var in [3]lanes
	for i, x := range l {
		if !p.like(v, x, int32(i)) {
			return false
		}
		nd := &p.n.N[x]
		in[0][i], in[1][i], in[2][i] = nd.A, nd.B, nd.C
		if swaps && !p.like(&s.Nodes[a], nd.A, int32(i)) {
			in[0][i], in[1][i] = nd.B, nd.A
		}
	}

	return p.give(a, &in[0]) && p.give(b, &in[1]) && p.give(v.C, &in[2])
}
