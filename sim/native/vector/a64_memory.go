package vector

import (
	"math/bits"

	"etch/sim/native/arm64"
)

// a64Bytes is the size of a vector in bytes.
const a64Bytes = 32

// reach is a register and an offset below a64Reach that address p, a multiple of 16 bytes.
func (e *a64) reach(p place) (arm64.Reg, int64) {
	n, off := e.from(p)
	if off < a64Reach {
		return n, off
	}
	// Move the window if p is outside of it.
	w := a64Window{n, off &^ (a64Reach - 1)}
	if w != e.window {
		e.add(a64Far, n, w.off)
		e.window = w
	}
	return a64Far, off - w.off
}

// pairReaches reports whether pair loads and stores reach an offset.
func pairReaches(off int64) bool { return off >= -1024 && off <= 1008 }

// whole is a register and an offset for accesses to a vector; pair says that one instruction
// reaches both blocks. Accesses to unaligned places, and far below a base, go through an address.
func (e *a64) whole(p place) (n arm64.Reg, off int64, pair bool) {
	n, off = e.reach(p)
	if off%16 != 0 || off < -1024 {
		e.add(a64Const, n, off)
		return a64Const, 0, true
	}
	return n, off, pairReaches(off)
}

func (e *a64) load(d uint8, p place) {
	v := arm64.Vec(2 * d)
	if n, off, pair := e.whole(p); pair {
		e.VLdp(v, v+1, n, off)
	} else {
		e.VMem(arm64.LDRVQ, v, n, off)
		e.VMem(arm64.LDRVQ, v+1, n, off+16)
	}
}

func (e *a64) store(p place, x uint8) {
	v := arm64.Vec(2 * x)
	if n, off, pair := e.whole(p); pair {
		e.VStp(v, v+1, n, off)
	} else {
		e.VMem(arm64.STRVQ, v, n, off)
		e.VMem(arm64.STRVQ, v+1, n, off+16)
	}
}

func (e *a64) fetch(op Op, d uint8, p place) {
	v := arm64.Vec(2 * d)
	switch op {
	// Parts of a vector are in the first block.
	case Load64:
		e.half(arm64.LDRVD, v, p)
	case Load128:
		e.half(arm64.LDRVQ, v, p)
	case Widen8:
		// Bytes to halves first, then as below.
		e.half(arm64.LDRVD, a64T, p)
		e.VShiftI(arm64.VUSHLL, arm64.E8, a64T, a64T, 0)
		e.widen(v)
	case Widen16:
		e.half(arm64.LDRVQ, a64T, p)
		e.widen(v)
	case Spread32:
		// Through a general register: loads that spread take no offset.
		n, off := e.from(p)
		e.access(arm64.LDRW, a64X, n, off)
		e.VDup(arm64.E32, v, a64X)
		e.VDup(arm64.E32, v+1, a64X)
	}
}

// widen makes elements of 32 bits of the 16-bit ones in the temporary.
func (e *a64) widen(v arm64.Vec) {
	e.VShiftI(arm64.VUSHLL, arm64.E16, v, a64T, 0)
	e.VShiftI(arm64.VUSHLL2, arm64.E16, v+1, a64T, 0)
}

func (e *a64) put(op Op, p place, x uint8) {
	// The first block has both parts.
	o := arm64.STRVQ
	if op == Store64 {
		o = arm64.STRVD
	}
	e.half(o, arm64.Vec(2*x), p)
}

// half loads or stores one block. Single accesses reach no negative offsets.
func (e *a64) half(o arm64.VAccess, v arm64.Vec, p place) {
	n, off := e.reach(p)
	if !o.Fits(off) {
		e.add(a64Const, n, off)
		n, off = a64Const, 0
	}
	e.VMem(o, v, n, off)
}

func (e *a64) move(d, x uint8) {
	for q := range uint8(2) {
		e.VBits(arm64.VORR, arm64.Vec(2*d+q), arm64.Vec(2*x+q), arm64.Vec(2*x+q))
	}
}

func (e *a64) zero(d uint8) {
	e.VMovI32(arm64.Vec(2*d), 0)
	e.VMovI32(arm64.Vec(2*d+1), 0)
}

// swap exchanges blocks of size bits between two vectors: one step of a transposition.
func (e *a64) swap(a, b uint8, size int, m uint8) {
	for q := range uint8(2) {
		x, y, mask := arm64.Vec(2*a+q), arm64.Vec(2*b+q), arm64.Vec(2*m+q)
		// Bytes and more have an instruction; smaller blocks use shifts and a mask.
		if size >= 8 {
			of := arm64.Elem(size / 16) // bytes, or elements of 16 bits
			e.VRRR(arm64.VTRN1, of, a64T, x, y)
			e.VRRR(arm64.VTRN2, of, y, x, y)
			e.VBits(arm64.VORR, x, a64T, a64T)
			continue
		}

		e.VShiftI(arm64.VUSHR, arm64.E32, a64T, x, uint8(size))
		e.VShiftI(arm64.VSHL, arm64.E32, a64U, y, uint8(size))
		e.VBits(arm64.VBIF, x, a64U, mask)
		e.VBits(arm64.VBIT, y, a64T, mask)
	}
}

