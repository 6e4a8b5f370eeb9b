package vector

import "etch/sim/native/amd64"

func (e *x86) load(d uint8, p place)  { e.V2M(e.copies, e.l, amd64.Vec(d), e.mem(p)) }
func (e *x86) store(p place, x uint8) { e.VStore(e.copies, e.l, e.mem(p), amd64.Vec(x)) }
func (e *x86) move(d, x uint8)        { e.V2(e.copies, e.l, amd64.Vec(d), amd64.Vec(x)) }

func (e *x86) fetch(op Op, d uint8, p place) {
	to, m := amd64.Vec(d), e.mem(p)
	switch op {
	case Load64:
		e.V2M(amd64.VMOVQ, amd64.V128, to, m)
	case Load128:
		e.V2M(amd64.VMOVDQU, amd64.V128, to, m)
	case Widen8:
		e.V2M(amd64.VPMOVZXBD, e.l, to, m)
	case Widen16:
		e.V2M(amd64.VPMOVZXWD, e.l, to, m)
	case Spread32:
		e.V2M(amd64.VPBROADCASTD, e.l, to, m)
	}
}

func (e *x86) put(op Op, p place, x uint8) {
	if op == Store64 {
		e.VStore(amd64.VMOVQS, amd64.V128, e.mem(p), amd64.Vec(x))
	} else {
		e.VStore(amd64.VMOVDQU, amd64.V128, e.mem(p), amd64.Vec(x))
	}
}

func (e *x86) zero(d uint8) {
	e.V3(amd64.VPXOR, amd64.V128, amd64.Vec(d), amd64.Vec(d), amd64.Vec(d))
}

// swap exchanges blocks by a masked XOR (AVX2) or by ternary logic (AVX-512).
func (e *x86) swap(a, b uint8, size int, m uint8) {
	x, y, mask, by := amd64.Vec(a), amd64.Vec(b), amd64.Vec(m), uint8(size)
	const t, u = amd64.Vec(8), amd64.Vec(9)
	if e.l == amd64.V512 { // x = m ? x : y<<s, y = m ? x>>s : y
		e.V2I(amd64.VPSLLDI, e.l, t, y, by)
		e.V2I(amd64.VPSRLDI, e.l, u, x, by)
		e.V3I(amd64.VPTERNLOGQ, e.l, x, mask, t, 0xe2)
		e.V3I(amd64.VPTERNLOGQ, e.l, y, mask, u, 0xb8)
		return
	}

	// The difference of the blocks to exchange is XORed into both rows.
	e.V2I(amd64.VPSRLDI, e.l, t, x, by)
	e.V3(amd64.VPXOR, e.l, t, t, y)
	e.V3(amd64.VPAND, e.l, t, t, mask)
	e.V3(amd64.VPXOR, e.l, y, y, t)
	e.V2I(amd64.VPSLLDI, e.l, t, t, by)
	e.V3(amd64.VPXOR, e.l, x, x, t)
}

func (e *x86) aim(b base, p place) { e.Lea(amd64.S64, e.bases[b], e.mem(p)) }

func (e *x86) advance(b base, n int) { e.RI(amd64.ADD, amd64.S64, e.bases[b], int32(n)) }

func (e *x86) repeat(n int) label {
	e.MovRI(amd64.RCX, uint64(n))
	e.Align(32)
	l := e.newLabel()
	e.bind(l)
	return l
}

func (e *x86) again(l label) {
	e.RI(amd64.SUB, amd64.S32, amd64.RCX, 1)
	e.jumpIf(amd64.NE, l)
}

// index loads the address of a memory word.
func (e *x86) index(r amd64.Reg, p place, bits int) {
	if bits == 32 {
		e.MovRM(amd64.S32, r, e.mem(p))
	} else {
		e.MovRM(amd64.S16, r, e.mem(p))
	}
}

// gather builds a vector block by block. Going through memory would stall: a vector load cannot
// be forwarded from the stores of its elements.
func (e *x86) gather(to, tmp uint8, m *Access, addr place, from []wordAt) {
	d, t := amd64.Vec(to), amd64.Vec(tmp)
	for b := range e.bytes / 16 {
		// Later blocks are built in a temporary and inserted.
		x := t
		if b == 0 {
			x = d
		}
		for i := range 16 / m.Elem {
			at := from[16/m.Elem*b+i]
			e.index(amd64.RAX, addr.plus(at.index), at.indexBits)
			e.insert(x, i, m.Elem, amd64.AtIndex(x86Mems, amd64.RAX, uint8(m.Elem), int32(m.Offset+at.word)))
		}

		switch {
		case b > 0 && e.l == amd64.V512:
			e.V3I(amd64.VINSERTI32X4, e.l, d, d, t, uint8(b))
		case b > 0:
			e.V3I(amd64.VINSERTI128, e.l, d, d, t, uint8(b))
		}
	}
}

