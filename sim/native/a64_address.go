package native

import (
	"etch/sim/native/arm64"
	"etch/sim/net"
)

// Addresses are bytes from the state's base; scratch lies below it. A load or
// store reaches 32 KB upwards from its base register: two bases reach the words
// around the state's base, and two more move with what the code uses.

// scratchReach is how far below the state the base for scratch words points.
const scratchReach = 1 << 15

func scratchOffset(i int32) int64 { return -8 * (int64(i) + 1) }

func (e *a64) slot(r int) int64 { return 8 * int64(e.n.Regs[r].Slot) }

// leaf is where register r's value at the start of the cycle is now.
func (e *a64) leaf(r int) int64 {
	if o := e.c.old[r]; o >= 0 && e.at > e.c.from[r] {
		return scratchOffset(o)
	}
	return e.slot(r)
}

// farBases is what the moving bases point to.
type farBases struct {
	off  [2]int64 // bytes from the state's base; 0 is nothing
	last int      // the one used last
}

// meet is what holds on both of two paths.
func (f farBases) meet(g farBases) farBases {
	for i := range f.off {
		if f.off[i] != g.off[i] {
			f.off[i] = 0
		}
	}
	return f
}

// access loads or stores r at an address.
func (e *a64) access(o arm64.Access, r arm64.Reg, off int64) {
	switch {
	case o.FitsScaled(off):
		e.Mem(o, r, a64State, off)
		return
	case o.FitsScaled(off + scratchReach):
		e.Mem(o, r, a64Scratch, off+scratchReach)
		return
	}
	for i, at := range e.far.off {
		if at != 0 && o.FitsScaled(off-at) {
			e.far.last = i
			e.Mem(o, r, a64Far+arm64.Reg(i), off-at)
			return
		}
	}
	at := off &^ (scratchReach - 1)
	e.Mem(o, r, e.point(at), off-at)
}

// base returns a register that points to an address. It is good until the next
// but one is asked for, or anything else is accessed.
func (e *a64) base(off int64) arm64.Reg {
	if off == 0 {
		return a64State
	}
	for i, at := range e.far.off {
		if at == off {
			e.far.last = i
			return a64Far + arm64.Reg(i)
		}
	}
	return e.point(off)
}

// point moves the base that was not used last. Flags stay.
func (e *a64) point(off int64) arm64.Reg {
	i := 1 - e.far.last
	r := a64Far + arm64.Reg(i)
	e.far.off[i], e.far.last = off, i
	op, d := arm64.ADD, uint64(off)
	if off < 0 {
		op, d = arm64.SUB, uint64(-off)
	}
	switch {
	case d >= 1<<24:
		e.MovRI(r, d)
		e.RRR(op, arm64.X, r, a64State, r)
	case d < 1<<12 || d&0xfff == 0:
		e.RRI(op, arm64.X, r, a64State, d)
	default:
		e.RRI(op, arm64.X, r, a64State, d&^0xfff)
		e.RRI(op, arm64.X, r, r, d&0xfff)
	}
	return r
}

// a64Word is a word of a memory: at a place, or so many words behind it.
type a64Word struct {
	off     int64
	index   arm64.Reg
	indexed bool
}

// word is a word of a memory; tmp is for the address if that is in no register.
func (e *a64) word(m *net.Mem, addr net.ID, tmp arm64.Reg) a64Word {
	at := 8 * int64(m.At)
	if v, ok := e.n.IsConst(addr); ok {
		return a64Word{off: at + 8*int64(v)}
	}
	return a64Word{at, e.register(addr, tmp), true}
}

// accessWord loads or stores r in a memory.
func (e *a64) accessWord(o arm64.Access, r arm64.Reg, w a64Word) {
	if w.indexed {
		e.MemX(o, r, e.base(w.off), w.index, true)
	} else {
		e.access(o, r, w.off)
	}
}
