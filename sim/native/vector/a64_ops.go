package vector

import "etch/sim/native/arm64"

// a64Elements is an instruction on elements.
type a64Elements struct {
	op arm64.VOp
	of arm64.Elem
}

// a64Two is the instruction of each op on elements with two operands.
var a64Two = [NumOps]a64Elements{
	Add16: {arm64.VADD, arm64.E16}, Add32: {arm64.VADD, arm64.E32}, Add64: {arm64.VADD, arm64.E64},
	Sub16: {arm64.VSUB, arm64.E16}, Sub32: {arm64.VSUB, arm64.E32}, Sub64: {arm64.VSUB, arm64.E64},
	Mul16: {arm64.VMUL, arm64.E16}, Mul32: {arm64.VMUL, arm64.E32}, Min32: {arm64.VUMIN, arm64.E32},
	Eq16: {arm64.VCMEQ, arm64.E16}, Eq32: {arm64.VCMEQ, arm64.E32}, Eq64: {arm64.VCMEQ, arm64.E64},
	Gt16: {arm64.VCMGT, arm64.E16}, Gt32: {arm64.VCMGT, arm64.E32}, Gt64: {arm64.VCMGT, arm64.E64},
	Low16: {arm64.VZIP1, arm64.E16}, High16: {arm64.VZIP2, arm64.E16},
	Low32: {arm64.VZIP1, arm64.E32}, High32: {arm64.VZIP2, arm64.E32}, Even32: {arm64.VUZP1, arm64.E32},
}

// a64Logic is the instruction of each bitwise op.
var a64Logic = [NumOps]arm64.VLogic{And: arm64.VAND, Or: arm64.VORR, Xor: arm64.VEOR}

// a64Shift is the instruction of each shift by an immediate.
var a64Shift = [NumOps]struct {
	op arm64.VShift
	of arm64.Elem
}{
	Shl16: {arm64.VSHL, arm64.E16}, Shl32: {arm64.VSHL, arm64.E32}, Shl64: {arm64.VSHL, arm64.E64},
	Shr16: {arm64.VUSHR, arm64.E16}, Shr32: {arm64.VUSHR, arm64.E32}, Shr64: {arm64.VUSHR, arm64.E64},
	Sar16: {arm64.VSSHR, arm64.E16}, Sar32: {arm64.VSSHR, arm64.E32},
}

// operate writes an op, block by block.
func (e *a64) operate(in *Instr, m place) {
	// These move elements from block to block.
	switch in.Op {
	case Mul16S, Narrow64, Narrow32, Narrow16, Widen32:
		e.resize(in, m)
		return
	}

	one := a64Logic[in.Op] != 0 || a64Two[in.Op].op != 0 // a single instruction without temporary
	if in.B == Mem && one {
		e.load(a64Pairs, m)
	}

	for q := range uint8(2) {
		d, x, y, c := arm64.Vec(2*in.D+q), arm64.Vec(2*in.A+q), arm64.Vec(2*in.B+q), arm64.Vec(2*in.C+q)
		switch {
		case in.B == Mem && one:
			y = arm64.Vec(2*a64Pairs + q)
		case in.B == Mem:
			y = a64U
			e.half(arm64.LDRVQ, y, m.plus(16*int(q)))
		}

		switch {
		case a64Logic[in.Op] != 0:
			e.VBits(a64Logic[in.Op], d, x, y)
		case a64Two[in.Op].op != 0:
			e.VRRR(a64Two[in.Op].op, a64Two[in.Op].of, d, x, y)
		case in.Op.shift():
			e.shift(in, d, x)
		case in.Op == Blend32:
			e.blend(d, x, y, in.Imm>>(4*q)&15)
		default:
			e.block(in, d, x, y, c)
		}
	}
}

