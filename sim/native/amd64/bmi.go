package amd64

// The instructions here have three operands and leave flags alone unless their
// line says otherwise; they are of S32 or S64.

const (
	bmiF7      = 0xf7*opcodeBy1 | m38 // BEXTR, and the shifts by prefix
	bmiF5      = 0xf5*opcodeBy1 | m38 // BZHI, PEXT, PDEP by prefix
	bmiAndn    = 0xf2*opcodeBy1 | m38
	bmiMulx    = 0xf6*opcodeBy1 | m38 | pF2
	bmiRorx    = 0xf0*opcodeBy1 | m3A | pF2
	bmiGroup17 = 0xf3*opcodeBy1 | m38 // BLSR, BLSMSK, BLSI by extension
)

// sized is f with W for S64.
func (f vflag) sized(s Size) vflag {
	if s < S32 {
		panic("amd64: an instruction of 32 or 64 bits alone")
	}
	return f | vflag(s&1)*vexW
}

// vexRR appends reg, v, rm under VEX, with an immediate.
func (a *Asm) vexRR(f vflag, s Size, reg, v, rm uint8, imm uint64, immN int) {
	w := f.sized(s).vex3(V128, reg, v, rm>>3)
	a.put(w, 4, uint64(0xc0|reg&7<<3|rm&7), 1, imm, immN)
}

// vexRM is vexRR with memory.
func (a *Asm) vexRM(f vflag, s Size, reg, v uint8, m Mem, imm uint64, immN int) {
	x := m.addr(0)
	a.put(f.sized(s).vex3(V128, reg, v, x.bx), 4, x.tail|uint64(reg&7<<3), x.n, imm, immN)
}

// Shlx is dst = src << count.
func (a *Asm) Shlx(s Size, dst, src, count Reg) {
	a.vexRR(bmiF7|p66, s, uint8(dst), uint8(count), uint8(src), 0, 0)
}

// ShlxM is dst = memory << count.
func (a *Asm) ShlxM(s Size, dst Reg, m Mem, count Reg) {
	a.vexRM(bmiF7|p66, s, uint8(dst), uint8(count), m, 0, 0)
}

// Shrx is dst = src >> count, unsigned.
func (a *Asm) Shrx(s Size, dst, src, count Reg) {
	a.vexRR(bmiF7|pF2, s, uint8(dst), uint8(count), uint8(src), 0, 0)
}

// ShrxM is dst = memory >> count, unsigned.
func (a *Asm) ShrxM(s Size, dst Reg, m Mem, count Reg) {
	a.vexRM(bmiF7|pF2, s, uint8(dst), uint8(count), m, 0, 0)
}

// Sarx is dst = src >> count, signed.
func (a *Asm) Sarx(s Size, dst, src, count Reg) {
	a.vexRR(bmiF7|pF3, s, uint8(dst), uint8(count), uint8(src), 0, 0)
}

// SarxM is dst = memory >> count, signed.
func (a *Asm) SarxM(s Size, dst Reg, m Mem, count Reg) {
	a.vexRM(bmiF7|pF3, s, uint8(dst), uint8(count), m, 0, 0)
}

// Rorx is dst = src rotated right by n.
func (a *Asm) Rorx(s Size, dst, src Reg, n uint8) {
	a.vexRR(bmiRorx, s, uint8(dst), 0, uint8(src), uint64(n), 1)
}

// RorxM is dst = memory rotated right by n.
func (a *Asm) RorxM(s Size, dst Reg, m Mem, n uint8) {
	a.vexRM(bmiRorx, s, uint8(dst), 0, m, uint64(n), 1)
}

// Andn is dst = ^x & y; it sets flags.
func (a *Asm) Andn(s Size, dst, x, y Reg) {
	a.vexRR(bmiAndn, s, uint8(dst), uint8(x), uint8(y), 0, 0)
}

// AndnM is dst = ^x & memory; it sets flags.
func (a *Asm) AndnM(s Size, dst, x Reg, m Mem) {
	a.vexRM(bmiAndn, s, uint8(dst), uint8(x), m, 0, 0)
}

// Bextr is dst = the bits of src from control's byte 0 on, as many as its byte 1
// says; it sets flags.
func (a *Asm) Bextr(s Size, dst, src, control Reg) {
	a.vexRR(bmiF7, s, uint8(dst), uint8(control), uint8(src), 0, 0)
}

// BextrM is Bextr of memory; it sets flags.
func (a *Asm) BextrM(s Size, dst Reg, m Mem, control Reg) {
	a.vexRM(bmiF7, s, uint8(dst), uint8(control), m, 0, 0)
}

// Bzhi is dst = src with the bits from idx on cleared; it sets flags.
func (a *Asm) Bzhi(s Size, dst, src, idx Reg) {
	a.vexRR(bmiF5, s, uint8(dst), uint8(idx), uint8(src), 0, 0)
}

// BzhiM is Bzhi of memory; it sets flags.
func (a *Asm) BzhiM(s Size, dst Reg, m Mem, idx Reg) {
	a.vexRM(bmiF5, s, uint8(dst), uint8(idx), m, 0, 0)
}

// Pext is dst = the bits of src under mask, packed to the right.
func (a *Asm) Pext(s Size, dst, src, mask Reg) {
	a.vexRR(bmiF5|pF3, s, uint8(dst), uint8(src), uint8(mask), 0, 0)
}

// PextM is Pext with the mask in memory.
func (a *Asm) PextM(s Size, dst, src Reg, mask Mem) {
	a.vexRM(bmiF5|pF3, s, uint8(dst), uint8(src), mask, 0, 0)
}

// Pdep is dst = the low bits of src spread out under mask.
func (a *Asm) Pdep(s Size, dst, src, mask Reg) {
	a.vexRR(bmiF5|pF2, s, uint8(dst), uint8(src), uint8(mask), 0, 0)
}

// PdepM is Pdep with the mask in memory.
func (a *Asm) PdepM(s Size, dst, src Reg, mask Mem) {
	a.vexRM(bmiF5|pF2, s, uint8(dst), uint8(src), mask, 0, 0)
}

// Mulx is hi:lo = RDX * src, unsigned; hi wins if they are the same register.
func (a *Asm) Mulx(s Size, hi, lo, src Reg) {
	a.vexRR(bmiMulx, s, uint8(hi), uint8(lo), uint8(src), 0, 0)
}

// MulxM is hi:lo = RDX * memory.
func (a *Asm) MulxM(s Size, hi, lo Reg, m Mem) {
	a.vexRM(bmiMulx, s, uint8(hi), uint8(lo), m, 0, 0)
}

// Blsr is dst = src with its lowest one cleared; it sets flags.
func (a *Asm) Blsr(s Size, dst, src Reg) { a.vexRR(bmiGroup17, s, 1, uint8(dst), uint8(src), 0, 0) }

// Blsmsk is dst = ones up to the lowest one of src; it sets flags.
func (a *Asm) Blsmsk(s Size, dst, src Reg) {
	a.vexRR(bmiGroup17, s, 2, uint8(dst), uint8(src), 0, 0)
}

// Blsi is dst = the lowest one of src alone; it sets flags.
func (a *Asm) Blsi(s Size, dst, src Reg) { a.vexRR(bmiGroup17, s, 3, uint8(dst), uint8(src), 0, 0) }
