package arm64

// Elem is the size of a vector's elements. Operations are on all 128 bits, unless
// they say otherwise.
type Elem uint8

// The sizes of 8, 16, 32 and 64 bits.
const (
	E8 Elem = iota
	E16
	E32
	E64
)

// bits is the size in bits.
func (e Elem) bits() uint8 { return 8 << e }

// VOp is an operation of two vectors, by its encoding without size and registers.
type VOp uint32

// The operations by elements. U, HI and HS compare and choose unsigned numbers, S and G
// signed numbers; a comparison gives all ones or 0, and CMTST where the two have a one
// in common. SSHL and USHL shift by the low byte of each element of the second, to the
// right where it is negative. ADDP adds neighbours, UMAXP takes the greater of them: of
// the first vector, then of the second. UABD is the difference, without sign. UZP1 and
// UZP2 take the even and the odd elements of both, ZIP1 and ZIP2 lower and upper halves
// in turn, TRN1 and TRN2 the even and the odd elements in turn.
const (
	VADD   VOp = 0x4e208400
	VSUB   VOp = 0x6e208400
	VMUL   VOp = 0x4e209c00 // not of 64 bits
	VMLA   VOp = 0x4e209400 // adds the product to the destination; not of 64 bits
	VCMTST VOp = 0x4e208c00
	VCMEQ  VOp = 0x6e208c00
	VCMGT  VOp = 0x4e203400
	VCMGE  VOp = 0x4e203c00
	VCMHI  VOp = 0x6e203400
	VCMHS  VOp = 0x6e203c00
	VSSHL  VOp = 0x4e204400
	VUSHL  VOp = 0x6e204400
	VADDP  VOp = 0x4e20bc00
	VSMAX  VOp = 0x4e206400 // not of 64 bits, nor are the operations up to VUABD
	VSMIN  VOp = 0x4e206c00
	VUMAX  VOp = 0x6e206400
	VUMIN  VOp = 0x6e206c00
	VUMAXP VOp = 0x6e20a400
	VUABD  VOp = 0x6e207400
	// Products of twice the size: of the low halves, or of the upper ones.
	VSMULL  VOp = 0x0e20c000
	VSMULL2 VOp = 0x4e20c000
	VUMULL  VOp = 0x2e20c000
	VUMULL2 VOp = 0x6e20c000
	VUZP1   VOp = 0x4e001800
	VUZP2   VOp = 0x4e005800
	VZIP1   VOp = 0x4e003800
	VZIP2   VOp = 0x4e007800
	VTRN1   VOp = 0x4e002800
	VTRN2   VOp = 0x4e006800
)

// VRRR is d = n op m by elements.
func (a *Asm) VRRR(o VOp, e Elem, d, n, m Vec) {
	a.dnm(uint32(o)|uint32(e)<<22, Reg(d), Reg(n), Reg(m))
}

// VLogic is a logic operation of two vectors.
type VLogic uint32

// The operations; BIC and ORN invert the second source. BSL takes bits of the
// first where the destination has ones, else of the second; BIT moves bits of the
// first to the destination where the second has ones, BIF where it has zeros.
const (
	VAND VLogic = 0x4e201c00
	VBIC VLogic = 0x4e601c00
	VORR VLogic = 0x4ea01c00
	VORN VLogic = 0x4ee01c00
	VEOR VLogic = 0x6e201c00
	VBSL VLogic = 0x6e601c00
	VBIT VLogic = 0x6ea01c00
	VBIF VLogic = 0x6ee01c00
)

// VBits is d = n op m.
func (a *Asm) VBits(o VLogic, d, n, m Vec) { a.dnm(uint32(o), Reg(d), Reg(n), Reg(m)) }

// VOne is an operation of one vector, by its encoding.
type VOne uint32

