package hw

import (
	"slices"

	"etch/hw/internal/caller"
	"etch/ir"
)

// place is a call stack with the position that it stands for.
type place struct {
	stack caller.Stack
	pos   ir.Pos
}

// pos is the user's line that called into the language, with the calls of the user's own
// helpers that led there. Every operation asks for it, so it is cached twice by the return
// addresses on the stack: in a small direct-mapped table, and in a map of all stacks seen.
// Stacks that agree in the innermost addresses are taken for one. It needs a frame of its
// own, where the list of frames begins.
//
//go:noinline
func (d *design) pos() ir.Pos {
	var stack caller.Stack
	caller.Frames(&stack)
	e := &d.places[stack.Hash()%uint64(len(d.places))]
	if e.stack == stack {
		return e.pos
	}

	pos, ok := d.byStack[stack]
	if !ok {
		pos = d.userPos()
		d.byStack[stack] = pos
	}

	*e = place{stack, pos}
	return pos
}

// userPos computes pos without the caches.
func (d *design) userPos() ir.Pos {
	var pos ir.Pos

	// Each position is chained to that of its caller, from the outermost one in.
	for _, f := range slices.Backward(caller.Calls()) {
		pos = d.src.PC(f.PC, pos)
	}
	return pos
}

// shapePos is the user's line where a shape was written.
func (d *design) shapePos(x *proto) ir.Pos {
	if x.pc == 0 {
		return 0
	}
	return d.src.PC(x.pc, 0)
}

// userFrames are the locations of the user's calls.
func userFrames() []ir.Location {
	var out []ir.Location
	for _, f := range caller.Calls() {
		out = append(out, f.At)
	}
	return out
}
