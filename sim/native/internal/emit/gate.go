package emit

import "etch/sim/net"

// The code that a gate skips is written behind all other code, so that the code of every cycle
// stays together in the instruction cache.

// aside is the arm of a gate, to be written later.
type aside struct {
	from, to int32 // instructions
	in, back Label // its beginning, and the return point
}

// gate writes an if whose first arm is put aside, and returns its last instruction.
func (w *Cycles) gate(at int32) int32 {
	otherwise, end := w.c.Arms(at)
	a := aside{at + 1, otherwise, w.Declare(), w.Declare()}

	w.branch(net.ID(w.c.Out[at].A), true, a.in)
	w.instructions(otherwise+1, end)
	w.Entry(a.back)
	w.aside = append(w.aside, a)
	return end
}

// asides writes the arms that were put aside. Further gates inside them append to the list.
func (w *Cycles) asides() {
	for i := 0; i < len(w.aside); i++ {
		a := w.aside[i]
		w.Define(a.in)
		w.instructions(a.from, a.to)
		w.Jump(a.back)
	}
	w.aside = w.aside[:0]
}
