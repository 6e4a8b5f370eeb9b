package emit

import (
	"etch/sim/native/internal/schedule"
	"etch/sim/net"
)

// The code that a gate skips, and rare arms of parts, are written behind all other code, so that
// the code of every cycle stays together in the instruction cache.

// aside is an arm to be written later, with the code that it belongs to.
type aside struct {
	c        *schedule.Code
	effects  *Effects
	from, to int32
	in, back Label
}

// putAside puts an arm of a branch aside: it is taken if node x is not 0 (want), or if x is 0. The
// other arm falls through.
func (w *Cycles) putAside(x net.ID, want bool, from, to, other, end int32) {
	a := aside{w.c, w.Effects, from, to, w.Declare(), w.Declare()}
	w.branch(x, want, a.in)
	w.instructions(other, end)
	w.Entry(a.back)
	w.aside = append(w.aside, a)
}

// gate writes an if whose first arm is put aside, and returns its last instruction.
func (w *Cycles) gate(at int32) int32 {
	otherwise, end := w.c.Arms(at)
	w.putAside(net.ID(w.c.Out[at].A), true, at+1, otherwise, otherwise+1, end)
	return end
}

// uneven writes an if of a part that has a rare arm, and returns its last instruction. ok is false
// if nothing is put aside: no odds are known, both arms are frequent, or the rare arm is empty.
func (w *Cycles) uneven(at int32) (last int32, ok bool) {
	if w.Effects == nil || w.Effects.Odds == nil {
		return at, false
	}
	x := net.ID(w.c.Out[at].A)
	odds, rare := w.Effects.Odds[x], w.Effects.Rare
	if odds >= rare && odds <= 1-rare {
		return at, false // before a walk to the end of the if
	}

	otherwise, end := w.c.Arms(at)
	switch {
	case odds < rare && otherwise > at+1:
		w.putAside(x, true, at+1, otherwise, otherwise+1, end)
	case odds > 1-rare && end > otherwise+1:
		w.putAside(x, false, otherwise+1, end, at+1, otherwise)
	default:
		return at, false
	}
	return end, true
}

// Asides writes the arms that were put aside. Further ones inside them append to the list.
func (w *Cycles) Asides() {
	// Each arm is written as a piece of its own part.
	c, effects := w.c, w.Effects
	for i := 0; i < len(w.aside); i++ {
		a := w.aside[i]
		w.turnTo(a.c, a.effects)
		w.Define(a.in)
		w.instructions(a.from, a.to)
		w.Jump(a.back)
	}
	w.aside = w.aside[:0]
	if c != nil {
		w.turnTo(c, effects)
	}
}
