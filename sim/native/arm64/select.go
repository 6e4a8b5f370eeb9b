package arm64

// sel appends a choice by a condition.
func (a *Asm) sel(op uint32, s Size, c Cond, d, n, m Reg) {
	a.dnm(op|s.sf()|uint32(c)<<12, d, n, m)
}

// Csel is d = n if c holds, else m.
func (a *Asm) Csel(c Cond, s Size, d, n, m Reg) { a.sel(0x1a800000, s, c, d, n, m) }

// Csinc is d = n if c holds, else m + 1.
func (a *Asm) Csinc(c Cond, s Size, d, n, m Reg) { a.sel(0x1a800400, s, c, d, n, m) }

// Csinv is d = n if c holds, else ^m.
func (a *Asm) Csinv(c Cond, s Size, d, n, m Reg) { a.sel(0x5a800000, s, c, d, n, m) }

// Csneg is d = n if c holds, else -m.
func (a *Asm) Csneg(c Cond, s Size, d, n, m Reg) { a.sel(0x5a800400, s, c, d, n, m) }

// Cset is d = 1 if c holds, else 0.
func (a *Asm) Cset(c Cond, s Size, d Reg) { a.Csinc(c.Not(), s, d, ZR, ZR) }

// Ccmp sets the flags by n - m if c holds, else to nzcv.
func (a *Asm) Ccmp(c Cond, s Size, n, m Reg, nzcv uint8) {
	check(nzcv < 16, "flags that do not exist")
	a.Word(0x7a400000 | s.sf() | uint32(m)<<16 | uint32(c)<<12 | uint32(n)<<5 | uint32(nzcv))
}

// CcmpI is Ccmp with an immediate below 32.
func (a *Asm) CcmpI(c Cond, s Size, n Reg, imm, nzcv uint8) {
	check(imm < 32 && nzcv < 16, "an immediate that Ccmp does not have")
	a.Word(0x7a400800 | s.sf() | uint32(imm)<<16 | uint32(c)<<12 | uint32(n)<<5 | uint32(nzcv))
}
