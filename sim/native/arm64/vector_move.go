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

// VAccess is a kind of load or store of a vector register: the letter is the
// size of its low part, B of a byte to Q of all 128 bits. A load clears the rest.
type VAccess uint8

// The accesses.
const (
	STRVB VAccess = iota
	STRVH
	STRVS
	STRVD
	STRVQ
	LDRVB
	LDRVH
	LDRVS
	LDRVD
	LDRVQ
)

// log is log2 of the bytes.
func (o VAccess) log() uint8 { return uint8(o) % 5 }

// base is size and opc in their places.
func (o VAccess) base() uint32 {
	op := uint32(o.log()) << 30
	if o.log() == 4 {
		op = 1 << 23
	}
	return op | uint32(o)/5<<22
}

// Fits tells whether VMem takes off.
func (o VAccess) Fits(off int64) bool {
	return off >= 0 && off < 4096<<o.log() && off&(1<<o.log()-1) == 0 || off >= -256 && off < 256
}

// VMem loads or stores t at n + off bytes; Fits must hold. n may be SP.
func (a *Asm) VMem(o VAccess, t Vec, n Reg, off int64) {
	check(o.Fits(off), "an offset out of reach")
	if off >= 0 && off&(1<<o.log()-1) == 0 {
		a.dnm(0x3d000000|o.base()|uint32(off>>o.log())<<10, Reg(t), n, 0)
		return
	}
	a.dnm(0x3c000000|o.base()|uint32(off)&0x1ff<<12, Reg(t), n, 0)
}

// VMemPost is VMem of n, which becomes n + off; off is -256 to 255.
func (a *Asm) VMemPost(o VAccess, t Vec, n Reg, off int64) {
	check(off >= -256 && off < 256, "an offset out of reach")
	a.dnm(0x3c000400|o.base()|uint32(off)&0x1ff<<12, Reg(t), n, 0)
}

// VLdp loads all bits of t and u from n + off bytes on, a multiple of 16 within
// 1 KB.
func (a *Asm) VLdp(t, u Vec, n Reg, off int64) { a.vpair(0xad400000, t, u, n, off) }

// VStp stores all bits of t and u from n + off bytes on.
func (a *Asm) VStp(t, u Vec, n Reg, off int64) { a.vpair(0xad000000, t, u, n, off) }

// VLdpPost is VLdp of n, which becomes n + off.
func (a *Asm) VLdpPost(t, u Vec, n Reg, off int64) { a.vpair(0xacc00000, t, u, n, off) }

func (a *Asm) vpair(op uint32, t, u Vec, n Reg, off int64) {
	k := off >> 4
	check(k<<4 == off && k >= -64 && k < 64, "an offset out of reach")
	a.Word(op | uint32(k)&0x7f<<15 | uint32(u)<<10 | uint32(n)<<5 | uint32(t))
}

// VLdElem loads element i of t from the address in n, which becomes that behind it.
// The other elements stay.
func (a *Asm) VLdElem(e Elem, t Vec, i uint8, n Reg) { a.vElem(0x0ddf0000, e, t, i, n) }

// VStElem stores element i of t at the address in n, which becomes that behind it.
func (a *Asm) VStElem(e Elem, t Vec, i uint8, n Reg) { a.vElem(0x0d9f0000, e, t, i, n) }

// vElem puts the number of an element where Q, S and size are.
func (a *Asm) vElem(op uint32, e Elem, t Vec, i uint8, n Reg) {
	check(i < 16>>e, "an element beyond the vector")
	k := uint32(i) << e // Q, S and the two bits of size
	op |= k>>3<<30 | k&7<<10
	switch e {
	case E16:
		op |= 2 << 13
	case E32:
		op |= 4 << 13
	case E64:
		op |= 4<<13 | 1<<10
	}
	a.dnm(op, Reg(t), n, 0)
}

// VIns is element i of d = element j of n. The other elements of d stay.
func (a *Asm) VIns(e Elem, d Vec, i uint8, n Vec, j uint8) {
	check(i < 16>>e && j < 16>>e, "an element beyond the vector")
	to := uint32(i)<<(e+1) | 1<<e
	a.dnm(0x6e000400|to<<16|uint32(j)<<e<<11, Reg(d), Reg(n), 0)
}
