package verilog

import (
	"etch/backends/verilog/internal/syntax"
	"etch/ir"
)

// bodies makes all trees of a module: those of values, and the statements and connections that
// use them.
type bodies struct {
	*exprs
	*choices
	*view

	combs      map[ir.ID]comb
	blocks     []*block
	memPorts   [][][]syntax.Stmt // by memory and clock
	stmtOf     [][]syntax.Stmt   // of the statements of the module; none if it never acts
	outOf      []*syntax.Expr    // of the outputs that are copies
	pinOf      [][]*syntax.Expr  // by instance and port
	driverOf   [][]*syntax.Expr  // by net and driver
	blockItems []item
	regBuf     []ir.ID
}

// comb is a combinational always block.
type comb struct {
	lines []ir.Pos // see blockLines
	body  []syntax.Stmt
}

func (p *bodies) reset() {
	m := p.m
	p.choices.reset()
	p.combs, p.blocks = map[ir.ID]comb{}, p.blocks[:0]
	p.memPorts, p.stmtOf = grown(p.memPorts, len(m.Mems)), grown(p.stmtOf, len(m.Stmts))
	p.outOf, p.pinOf, p.driverOf = grown(p.outOf, len(m.Ports)), grown(p.pinOf, len(m.Insts)), grown(p.driverOf, len(m.Nets))
}

// makeTrees makes the trees of everything that will be printed.
func (p *bodies) makeTrees() {
	m := p.m

	// Named values have a text of their own; so have outputs that are copies.
	for id := ir.ID(1); int(id) < m.Len(); id++ {
		if p.isNet(id) {
			p.makeValue(id)
		}
	}
	for i := range m.Ports {
		if port := &m.Ports[i]; port.Dir == ir.Out && !p.portIs[i] && port.Node != ir.None {
			p.outOf[i] = p.whole(port.Node, port.Type)
		}
	}

	p.makeBlocks()

	// Each port of a memory waits for an edge of its clock.
	for i := range m.Mems {
		for _, clk := range p.clocksOf(&m.Mems[i]) {
			p.use(p.clockNet(clk), wantNet|edge)
			p.memPorts[i] = append(p.memPorts[i], p.portStmts(i, clk))
		}
	}
	for i := range m.Insts {
		p.pinOf[i] = p.pins(&m.Insts[i])
	}
	for i := range m.Nets {
		for _, d := range m.Nets[i].Drivers {
			p.driverOf[i] = append(p.driverOf[i], p.driven(m.Nets[i].Node, d))
		}
	}

	// A statement that never acts is not printed.
	for i := range m.Stmts {
		if s := &m.Stmts[i]; p.acts(*s) {
			p.use(p.clockNet(p.edgeOf(s.Clk)), wantNet|edge)
			p.stmtOf[i] = []syntax.Stmt{p.statement(i)}
		}
	}

	// Unnamed values that were used are on the work list: their operands follow.
	for len(p.work) > 0 {
		id := p.work[len(p.work)-1]
		p.work = p.work[:len(p.work)-1]
		p.makeValue(id)
	}
}

// makeValue makes the tree of a value, or its combinational block. Inside of a block, unnamed
// values belong to it (place).
func (p *bodies) makeValue(id ir.ID) {
	if !p.is(id, named) {
		p.place = p.how[id] & inBlock
	}
	if p.isBlock(id) {
		p.place = inBlock
		steps := p.combSteps(id)
		p.combs[id] = comb{p.blockLines(steps), p.stmts(steps, true)}
	} else {
		p.values[id] = p.define(id)
	}
	p.place = 0
}
