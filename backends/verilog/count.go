package verilog

import (
	"etch/ir"
	"etch/ir/bits"
)

// count builds everything that will be printed and notes how each value is used. sizeAll
// then decides which values get a wire.
func (p *module) count() {
	p.counting, p.trees.Off = true, true
	m := p.m
	// Named values have a text of their own; so have outputs that are copies.
	for id := ir.ID(1); int(id) < m.Len(); id++ {
		if p.isNet(id) {
			p.body(id)
		}
	}

	for i := range m.Ports {
		if port := &m.Ports[i]; port.Dir == ir.Out && !p.portIs[i] && port.Node != ir.None {
			p.whole(port.Node, port.Type)
		}
	}

	p.eachBlock(p.countBlock)
	p.countMemories()
	for i := range m.Insts {
		for j, c := range m.Insts[i].Conns {
			if m.Insts[i].Mod.Ports[j].Dir == ir.In {
				p.use(c, inPin|p.resetUse(m.Insts[i].Mod, j))
			}
		}
	}

	p.countNets()
	p.countStatements()

	// Unnamed values that were used are on the work list: their operands follow.
	p.drain()
	p.noteResetUse()
	p.counting, p.trees.Off = false, false
}

// countBlock counts the operands of a block of registers. Edges are of nets; a synchronous
// reset is an expression.
func (p *module) countBlock(b *block) {
	// Latches wait for no edge: their enable is part of the statements.
	if b.open != ir.None {
		p.latchStmts(b)
		return
	}
	p.use(p.clockNet(b.clk), wantNet|edge)
	switch {
	case b.async:
		p.use(b.rst, wantNet|edge|asyncUse)
	case b.rst != ir.None:
		p.use(b.rst, inside)
	}
	p.stmts(b.steps, false)
}

// use notes a use of a value. The first use queues the value, so that its own operands are
// counted. how is 0 for a whole right-hand side.
func (p *module) use(id ir.ID, how mark) {
	id = p.v(id)

	// Uses other than as a reset or at a pin are noted for isMixedReset.
	if how&(asyncUse|inPin) == 0 {
		how |= otherUse
	}
	p.marks[id] |= how | read | p.place
	p.useOf(id)
}

// useBits is use for some bits of a value by part-select, which needs a name. The bits are
// recorded: those that nothing reads are listed by unused.go.
func (p *module) useBits(id ir.ID, lo, w int) {
	id = p.v(id)
	if p.isSlice(id) {
		x, at := p.part(id)
		id, lo = p.v(x), lo+at
	}

	p.marks[id] |= wantNet | otherUse
	if lo == 0 && w == p.m.Width(id) {
		p.marks[id] |= read
	}

	// Which bits are read only matters while not all are.
	if !p.is(id, read) {
		b, ok := p.bits[id]
		if !ok {
			b = bits.Zero(p.m.Width(id))
		}
		p.bits[id] = b.Or(bits.Ones(w).ZExt(b.Width()).Shl(uint64(lo)))
	}
	p.useOf(id)
}

// useOf counts a use, and queues a value without a name at its first use.
func (p *module) useOf(id ir.ID) {
	if p.isState(id) {
		return
	}
	if p.uses[id] < 255 {
		p.uses[id]++
	}
	if !p.is(id, named|seen) {
		p.marks[id] |= seen
		if !p.isConst(id) {
			p.work = append(p.work, id)
			return
		}
	}
}

// drain counts the operands of the values on the work list, until it is empty.
func (p *module) drain() {
	for len(p.work) > 0 {
		id := p.work[len(p.work)-1]
		p.work = p.work[:len(p.work)-1]
		p.body(id)
	}
}

// body counts the operands in the text of a value. Inside a combinational block, unnamed
// values belong to the block (place).
func (p *module) body(id ir.ID) {
	p.place = 0
	if !p.is(id, named) {
		p.place = p.marks[id] & inBlock
	}
	switch {
	case p.is(id, folded):
	case p.isBlock(id):
		p.place = inBlock
		p.stmts(p.blockSteps(id), true)
	default:
		p.definition(id)
	}
	p.place = 0
}

// isBlock reports whether a value is printed as a combinational always block.
func (p *module) isBlock(id ir.ID) bool {
	if p.isState(id) || p.is(id, folded) {
		return false
	}
	b := p.to[id]
	return p.is(b, big) && (b == id || p.inTree(b))
}

// blockSteps is the body of such a block.
func (p *module) blockSteps(id ir.ID) []step {
	p.root = p.to[id]
	s := p.build([]item{{target: id, value: p.to[id]}}, 0)
	p.root = ir.None
	return s
}
