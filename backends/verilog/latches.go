package verilog

import (
	"slices"

	"etch/backends/verilog/internal/syntax"
	"etch/ir"
)

// openSteps puts the assignments of latches under their enable. A block that waits for
// events never runs if there are none. So latches that never open get no assignment, and a
// latch that is always open and takes a constant gets it as initial value instead.
func (p *view) openSteps(open ir.ID, steps []step) []step {
	switch {
	case p.isFixed(open, 0):
		return nil
	case p.isFixed(open, 1):
		// Constants are left out, see initial in power.go.
		return slices.DeleteFunc(steps, func(s step) bool {
			_, ok := p.fixed(s.value)
			return ok
		})
	}
	return []step{{cond: open, opens: true, then: steps}}
}

// latches prints latches that open together.
func (p *module) latches(b *block) {
	if len(b.body) == 0 {
		return
	}

	// The values that the block reads are declared above it.
	p.settle(b.operands...)
	p.Blank()
	p.waive(b.body[0].Kind == syntax.If, meantLatch, func() { p.always("*", p.linkStmts(b.body)) })
	p.Blank()
}