func (e *a64) aim(b base, p place) {
	n, off := e.from(p)
	e.add(e.bases[b], n, off)
}

func (e *a64) advance(b base, n int) { e.add(e.bases[b], e.bases[b], int64(n)) }

func (e *a64) repeat(n int) label {
	e.MovRI(a64Count, uint64(n))
	l := e.newLabel()
	e.bind(l)
	return l
}

func (e *a64) again(l label) {
	e.RRI(arm64.SUBS, arm64.W, a64Count, a64Count, 1)
	e.BCond(arm64.NE, arm64.Label(l))
}

// a64Size is the accesses for elements of one size, and log2 of their bytes.
type a64Size struct {
	load, store arm64.Access
	log         uint8
}

// a64SizeOf is the accesses for elements of 16, 32 or 64 bits.
func a64SizeOf(bits int) a64Size {
	switch bits {
	case 16:
		return a64Size{arm64.LDRH, arm64.STRH, 1}
	case 32:
		return a64Size{arm64.LDRW, arm64.STRW, 2}
	}
	return a64Size{arm64.LDR, arm64.STR, 3}
}

// element transfers one lane's word, for a read or write of a memory.
func (e *a64) element(m *Access, at wordAt) {
	const index, word = a64X, a64Y
	size := a64SizeOf(8 * m.Elem)
	e.access(a64SizeOf(at.indexBits).load, index, e.bases[ofAddr], int64(at.index))

	// The word's address: base plus scaled index.
	off := int64(at.word)
	if n := e.bases[ofWord]; off < 256 {
		e.RRS(arm64.ADD, arm64.X, word, n, index, arm64.LSL, size.log)
	} else { // first the part that does not wait for the index
		e.add(word, n, off)
		e.RRS(arm64.ADD, arm64.X, word, word, index, arm64.LSL, size.log)
		off = 0
	}

	if at.high == 0 {
		e.transfer(m, size, off, int64(at.data))
		return
	}
	// A 64-bit element in two rows of 32 bits.
	half := a64SizeOf(32)
	e.transfer(m, half, off, int64(at.data))
	e.transfer(m, half, off+4, int64(at.data+at.high))
}

// gather loads the words of several lanes into the elements of d.
func (e *a64) gather(d, _ uint8, m *Access, addr place, from []wordAt) {
	const index, word = a64X, a64Y
	of := arm64.Elem(bits.TrailingZeros(uint(m.Elem)))

	e.aim(ofWord, place{ofMems, m.Offset})
	for i, at := range from {
		n, off := e.from(addr.plus(at.index))
		e.access(a64SizeOf(at.indexBits).load, index, n, off)
		e.add(word, e.bases[ofWord], int64(at.word))
		e.RRS(arm64.ADD, arm64.X, word, word, index, arm64.LSL, uint8(of))
		block := 16 / m.Elem // elements of one
		e.VLdElem(of, arm64.Vec(2*int(d)+i/block), uint8(i%block), word)
	}
}

// transfer moves a word, or half of one, at word bytes from the second temporary.
func (e *a64) transfer(m *Access, s a64Size, word, data int64) {
	const base, old, ones = a64Y, a64X, a64Const
	const x = a64Z

	atData, atMask := e.bases[ofData], e.bases[ofMask]
	switch {
	case !m.Write:
		e.access(s.load, x, base, word)
		e.access(s.store, x, atData, data)
	case !m.Masked:
		e.access(s.load, x, atData, data)
		e.access(s.store, x, base, word)
	// A masked write: old ^ (old ^ data) & mask.
	default:
		e.access(s.load, old, base, word)
		e.access(s.load, x, atData, data)
		e.access(s.load, ones, atMask, data)
		e.RRR(arm64.EOR, arm64.X, x, x, old)
		e.RRR(arm64.AND, arm64.X, x, x, ones)
		e.RRR(arm64.EOR, arm64.X, x, x, old)
		e.access(s.store, x, base, word)
	}
}

// bits spreads 16 bits of the sliced state to masks of 16-bit elements.
func (e *a64) bits(to uint8, slot int32, places place) {
	e.access(arm64.LDRH, a64X, a64Slices, a64Bytes*int64(slot))
	e.load(to, places)

	// Every element gets all 16 bits and tests its own: element i of places is 1<<i.
	e.VDup(arm64.E16, a64T, a64X)
	for q := range uint8(2) {
		d := arm64.Vec(2*to + q)
		e.VRRR(arm64.VCMTST, arm64.E16, d, d, a64T)
	}
}

// storeBits collects the masks of 16-bit elements as 16 bits of the sliced state.
func (e *a64) storeBits(slot int32, x, _ uint8, places place) {
	e.load(a64Pairs, places)
	for q := range uint8(2) {
		t := arm64.Vec(2*a64Pairs + q)
		e.VBits(arm64.VAND, t, t, arm64.Vec(2*x+q))
	}
	// Each element keeps its own bit, so the sum of all is the word.
	e.VBits(arm64.VORR, a64T, a64T, a64U)
	e.VAddAcross(arm64.E16, a64T, a64T)
	e.FmovFrom(arm64.W, a64X, a64T)
	e.access(arm64.STRH, a64X, a64Slices, a64Bytes*int64(slot))
}
