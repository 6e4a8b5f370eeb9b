package amd64

// Methods whose name ends in X take EVEX options, the others are the same without
// any. A VOp goes with the methods that its comment in the table names; another
// panics.

// V3 is dst = src1 op src2. For shifts by one count src2 holds it.
func (a *Asm) V3(o VOp, l VLen, dst, src1, src2 Vec) { a.V3X(o, l, Evex{}, dst, src1, src2) }

// V3X is V3 with EVEX options.
func (a *Asm) V3X(o VOp, l VLen, x Evex, dst, src1, src2 Vec) {
	a.vregs(row(o, sh3, l).f, l, x.bits(), uint8(dst), uint8(src1), uint8(src2), 0, 0)
}

// V3M is dst = src1 op memory.
func (a *Asm) V3M(o VOp, l VLen, dst, src1 Vec, m Mem) { a.V3MX(o, l, Evex{}, dst, src1, m) }

// V3MX is V3M with EVEX options.
func (a *Asm) V3MX(o VOp, l VLen, x Evex, dst, src1 Vec, m Mem) {
	a.vmem(row(o, sh3|shMaskMove, l).f, l, x.bits(), uint8(dst), uint8(src1), m, 0, 0)
}

// V3I is V3 with an immediate.
func (a *Asm) V3I(o VOp, l VLen, dst, src1, src2 Vec, imm uint8) {
	a.V3IX(o, l, Evex{}, dst, src1, src2, imm)
}

// V3IX is V3I with EVEX options.
func (a *Asm) V3IX(o VOp, l VLen, x Evex, dst, src1, src2 Vec, imm uint8) {
	a.vregs(row(o, sh3I, l).f, l, x.bits(), uint8(dst), uint8(src1), uint8(src2), uint64(imm), 1)
}

// V3MI is V3M with an immediate.
func (a *Asm) V3MI(o VOp, l VLen, dst, src1 Vec, m Mem, imm uint8) {
	a.V3MIX(o, l, Evex{}, dst, src1, m, imm)
}

// V3MIX is V3MI with EVEX options.
func (a *Asm) V3MIX(o VOp, l VLen, x Evex, dst, src1 Vec, m Mem, imm uint8) {
	a.vmem(row(o, sh3I, l).f, l, x.bits(), uint8(dst), uint8(src1), m, uint64(imm), 1)
}

// V2 is dst = op src.
func (a *Asm) V2(o VOp, l VLen, dst, src Vec) { a.V2X(o, l, Evex{}, dst, src) }

// V2X is V2 with EVEX options.
func (a *Asm) V2X(o VOp, l VLen, x Evex, dst, src Vec) {
	d := row(o, sh2|shNarrow, l)

	// Narrowing ops are encoded as stores: the destination is in r/m.
	if d.shape == shNarrow {
		dst, src = src, dst
	}
	a.vregs(d.f, l, x.bits(), uint8(dst), 0, uint8(src), 0, 0)
}

// V2M is dst = op memory.
func (a *Asm) V2M(o VOp, l VLen, dst Vec, m Mem) { a.V2MX(o, l, Evex{}, dst, m) }

// V2MX is V2M with EVEX options.
func (a *Asm) V2MX(o VOp, l VLen, x Evex, dst Vec, m Mem) {
	a.vmem(row(o, sh2|shLoad, l).f, l, x.bits(), uint8(dst), 0, m, 0, 0)
}

// V2I is V2 with an immediate.
func (a *Asm) V2I(o VOp, l VLen, dst, src Vec, imm uint8) { a.V2IX(o, l, Evex{}, dst, src, imm) }

// V2IX is V2I with EVEX options.
func (a *Asm) V2IX(o VOp, l VLen, x Evex, dst, src Vec, imm uint8) {
	d := row(o, sh2I|shShiftI|shExtract, l)
	switch d.shape {
	case shShiftI:
		a.vregs(d.f, l, x.bits(), d.second, uint8(dst), uint8(src), uint64(imm), 1)
	case shExtract:
		a.vregs(d.f, l, x.bits(), uint8(src), 0, uint8(dst), uint64(imm), 1)
	default:
		a.vregs(d.f, l, x.bits(), uint8(dst), 0, uint8(src), uint64(imm), 1)
	}
}

// V2MI is V2M with an immediate; shifts have it in EVEX alone.
func (a *Asm) V2MI(o VOp, l VLen, dst Vec, m Mem, imm uint8) { a.V2MIX(o, l, Evex{}, dst, m, imm) }

