package verilog

import (
	"etch/backends/verilog/internal/syntax"
	"etch/ir"
	"etch/ir/bits"
)

// openSteps puts the assignments of latches under their enable. A block that waits for
// events never runs if there are none. So latches that never open get no assignment, and a
// latch that is always open and takes a constant gets it as initial value instead.
func (p *module) openSteps(b *block) {
	switch {
	case p.isFixed(b.open, 0):
		b.steps = nil
	case p.isFixed(b.open, 1):
		// Constants are left out, see initial in power.go.
		moving := b.steps[:0]
		for _, s := range b.steps {
			if _, ok := p.fixed(s.value); !ok {
				moving = append(moving, s)
			}
		}
		b.steps = moving
	default:
		b.steps = []step{{cond: b.open, then: b.steps}}
	}
}

// latchStmts is the body of a block of latches. The enable stays one expression if
// possible: a net for it would change after the data.
func (p *module) latchStmts(b *block) []syntax.Stmt {
	steps := b.steps

	// The enable counts as a whole right-hand side, so that it can stay one expression.
	if p.counting && len(steps) == 1 && steps[0].cond == b.open {
		p.whole(b.open, 0)
		steps = steps[0].then
	}
	return p.stmts(steps, true)
}

// latches prints latches that open together.
func (p *module) latches(b *block) {
	if len(b.steps) == 0 {
		return
	}

	// The values that the block reads are declared above it.
	eachOperand(b.steps, func(id ir.ID, _ bool) { p.settle(id) })
	p.Blank()
	p.waive(b.steps[0].cond != ir.None, meantLatch, func() {
		p.Line(2, "always @* begin")
		p.trees.Reset()
		p.Stmts(p.latchStmts(b), 4)
		p.Line(2, "end")
	})
	p.Blank()
}

// fixed is the value of a node that is a constant, with or without a name.
func (p *view) fixed(id ir.ID) (bits.Value, bool) {
	for id != ir.None {
		switch next := p.to[id]; {
		case p.m.Op(id) == ir.Const:
			return p.m.ConstOf(id), true
		case p.is(id, folded):
			return p.fold[id], true
		case next == id:
			id = ir.None
		default:
			id = next
		}
	}
	return bits.Value{}, false
}

// isFixed reports whether a bit is the constant v.
func (p *view) isFixed(id ir.ID, v uint64) bool {
	x, ok := p.fixed(id)
	return ok && x.Bit(0) == v
}
