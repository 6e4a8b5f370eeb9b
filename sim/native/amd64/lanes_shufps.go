package amd64

// shufps is VSHUFPS, by which package lanes takes every other element of two
// vectors.
var shufps = (m0F | both | full32 | lenAll).withOpcode(0xc6)

// VShufps is, in each 128 bits, dst = two elements of 32 bits of src1, then two of
// src2, chosen by the four pairs of bits of imm.
func (a *Asm) VShufps(l VLen, dst, src1, src2 Vec, imm uint8) {
	a.vregs(shufps, l, 0, uint8(dst), uint8(src1), uint8(src2), uint64(imm), 1)
}

// VShufpsM is VShufps with src2 in memory.
func (a *Asm) VShufpsM(l VLen, dst, src1 Vec, m Mem, imm uint8) {
	a.vmem(shufps, l, 0, uint8(dst), uint8(src1), m, uint64(imm), 1)
}