// V2MIX is V2MI with EVEX options.
func (a *Asm) V2MIX(o VOp, l VLen, x Evex, dst Vec, m Mem, imm uint8) {
	d := row(o, sh2I|shShiftI, l)
	if d.shape == shShiftI {
		a.vmem(d.f&^hasVEX, l, x.bits(), d.second, uint8(dst), m, uint64(imm), 1)
		return
	}
	a.vmem(d.f, l, x.bits(), uint8(dst), 0, m, uint64(imm), 1)
}

// VStore is memory = src, or the narrowed src of a narrowing op.
func (a *Asm) VStore(o VOp, l VLen, m Mem, src Vec) { a.VStoreX(o, l, Evex{}, m, src) }

// VStoreX is VStore with EVEX options.
func (a *Asm) VStoreX(o VOp, l VLen, x Evex, m Mem, src Vec) {
	d := row(o, shStored|shNarrow, l)
	if x.Zero {
		panic("amd64: zeroing of memory")
	}
	f := d.f
	if d.second != 0 {
		f = f.withOpcode(d.second)
	}
	a.vmem(f, l, x.bits(), uint8(src), 0, m, 0, 0)
}

// VStoreI is memory = the part imm of src.
func (a *Asm) VStoreI(o VOp, l VLen, m Mem, src Vec, imm uint8) {
	a.vmem(row(o, shExtract|shToGI, l).f, l, 0, uint8(src), 0, m, uint64(imm), 1)
}

// VMaskStore is memory = src in the elements whose sign bit is set in mask.
func (a *Asm) VMaskStore(o VOp, l VLen, m Mem, mask, src Vec) {
	d := row(o, shMaskMove, l)
	a.vmem(d.f.withOpcode(d.second), l, 0, uint8(src), uint8(mask), m, 0, 0)
}

// VBlendV is dst = src2 in the elements whose sign bit is set in mask, else src1.
func (a *Asm) VBlendV(o VOp, l VLen, dst, src1, src2, mask Vec) {
	a.vregs(row(o, shBlend, l).f, l, 0, uint8(dst), uint8(src1), uint8(src2), uint64(mask&15)<<4, 1)
}

// VBlendVM is VBlendV with src2 in memory.
func (a *Asm) VBlendVM(o VOp, l VLen, dst, src1 Vec, m Mem, mask Vec) {
	a.vmem(row(o, shBlend, l).f, l, 0, uint8(dst), uint8(src1), m, uint64(mask&15)<<4, 1)
}

// VFromG is dst = src, or all of dst's elements = src for a broadcast.
func (a *Asm) VFromG(o VOp, l VLen, dst Vec, src Reg) { a.VFromGX(o, l, Evex{}, dst, src) }

// VFromGX is VFromG with EVEX options.
func (a *Asm) VFromGX(o VOp, l VLen, x Evex, dst Vec, src Reg) {
	a.vregs(row(o, shFromG, l).f, l, x.bits(), uint8(dst), 0, uint8(src), 0, 0)
}

// VToG is dst = src's first element (VMOVD, VMOVQG), or the sign bits of all.
func (a *Asm) VToG(o VOp, l VLen, dst Reg, src Vec) {
	d := row(o, shToG|shSigns, l)
	if d.shape&shSigns != 0 {
		a.vregs(d.f, l, 0, uint8(dst), 0, uint8(src), 0, 0)
		return
	}
	a.vregs(d.f.withOpcode(d.second), l, 0, uint8(src), 0, uint8(dst), 0, 0)
}

// VInsert is dst = src1 with its element imm replaced by src2.
func (a *Asm) VInsert(o VOp, dst, src1 Vec, src2 Reg, imm uint8) {
	a.vregs(row(o, shInsertG, V128).f, V128, 0, uint8(dst), uint8(src1), uint8(src2), uint64(imm), 1)
}

// VInsertM is VInsert from memory.
func (a *Asm) VInsertM(o VOp, dst, src1 Vec, m Mem, imm uint8) {
	a.vmem(row(o, shInsertG, V128).f, V128, 0, uint8(dst), uint8(src1), m, uint64(imm), 1)
}

// VExtract is dst = the element imm of src, zero-extended; VStoreI has it to memory.
func (a *Asm) VExtract(o VOp, dst Reg, src Vec, imm uint8) {
	d := row(o, shToGI, V128)
	if o == VPEXTRW { // the form for registers is another instruction than that for memory
		f := d.f.withOpcode(d.second)&^(needVEX3|3) | m0F
		a.vregs(f, V128, 0, uint8(dst), 0, uint8(src), uint64(imm), 1)
		return
	}
	a.vregs(d.f, V128, 0, uint8(src), 0, uint8(dst), uint64(imm), 1)
}
