package amd64

// VLen is the length of the vectors of an instruction; where operands differ it
// is that of the longest.
type VLen uint8

// The vector lengths. V512 exists in EVEX encodings alone.
const (
	V128 VLen = iota
	V256
	V512
)

// Evex is the options that EVEX encodings have and VEX ones do not.
type Evex struct {
	Mask  KReg // only elements under its ones are written; K0 for all
	Zero  bool // elements outside Mask become 0 instead of staying
	Bcast bool // the memory operand is one element, taken for all
}

// bits gives x's places in the last byte of the EVEX prefix.
func (x Evex) bits() uint8 {
	b := uint8(x.Mask) & 7
	if x.Zero {
		if b == 0 {
			panic("amd64: zeroing without a mask")
		}
		b |= 0x80
	}

	if x.Bcast {
		b |= evexBcast
	}
	return b
}

const evexBcast = 0x10

// row finds the table's row of o and checks its shape and length.
func row(o VOp, shape vshape, l VLen) *vdef {
	d := &vdefs[o]
	if d.shape&shape == 0 || d.f&(len128<<l) == 0 {
		misuse(o, l)
	}
	return d
}

// misuse is apart, so that row is inlined.
func misuse(o VOp, l VLen) {
	panic("amd64: " + vdefs[o].name + " has no such form of length " + [...]string{"128", "256", "512"}[l])
}

// vregs appends an instruction whose operands are all registers; x is in the form
// of Evex.bits.
func (a *Asm) vregs(f vflag, l VLen, x, reg, v, rm uint8, imm uint64, immN int) {
	// EVEX for everything that VEX cannot say: 512 bits, registers from 16 on, masks.
	if l == V512 || (reg|v|rm)&16 != 0 || x != 0 || f&hasVEX == 0 {
		if x&evexBcast != 0 {
			panic("amd64: a broadcast from a register")
		}

		w := f.evex(l, x, reg, v, rm>>3&1|rm>>4<<1)
		a.put(w, 5, uint64(0xc0|reg&7<<3|rm&7), 1, imm, immN)
		return
	}

	if rm&8 != 0 && f&needVEX3 == 0 { // an exchange of operands may spare a byte
		if f&commutes != 0 && v&8 == 0 {
			v, rm = rm, v
		} else if f&twoWay != 0 && reg&8 == 0 {
			reg, rm, f = rm, reg, f|0x10*opcodeBy1
		}
	}

	// VEX of two bytes has no room for the top bit of rm.
	if rm&8|uint8(f&needVEX3) == 0 {
		a.put(f.vex2(l, reg, v), 3, uint64(0xc0|reg&7<<3|rm&7), 1, imm, immN)
		return
	}

	a.put(f.vex3(l, reg, v, rm>>3), 4, uint64(0xc0|reg&7<<3|rm&7), 1, imm, immN)
}

// vmem is vregs with a memory operand.
func (a *Asm) vmem(f vflag, l VLen, x, reg, v uint8, m Mem, imm uint64, immN int) {
	if l == V512 || (reg|v)&16 != 0 || x != 0 || f&hasVEX == 0 {
		// With EVEX, a displacement of one byte counts in units of the operand.
		p := m.addr(f.unit(l, x))
		a.put(f.evex(l, x, reg, v, p.bx), 5, p.tail|uint64(reg&7<<3), p.n, imm, immN)
		return
	}

	p := m.addr(0)
	if p.bx|uint8(f&needVEX3) == 0 {
		a.put(f.vex2(l, reg, v), 3, p.tail|uint64(reg&7<<3), p.n, imm, immN)
		return
	}
	a.put(f.vex3(l, reg, v, p.bx), 4, p.tail|uint64(reg&7<<3), p.n, imm, immN)
}

// unit is log2 of the unit, in bytes, of an 8-bit displacement.
func (f vflag) unit(l VLen, x uint8) uint8 {
	// A broadcast reads one element, which is then the unit.
	if x&evexBcast != 0 {
		if f&bcast == 0 {
			panic("amd64: a broadcast in an instruction without")
		}
		return 2 + uint8(f/evexW&1)
	}

	// Otherwise the unit is fixed, or grows with the length of the vector.
	u := uint8(f / unitBy1 & 7)
	if f&unitLen != 0 {
		u += uint8(l)
	}
	return u
}

// vex2 is VEX of two bytes and the opcode.
func (f vflag) vex2(l VLen, reg, v uint8) uint64 {
	b := uint64(^reg&8)<<4 | uint64(^v&15)<<3 | uint64(l)<<2 | uint64(f/ppBy1&3)
	return 0xc5 | b<<8 | uint64(f/opcodeBy1)<<16
}

// vex3 is VEX of three bytes and the opcode; bx is as in addr.
func (f vflag) vex3(l VLen, reg, v, bx uint8) uint64 {
	// The top bits of registers are stored inverted.
	b1 := uint64(^(reg>>3<<2|bx)&7)<<5 | uint64(f&3)
	b2 := uint64(f/vexW&1)<<7 | uint64(^v&15)<<3 | uint64(l)<<2 | uint64(f/ppBy1&3)
	return 0xc4 | b1<<8 | b2<<16 | uint64(f/opcodeBy1)<<24
}

// evex is EVEX and the opcode; bx is as in addr.
func (f vflag) evex(l VLen, x, reg, v, bx uint8) uint64 {
	if f&hasEVEX == 0 {
		panic("amd64: an EVEX feature in an instruction without EVEX")
	}

	if x&7 != 0 && f&noMask != 0 {
		panic("amd64: a mask in an instruction without")
	}

	// Top bits of registers are inverted here too, bit 4 among them.
	b1 := uint64(^(reg>>3&1<<2|bx)&7)<<5 | uint64(^reg&16) | uint64(f&3)
	b2 := uint64(f/evexW&1)<<7 | uint64(^v&15)<<3 | 4 | uint64(f/ppBy1&3)
	b3 := uint64(x) | uint64(l)<<5 | uint64(^v&16)>>1
	return 0x62 | b1<<8 | b2<<16 | b3<<24 | uint64(f/opcodeBy1)<<32
}
