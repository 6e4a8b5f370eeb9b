package verilog

import "etch/ir"

// block is an always block of registers that share a clock and a reset and are
// told what to do by the same thing.
type block struct {
	clk, rst ir.ID
	async    bool
	low      bool // an asynchronous reset that acts while rst is low
	top      subject
	regs     []ir.ID
	items    []item
	steps    []step
}

// maxBlock is the number of registers in one block, so that none gets long.
const maxBlock = 16

// eachBlock calls f with the always blocks of the registers, in order. Registers
// that follow each other share one if they look at the same condition or at none.
func (p *module) eachBlock(f func(*block)) {
	b := &p.block
	b.regs = b.regs[:0]
	for i := range p.m.Regs {
		r := &p.m.Regs[i]
		next := p.blockFor(r)
		if len(b.regs) == 0 || len(b.regs) == maxBlock || b.clk != next.clk || b.rst != next.rst ||
			b.async != next.async || b.low != next.low || b.top != next.top {
			p.finish(b, f)
			next.regs, next.items = b.regs[:0], b.items[:0]
			*b = next
		}
		b.regs = append(b.regs, r.Node)
		b.items = append(b.items, item{target: r.Node, value: r.Next})
	}
	p.finish(b, f)
}

func (p *module) blockFor(r *ir.Register) block {
	b := block{clk: p.v(r.Clk), async: r.Async}
	if r.Rst != ir.None {
		b.rst = p.v(r.Rst)
		if x := p.negated(b.rst); r.Async && x != ir.None {
			b.rst, b.low = x, true
		}
	}
	if p.inTree(r.Next) {
		b.top = p.subjectOf(p.v(r.Next))
		b.top.negate = false
	}
	return b
}

func (p *module) finish(b *block, f func(*block)) {
	if len(b.regs) == 0 {
		return
	}
	b.steps = p.build(b.items, 0)
	if b.rst == ir.None && len(b.steps) < len(b.regs) {
		for _, r := range b.regs { // every tool wants a driver, also of what never changes
			if !assigns(b.steps, r) {
				b.steps = append(b.steps, step{target: r, value: r})
			}
		}
	}
	f(b)
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
