package arm64

// extract appends a move of w bits from lo on to the low ones.
func (a *Asm) extract(op uint32, s Size, d, n Reg, lo, w uint8) {
	check(w > 0 && lo+w <= s.bits(), "bits beyond the register")
	a.field(op, s, d, n, lo, lo+w-1)
}

// insert appends a move of the low w bits to bits lo and up.
func (a *Asm) insert(op uint32, s Size, d, n Reg, lo, w uint8) {
	check(w > 0 && lo+w <= s.bits(), "bits beyond the register")
	a.field(op, s, d, n, -lo&(s.bits()-1), w-1)
}

// field appends a move of bits, r and top as Arm has them.
func (a *Asm) field(op uint32, s Size, d, n Reg, r, top uint8) {
	a.dnm(op|s.sf()|uint32(s)<<22|uint32(r)<<16|uint32(top)<<10, d, n, 0)
}

const (
	sbfm = 0x13000000
	bfm  = 0x33000000
	ubfm = 0x53000000
)

// Ubfx is d = the w bits of n from lo on.
func (a *Asm) Ubfx(s Size, d, n Reg, lo, w uint8) { a.extract(ubfm, s, d, n, lo, w) }

// Sbfx is Ubfx with the sign of the bits.
func (a *Asm) Sbfx(s Size, d, n Reg, lo, w uint8) { a.extract(sbfm, s, d, n, lo, w) }

// Ubfiz is d = the low w bits of n, shifted left by lo.
func (a *Asm) Ubfiz(s Size, d, n Reg, lo, w uint8) { a.insert(ubfm, s, d, n, lo, w) }

// Bfi copies the low w bits of n to bits lo and up of d and keeps d's other bits.
func (a *Asm) Bfi(s Size, d, n Reg, lo, w uint8) { a.insert(bfm, s, d, n, lo, w) }

// Bfxil puts the w bits of n from lo on into the low ones of d and leaves the others.
func (a *Asm) Bfxil(s Size, d, n Reg, lo, w uint8) { a.extract(bfm, s, d, n, lo, w) }

// ShiftI is d = n shifted by k.
func (a *Asm) ShiftI(by Shift, s Size, d, n Reg, k uint8) {
	top := s.bits() - 1
	check(k <= top, "a shift beyond the register")

	// Shifts by a constant are moves of bit fields. A rotation extracts from the register twice.
	switch by {
	case LSL:
		a.field(ubfm, s, d, n, -k&top, top-k)
	case LSR:
		a.field(ubfm, s, d, n, k, top)
	case ASR:
		a.field(sbfm, s, d, n, k, top)
	default:
		a.Extr(s, d, n, n, k)
	}
}

// Extr is d = the register from bit k of m on, continued by n.
func (a *Asm) Extr(s Size, d, n, m Reg, k uint8) {
	check(k < s.bits(), "a shift beyond the register")
	a.dnm(0x13800000|s.sf()|uint32(s)<<22|uint32(k)<<10, d, n, m)
}

// ShiftR is d = n shifted by m modulo the size.
func (a *Asm) ShiftR(by Shift, s Size, d, n, m Reg) {
	a.dnm(0x1ac02000|s.sf()|uint32(by)<<10, d, n, m)
}

// Clz is d = the zeros above the highest one of n.
func (a *Asm) Clz(s Size, d, n Reg) { a.dnm(0x5ac01000|s.sf(), d, n, 0) }

// Rbit is d = n from the last bit to the first.
func (a *Asm) Rbit(s Size, d, n Reg) { a.dnm(0x5ac00000|s.sf(), d, n, 0) }
