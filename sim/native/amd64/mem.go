package amd64

// Mem is the address Base + Index*Scale + Disp. There is no base if Base is
// NoReg (Disp is then absolute, sign-extended), and no index if Index is NoReg or
// Scale is 0. RSP cannot be an index.
type Mem struct {
	Base, Index Reg
	Scale       uint8 // 1, 2, 4 or 8
	Disp        int32
}

// At is the address base + disp.
func At(base Reg, disp int32) Mem { return Mem{Base: base, Index: NoReg, Disp: disp} }

// AtIndex is the address base + index*scale + disp.
func AtIndex(base, index Reg, scale uint8, disp int32) Mem {
	return Mem{Base: base, Index: index, Scale: scale, Disp: disp}
}

// Plus is the address n bytes further on.
func (m Mem) Plus(n int32) Mem {
	m.Disp += n
	return m
}

// addr is a Mem as encodings want it. It is small enough for registers.
type addr struct {
	tail uint64 // ModRM without its reg field, SIB, displacement
	n    int    // how many bytes of tail: 1 to 6
	bx   uint8  // bit 0: bit 3 of the base; bit 1: bit 3 of the index
}

var log2 = [9]uint8{1: 0, 2: 1, 4: 2, 8: 3}

func (m Mem) indexed() bool { return m.Scale != 0 && m.Index != NoReg }

// addr encodes m; an 8-bit displacement counts in units of 1<<unit bytes.
func (m Mem) addr(unit uint8) addr {
	if m.indexed() {
		if m.Index == RSP {
			panic("amd64: RSP as an index")
		}
		return m.sib(uint8(m.Index), unit)
	}

	// An absolute address takes a SIB byte: without it the encoding means relative to RIP.
	if m.Base == NoReg {
		return addr{tail: 0x2504 | uint64(uint32(m.Disp))<<16, n: 6}
	}

	low := uint8(m.Base & 7)
	x := addr{tail: uint64(low), n: 1, bx: uint8(m.Base >> 3)}
	if low == 4 { // RSP, R12: the place of SIB
		x.tail, x.n = 0x2404, 2
	}
	return x.plus(m.Disp, low, unit)
}

// sib encodes m with an index that may be a vector.
func (m Mem) sib(index, unit uint8) addr {
	if m.Scale > 8 || m.Scale&(m.Scale-1) != 0 {
		panic("amd64: a scale that is not 1, 2, 4 or 8")
	}
	sib := log2[m.Scale]<<6 | index&7<<3
	bx := index >> 3 & 1 << 1

	// Base 5 in SIB means no base, and four bytes of displacement.
	if m.Base == NoReg {
		return addr{tail: 4 | uint64(sib|5)<<8 | uint64(uint32(m.Disp))<<16, n: 6, bx: bx}
	}

	low := uint8(m.Base & 7)
	x := addr{tail: 4 | uint64(sib|low)<<8, n: 2, bx: bx | uint8(m.Base>>3)}
	return x.plus(m.Disp, low, unit)
}

// plus takes the shortest displacement; a base of RBP or R13 (low 5) must have
// one, since its absence means that there is no base.
func (x addr) plus(disp int32, low, unit uint8) addr {
	if disp == 0 && low != 5 {
		return x
	}

	// One byte if the displacement is a multiple of the unit and fits, else four.
	at := uint(x.n*8) & 63
	small := disp >> (unit & 31)
	if small == int32(int8(small)) && small<<(unit&31) == disp {
		return addr{x.tail | 0x40 | uint64(uint8(small))<<at, x.n + 1, x.bx}
	}
	return addr{x.tail | 0x80 | uint64(uint32(disp))<<at, x.n + 4, x.bx}
}
