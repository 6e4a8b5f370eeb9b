package vector

import "etch/sim/native/amd64"

// x86Three is the instruction of each op with two operands; the second may be in memory.
var x86Three = [NumOps]amd64.VOp{
	And: amd64.VPAND, Or: amd64.VPOR, Xor: amd64.VPXOR, Andn: amd64.VPANDN,
	Add16: amd64.VPADDW, Add32: amd64.VPADDD, Add64: amd64.VPADDQ,
	Sub16: amd64.VPSUBW, Sub32: amd64.VPSUBD, Sub64: amd64.VPSUBQ,
	Mul16: amd64.VPMULLW, MulHi16: amd64.VPMULHUW, MulHiS16: amd64.VPMULHW, Mul32: amd64.VPMULLD, MulAdd16: amd64.VPMADDWD, Mul16S: amd64.VPMADDWD, MulEven32: amd64.VPMULUDQ, Min32: amd64.VPMINUD,
	ShlBy32: amd64.VPSLLVD, ShlBy64: amd64.VPSLLVQ, ShrBy32: amd64.VPSRLVD, ShrBy64: amd64.VPSRLVQ, SarBy32: amd64.VPSRAVD,
	Low16: amd64.VPUNPCKLWD, High16: amd64.VPUNPCKHWD, Low32: amd64.VPUNPCKLDQ, High32: amd64.VPUNPCKHDQ,
	Pack32: amd64.VPACKUSDW, PackS32: amd64.VPACKSSDW, Shuffle8: amd64.VPSHUFB, Sum8: amd64.VPSADBW,
}

// x86Compare is the instructions of each comparison: into a vector, into a mask, and from a mask
// to a vector.
var x86Compare = map[Op][3]amd64.VOp{
	Eq16: {amd64.VPCMPEQW, amd64.VPCMPEQWK, amd64.VPMOVM2W},
	Eq32: {amd64.VPCMPEQD, amd64.VPCMPEQDK, amd64.VPMOVM2D},
	Eq64: {amd64.VPCMPEQQ, amd64.VPCMPEQQK, amd64.VPMOVM2Q},
	Gt16: {amd64.VPCMPGTW, amd64.VPCMPGTWK, amd64.VPMOVM2W},
	Gt32: {amd64.VPCMPGTD, amd64.VPCMPGTDK, amd64.VPMOVM2D},
	Gt64: {amd64.VPCMPGTQ, amd64.VPCMPGTQK, amd64.VPMOVM2Q},
}

// x86Shift is the instruction of each shift by an immediate.
var x86Shift = [NumOps]amd64.VOp{
	Shl16: amd64.VPSLLWI, Shl32: amd64.VPSLLDI, Shl64: amd64.VPSLLQI,
	Shr16: amd64.VPSRLWI, Shr32: amd64.VPSRLDI, Shr64: amd64.VPSRLQI,
	Sar16: amd64.VPSRAWI, Sar32: amd64.VPSRADI,
}

// operate writes an op; the second operand may be in memory.
func (e *x86) operate(in *Instr, m place) {
	d, x, y := amd64.Vec(in.D), amd64.Vec(in.A), amd64.Vec(in.B)
	at := e.mem(m)
	switch in.Op {
	case Ternary:
		if in.B == Mem {
			e.V3MI(amd64.VPTERNLOGQ, e.l, d, x, at, in.Imm)
		} else {
			e.V3I(amd64.VPTERNLOGQ, e.l, d, x, y, in.Imm)
		}
	case Even32:
		// The number 0x88 takes elements 0 and 2 of each operand.
		if in.B == Mem {
			e.VShufpsM(e.l, d, x, at, 0x88)
		} else {
			e.VShufps(e.l, d, x, y, 0x88)
		}
	case Choose8, Choose32:
		e.choose(in, at)
	case Blend32, Narrow64, Narrow32, Narrow16, Widen32:
		e.rearrange(in, at)
	case Eq16, Eq32, Eq64, Gt16, Gt32, Gt64:
		e.compare(in, at)
	default:
		switch {
		case in.Op.shift():
			e.V2I(x86Shift[in.Op], e.l, d, x, in.Imm)
		case in.B == Mem:
			e.V3M(x86Three[in.Op], e.l, d, x, at)
		default:
			e.V3(x86Three[in.Op], e.l, d, x, y)
		}
	}
}

