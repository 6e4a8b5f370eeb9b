package verilog

import (
	"etch/backends/verilog/internal/syntax"
	"etch/ir"
)

// registers prints the always blocks of the hardware's registers, or (sim) of those that
// only statements need, each after the values that it needs.
func (p *module) registers(sim bool) {
	for _, b := range p.blocks {
		switch {
		case b.sim != sim:
		case b.open != ir.None:
			p.latches(b)
		default:
			p.clocked(b)
		}
	}

	// The resets that noteLate has recorded follow all blocks.
	p.resetStarts(sim)
}

// clocked prints a block of registers with a clock.
func (p *module) clocked(b *block) {
	// Everything that the block reads is declared above it.
	p.settle(p.clockNet(b.clk), b.rst)
	p.settle(b.operands...)

	p.Blank()
	p.noteLate(b)
	edges := p.atEdge(b.clk)
	switch {
	case b.async && b.low:
		edges += " or negedge " + p.nameOf(b.rst)
	case b.async:
		edges += " or posedge " + p.nameOf(b.rst)
	}
	p.attrsLine(2, p.withSrc(nil, b.lines...))
	p.always("("+edges+")", p.blockStmts(b))
	p.Blank()
}

// always prints an always block with a sensitivity list.
func (p *module) always(on string, body []syntax.Stmt) {
	p.Line(2, "always @"+on+" begin")
	p.Stmts(body, 4)
	p.Line(2, "end")
}

// blockStmts is the body of a block: its reset, if it has one, then its statements.
func (p *module) blockStmts(b *block) []syntax.Stmt {
	body := p.linkStmts(b.body)
	if b.rst == ir.None {
		return body
	}

	// An asynchronous reset is the net of the sensitivity list; a synchronous one may be an
	// expression.
	reset := syntax.NewIf(nil, p.resetsOf(b.regs, false)...)
	if reset.Else = body; b.async {
		reset.Cond = p.resetOn(b.rst, b.low)
	} else {
		reset.Cond = p.link(b.cond, context{})
	}
	return []syntax.Stmt{reset}
}

// resetOn is the condition that an asynchronous reset is active.
func (p *module) resetOn(rst ir.ID, low bool) *syntax.Expr {
	on := p.scratch.New(0)
	if p.setName(on, p.v(rst)); low {
		return p.scratch.Unary(syntax.Not, on)
	}
	return on
}

// resetsOf is the assignments of reset values to registers, in trees that are valid until the
// next call.
func (p *module) resetsOf(regs []ir.ID, blocking bool) []syntax.Stmt {
	p.scratch.Reset()
	list := p.scratch.Stmts(len(regs))

	// These trees count no uses: a reset value is a constant.
	for i, id := range regs {
		v := p.m.ConstOf(p.reg(id).Reset)
		list[i] = syntax.Stmt{Blocking: blocking, Target: p.scratch.New(0), Value: p.scratch.Code(v, int32(p.m.Node(id).Type))}
		p.setName(list[i].Target, id)
	}
	return p.linkStmts(list)
}
