package arm64

// ALU is an operation of two numbers.
type ALU uint8

// The operations. An S at the end sets the flags; CMP is SUBS into ZR. BIC, ORN, EON and
// BICS invert their second source. The bits of a logic operation are its opc and N.
const (
	ADD ALU = iota
	ADDS
	SUB
	SUBS
	AND
	BIC
	ORR
	ORN
	EOR
	EON
	ANDS
	BICS
)

// logic tells whether the operation is on bits.
func (o ALU) logic() bool { return o >= AND }

// base is the encoding of the form with a shifted register.
func (o ALU) base() uint32 {
	if o.logic() {
		k := uint32(o - AND)
		return 0x0a000000 | k>>1<<29 | k&1<<21
	}
	return 0x0b000000 | uint32(o)<<29
}

// RRR is d = n op m.
func (a *Asm) RRR(o ALU, s Size, d, n, m Reg) { a.dnm(o.base()|s.sf(), d, n, m) }

// Shift is the kind of a source's shift.
type Shift uint8

// The shifts: left, right with zeros, right with the sign, and rotation to the
// right, which only logic has.
const (
	LSL Shift = iota
	LSR
	ASR
	ROR
)

// RRS is d = n op (m shifted by k).
func (a *Asm) RRS(o ALU, s Size, d, n, m Reg, by Shift, k uint8) {
	check(k < s.bits() && (by != ROR || o.logic()), "a source that cannot be shifted so")
	a.dnm(o.base()|s.sf()|uint32(by)<<22|uint32(k)<<10, d, n, m)
}

// Extend is how a source is made wider.
type Extend uint8

// The extensions, of unsigned and signed numbers of 8 to 64 bits.
const (
	UXTB Extend = iota
	UXTH
	UXTW
	UXTX
	SXTB
	SXTH
	SXTW
	SXTX
)

// RRX is d = n op (m extended, shifted left by k, at most 4); ADD and SUB take SP as d
// and n, ADDS and SUBS as n.
func (a *Asm) RRX(o ALU, s Size, d, n, m Reg, by Extend, k uint8) {
	check(!o.logic() && k <= 4, "a source that cannot be extended so")
	a.dnm(o.base()|s.sf()|1<<21|uint32(by)<<13|uint32(k)<<10, d, n, m)
}

// FitsArith tells whether imm is an immediate of ADD, ADDS, SUB and SUBS.
func FitsArith(imm uint64) bool { return imm < 1<<12 || imm < 1<<24 && imm&0xfff == 0 }

// RRI is d = n op imm; FitsArith or FitsLogic must hold. ADD, SUB and the logic
// without flags take SP as d, ADD, ADDS, SUB and SUBS as n.
func (a *Asm) RRI(o ALU, s Size, d, n Reg, imm uint64) {
	if o.logic() {
		a.logicI(o, s, d, n, imm)
		return
	}
	check(FitsArith(imm), "an immediate that addition does not have")

	// The immediate has 12 bits, which may be shifted up by 12.
	op := 0x11000000 | uint32(o)<<29 | s.sf()
	if imm >= 1<<12 {
		op, imm = op|1<<22, imm>>12
	}
	a.dnm(op|uint32(imm)<<10, d, n, 0)
}

// Cmp sets the flags by n - m.
func (a *Asm) Cmp(s Size, n, m Reg) { a.RRR(SUBS, s, ZR, n, m) }

// CmpI sets the flags by n - imm.
func (a *Asm) CmpI(s Size, n Reg, imm uint64) { a.RRI(SUBS, s, ZR, n, imm) }

// Neg is d = -m.
func (a *Asm) Neg(s Size, d, m Reg) { a.RRR(SUB, s, d, ZR, m) }

// Not is d = ^m.
func (a *Asm) Not(s Size, d, m Reg) { a.RRR(ORN, s, d, ZR, m) }