// rearrange moves elements of 256-bit vectors across blocks. Most instructions treat each block on
// its own; VPERMQ brings the 64-bit parts of both together.
func (e *x86) rearrange(in *Instr, m amd64.Mem) {
	const l = amd64.V256
	d, x, y := amd64.Vec(in.D), amd64.Vec(in.A), amd64.Vec(in.B)
	switch {
	// No element moves: one instruction for both blocks.
	case in.Op == Blend32 && in.B == Mem:
		e.V3MI(amd64.VPBLENDD, l, d, x, m, in.Imm)
	case in.Op == Blend32:
		e.V3I(amd64.VPBLENDD, l, d, x, y, in.Imm)
	// The even elements of a and b alternate by block, as in Even32, and then come together.
	case in.Op == Narrow64:
		if in.B == Mem {
			e.VShufpsM(l, d, x, m, 0x88)
		} else {
			e.VShufps(l, d, x, y, 0x88)
		}
		e.V2I(amd64.VPERMQI, l, d, d, 0xd8)
	case in.Op == Narrow32:
		e.V3(amd64.VPACKUSDW, l, d, x, x)
		e.V2I(amd64.VPERMQI, l, d, d, 0x08)
	case in.Op == Narrow16:
		e.V3(amd64.VPACKUSWB, amd64.V128, d, x, x)

	// Widening reads the first half.
	default:
		if in.Imm == 1 {
			e.V2I(amd64.VEXTRACTI128, l, d, x, 1)
			x = d
		}
		e.V2(amd64.VPMOVZXDQ, l, d, x)
	}
}

// x86Choose is the instructions of a choice: by signs of a vector, signs to a mask, by a mask.
var x86Choose = map[Op][3]amd64.VOp{
	Choose8:  {amd64.VPBLENDVB, amd64.VPMOVB2M, amd64.VPBLENDMB},
	Choose32: {amd64.VBLENDVPS, amd64.VPMOVD2M, amd64.VPBLENDMD},
}

// choose selects elements by the top bits of c.
func (e *x86) choose(in *Instr, m amd64.Mem) {
	d, x, y, c := amd64.Vec(in.D), amd64.Vec(in.A), amd64.Vec(in.B), amd64.Vec(in.C)
	ops := x86Choose[in.Op]
	switch {
	case e.l == amd64.V512:
		e.VToK(ops[1], e.l, amd64.K1, c)
		if in.B == Mem {
			e.V3MX(ops[2], e.l, amd64.Evex{Mask: amd64.K1}, d, x, m)
		} else {
			e.V3X(ops[2], e.l, amd64.Evex{Mask: amd64.K1}, d, x, y)
		}
	case in.B == Mem:
		e.VBlendVM(ops[0], e.l, d, x, m, c)
	default:
		e.VBlendV(ops[0], e.l, d, x, y, c)
	}
}

// compare makes a mask; AVX-512 compares into a mask register, and spreads it.
func (e *x86) compare(in *Instr, m amd64.Mem) {
	d, x, y := amd64.Vec(in.D), amd64.Vec(in.A), amd64.Vec(in.B)

	ops := x86Compare[in.Op]
	switch {
	case e.l == amd64.V512 && in.B == Mem:
		e.VCmpM(ops[1], e.l, amd64.Evex{}, amd64.K1, x, m)
	case e.l == amd64.V512:
		e.VCmp(ops[1], e.l, amd64.K1, amd64.K0, x, y)
	case in.B == Mem:
		e.V3M(ops[0], e.l, d, x, m)
	default:
		e.V3(ops[0], e.l, d, x, y)
	}

	if e.l == amd64.V512 {
		e.VFromK(ops[2], e.l, d, amd64.K1)
	}
}
