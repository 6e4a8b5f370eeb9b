package amd64

// MovRR is dst = src; S8 and S16 leave the rest of dst alone.
func (a *Asm) MovRR(s Size, dst, src Reg) { a.rr(0x89|bytesOK, s, uint8(src), uint8(dst), 0, 0) }

// MovRM is dst = memory, zero-extended to 64 bits.
func (a *Asm) MovRM(s Size, dst Reg, m Mem) {
	// A load of 32 bits clears the upper half by itself; shorter ones take an extending opcode.
	switch s {
	case S8:
		a.rm(0xb6|map0F, S32, uint8(dst), m, 0, 0)
	case S16:
		a.rm(0xb7|map0F, S32, uint8(dst), m, 0, 0)
	default:
		a.rm(0x8b, s, uint8(dst), m, 0, 0)
	}
}

// MovMR is memory = src.
func (a *Asm) MovMR(s Size, m Mem, src Reg) { a.rm(0x89|bytesOK, s, uint8(src), m, 0, 0) }

// MovMI is memory = imm, sign-extended for S64 and cut off for S8 and S16.
func (a *Asm) MovMI(s Size, m Mem, imm int32) {
	a.extM(0xc7|bytesOK, s, 0, m, uint64(uint32(imm)), immBytes(s))
}

// MovRI is dst = v in the shortest way that leaves flags alone.
func (a *Asm) MovRI(dst Reg, v uint64) {
	b, low := uint64(dst>>3), uint64(dst&7)
	switch {
	case v == uint64(uint32(v)):
		// A move of 32 bits clears the upper half.
		if b != 0 {
			a.bytes(0x41|(0xb8|low)<<8|v<<16, 6)
		} else {
			a.bytes(0xb8|low|v<<8, 5)
		}

	case v == uint64(int32(v)):
		// A sign-extended immediate of 32 bits.
		a.bytes(0x48|b|0xc7<<8|(0xc0|low)<<16|uint64(uint32(v))<<24, 7)

	default:
		a.put(0x48|b|(0xb8|low)<<8, 2, 0, 0, v, 8)
	}
}

// MovZX is dst = src of size from, zero-extended to 64 bits.
func (a *Asm) MovZX(from Size, dst, src Reg) {
	switch from {
	case S8:
		a.rrFrom(0xb6|map0F, S32, S8, uint8(dst), uint8(src))
	case S16:
		a.rr(0xb7|map0F, S32, uint8(dst), uint8(src), 0, 0)
	default:
		a.MovRR(from, dst, src)
	}
}

// signed gives the opcode of a sign extension.
func signed(from, to Size) op {
	switch {
	case from >= to:
		panic("amd64: a sign extension that does not widen")
	case from == S32:
		return 0x63
	}
	return 0xbe | op(from) | map0F
}

// MovSX is dst = src of size from, sign-extended to a greater size.
func (a *Asm) MovSX(from, to Size, dst, src Reg) {
	a.rrFrom(signed(from, to), to, from, uint8(dst), uint8(src))
}

// MovSXM is MovSX from memory.
func (a *Asm) MovSXM(from, to Size, dst Reg, m Mem) {
	a.rm(signed(from, to), to, uint8(dst), m, 0, 0)
}

// Lea is dst = the address itself, cut off for S32; flags stay.
func (a *Asm) Lea(s Size, dst Reg, m Mem) { a.rm(0x8d, s, uint8(dst), m, 0, 0) }

// Setcc is dst = 1 if c holds, else 0, in the low byte alone.
func (a *Asm) Setcc(c Cond, dst Reg) {
	a.rrFrom(0x90|op(c)|map0F, S32, S8, 0, uint8(dst))
}

// SetccM is Setcc of a byte in memory.
func (a *Asm) SetccM(c Cond, m Mem) { a.extM(0x90|op(c)|map0F, S32, 0, m, 0, 0) }

// Cmov is dst = src if c holds; S32 clears the upper half in any case.
func (a *Asm) Cmov(c Cond, s Size, dst, src Reg) {
	a.rr(0x40|op(c)|map0F, s, uint8(dst), uint8(src), 0, 0)
}

// CmovM is Cmov from memory, which is read in any case.
func (a *Asm) CmovM(c Cond, s Size, dst Reg, m Mem) { a.rm(0x40|op(c)|map0F, s, uint8(dst), m, 0, 0) }

// Xchg exchanges two registers.
func (a *Asm) Xchg(s Size, x, y Reg) {
	if s == S8 || x == y || (x != RAX && y != RAX) {
		a.rr(0x87|bytesOK, s, uint8(y), uint8(x), 0, 0)
		return
	}
	other := x | y // RAX is 0, and has an opcode of its own, a byte shorter
	a.emit(0x90|op(other&7), s, uint8(other>>3), false, 0, 0, 0, 0)
}

// XchgM exchanges a register with memory, under a lock.
func (a *Asm) XchgM(s Size, m Mem, r Reg) { a.rm(0x87|bytesOK, s, uint8(r), m, 0, 0) }

// Bswap reverses the bytes of r; S32 or S64.
func (a *Asm) Bswap(s Size, r Reg) {
	a.emit(0xc8|op(r&7)|map0F, s, uint8(r>>3), false, 0, 0, 0, 0)
}

// Push pushes 8 bytes.
func (a *Asm) Push(r Reg) { a.short(0x50, r) }

// Pop pops 8 bytes.
func (a *Asm) Pop(r Reg) { a.short(0x58, r) }

// short appends an opcode that holds its register.
func (a *Asm) short(o uint64, r Reg) {
	if r >= R8 {
		a.bytes(0x41|(o|uint64(r&7))<<8, 2)
		return
	}
	a.bytes(o|uint64(r), 1)
}
