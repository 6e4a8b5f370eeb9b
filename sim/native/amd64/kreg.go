package amd64

// KOp is an operation of two mask registers, by its opcode.
type KOp uint8

// The operations; sizes are S8, S16, S32 and S64.
const (
	KAND  KOp = 0x41
	KANDN KOp = 0x42 // ^x & y
	KOR   KOp = 0x45
	KXNOR KOp = 0x46
	KXOR  KOp = 0x47
	KADD  KOp = 0x4a
)

// The mask instructions tell sizes by pp and W: bit 2 of these is W, the rest pp.
var (
	kSize  = [4]uint8{S8: 1, S16: 0, S32: 1 | 4, S64: 0 | 4}
	kSizeG = [4]uint8{S8: 1, S16: 0, S32: 3, S64: 3 | 4}
	kUnpck = [4]uint8{S16: 1, S32: 0, S64: 0 | 4}
)

// kHead is VEX and the opcode with a count of its bytes.
func kHead(opcode, size, l, reg, v, bx uint8) (w uint64, n int) {
	// VEX has its register fields inverted. Two bytes do where no field needs the third.
	b := uint64(^v&15)<<3 | uint64(l)<<2 | uint64(size&3)
	if size&4 == 0 && bx == 0 {
		return 0xc5 | (uint64(^reg&8)<<4|b)<<8 | uint64(opcode)<<16, 3
	}
	b1 := uint64(^(reg>>3<<2|bx)&7)<<5 | 1
	return 0xc4 | b1<<8 | (uint64(size&4)<<5|b)<<16 | uint64(opcode)<<24, 4
}

func (a *Asm) kRR(opcode, size, l, reg, v, rm uint8) {
	w, n := kHead(opcode, size, l, reg, v, rm>>3)
	a.put(w, n, uint64(0xc0|reg&7<<3|rm&7), 1, 0, 0)
}

func (a *Asm) kRM(opcode, size, reg uint8, m Mem) {
	p := m.addr(0)
	w, n := kHead(opcode, size, 0, reg, 0, p.bx)
	a.put(w, n, p.tail|uint64(reg&7<<3), p.n, 0, 0)
}

// K3 is dst = x op y.
func (a *Asm) K3(o KOp, s Size, dst, x, y KReg) {
	a.kRR(uint8(o), kSize[s], 1, uint8(dst), uint8(x), uint8(y))
}

// KUnpck is dst = x above y, halves of a dst of size s: S16, S32 or S64.
func (a *Asm) KUnpck(s Size, dst, x, y KReg) {
	if s == S8 {
		panic("amd64: a mask of two masks of four bits")
	}
	a.kRR(0x4b, kUnpck[s], 1, uint8(dst), uint8(x), uint8(y))
}

// KNot is dst = ^src.
func (a *Asm) KNot(s Size, dst, src KReg) { a.kRR(0x44, kSize[s], 0, uint8(dst), 0, uint8(src)) }

// KMov is dst = src, zero-extended.
func (a *Asm) KMov(s Size, dst, src KReg) { a.kRR(0x90, kSize[s], 0, uint8(dst), 0, uint8(src)) }

// KMovRM is dst = memory, zero-extended.
func (a *Asm) KMovRM(s Size, dst KReg, m Mem) { a.kRM(0x90, kSize[s], uint8(dst), m) }

// KMovMR is memory = src.
func (a *Asm) KMovMR(s Size, m Mem, src KReg) { a.kRM(0x91, kSize[s], uint8(src), m) }

// KFromG is dst = src, zero-extended.
func (a *Asm) KFromG(s Size, dst KReg, src Reg) {
	a.kRR(0x92, kSizeG[s], 0, uint8(dst), 0, uint8(src))
}

// KToG is dst = src, zero-extended to 64 bits.
func (a *Asm) KToG(s Size, dst Reg, src KReg) {
	a.kRR(0x93, kSizeG[s], 0, uint8(dst), 0, uint8(src))
}

// KOrTest sets ZF if x | y is zero and CF if it is all ones.
func (a *Asm) KOrTest(s Size, x, y KReg) { a.kRR(0x98, kSize[s], 0, uint8(x), 0, uint8(y)) }

// KTest sets ZF if x & y is zero and CF if ^x & y is.
func (a *Asm) KTest(s Size, x, y KReg) { a.kRR(0x99, kSize[s], 0, uint8(x), 0, uint8(y)) }

// KShiftL is dst = src << n.
func (a *Asm) KShiftL(s Size, dst, src KReg, n uint8) { a.kShift(0x32, s, dst, src, n) }

// KShiftR is dst = src >> n.
func (a *Asm) KShiftR(s Size, dst, src KReg, n uint8) { a.kShift(0x30, s, dst, src, n) }

func (a *Asm) kShift(opcode uint8, s Size, dst, src KReg, n uint8) {
	w := 0x0079e3c4 | uint64(s&1)<<23 | uint64(opcode+uint8(s>>1))<<24
	a.put(w, 4, uint64(0xc0|dst&7<<3|src&7), 1, uint64(n), 1)
}
