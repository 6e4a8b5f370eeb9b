package native

import "etch/sim/net"

// The code that a gate skips is written behind all other code, so that the code of every cycle
// stays together in the instruction cache.

// aside is the arm of a gate, to be written later.
type aside struct {
	from, to int32 // instructions
	in, back label // its beginning, and the return point
}

// gate writes an if whose first arm is put aside, and returns its last instruction.
func (w *cycles) gate(at int32) int32 {
	otherwise, end := w.c.Arms(at)
	a := aside{at + 1, otherwise, w.newLabel(), w.newLabel()}

	w.branch(net.ID(w.c.Out[at].A), true, a.in)
	w.instructions(otherwise+1, end)
	w.entry(a.back)
	w.aside = append(w.aside, a)
	return end
}

// asides writes the arms that were put aside. Further gates inside them append to the list.
func (w *cycles) asides() {
	for i := 0; i < len(w.aside); i++ {
		a := w.aside[i]
		w.bind(a.in)
		w.instructions(a.from, a.to)
		w.jump(a.back)
	}
	w.aside = w.aside[:0]
}
