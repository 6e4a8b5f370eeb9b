package verilog

import "etch/ir"

// registers prints the always blocks of the hardware's registers, or (sim) of those that
// only statements need, each after the values that it needs.
func (p *module) registers(sim bool) {
	p.eachBlock(func(b *block) {
		if b.sim != sim {
			return
		}
		if b.open != ir.None {
			p.latches(b)
			return
		}
		p.settle(p.clockNet(b.clk))
		if b.rst != ir.None {
			p.settle(b.rst)
		}

		eachOperand(b.steps, func(id ir.ID, _ bool) { p.settle(id) })
		p.blank()
		p.noteLate(b)
		p.sensitive(b)
		p.blockBody(b)
		p.line(2, "end")
		p.blank()
	})
	p.resetStarts(sim)
}

// sensitive prints the head of a block: its attributes and sensitivity list.
func (p *module) sensitive(b *block) {
	p.blockSrc(b.steps)
	p.atEdge(b.clk)
	if b.async {
		if b.low {
			p.str(" or negedge ")
		} else {
			p.str(" or posedge ")
		}
		p.name(b.rst)
	}
	p.str(") begin")
	p.nl()
}

// blockBody prints the reset of a block, if it has one, then its statements.
func (p *module) blockBody(b *block) {
	if b.rst == ir.None {
		p.steps(b.steps, 4, " <= ")
		return
	}
	p.str("    if (")
	switch {
	case b.low:
		p.ch('!')
		p.name(b.rst)
	case b.async:
		p.name(b.rst)
	default:
		p.condition(b.rst, 0, 4)
	}

	p.ch(')')
	p.branch(p.resetsOf(b.regs), 4, " <= ", len(b.steps) > 0)
	p.elseBranch(b.steps, 4, " <= ")
}

// resetsOf is the assignments of reset values to registers, in a list that is valid until
// the next call.
func (p *module) resetsOf(regs []ir.ID) []step {
	resets := p.resetSteps[:0]
	for _, id := range regs {
		r := &p.m.Regs[p.m.Node(id).Aux]
		resets = append(resets, step{target: id, value: r.Reset, typ: p.m.Node(id).Type})
	}
	p.resetSteps = resets
	return resets
}
