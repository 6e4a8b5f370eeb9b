package verilog

import "etch/ir"

// The longest estimated texts, in characters, up to which an unnamed value is written inline.
const (
	maxInline = 56  // as a part of an expression or in a branch of ?:
	maxWhole  = 120 // as a whole right-hand side
	maxPin    = 24  // at a pin of an instance
)

// netCost is the estimated length of a name that is still to be chosen.
const netCost = 12

// sizeAll decides which values get a wire. A value is inlined if it has one use or is
// trivial, its text is short, and the context does not change its width or sign.
func (p *uses) sizeAll() {
	// Operands first: their text is part of that of their users.
	for _, id := range p.order {
		switch k := p.how[id]; {
		// No decision is needed: nothing prints the value, or it is state, which has its name.
		case k&seen == 0 || p.is(id, named) && !p.isNet(id):
		case p.isConst(id):
			if k&wantNet != 0 {
				p.how[id] |= net
			}
		case !p.is(id, named):
			p.weigh(id)
			if !p.fits(id) {
				p.how[id] = p.how[id]&^chained | net | rigid
				p.cost[id] = netCost
			}
		}
	}
}

// fits reports whether a value with a known cost can be inlined at all its uses.
func (p *uses) fits(id ir.ID) bool {
	k, cost := p.how[id], int(p.cost[id])
	switch op := p.m.Op(id); {
	// A part-select is short wherever it stands. Other values get a wire for any of these reasons.
	case op == ir.Slice:
		return k&edge == 0
	case k&wantNet != 0, p.is(id, big), cost > maxInline && k&(inside|wider) != 0, cost > maxWhole:
		return false
	case op == ir.MemRead && k&inBlock != 0: // @* would depend on the whole memory
		return false
	case k&inPin != 0 && cost > maxPin:
		return false
	case p.count[id] > 1 && !p.isSmall(id):
		return false
	case k&wider != 0 && k&rigid == 0:
		return false
	case k&(inside|wider|inPin) != 0 && (k&chained != 0 || p.wholeOnly(id)):
		return false
	case k&inElse != 0 && (p.wholeOnly(id) || k&chained != 0 && op != ir.Mux || cost > maxInline && op != ir.Mux):
		return false
	}
	return true
}

// wholeOnly reports whether an operation must be the whole right-hand side of an
// assignment. Signed arithmetic turns unsigned beside an unsigned operand, and a product of
// narrow operands would lose its upper half.
func (p *uses) wholeOnly(id ir.ID) bool {
	switch p.m.Op(id) {
	case ir.MulS, ir.DivS, ir.RemS, ir.ShrS:
		return true
	case ir.Mul: // narrow operands get the width from what is assigned to
		args := p.m.Args(id)
		return max(p.m.Width(args[0]), p.m.Width(args[1])) < p.m.Width(id)
	case ir.Add, ir.Sub:
		if is, signed := p.sumOfProduct(id); is {
			args := p.m.Args(id)
			return signed || p.termIn(id, args[0]) != ir.None && p.termIn(id, args[1]) != ir.None
		}
	}
	return false
}

// isSmall reports whether a value may be written at several uses: x[3:0], !x, state ==
// IDLE.
func (p *uses) isSmall(id ir.ID) bool {
	args := p.m.Args(id)
	switch p.m.Op(id) {
	case ir.Slice:
		return true
	case ir.Not:
		return p.isAtom(args[0])
	case ir.Eq:
		return p.count[id] <= 4 && p.m.Width(args[0]) <= 32 && (p.isAtom(args[0]) && p.isConst(args[1]) || p.isConst(args[0]) && p.isAtom(args[1]))
	}
	return false
}

// isAtom reports whether a value is written as a name.
func (p *uses) isAtom(id ir.ID) bool {
	id = p.v(id)
	return (p.is(id, named) || p.used(id, net)) && !p.isConst(id)
}

// weigh estimates the length of a value's text. It marks the text rigid if it keeps its own
// width in a wider context, so that no bits appear above it.
func (p *uses) weigh(id ir.ID) {
	m := p.m
	op, args := m.Op(id), m.Args(id)
	// A constant for the operator, and the operands. The last operand of a chain of ?: is
	// on lines of its own and does not count.
	cost, chain := 3, op == ir.Case && len(args) > 3
	for i, a := range args {
		if a = p.v(a); op == ir.Mux && i == 2 && m.Op(a) == ir.Mux && !p.isAtom(a) && !p.isConst(a) {
			chain = true // it has lines of its own
			continue
		}
		cost += p.costOf(a) + 3
	}

	// Products inside a sum are part of its text.
	if is, _ := p.sumOfProduct(id); is {
		cost = 3
		for _, a := range args {
			if x := p.termIn(id, a); x != ir.None {
				cost += p.costOf(m.Args(x)[0]) + p.costOf(m.Args(x)[1]) + 22
			} else {
				cost += p.costOf(a) + 12
			}
		}
	}

	switch op {
	case ir.Lut:
		cost += 12 + len(args)/2 + 1<<len(args)/4
		p.how[id] |= rigid
	case ir.SExt, ir.ZExt, ir.PopCount:
		cost += 12
		p.how[id] |= rigid
	case ir.Slice, ir.Cat, ir.RedAnd, ir.RedOr, ir.RedXor:
		p.how[id] |= rigid
	}

	p.cost[id] = uint8(min(cost, 255))
	if chain {
		p.how[id] |= chained
	}
}

func (p *uses) costOf(id ir.ID) int {
	id = p.v(id)
	switch {
	case p.used(id, net):
		return netCost
	case p.names[id] != 0:
		return len(p.table.Get(p.names[id]))
	case p.isConst(id):
		v, _ := p.konst(id)
		return 4 + v.Len()/4
	}
	return int(p.cost[id])
}