// shift writes a shift by an immediate, of one block.
func (e *a64) shift(in *Instr, d, x arm64.Vec) {
	s, width := a64Shift[in.Op], uint8(elements(in.Op))

	// A right shift by 0 and a left shift by the width have no encoding.
	switch {
	case in.Imm == 0:
		e.VBits(arm64.VORR, d, x, x)
	case s.op == arm64.VSHL && in.Imm >= width:
		e.VMovI32(d, 0)
	default:
		e.VShiftI(s.op, s.of, d, x, min(in.Imm, width))
	}
}

// block writes an op of several instructions, of one block. Operands may be the result; y may be
// the second temporary.
func (e *a64) block(in *Instr, d, x, y, c arm64.Vec) {
	const t = a64T
	// Results go to d last, or to t first, so that d may be an operand.
	switch in.Op {
	case Andn:
		e.VBits(arm64.VBIC, d, y, x)
	case MulHi16:
		// The full products of both halves, then the upper 16 bits of each.
		e.VRRR(arm64.VUMULL, arm64.E16, t, x, y)
		e.VRRR(arm64.VUMULL2, arm64.E16, d, x, y)
		e.VRRR(arm64.VUZP2, arm64.E16, d, t, d)
	case MulHiS16:
		e.VRRR(arm64.VSMULL, arm64.E16, t, x, y)
		e.VRRR(arm64.VSMULL2, arm64.E16, d, x, y)
		e.VRRR(arm64.VUZP2, arm64.E16, d, t, d)
	case MulAdd16:
		e.VRRR(arm64.VSMULL, arm64.E16, t, x, y)
		e.VRRR(arm64.VSMULL2, arm64.E16, d, x, y)
		e.VRRR(arm64.VADDP, arm64.E32, d, t, d)
	case MulEven32:
		// Narrowing takes the low 32 bits of each element of 64.
		e.VRR(arm64.VXTN, arm64.E32, t, x)
		e.VRR(arm64.VXTN, arm64.E32, d, y)
		e.VRRR(arm64.VUMULL, arm64.E32, d, t, d)
	case ShlBy32, ShrBy32, SarBy32:
		e.shiftBy32(in.Op, d, x, y)
	case ShlBy64, ShrBy64:
		e.shiftBy64(in.Op, d, x, y)
	case Pack32:
		e.pack(arm64.VSQXTUN, arm64.VSQXTUN2, d, x, y)
	case PackS32:
		e.pack(arm64.VSQXTN, arm64.VSQXTN2, d, x, y)
	case Choose8:
		e.VRR(arm64.VCMLT0, arm64.E8, t, c)
		e.choose(d, x, y, t)
	case Choose32:
		if in.Imm == 0 {
			e.VRR(arm64.VCMLT0, arm64.E32, t, c)
			c = t
		}
		e.choose(d, x, y, c)
	case Shuffle8: // TBL gives 0 for numbers outside of the table
		e.VMovI8(t, 0x8f)
		e.VBits(arm64.VAND, t, y, t)
		e.VTbl(d, x, 1, t)
	case Sum8:
		e.VRRR(arm64.VUABD, arm64.E8, d, x, y)

		// Three sums of pairs lead from bytes to 64 bits.
		for of := arm64.E8; of < arm64.E64; of++ {
			e.VRR(arm64.VUADDLP, of, d, d)
		}
	default:
		panic("vector: no code for op " + in.Op.String() + " on arm64")
	}
}

// shiftBy32 shifts by at most 32. Instructions use a signed byte of the amount, and shift right
// if it is negative.
func (e *a64) shiftBy32(op Op, d, x, y arm64.Vec) {
	const t = a64T

	// A shift by 32 moves all bits out, so the amount stops there.
	e.VMovI32(t, 32)
	e.VRRR(arm64.VUMIN, arm64.E32, t, y, t)
	if op != ShlBy32 {
		e.VRR(arm64.VNEG, arm64.E32, t, t)
	}
	if op == SarBy32 {
		e.VRRR(arm64.VSSHL, arm64.E32, d, x, t)
	} else {
		e.VRRR(arm64.VUSHL, arm64.E32, d, x, t)
	}
}

