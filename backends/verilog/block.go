package verilog

import (
	"cmp"
	"slices"

	"etch/backends/verilog/internal/syntax"
	"etch/ir"
)

// block is an always block of registers that share a clock and a reset and whose trees
// start at the same condition. The trees are open until link has replaced their references.
type block struct {
	blockKey
	regs     []ir.ID
	operands []ir.ID       // the values that its statements read, in order
	lines    []ir.Pos      // of its statements, see blockLines
	cond     *syntax.Expr  // of a synchronous reset
	body     []syntax.Stmt // without the reset
}

// blockKey is the property that the registers of a block share.
type blockKey struct {
	clk, rst ir.ID
	async    bool
	sim      bool  // only statements need them
	low      bool  // an asynchronous reset that acts while rst is low
	open     ir.ID // of latches: their enable; they have no clock
	top      subject
	layered  bool // of several layers, or next to such a register: top is not fixed
}

// maxBlock bounds the registers in one block, to keep blocks short.
const maxBlock = 16

// makeBlocks makes the always blocks of the registers, in the order of their first registers.
// Registers share a block if their trees start at the same condition, or if they have none.
func (p *bodies) makeBlocks() {
	p.group()

	// follows links the registers of a block; members other than the first are skipped
	// here.
	for i := range p.m.Regs {
		if p.follows[i] < 0 {
			continue
		}

		b, items, regs := &block{blockKey: p.keyFor(&p.m.Regs[i])}, p.blockItems[:0], p.regBuf[:0]
		for j := i; ; j = int(p.follows[j] &^ member) {
			r := &p.m.Regs[j]
			regs = append(regs, r.Node)
			items = p.appendItems(items, r)
			if p.follows[j]&^member == 0 {
				break
			}
		}
		p.blockItems, p.regBuf, b.regs = items, regs, slices.Clone(regs)
		p.makeBlock(b, items)
		p.blocks = append(p.blocks, b)
	}
}

// member marks the registers that are not the first of their block.
const member = -1 << 31

// group decides which registers share a block. follows[i] is the next register of i's
// block, 0 at its end.
func (p *choices) group() {
	p.findLayered()
	p.follows = make([]int32, len(p.m.Regs))

	// open holds, per key, the block that still takes registers: its last register and
	// their number.
	type run struct{ last, n int }
	open := map[blockKey]run{}
	for i := range p.m.Regs {
		// Linked behind the last register of the open block, or the first of a new one.
		k := p.keyFor(&p.m.Regs[i])
		at := open[k]
		if at.n %= maxBlock; at.n > 0 {
			p.follows[at.last] |= int32(i)
			p.follows[i] = member
		}
		open[k] = run{i, at.n + 1}
	}
}

// keyFor is the block key of a register. Its top is the subject of the first tree among its
// items.
func (p *choices) keyFor(r *ir.Register) blockKey {
	// A latch has an enable in place of a clock and a reset.
	if r.Kind == ir.Latch {
		return blockKey{open: p.v(r.Rst), sim: p.is(r.Node, simOnly)}
	}
	b := blockKey{clk: p.edgeOf(r.Clk), async: r.Async, sim: p.is(r.Node, simOnly)}

	// A reset by the inverse of a signal acts at its falling edge.
	if r.Rst != ir.None {
		b.rst = p.v(r.Rst)
		if x := p.negated(b.rst); r.Async && x != ir.None {
			b.rst, b.low = x, true
		}
	}

	// Next to registers of several layers the tops do not count: one block holds them all.
	if n := p.layered[b]; n > 0 && (n <= maxBlock || p.isLayered(r)) {
		b.layered = true
		return b
	}
	for _, it := range p.itemsOf(r) {
		if p.inTree(it.value) {
			b.top = p.subjectOf(p.v(it.value))
			break
		}
	}
	return b
}

// findLayered counts the registers on each clock and reset on which some register has
// several layers. If they fit one block, they all share it. Otherwise only those with
// layers share blocks.
func (p *choices) findLayered() {
	// The clock and reset alone are the key: top does not count.
	count, layered := map[blockKey]int{}, map[blockKey]bool{}
	for i := range p.m.Regs {
		r := &p.m.Regs[i]
		if r.Kind == ir.Latch {
			continue
		}
		k := p.keyFor(r)
		k.top = subject{}
		count[k]++
		if p.isLayered(r) {
			layered[k] = true
		}
	}

	p.layered = map[blockKey]int{}
	for k := range layered {
		p.layered[k] = count[k]
	}
}

func (p *choices) isLayered(r *ir.Register) bool {
	return slices.ContainsFunc(p.itemsOf(r), p.isCut)
}

// makeBlock builds the trees of a block.
func (p *bodies) makeBlock(b *block, items []item) {
	steps := p.blockSteps(b, items)
	b.lines = p.blockLines(steps)

	// The list is exact, since a module may have a hundred thousand blocks.
	p.regBuf = p.regBuf[:0]
	eachStep(steps, func(s *step) { p.regBuf = append(p.regBuf, cmp.Or(s.cond, s.value)) })
	b.operands = slices.Clone(p.regBuf)

	// Edges are of nets; a synchronous reset is an expression. Latches wait for no edge: their
	// enable is part of the statements.
	if b.open == ir.None {
		p.use(p.clockNet(b.clk), wantNet|edge)
		switch {
		case b.async:
			p.use(b.rst, wantNet|edge|asyncUse)
		case b.rst != ir.None:
			b.cond = p.condition(b.rst)
		}
	}
	b.body = p.stmts(steps, b.open != ir.None)
}

// blockSteps is the statements of a block.
func (p *bodies) blockSteps(b *block, items []item) []step {
	switch {
	case b.open != ir.None:
		return p.openSteps(b.open, p.plainSteps(items))
	// Registers without choices are plain assignments. Trees are built together, so that they
	// share conditions.
	case b.top.id == ir.None && !b.layered:
		return p.withDrivers(b, p.plainSteps(items))
	}
	return p.withDrivers(b, p.build(items, 0))
}

// withDrivers adds an assignment of its own value to each register without a reset that never
// changes: every tool wants a driver.
func (p *bodies) withDrivers(b *block, steps []step) []step {
	if b.rst == ir.None && len(steps) < len(b.regs) {
		assigned := map[ir.ID]bool{}
		eachStep(steps, func(s *step) { assigned[s.target] = true })
		for _, r := range b.regs {
			if !assigned[r] {
				steps = append(steps, step{target: r, value: r})
			}
		}
	}
	return steps
}

// plainSteps builds one assignment per item that changes, for values that are no trees. The
// list is valid until the next call.
func (p *choices) plainSteps(items []item) []step {
	steps := p.stepBuf[:0]
	for _, it := range items {
		if p.v(it.value) != it.target {
			steps = append(steps, p.plainStep(it))
		}
	}
	p.stepBuf = steps
	return steps
}
