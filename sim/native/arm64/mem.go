package arm64

// Access is a kind of load or store.
type Access uint8

// The accesses: STR and LDR of 64 bits, STRW and LDRW of 32 and so on; loads extend to
// 64 bits, LDR with zeros, LDRS with the sign.
const (
	STRB Access = iota
	LDRB
	LDRSB
	STRH
	LDRH
	LDRSH
	STRW
	LDRW
	LDRSW
	STR
	LDR
)

// log is log2 of the bytes.
func (o Access) log() uint8 { return uint8(o) / 3 }

// base is size and opc in their places.
func (o Access) base() uint32 { return uint32(o)/3<<30 | uint32(o)%3<<22 }

// FitsScaled tells whether Mem takes off with its scaled form.
func (o Access) FitsScaled(off int64) bool {
	return off >= 0 && off < 4096<<o.log() && off&(1<<o.log()-1) == 0
}

// Reach is the bytes that Mem's scaled form reaches over.
func (o Access) Reach() int64 { return 4096 << o.log() }

// Fits tells whether Mem takes off.
func (o Access) Fits(off int64) bool { return o.FitsScaled(off) || off >= -256 && off < 256 }

// Mem loads or stores t at n + off bytes; Fits must hold. n may be SP.
func (a *Asm) Mem(o Access, t, n Reg, off int64) {
	// The scaled form reaches farther. The other one takes negative and unaligned offsets.
	if o.FitsScaled(off) {
		a.dnm(0x39000000|o.base()|uint32(off>>o.log())<<10, t, n, 0)
		return
	}
	check(o.Fits(off), "an offset out of reach")
	a.dnm(0x38000000|o.base()|uint32(off)&0x1ff<<12, t, n, 0)
}

// MemX loads or stores t at n + m, m shifted by the access's size if scaled.
func (a *Asm) MemX(o Access, t, n, m Reg, scaled bool) { a.memIndex(o, t, n, m, 3, scaled) }

// MemW is MemX with an index of 32 bits, unsigned.
func (a *Asm) MemW(o Access, t, n, m Reg, scaled bool) { a.memIndex(o, t, n, m, 2, scaled) }

func (a *Asm) memIndex(o Access, t, n, m Reg, option uint32, scaled bool) {
	op := 0x38200800 | o.base() | option<<13
	if scaled {
		op |= 1 << 12
	}
	a.dnm(op, t, n, m)
}

// MemPre is Mem of n + off, which n becomes; off is -256 to 255.
func (a *Asm) MemPre(o Access, t, n Reg, off int64) { a.memStep(o, t, n, off, 0xc00) }

// MemPost is Mem of n, which becomes n + off; off is -256 to 255.
func (a *Asm) MemPost(o Access, t, n Reg, off int64) { a.memStep(o, t, n, off, 0x400) }

func (a *Asm) memStep(o Access, t, n Reg, off int64, mode uint32) {
	check(off >= -256 && off < 256, "an offset out of reach")
	a.dnm(0x38000000|o.base()|mode|uint32(off)&0x1ff<<12, t, n, 0)
}

// Ldp loads t and u from n + off bytes on: 64 bits each of X, 32 of W.
func (a *Asm) Ldp(s Size, t, u, n Reg, off int64) { a.pair(0x29400000, s, t, u, n, off) }

// Stp stores t and u from n + off bytes on.
func (a *Asm) Stp(s Size, t, u, n Reg, off int64) { a.pair(0x29000000, s, t, u, n, off) }

func (a *Asm) pair(op uint32, s Size, t, u, n Reg, off int64) {
	k := off >> (2 + s)
	check(k<<(2+s) == off && k >= -64 && k < 64, "an offset out of reach")
	a.Word(op | uint32(s)<<31 | uint32(k)&0x7f<<15 | uint32(u)<<10 | uint32(n)<<5 | uint32(t))
}