// shiftBy64 clears elements shifted by more than 63, since there is no 64-bit minimum.
func (e *a64) shiftBy64(op Op, d, x, y arm64.Vec) {
	const t = a64T
	if op == ShrBy64 {
		e.VRR(arm64.VNEG, arm64.E64, t, y)
		e.VRRR(arm64.VUSHL, arm64.E64, t, x, t)
	} else {
		e.VRRR(arm64.VUSHL, arm64.E64, t, x, y)
	}

	// d is all ones where the amount is below 64.
	e.VShiftI(arm64.VUSHR, arm64.E64, d, y, 6)
	e.VRR(arm64.VCMEQ0, arm64.E64, d, d)
	e.VBits(arm64.VAND, d, d, t)
}

// pack puts the narrowed x into the low half of d, and y into the high half.
// y is read after the first half is written.
func (e *a64) pack(low, high arm64.VOne, d, x, y arm64.Vec) {
	to := d
	if d == y {
		to = a64T
	}
	e.VRR(low, arm64.E16, to, x)
	e.VRR(high, arm64.E16, to, y)
	if to != d {
		e.VBits(arm64.VORR, d, to, to)
	}
}

// choose takes y where mask has ones, else x; BIT, BIF and BSL differ in the operand they
// overwrite.
func (e *a64) choose(d, x, y, mask arm64.Vec) {
	switch d {
	case x:
		e.VBits(arm64.VBIT, d, y, mask)
		return
	case y:
		e.VBits(arm64.VBIF, d, x, mask)
		return
	case mask:
	default:
		e.VBits(arm64.VORR, d, mask, mask)
	}
	e.VBits(arm64.VBSL, d, y, x)
}

// resize writes the ops that halve or double the width of elements, which moves them between the blocks. To narrow
// is to keep the even elements of half the width.
func (e *a64) resize(in *Instr, m place) {
	d, x, y := arm64.Vec(2*in.D), arm64.Vec(2*in.A), arm64.Vec(2*in.B)
	if in.B == Mem {
		e.load(a64Pairs, m)
		y = 2 * a64Pairs
	}

	switch {
	case in.Op == Mul16S:
		e.VRRR(arm64.VUZP1, arm64.E16, a64U, y, y+1)
		e.VRRR(arm64.VUZP1, arm64.E16, a64T, x, x+1)
		e.VRRR(arm64.VSMULL, arm64.E16, d, a64T, a64U)
		e.VRRR(arm64.VSMULL2, arm64.E16, d+1, a64T, a64U)
	case in.Op == Narrow64:
		// The result may be either operand, and the second one may be in the temporaries.
		e.VRRR(arm64.VUZP1, arm64.E32, a64U, y, y+1)
		e.VRRR(arm64.VUZP1, arm64.E32, d, x, x+1)
		e.VBits(arm64.VORR, d+1, a64U, a64U)
	case in.Op == Narrow32:
		e.VRRR(arm64.VUZP1, arm64.E16, d, x, x+1)
	case in.Op == Narrow16:
		e.VRRR(arm64.VUZP1, arm64.E8, d, x, x)

	// The block that is also the source comes last.
	case in.Imm == 0:
		e.VShiftI(arm64.VUSHLL2, arm64.E32, d+1, x, 0)
		e.VShiftI(arm64.VUSHLL, arm64.E32, d, x, 0)
	default:
		e.VShiftI(arm64.VUSHLL, arm64.E32, d, x+1, 0)
		e.VShiftI(arm64.VUSHLL2, arm64.E32, d+1, x+1, 0)
	}
}

// blend takes the 32-bit elements of y that have a one in mask, else those of x. A temporary
// collects them, since the result may be y.
func (e *a64) blend(d, x, y arm64.Vec, mask uint8) {
	const t = a64T
	e.VBits(arm64.VORR, t, x, x)
	for i := range uint8(4) {
		if mask>>i&1 != 0 {
			e.VIns(arm64.E32, t, i, y, i)
		}
	}
	e.VBits(arm64.VORR, d, t, t)
}
