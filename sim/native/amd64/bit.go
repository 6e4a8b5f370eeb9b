package amd64

// Popcnt is dst = the count of ones of src.
func (a *Asm) Popcnt(s Size, dst, src Reg) { a.rr(0xb8|map0F|preF3, s, uint8(dst), uint8(src), 0, 0) }

// PopcntM is Popcnt of memory.
func (a *Asm) PopcntM(s Size, dst Reg, m Mem) { a.rm(0xb8|map0F|preF3, s, uint8(dst), m, 0, 0) }

// Lzcnt is dst = the count of zeros above the highest one; the size for zero.
func (a *Asm) Lzcnt(s Size, dst, src Reg) { a.rr(0xbd|map0F|preF3, s, uint8(dst), uint8(src), 0, 0) }

// LzcntM is Lzcnt of memory.
func (a *Asm) LzcntM(s Size, dst Reg, m Mem) { a.rm(0xbd|map0F|preF3, s, uint8(dst), m, 0, 0) }

// Tzcnt is dst = the count of zeros below the lowest one; the size for zero.
func (a *Asm) Tzcnt(s Size, dst, src Reg) { a.rr(0xbc|map0F|preF3, s, uint8(dst), uint8(src), 0, 0) }

// TzcntM is Tzcnt of memory.
func (a *Asm) TzcntM(s Size, dst Reg, m Mem) { a.rm(0xbc|map0F|preF3, s, uint8(dst), m, 0, 0) }

// Bsf is dst = the place of the lowest one; undefined, with ZF set, for zero.
func (a *Asm) Bsf(s Size, dst, src Reg) { a.rr(0xbc|map0F, s, uint8(dst), uint8(src), 0, 0) }

// Bsr is dst = the place of the highest one; undefined, with ZF set, for zero.
func (a *Asm) Bsr(s Size, dst, src Reg) { a.rr(0xbd|map0F, s, uint8(dst), uint8(src), 0, 0) }

// BtRR is CF = bit idx of x, idx modulo the size.
func (a *Asm) BtRR(s Size, x, idx Reg) { a.rr(0xa3|map0F, s, uint8(idx), uint8(x), 0, 0) }

// BtsRR is BtRR and then sets the bit.
func (a *Asm) BtsRR(s Size, x, idx Reg) { a.rr(0xab|map0F, s, uint8(idx), uint8(x), 0, 0) }

// BtrRR is BtRR and then clears the bit.
func (a *Asm) BtrRR(s Size, x, idx Reg) { a.rr(0xb3|map0F, s, uint8(idx), uint8(x), 0, 0) }

// BtcRR is BtRR and then flips the bit.
func (a *Asm) BtcRR(s Size, x, idx Reg) { a.rr(0xbb|map0F, s, uint8(idx), uint8(x), 0, 0) }

// BtRI is CF = bit idx of x, idx modulo the size.
func (a *Asm) BtRI(s Size, x Reg, idx uint8) { a.ext(0xba|map0F, s, 4, uint8(x), uint64(idx), 1) }

// BtMI is BtRI of memory.
func (a *Asm) BtMI(s Size, m Mem, idx uint8) { a.extM(0xba|map0F, s, 4, m, uint64(idx), 1) }

// BtsRI is BtRI and then sets the bit.
func (a *Asm) BtsRI(s Size, x Reg, idx uint8) { a.ext(0xba|map0F, s, 5, uint8(x), uint64(idx), 1) }

// BtsMI is BtsRI of memory.
func (a *Asm) BtsMI(s Size, m Mem, idx uint8) { a.extM(0xba|map0F, s, 5, m, uint64(idx), 1) }

// BtrRI is BtRI and then clears the bit.
func (a *Asm) BtrRI(s Size, x Reg, idx uint8) { a.ext(0xba|map0F, s, 6, uint8(x), uint64(idx), 1) }

// BtrMI is BtrRI of memory.
func (a *Asm) BtrMI(s Size, m Mem, idx uint8) { a.extM(0xba|map0F, s, 6, m, uint64(idx), 1) }

// BtcRI is BtRI and then flips the bit.
func (a *Asm) BtcRI(s Size, x Reg, idx uint8) { a.ext(0xba|map0F, s, 7, uint8(x), uint64(idx), 1) }
