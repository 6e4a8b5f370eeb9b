package arm64

// BR jumps to the address in n.
func (a *Asm) BR(n Reg) { a.dnm(0xd61f0000, 0, n, 0) }

// BLR calls the address in n: R30 becomes the address behind it.
func (a *Asm) BLR(n Reg) { a.dnm(0xd63f0000, 0, n, 0) }

// Ret returns to the address in R30.
func (a *Asm) Ret() { a.Word(0xd65f03c0) }

// Brk is a breakpoint.
func (a *Asm) Brk(imm uint16) { a.Word(0xd4200000 | uint32(imm)<<5) }

// Nop does nothing.
func (a *Asm) Nop() { a.Word(0xd503201f) }

// B jumps to l, which is within 128 MB.
func (a *Asm) B(l Label) { a.jump(toB, 0x14000000, l) }

// BL calls l, which is within 128 MB: R30 becomes the address behind it.
func (a *Asm) BL(l Label) { a.jump(toB, 0x94000000, l) }

// BCond jumps to l if c holds.
func (a *Asm) BCond(c Cond, l Label) { a.jump(toCond, 0x54000000|uint32(c), l) }

// Cbz jumps to l if r is 0.
func (a *Asm) Cbz(s Size, r Reg, l Label) { a.jump(toCond, 0x34000000|s.sf()|uint32(r), l) }

// Cbnz jumps to l if r is not 0.
func (a *Asm) Cbnz(s Size, r Reg, l Label) { a.jump(toCond, 0x35000000|s.sf()|uint32(r), l) }

// bitNumber is the number of a bit, below 64, in its places.
func bitNumber(bit uint8) uint32 {
	check(bit < 64, "a bit beyond the register")
	return uint32(bit>>5)<<31 | uint32(bit&31)<<19
}

// Tbz jumps to l if a bit of r is 0.
func (a *Asm) Tbz(r Reg, bit uint8, l Label) { a.jump(toBit, 0x36000000|bitNumber(bit)|uint32(r), l) }

// Tbnz jumps to l if a bit of r is 1.
func (a *Asm) Tbnz(r Reg, bit uint8, l Label) { a.jump(toBit, 0x37000000|bitNumber(bit)|uint32(r), l) }

// Adr is d = the address of l. If l is far the code has to lie at a multiple of
// 4096 bytes.
func (a *Asm) Adr(d Reg, l Label) { a.jump(toAdr, 0x10000000|uint32(d), l) }
