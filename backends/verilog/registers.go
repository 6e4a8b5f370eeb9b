package verilog

import (
	"etch/backends/verilog/internal/syntax"
	"etch/ir"
)

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
		// Everything that the block reads is declared above it.
		p.settle(p.clockNet(b.clk))
		if b.rst != ir.None {
			p.settle(b.rst)
		}

		eachOperand(b.steps, func(id ir.ID, _ bool) { p.settle(id) })
		p.Blank()
		p.noteLate(b)
		p.sensitive(b)
		p.trees.Reset()
		p.Stmts(p.blockStmts(b), 4)
		p.Line(2, "end")
		p.Blank()
	})

	// The resets that noteLate has recorded follow all blocks.
	p.resetStarts(sim)
}

// sensitive prints the head of a block: its attributes and sensitivity list.
func (p *module) sensitive(b *block) {
	p.blockSrc(b.steps)
	p.atEdge(b.clk)
	if b.async {
		if b.low {
			p.Str(" or negedge ")
		} else {
			p.Str(" or posedge ")
		}
		p.ident(b.rst)
	}
	p.Str(") begin")
	p.NL()
}

// blockStmts is the body of a block: its reset, if it has one, then its statements.
func (p *module) blockStmts(b *block) []syntax.Stmt {
	steps := p.stmts(b.steps, false)
	if b.rst == ir.None {
		return steps
	}
	reset := syntax.Stmt{Kind: syntax.If, Then: p.stmts(p.resetsOf(b.regs), false), Else: steps}
	if b.async {
		reset.Cond = p.resetOn(b.rst, b.low)
	} else {
		reset.Cond = p.condition(b.rst)
	}
	return []syntax.Stmt{reset}
}

// resetOn is the condition that an asynchronous reset is active.
func (p *module) resetOn(rst ir.ID, low bool) *syntax.Expr {
	if low {
		return p.trees.Unary(syntax.Not, p.name(rst))
	}
	return p.name(rst)
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
