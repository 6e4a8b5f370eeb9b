package emit

import (
	"etch/sim/choose"
	"etch/sim/net"
)

// The branches and stores of bodies, for all architectures.

// Unless jumps to l if register q of the state is not v.
func (w *Cycles) Unless(q *net.Reg, v int64, l Label) {
	w.compare(stateWord(q.Slot), q.W, uint64(v))
	w.jumpIf(notEqual, l)
}

// AtLeast jumps to l if register q of the state is v or more.
func (w *Cycles) AtLeast(q *net.Reg, v int64, l Label) {
	w.compare(stateWord(q.Slot), q.W, uint64(v))
	w.jumpIf(atLeast, l)
}

// UnlessWord jumps to l if a memory word is not the value that k assumes.
func (w *Cycles) UnlessWord(k *choose.Check, shared bool, l Label) {
	if p := memoryWord(shared, k.At); k.Far > 0 {
		w.compareFar(p, k)
	} else {
		w.compare(p, k.W, k.Want)
	}
	w.jumpIf(notEqual, l)
}

// ClearFlag clears the flag that guardOf sets.
func (w *Cycles) ClearFlag() { w.setFlag(0) }

// guardOf sets the flag if register r, whose value bodies assume, is written with another value.
func (w *Cycles) guardOf(r int32, x net.ID) {
	c := w.c
	if c.Guards == nil || c.Guards[r] < 0 {
		return
	}

	// A constant is known to differ, or known to be equal.
	want := uint64(c.Guards[r])
	v, ok := c.N.IsConst(x)
	switch {
	case !ok:
		w.guard(x, c.N.Regs[r].W, want)
	case v != want:
		w.setFlag(1)
	default:
		return
	}
	c.FlagUsed = true
}

// First goes to the next body of the first instance.
func (w *Cycles) First(c *Class) {
	w.firstInstance()
	w.jumpTo(stateWord(int32(c.Next)))
}

// KeepNext stores l as the instance's next body and goes to the next body of the next instance;
// after the last instance it jumps to done.
func (w *Cycles) KeepNext(c *Class, l, done Label) {
	w.addressOf(l)
	w.keep(stateWord(int32(c.Next)), 8)
	w.nextInstance(c)
	w.jumpIf(equal, done)
	w.jumpTo(stateWord(int32(c.Next)))
}

// KeepIn stores l in a scratch word.
func (w *Cycles) KeepIn(word int32, l Label) {
	w.addressOf(l)
	w.keep(scratchWord(word), 8)
}

// GoOn jumps to the label stored in a scratch word.
func (w *Cycles) GoOn(word int32) { w.jumpTo(scratchWord(word)) }
