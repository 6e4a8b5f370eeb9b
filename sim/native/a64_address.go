package native

import (
	"etch/sim/native/arm64"
	"etch/sim/net"
)

// An address is bytes from a base: that of the state, of the scratch words, which
// lie below it, or of memories. They are one but in code for classes. A load or
// store reaches 32 KB upwards from a register: two reach the words around the
// state's base, and two more move with what the code uses.

// a64Bases are the registers that addresses are from.
type a64Bases struct{ state, scratch, mem arm64.Reg }

// a64At is an address.
type a64At struct {
	base arm64.Reg
	off  int64
}

// scratchReach is how far below the state the base for scratch words points.
const scratchReach = 1 << 15

func (e *a64) scratch(i int32) a64At { return a64At{e.from.scratch, -8 * (int64(i) + 1)} }

// stateWord is a word of the state; below it are scratch words.
func (e *a64) stateWord(slot uint32) a64At { return a64At{e.from.state, 8 * int64(int32(slot))} }

func (e *a64) slot(r int) a64At {
	if run := e.packs.runOf(r); run != nil {
		return a64At{e.from.state, int64(e.packs.laneAt(run, e.packs.home[r]))}
	}
	return e.stateWord(e.n.Regs[r].Slot)
}

// leaf is where register r's value at the start of the cycle is now.
func (e *a64) leaf(r int) a64At {
	if o, ok := e.c.copied(r, e.at); ok {
		return e.scratch(o)
	}
	return e.slot(r)
}

// a64Known is what registers hold at a place in the code.
type a64Known struct {
	far    [2]a64At // where the moving bases point; the zero value is nowhere
	last   int      // the one used last
	tested a64At    // the word in the first temporary, between bodies
}

// meet is what holds on both of two paths.
func (k a64Known) meet(o a64Known) a64Known {
	for i := range k.far {
		if k.far[i] != o.far[i] {
			k.far[i] = a64At{}
		}
	}
	if k.tested != o.tested {
		k.tested = a64At{}
	}
	return k
}

// access loads or stores r at an address.
func (e *a64) access(o arm64.Access, r arm64.Reg, p a64At) {
	switch {
	case o.FitsScaled(p.off):
		e.Mem(o, r, p.base, p.off)
		return
	case p.base == e.from.scratch && o.FitsScaled(p.off+scratchReach):
		e.Mem(o, r, a64Scratch, p.off+scratchReach)
		return
	}
	for i, at := range e.known.far {
		if at.base == p.base && at.off != 0 && o.FitsScaled(p.off-at.off) {
			e.known.last = i
			e.Mem(o, r, a64Far+arm64.Reg(i), p.off-at.off)
			return
		}
	}
	at := p.off &^ (o.Reach() - 1)
	e.Mem(o, r, e.point(a64At{p.base, at}), p.off-at)
}

// base returns a register that points to an address. It is good until the next
// but one is asked for, or anything else is accessed.
func (e *a64) base(p a64At) arm64.Reg {
	if p.off == 0 {
		return p.base
	}
	for i, at := range e.known.far {
		if at == p {
			e.known.last = i
			return a64Far + arm64.Reg(i)
		}
	}
	return e.point(p)
}

// point moves the base that was not used last. Flags stay.
func (e *a64) point(p a64At) arm64.Reg {
	i := 1 - e.known.last
	r := a64Far + arm64.Reg(i)
	e.known.far[i], e.known.last = p, i
	e.add(r, p.base, p.off)
	return r
}

// add is r = base + off; r is another register when off is large. Flags stay.
func (e *a64) add(r, base arm64.Reg, off int64) {
	op, d := arm64.ADD, uint64(off)
	if off < 0 {
		op, d = arm64.SUB, uint64(-off)
	}
	switch {
	case d >= 1<<24:
		e.MovRI(r, d)
		e.RRR(op, arm64.X, r, base, r)
	case d < 1<<12 || d&0xfff == 0:
		e.RRI(op, arm64.X, r, base, d)
	default:
		e.RRI(op, arm64.X, r, base, d&^0xfff)
		e.RRI(op, arm64.X, r, r, d&0xfff)
	}
}

// a64Word is a word of a memory: at a place, or so many words behind it.
type a64Word struct {
	at      a64At
	index   arm64.Reg
	indexed bool
}

// word is a word of a memory; tmp is for the address if that is in no register.
func (e *a64) word(m *net.Mem, addr net.ID, tmp arm64.Reg) a64Word {
	p := e.memory(m.Shared, int32(m.At))
	if v, ok := e.n.IsConst(addr); ok {
		return a64Word{at: a64At{p.base, p.off + 8*int64(v)}}
	}
	return a64Word{p, e.register(addr, tmp), true}
}

// memory is a word of an instance's memories, or of those that all share.
func (e *a64) memory(shared bool, at int32) a64At {
	if shared {
		return a64At{e.from.scratch, 8 * int64(at)}
	}
	return a64At{e.from.mem, 8 * int64(at)}
}

// accessWord loads or stores r in a memory.
func (e *a64) accessWord(o arm64.Access, r arm64.Reg, w a64Word) {
	if w.indexed {
		e.MemX(o, r, e.base(w.at), w.index, true)
	} else {
		e.access(o, r, w.at)
	}
}

// Accesses to words of far memories, by their bytes.
var (
	farLoads  = [9]arm64.Access{1: arm64.LDRB, 2: arm64.LDRH, 4: arm64.LDRW, 8: arm64.LDR}
	farStores = [9]arm64.Access{1: arm64.STRB, 2: arm64.STRH, 4: arm64.STRW, 8: arm64.STR}
)

// farIndex puts the address of a far memory into the fourth temporary, and returns a
// register with that of a word in it: the third one, if it is in no other.
func (e *a64) farIndex(m *net.Mem, addr net.ID) arm64.Reg {
	e.access(arm64.LDR, a64D, e.memory(m.Shared, int32(m.At)))
	return e.register(addr, a64C)
}
