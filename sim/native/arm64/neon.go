package arm64

// FmovTo is the low 64 bits of d = n (of W: 32), the rest 0.
func (a *Asm) FmovTo(s Size, d Vec, n Reg) { a.dnm(0x1e270000|uint32(s)*0x80400000, Reg(d), n, 0) }

// FmovFrom is d = the low 64 bits of n (of W: 32).
func (a *Asm) FmovFrom(s Size, d Reg, n Vec) { a.dnm(0x1e260000|uint32(s)*0x80400000, d, Reg(n), 0) }

// Cnt is the ones in each of the low eight bytes of n.
func (a *Asm) Cnt(d, n Vec) { a.dnm(0x0e205800, Reg(d), Reg(n), 0) }

// AddV is the sum of the low eight bytes of n, as a byte; the rest of d is 0.
func (a *Asm) AddV(d, n Vec) { a.dnm(0x0e31b800, Reg(d), Reg(n), 0) }

// UaddlV is the sum of the low eight bytes of n, as 16 bits; the rest of d is 0.
func (a *Asm) UaddlV(d, n Vec) { a.dnm(0x2e303800, Reg(d), Reg(n), 0) }
