package pack

import (
	"etch/sim/native/internal/schedule"
	"etch/sim/net"
)

// again reports whether the next values of ElementCount registers from reg on match a shape in all
// elements. Most blocks of an array are like the previous one, and checking that takes a fraction
// of the time of finding a shape.
//
// Vectors stand behind their arguments in a shape. So going backwards, the elements of a vector are
// known when it is checked.
func (p *packer) again(s *shape, reg int32) bool {
	p.from = p.home[reg]

	// None: no elements are assigned yet.
	p.of = schedule.Sized(p.of, len(s.Nodes))
	for i := range p.of {
		p.of[i][0] = net.None
	}

	l := p.next(reg, ElementCount)
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

// give assigns elements to a vector. It reports false if another user assigned different elements.
func (p *packer) give(v int32, l *elements) bool {
	if v < 0 {
		return true
	}
	if p.of[v][0] < 0 {
		p.of[v] = *l
	}
	return p.of[v] == *l
}

// chooseAgain matches elements with a choice of a shape, like choose.
func (p *packer) chooseAgain(s *shape, choice int32, l *elements, reg int32) bool {
	c := &s.Choices[choice]
	if c.Cond < 0 && c.Root >= 0 {
		return p.give(c.Root, l)
	}
	var then, els elements

	// All elements keep their registers, or are muxes on the condition of the shape.
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

// isAgain reports whether elements match vector v of a shape, and assigns elements to its arguments.
func (p *packer) isAgain(s *shape, v *Vnode, l *elements) bool {
	if v.K == VOp {
		return p.operationAgain(s, v, l)
	}
	for i, x := range l {
		if !p.like(v, x, int32(i)) {
			return false
		}
	}

	// The run decides the size of elements in memory, so it must be the same.
	return v.K != VLoad || p.runOf[(p.from+v.Base)/ElementCount] == v.Run
}

// like reports whether node x has the operation of a vector's element. Operands are not compared.
func (p *packer) like(v *Vnode, x net.ID, element int32) bool {
	nd := &p.n.N[x]
	switch v.K {
	case VLoad:
		return nd.Op == net.Leaf && p.home[nd.Imm] == p.from+v.Base+element
	case VSpread:
		return x == v.node
	case VConst:
		return nd.Op == net.Const && nd.Imm == v.Imm
	}

	// An element of a product of pairs is one product.
	op := v.Op
	if op == OpMulPairs {
		op = net.Mul
	}
	return nd.Op == op && nd.W == v.Ow && nd.Imm == v.Imm
}

// operationAgain is isAgain for an operation. Operands that commute are exchanged if the first
// does not match.
func (p *packer) operationAgain(s *shape, v *Vnode, l *elements) bool {
	a, b := v.A, v.B
	if v.Op == OpMulPairs {
		a, b = v.factors[0], v.factors[1]
	}

	// Each element may have its operands the other way round.
	swaps := b >= 0 && v.Commutes()
	var in [3]elements
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
