package amd64

// Sh is a shift or rotation.
type Sh uint8

// The shifts by their hardware numbers. Counts are taken modulo 64 for S64 and
// modulo 32 for the rest.
const (
	ROL Sh = 0
	ROR Sh = 1
	RCL Sh = 2
	RCR Sh = 3
	SHL Sh = 4
	SHR Sh = 5
	SAR Sh = 7
)

// ShiftI is dst = dst shifted by n.
func (a *Asm) ShiftI(o Sh, s Size, dst Reg, n uint8) {
	// A shift by 1 has an opcode of its own, without immediate.
	if n == 1 {
		a.ext(0xd1|bytesOK, s, uint8(o), uint8(dst), 0, 0)
		return
	}
	a.ext(0xc1|bytesOK, s, uint8(o), uint8(dst), uint64(n), 1)
}

// ShiftMI is ShiftI of memory.
func (a *Asm) ShiftMI(o Sh, s Size, m Mem, n uint8) {
	if n == 1 {
		a.extM(0xd1|bytesOK, s, uint8(o), m, 0, 0)
		return
	}
	a.extM(0xc1|bytesOK, s, uint8(o), m, uint64(n), 1)
}

// ShiftCL is dst = dst shifted by CL.
func (a *Asm) ShiftCL(o Sh, s Size, dst Reg) { a.ext(0xd3|bytesOK, s, uint8(o), uint8(dst), 0, 0) }

// ShldI is dst = dst<<n with the upper bits of src shifted in.
func (a *Asm) ShldI(s Size, dst, src Reg, n uint8) {
	a.rr(0xa4|map0F, s, uint8(src), uint8(dst), uint64(n), 1)
}

// ShldCL is [Asm.ShldI] with the number of bits in CL.
func (a *Asm) ShldCL(s Size, dst, src Reg) { a.rr(0xa5|map0F, s, uint8(src), uint8(dst), 0, 0) }

// ShrdI is dst = dst>>n with the lower bits of src shifted in.
func (a *Asm) ShrdI(s Size, dst, src Reg, n uint8) {
	a.rr(0xac|map0F, s, uint8(src), uint8(dst), uint64(n), 1)
}

// ShrdCL is [Asm.ShrdI] with the number of bits in CL.
func (a *Asm) ShrdCL(s Size, dst, src Reg) { a.rr(0xad|map0F, s, uint8(src), uint8(dst), 0, 0) }