// insert loads element i of a block; the first one clears the others.
func (e *x86) insert(x amd64.Vec, i, size int, m amd64.Mem) {
	switch {
	case size == 2 && i == 0:
		e.V3(amd64.VPXOR, amd64.V128, x, x, x)
		e.VInsertM(amd64.VPINSRW, x, x, m, 0)
	case size == 2:
		e.VInsertM(amd64.VPINSRW, x, x, m, uint8(i))
	case size == 4 && i == 0:
		e.V2M(amd64.VMOVD, amd64.V128, x, m)
	case size == 4:
		e.VInsertM(amd64.VPINSRD, x, x, m, uint8(i))
	case i == 0:
		e.V2M(amd64.VMOVQ, amd64.V128, x, m)
	default:
		e.VInsertM(amd64.VPINSRQ, x, x, m, uint8(i))
	}
}

// element transfers one lane's word, for a read or write of a memory.
func (e *x86) element(m *Access, at wordAt) {
	const index = amd64.RAX
	e.index(index, place{ofAddr, at.index}, at.indexBits)
	size := amd64.S32
	switch {
	case m.Elem == 2:
		size = amd64.S16
	case m.Elem == 8 && at.high == 0:
		size = amd64.S64
	}

	word := amd64.AtIndex(e.bases[ofWord], index, uint8(m.Elem), int32(at.word))
	data, mask := e.mem(place{ofData, at.data}), e.mem(place{ofMask, at.data})
	e.transfer(m, size, word, data, mask)
	// A 64-bit element in two rows of 32 bits.
	if at.high != 0 {
		e.transfer(m, size, word.Plus(4), data.Plus(int32(at.high)), mask.Plus(int32(at.high)))
	}
}

// transfer moves a word, or half of one.
func (e *x86) transfer(m *Access, size amd64.Size, word, data, mask amd64.Mem) {
	const x, old, ones = amd64.R9, amd64.R10, amd64.R11

	// Logic on 16 bits takes instructions of 32.
	wide := max(size, amd64.S32)

	switch {
	case !m.Write:
		e.MovRM(size, x, word)
		e.MovMR(size, data, x)
	case !m.Masked:
		e.MovRM(size, x, data)
		e.MovMR(size, word, x)
	// A masked write: old ^ (old ^ data) & mask.
	default:
		e.MovRM(size, old, word)
		e.MovRM(size, x, data)
		e.RR(amd64.XOR, wide, x, old)
		if size == amd64.S16 {
			e.MovRM(size, ones, mask)
			e.RR(amd64.AND, wide, x, ones)
		} else {
			e.RM(amd64.AND, size, x, mask)
		}
		e.RR(amd64.XOR, wide, x, old)
		e.MovMR(size, word, x)
	}
}

// slice is the subgroup's bits in a slice.
func (e *x86) slice(slot int32) amd64.Mem {
	e.MovRM(amd64.S64, amd64.RAX, e.frame(slicesAt))
	return amd64.At(amd64.RAX, slot*int32(e.bytes))
}

// bits spreads the subgroup's bits to masks of 16-bit elements.
func (e *x86) bits(to uint8, slot int32, places place) {
	m, d := e.slice(slot), amd64.Vec(to)
	if e.l == amd64.V512 {
		e.KMovRM(amd64.S32, amd64.K1, m)
		e.VFromK(amd64.VPMOVM2W, e.l, d, amd64.K1)
		return
	}

	// Each element keeps its own bit, and compares it.
	e.V2M(amd64.VPBROADCASTW, e.l, d, m)
	e.V3M(amd64.VPAND, e.l, d, d, e.mem(places))
	e.V3M(amd64.VPCMPEQW, e.l, d, d, e.mem(places))
}

// storeBits packs masks of 16-bit elements to bytes, and collects their signs.
func (e *x86) storeBits(slot int32, from, tmp uint8, _ place) {
	m, x, t := e.slice(slot), amd64.Vec(from), amd64.Vec(tmp)
	if e.l == amd64.V512 {
		e.VToK(amd64.VPMOVW2M, e.l, amd64.K1, x)
		e.KMovMR(amd64.S32, m, amd64.K1)
		return
	}

	// Both halves are packed to bytes, since the instruction does not cross 128 bits.
	e.V2I(amd64.VEXTRACTI128, amd64.V256, t, x, 1)
	e.V3(amd64.VPACKSSWB, amd64.V128, t, x, t)
	e.VToG(amd64.VPMOVMSKB, amd64.V128, amd64.RCX, t)
	e.MovMR(amd64.S16, m, amd64.RCX)
}
