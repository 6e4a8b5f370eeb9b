package verilog

import (
	"slices"

	"etch/ir"
)

// block is an always block of registers that share a clock and a reset and whose trees
// start at the same condition.
type block struct {
	key
	regs  []ir.ID
	items []item
	steps []step
}

// key is the property that the registers of a block share.
type key struct {
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

// eachBlock calls f with the always blocks of the registers, in the order of their first
// registers. Registers share a block if their trees start at the same condition, or if they
// have none. The block is reused: f must not keep it.
func (p *module) eachBlock(f func(*block)) {
	if p.follows == nil {
		p.group()
	}

	// follows links the registers of a block; members other than the first are skipped
	// here.
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

// group decides which registers share a block. follows[i] is the next register of i's
// block, 0 at its end.
func (p *module) group() {
	// open holds, per key, the block that still takes registers: its last register and
	// their number.
	p.findLayered()
	type run struct{ last, n int }
	open := map[key]*run{}
	var k key
	var at *run
	p.follows = make([]int32, len(p.m.Regs))

	for i := range p.m.Regs {
		// Neighbours mostly share a key, so the map is asked only where it changes.
		if of := p.keyFor(&p.m.Regs[i]); at == nil || of != k {
			if k, at = of, open[of]; at == nil {
				at = &run{n: maxBlock} // as if a full one were before it
				open[of] = at
			}
		}

		// Linked behind the last register of the open block, or the first of a new one.
		if at.n < maxBlock {
			p.follows[at.last] |= int32(i)
			p.follows[i] = member
		} else {
			at.n = 0
		}
		at.last, at.n = i, at.n+1
	}
}

// keyFor is the block key of a register. Its top is the subject of the first tree among its
// items.
func (p *module) keyFor(r *ir.Register) key {
	// A latch has an enable in place of a clock and a reset.
	if r.Kind == ir.Latch {
		return key{open: p.v(r.Rst), sim: p.is(r.Node, simOnly)}
	}
	b := key{clk: p.edgeOf(r.Clk), async: r.Async, sim: p.is(r.Node, simOnly)}

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

			// A condition and its inverse go into one if, so the sign does not count.
			b.top.negate = false
			break
		}
	}
	return b
}

// findLayered counts the registers on each clock and reset on which some register has
// several layers. If they fit one block, they all share it. Otherwise only those with
// layers share blocks.
func (p *module) findLayered() {
	// The clock and reset alone are the key: top does not count. Neighbours mostly share
	// theirs, so the map is asked only where it changes.
	type tally struct {
		n   int
		any bool
	}
	all := map[key]*tally{}
	var last key
	var at *tally
	for i := range p.m.Regs {
		r := &p.m.Regs[i]
		if r.Kind == ir.Latch {
			continue
		}
		k := p.keyFor(r)
		k.top = subject{}
		if at == nil || k != last {
			if last, at = k, all[k]; at == nil {
				at = &tally{}
				all[k] = at
			}
		}
		at.n++
		at.any = at.any || p.isLayered(r)
	}

	p.layered = map[key]int{}
	for k, t := range all {
		if t.any {
			p.layered[k] = t.n
		}
	}
}

func (p *module) isLayered(r *ir.Register) bool {
	return slices.ContainsFunc(p.itemsOf(r), p.isCut)
}

// finish builds the statements of a block and passes it on.
func (p *module) finish(b *block, f func(*block)) {
	if b.open != ir.None {
		p.plainSteps(b)
		p.openSteps(b)
		f(b)
		return
	}

	// Registers without choices are plain assignments. Trees are built together, so that they share
	// conditions.
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

// plainSteps builds one assignment per item that changes, for values that are no trees.
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