// The operations. VNOT and VCNT, the ones in each byte, are of bytes; VCMEQ0 is
// all ones where an element is 0, VCMLT0 where it is negative. VXTN is the low
// halves of the elements of twice the size, in the low half of the destination, the
// rest 0; VXTN2 puts them into its upper half. VSQXTN and VSQXTUN do not cut off: they
// are the signed and the unsigned number nearest to the signed element. VUADDLP is sums of
// neighbours, of twice the size.
const (
	VNOT     VOne = 0x6e205800
	VCNT     VOne = 0x4e205800
	VNEG     VOne = 0x6e20b800
	VABS     VOne = 0x4e20b800
	VCMEQ0   VOne = 0x4e209800
	VCMLT0   VOne = 0x4e20a800
	VXTN     VOne = 0x0e212800
	VXTN2    VOne = 0x4e212800
	VSQXTN   VOne = 0x0e214800
	VSQXTN2  VOne = 0x4e214800
	VSQXTUN  VOne = 0x2e212800
	VSQXTUN2 VOne = 0x6e212800
	VUADDLP  VOne = 0x6e202800
)

// VRR is d = op n by elements.
func (a *Asm) VRR(o VOne, e Elem, d, n Vec) { a.dnm(uint32(o)|uint32(e)<<22, Reg(d), Reg(n), 0) }

// VShift is a shift of every element by the same amount, by its encoding.
type VShift uint32

// The shifts: left, right with zeros and with the sign. SLI and SRI put the shifted bits
// into the destination and leave its other ones. USHLL makes the elements of the low
// half twice as wide first, USHLL2 the elements of the upper half.
const (
	VSHL    VShift = 0x4f005400
	VUSHR   VShift = 0x6f000400
	VSSHR   VShift = 0x4f000400
	VSLI    VShift = 0x6f005400
	VSRI    VShift = 0x6f004400
	VUSHLL  VShift = 0x2f00a400
	VUSHLL2 VShift = 0x6f00a400
)

// right tells whether the shift is to the right.
func (o VShift) right() bool { return o == VUSHR || o == VSSHR || o == VSRI }

// VShiftI is d = n shifted by k: to the left by less than an element, to the right
// by 1 to all of it.
func (a *Asm) VShiftI(o VShift, e Elem, d, n Vec, k uint8) {
	if o.right() {
		check(k > 0 && k <= e.bits(), "a shift beyond the element")
		k = 2*e.bits() - k
	} else {
		check(k < e.bits(), "a shift beyond the element")
		k += e.bits()
	}
	a.dnm(uint32(o)|uint32(k)<<16, Reg(d), Reg(n), 0)
}

// VTbl is d = the bytes of count registers from t on that the bytes of m are the
// numbers of; 0 where there is none.
func (a *Asm) VTbl(d, t Vec, count uint8, m Vec) { a.tbl(0x4e000000, d, t, count, m) }

// VTbx is VTbl that leaves the byte of d where there is none.
func (a *Asm) VTbx(d, t Vec, count uint8, m Vec) { a.tbl(0x4e001000, d, t, count, m) }

func (a *Asm) tbl(op uint32, d, t Vec, count uint8, m Vec) {
	check(count >= 1 && count <= 4, "a table of no registers")
	a.dnm(op|uint32(count-1)<<13, Reg(d), Reg(t), Reg(m))
}

// VExt is d = 16 bytes from byte k of n on, continued by m.
func (a *Asm) VExt(d, n, m Vec, k uint8) {
	check(k < 16, "bytes beyond the vector")
	a.dnm(0x6e000000|uint32(k)<<11, Reg(d), Reg(n), Reg(m))
}

// VMovI8 is all bytes of d = v.
func (a *Asm) VMovI8(d Vec, v uint8) {
	a.Word(0x4f00e400 | uint32(v>>5)<<16 | uint32(v&31)<<5 | uint32(d))
}

// VMovI32 is all elements of 32 bits of d = v.
func (a *Asm) VMovI32(d Vec, v uint8) {
	a.Word(0x4f000400 | uint32(v>>5)<<16 | uint32(v&31)<<5 | uint32(d))
}

// VDup is all elements of d = n.
func (a *Asm) VDup(e Elem, d Vec, n Reg) { a.dnm(0x4e000c00|uint32(1)<<e<<16, Reg(d), n, 0) }

// VAddAcross is the sum of all elements of n as one element, the rest of d 0; not
// of 64 bits.
func (a *Asm) VAddAcross(e Elem, d, n Vec) { a.dnm(0x4e31b800|uint32(e)<<22, Reg(d), Reg(n), 0) }
