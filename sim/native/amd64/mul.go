package amd64

// Imul is dst = dst * src, the low half.
func (a *Asm) Imul(s Size, dst, src Reg) { a.rr(0xaf|map0F, s, uint8(dst), uint8(src), 0, 0) }

// ImulRM is dst = dst * memory, the low half.
func (a *Asm) ImulRM(s Size, dst Reg, m Mem) { a.rm(0xaf|map0F, s, uint8(dst), m, 0, 0) }

// ImulRRI is dst = src * imm, the low half.
func (a *Asm) ImulRRI(s Size, dst, src Reg, imm int32) {
	if fits8(s, imm) {
		a.rr(0x6b, s, uint8(dst), uint8(src), uint64(uint8(imm)), 1)
		return
	}
	a.rr(0x69, s, uint8(dst), uint8(src), uint64(uint32(imm)), immBytes(s))
}

// ImulRMI is dst = memory * imm, the low half.
func (a *Asm) ImulRMI(s Size, dst Reg, m Mem, imm int32) {
	if fits8(s, imm) {
		a.rm(0x6b, s, uint8(dst), m, uint64(uint8(imm)), 1)
		return
	}
	a.rm(0x69, s, uint8(dst), m, uint64(uint32(imm)), immBytes(s))
}

// Mul is RDX:RAX = RAX * r, unsigned (AX = AL * r for S8).
func (a *Asm) Mul(s Size, r Reg) { a.ext(0xf7|bytesOK, s, 4, uint8(r), 0, 0) }

// MulM is Mul by memory.
func (a *Asm) MulM(s Size, m Mem) { a.extM(0xf7|bytesOK, s, 4, m, 0, 0) }

// Imul1 is RDX:RAX = RAX * r, signed.
func (a *Asm) Imul1(s Size, r Reg) { a.ext(0xf7|bytesOK, s, 5, uint8(r), 0, 0) }

// Imul1M is Imul1 by memory.
func (a *Asm) Imul1M(s Size, m Mem) { a.extM(0xf7|bytesOK, s, 5, m, 0, 0) }

// Div is RAX, RDX = RDX:RAX / r and the remainder, unsigned; it traps on a zero r
// and on a quotient too large.
func (a *Asm) Div(s Size, r Reg) { a.ext(0xf7|bytesOK, s, 6, uint8(r), 0, 0) }

// DivM is Div by memory.
func (a *Asm) DivM(s Size, m Mem) { a.extM(0xf7|bytesOK, s, 6, m, 0, 0) }

// Idiv is Div of signed numbers, rounding towards zero.
func (a *Asm) Idiv(s Size, r Reg) { a.ext(0xf7|bytesOK, s, 7, uint8(r), 0, 0) }

// IdivM is Idiv by memory.
func (a *Asm) IdivM(s Size, m Mem) { a.extM(0xf7|bytesOK, s, 7, m, 0, 0) }

// Cdq fills EDX with the sign of EAX.
func (a *Asm) Cdq() { a.bytes(0x99, 1) }

// Cqo fills RDX with the sign of RAX.
func (a *Asm) Cqo() { a.bytes(0x9948, 2) }

// RepMovsq copies RCX words of 64 bits from RSI to RDI, upwards.
func (a *Asm) RepMovsq() { a.bytes(0xa548f3, 3) }
