package emit

import (
	"etch/sim/native/arm64"
	"etch/sim/net"
)

// An address is a byte offset from a base: the state, the scratch words below it, or the
// memories. The three bases are equal except in code for classes. A load or store reaches 32 KB
// upwards from a register. So two fixed registers cover the words around the base of the state,
// and two moving ones follow the addresses that the code uses.

// a64Bases are the registers for the bases of places.
type a64Bases [numBases]arm64.Reg

// a64At is an address.
type a64At struct {
	base arm64.Reg
	off  int64
}

// scratchReach is how far below the state the base for scratch words points.
const scratchReach = 1 << 15

// address finds the base of a place. It is short, to be inlined.
func (e *a64) address(p place) a64At {
	if p.base < numBases {
		return a64At{e.bases[p.base], p.off}
	}
	return e.inRow(p)
}

// inRow addresses a field of a row, whose address is in a register of its own.
func (e *a64) inRow(p place) a64At {
	if p.base == ofFresh {
		e.rowAt(p.wide)
	}
	return a64At{a64LogTo + arm64.Reg(p.wide), p.off}
}

func (e *a64) scratch(i int32) a64At { return e.address(scratchWord(i)) }

// a64Known is the known contents of address registers at a point in the code.
type a64Known struct {
	far    [2]a64At // where the moving bases point; the zero value is unknown
	last   int      // the moving base used last
	tested a64At    // the state word held in the first temporary, between bodies
}

// meet keeps the facts that hold on both of two paths.
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
	// The fixed bases first: they cost nothing.
	switch {
	case o.FitsScaled(p.off):
		e.Mem(o, r, p.base, p.off)
		return
	case p.base == e.bases[ofWhole] && o.FitsScaled(p.off+scratchReach):
		e.Mem(o, r, a64Scratch, p.off+scratchReach)
		return
	}

	// Then a moving base that is near enough; else move one to the start of the block that holds
	// the word.
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

// base returns a register that points to p. It stays valid until the second further call, or
// until another address is accessed.
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

// point moves the base that was used longer ago. The flags are preserved.
func (e *a64) point(p a64At) arm64.Reg {
	i := 1 - e.known.last

	r := a64Far + arm64.Reg(i)
	e.known.far[i], e.known.last = p, i
	e.add(r, p.base, p.off)
	return r
}

// add computes r = base + off. If off is 1<<24 or more, r must differ from base. The flags are
// preserved.
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

// a64Word is a word of a memory: a fixed address, optionally plus an index in words.
type a64Word struct {
	at      a64At
	index   arm64.Reg
	indexed bool
}

// word addresses a word of a memory. tmp receives the index if that is in no register.
func (e *a64) word(m *net.Mem, addr net.ID, tmp arm64.Reg) a64Word {
	p := e.address(memoryWord(m.Shared, int32(m.At)))
	if v, ok := e.n.IsConst(addr); ok {
		return a64Word{at: a64At{p.base, p.off + 8*int64(v)}}
	}
	return a64Word{p, e.register(addr, tmp), true}
}

// accessWord loads or stores r in a memory.
func (e *a64) accessWord(o arm64.Access, r arm64.Reg, w a64Word) {
	if w.indexed {
		e.MemX(o, r, e.base(w.at), w.index, true)
	} else {
		e.access(o, r, w.at)
	}
}

// farIndex loads the address of a far memory into the fourth temporary. It returns a register
// with the word's index, the third temporary unless the index is in a register already.
func (e *a64) farIndex(m *net.Mem, addr net.ID) arm64.Reg {
	e.access(arm64.LDR, a64D, e.address(memoryWord(m.Shared, int32(m.At))))
	return e.register(addr, a64C)
}
