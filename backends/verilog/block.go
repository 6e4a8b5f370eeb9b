package verilog

import (
	"slices"

	"etch/ir"
)

// block is an always block of registers that share a clock and a reset and are
// told what to do by the same thing.
type block struct {
	key
	regs  []ir.ID
	items []item
	steps []step
}

// key is what the registers of a block have in common.
type key struct {
	clk, rst ir.ID
	async    bool
	sim      bool  // statements alone need them
	low      bool  // an asynchronous reset that acts while rst is low
	open     ir.ID // of latches: what opens them; they have no clock
	top      subject
	layered  bool // of several layers, or beside such: top is open
}

// maxBlock is the number of registers in one block, so that none gets long.
const maxBlock = 16

// eachBlock calls f with the always blocks of the registers, in the order of
// their first ones. Registers share a block if they look at the same condition
// or at none.
func (p *module) eachBlock(f func(*block)) {
	if p.follows == nil {
		p.group()
	}
	b := &p.block
	for i := range p.m.Regs {
		if p.follows[i] < 0 {
			continue
		}
		b.key = p.keyFor(&p.m.Regs[i])
		b.regs, b.items, b.steps = b.regs[:0], b.items[:0], b.steps[:0]
		for j := i; ; j = int(p.follows[j] &^ member) {
			r := &p.m.Regs[j]
			b.regs = append(b.regs, r.Node)
			b.items = p.appendItems(b.items, r)
			if p.follows[j]&^member == 0 {
				break
			}
		}
		p.finish(b, f)
	}
}

// member marks the registers that are not the first of their block.
const member = -1 << 31

// group decides which registers share a block: follows has the next register of
// a block, 0 if there is none.
func (p *module) group() {
	p.findLayered()
	type run struct{ last, n int }
	open := map[key]run{}
	p.follows = make([]int32, len(p.m.Regs))
	for i := range p.m.Regs {
		k := p.keyFor(&p.m.Regs[i])
		at, ok := open[k]
		if !ok || at.n == maxBlock {
			open[k] = run{i, 1}
			continue
		}
		p.follows[at.last] |= int32(i)
		p.follows[i] = member
		open[k] = run{i, at.n + 1}
	}
}

func (p *module) keyFor(r *ir.Register) key {
	if p.m.IsLatch(r) {
		return key{open: p.v(r.Rst), sim: p.is(r.Node, simOnly)}
	}
	b := key{clk: p.edgeOf(r.Clk), async: r.Async, sim: p.is(r.Node, simOnly)}
	if r.Rst != ir.None {
		b.rst = p.v(r.Rst)
		if x := p.negated(b.rst); r.Async && x != ir.None {
			b.rst, b.low = x, true
		}
	}
	if n := p.layered[b]; n > 0 && (n <= maxBlock || p.isLayered(r)) {
		b.layered = true
		return b
	}
	for _, it := range p.itemsOf(r) {
		if p.inTree(it.value) {
			b.top = p.subjectOf(p.v(it.value))
			b.top.negate = false
			break
		}
	}
	return b
}

// findLayered counts the registers on a clock and reset of which one has several
// layers. They share one block if that is not too long; in a longer list those do
// that have layers.
func (p *module) findLayered() {
	count, any := map[key]int{}, map[key]bool{}
	for i := range p.m.Regs {
		r := &p.m.Regs[i]
		if p.m.IsLatch(r) {
			continue
		}
		k := p.keyFor(r)
		k.top = subject{}
		count[k]++
		any[k] = any[k] || p.isLayered(r)
	}
	p.layered = map[key]int{}
	for k := range any {
		if any[k] {
			p.layered[k] = count[k]
		}
	}
}

func (p *module) isLayered(r *ir.Register) bool {
	return slices.ContainsFunc(p.itemsOf(r), p.isCut)
}

func (p *module) finish(b *block, f func(*block)) {
	if b.open != ir.None {
		p.plainSteps(b)
		p.openSteps(b)
		f(b)
		return
	}
	if b.top.id == ir.None && !b.layered {
		p.plainSteps(b)
	} else {
		b.steps = p.build(b.items, 0)
	}
	if b.rst == ir.None && len(b.steps) < len(b.regs) {
		for _, r := range b.regs { // every tool wants a driver, also of what never changes
			if !assigns(b.steps, r) {
				b.steps = append(b.steps, step{target: r, value: r})
			}
		}
	}
	f(b)
}

// plainSteps is build for registers whose values are no trees.
func (p *module) plainSteps(b *block) {
	for _, it := range b.items {
		if p.v(it.value) != it.target {
			b.steps = append(b.steps, p.plainStep(it))
		}
	}
}

// assigns reports whether steps assign to a target anywhere.
func assigns(steps []step, target ir.ID) bool {
	for i := range steps {
		s := &steps[i]
		if s.cond == ir.None && s.target == target || assigns(s.then, target) || assigns(s.els, target) {
			return true
		}
		for _, a := range s.arms {
			if assigns(a.body, target) {
				return true
			}
		}
	}
	return false
}
