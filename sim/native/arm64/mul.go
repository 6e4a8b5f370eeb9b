package arm64

// Madd is d = c + n*m.
func (a *Asm) Madd(s Size, d, n, m, c Reg) { a.dnm(0x1b000000|s.sf()|uint32(c)<<10, d, n, m) }

// Msub is d = c - n*m.
func (a *Asm) Msub(s Size, d, n, m, c Reg) { a.dnm(0x1b008000|s.sf()|uint32(c)<<10, d, n, m) }

// Mul is d = n*m.
func (a *Asm) Mul(s Size, d, n, m Reg) { a.Madd(s, d, n, m, ZR) }

// Umulh is d = the upper word of n*m, of 64 bits each.
func (a *Asm) Umulh(d, n, m Reg) { a.dnm(0x9bc07c00, d, n, m) }

// Smulh is Umulh of signed numbers.
func (a *Asm) Smulh(d, n, m Reg) { a.dnm(0x9b407c00, d, n, m) }

// Udiv is d = n / m; 0 when m is 0.
func (a *Asm) Udiv(s Size, d, n, m Reg) { a.dnm(0x1ac00800|s.sf(), d, n, m) }

// Sdiv is Udiv of signed numbers, towards zero; the least number by -1 is itself.
func (a *Asm) Sdiv(s Size, d, n, m Reg) { a.dnm(0x1ac00c00|s.sf(), d, n, m) }
