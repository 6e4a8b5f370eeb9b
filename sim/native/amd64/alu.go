package amd64

// ALU is one of the eight operations that share their encodings; all set flags.
type ALU uint8

// The operations: ADC and SBB take the carry in, CMP is SUB without a result.
const (
	ADD ALU = iota
	OR
	ADC
	SBB
	AND
	SUB
	XOR
	CMP
)

// RR is dst = dst op src.
func (a *Asm) RR(o ALU, s Size, dst, src Reg) {
	a.rr(op(o)<<3|1|bytesOK, s, uint8(src), uint8(dst), 0, 0)
}

// RM is dst = dst op memory.
func (a *Asm) RM(o ALU, s Size, dst Reg, m Mem) { a.rm(op(o)<<3|3|bytesOK, s, uint8(dst), m, 0, 0) }

// MR is memory = memory op src.
func (a *Asm) MR(o ALU, s Size, m Mem, src Reg) { a.rm(op(o)<<3|1|bytesOK, s, uint8(src), m, 0, 0) }

// RI is dst = dst op imm, sign-extended for S64 and cut off for S8 and S16.
func (a *Asm) RI(o ALU, s Size, dst Reg, imm int32) {
	// A sign-extended byte makes the shortest form.
	if s != S8 && fits8(s, imm) {
		a.ext(0x83, s, uint8(o), uint8(dst), uint64(uint8(imm)), 1)
		return
	}
	if dst == RAX { // has an opcode of its own, a byte shorter
		a.emit(op(o)<<3|5|bytesOK, s, 0, false, 0, 0, uint64(uint32(imm)), immBytes(s))
		return
	}
	a.ext(0x81|bytesOK, s, uint8(o), uint8(dst), uint64(uint32(imm)), immBytes(s))
}

// MI is memory = memory op imm, sign-extended for S64 and cut off for S8 and S16.
func (a *Asm) MI(o ALU, s Size, m Mem, imm int32) {
	// As in RI, but without the short form of RAX, which memory has not.
	if s != S8 && fits8(s, imm) {
		a.extM(0x83, s, uint8(o), m, uint64(uint8(imm)), 1)
		return
	}
	a.extM(0x81|bytesOK, s, uint8(o), m, uint64(uint32(imm)), immBytes(s))
}

// TestRR sets flags by x & y.
func (a *Asm) TestRR(s Size, x, y Reg) { a.rr(0x85|bytesOK, s, uint8(y), uint8(x), 0, 0) }

// TestMR sets flags by memory & r.
func (a *Asm) TestMR(s Size, m Mem, r Reg) { a.rm(0x85|bytesOK, s, uint8(r), m, 0, 0) }

// TestRI sets flags by x & imm, sign-extended for S64.
func (a *Asm) TestRI(s Size, x Reg, imm int32) {
	if x == RAX {
		a.emit(0xa9|bytesOK, s, 0, false, 0, 0, uint64(uint32(imm)), immBytes(s))
		return
	}
	a.ext(0xf7|bytesOK, s, 0, uint8(x), uint64(uint32(imm)), immBytes(s))
}

// TestMI sets flags by memory & imm, sign-extended for S64.
func (a *Asm) TestMI(s Size, m Mem, imm int32) {
	a.extM(0xf7|bytesOK, s, 0, m, uint64(uint32(imm)), immBytes(s))
}

// Inc is r = r + 1; it leaves the carry flag alone.
func (a *Asm) Inc(s Size, r Reg) { a.ext(0xff|bytesOK, s, 0, uint8(r), 0, 0) }

// IncM is Inc of memory.
func (a *Asm) IncM(s Size, m Mem) { a.extM(0xff|bytesOK, s, 0, m, 0, 0) }

// Dec is r = r - 1; it leaves the carry flag alone.
func (a *Asm) Dec(s Size, r Reg) { a.ext(0xff|bytesOK, s, 1, uint8(r), 0, 0) }

// DecM is Dec of memory.
func (a *Asm) DecM(s Size, m Mem) { a.extM(0xff|bytesOK, s, 1, m, 0, 0) }

// Neg is r = -r.
func (a *Asm) Neg(s Size, r Reg) { a.ext(0xf7|bytesOK, s, 3, uint8(r), 0, 0) }

// NegM is Neg of memory.
func (a *Asm) NegM(s Size, m Mem) { a.extM(0xf7|bytesOK, s, 3, m, 0, 0) }

// Not is r = ^r; flags stay.
func (a *Asm) Not(s Size, r Reg) { a.ext(0xf7|bytesOK, s, 2, uint8(r), 0, 0) }

// NotM is Not of memory.
func (a *Asm) NotM(s Size, m Mem) { a.extM(0xf7|bytesOK, s, 2, m, 0, 0) }

// Adcx is dst = dst + src + CF, and changes no other flag; S32 or S64.
func (a *Asm) Adcx(s Size, dst, src Reg) { a.rr(0xf6|map0F38|pre66, s, uint8(dst), uint8(src), 0, 0) }

// Adox is dst = dst + src + OF, with the carry in OF, and changes no other flag.
func (a *Asm) Adox(s Size, dst, src Reg) { a.rr(0xf6|map0F38|preF3, s, uint8(dst), uint8(src), 0, 0) }
