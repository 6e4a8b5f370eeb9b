package arm64

import "math/bits"

// FitsLogic tells whether imm is an immediate of the logic operations: a rotated
// run of ones, repeated over the register, neither 0 nor all ones. Of W the upper
// half of imm is not looked at.
func FitsLogic(s Size, imm uint64) bool {
	_, ok := bitmask(s, imm)
	return ok
}

// bitmask is N, immr and imms of a logic operation's immediate, in their places.
//
// The value consists of equal elements of 2 to 64 bits. An element is a run of
// ones, rotated to the right by immr; imms is one less than the run's length,
// below ones that tell how long an element is.
func bitmask(s Size, v uint64) (field uint32, ok bool) {
	// A value of 32 bits repeated has the same elements.
	if s == W {
		v = v&0xffffffff | v<<32
	}

	if v == 0 || v == ^uint64(0) {
		return 0, false
	}

	// The shortest element that repeats.
	e := 64
	for e > 2 && v == bits.RotateLeft64(v, e/2) {
		e /= 2
	}

	ones := bits.OnesCount64(v) * e / 64
	mask := ^uint64(0) >> (64 - e)
	// The run begins where a one follows a zero.
	start := bits.TrailingZeros64(v &^ bits.RotateLeft64(v, 1))
	run := ^uint64(0) >> (64 - ones)
	if rotated := bits.RotateLeft64(v, -start) & mask; rotated != run {
		return 0, false
	}

	immr := uint32(-start & (e - 1))
	imms := uint32(-2*e)&0x3f | uint32(ones-1)
	return uint32(e>>6)<<22 | immr<<16 | imms<<10, true
}

// logicI is d = n op imm.
func (a *Asm) logicI(o ALU, s Size, d, n Reg, imm uint64) {
	k := uint32(o - AND)
	check(k&1 == 0, "an inverted immediate")
	field, ok := bitmask(s, imm)
	check(ok, "an immediate that logic does not have")
	a.dnm(0x12000000|k>>1<<29|s.sf()|field, d, n, 0)
}

// Tst sets the flags by n & m.
func (a *Asm) Tst(s Size, n, m Reg) { a.RRR(ANDS, s, ZR, n, m) }

// TstI sets the flags by n & imm.
func (a *Asm) TstI(s Size, n Reg, imm uint64) { a.RRI(ANDS, s, ZR, n, imm) }
