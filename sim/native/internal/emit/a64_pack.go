package emit

import (
	"etch/sim/native/arm64"
	"etch/sim/native/internal/pack"
	"etch/sim/net"
)

// A pack's vector of eight lanes is two registers of four, 2r and 2r+1. Operands are always in
// registers. Lanes have one base register per stored size, which the code advances from block to
// block.

// Registers of the code of packs.
const (
	a64Lane4 = arm64.R5 // address of 4-byte lanes, less the offset of the current lane
	a64Lane2 = arm64.R6
	a64Lane1 = arm64.R7
	a64Cell  = arm64.R8 // the current cell
	a64Count = arm64.R9
	a64Const = arm64.R10
	a64Tmp   = arm64.Vec(30) // and the next register
)

// a64Packs writes packs for arm64.
type a64Packs struct {
	*a64
	pool Label
	used [5]bool // sizes of lanes in use, by bytes
}

var laneBases = [5]arm64.Reg{1: a64Lane1, 2: a64Lane2, 4: a64Lane4}

var (
	laneLoads  = [5]arm64.Access{1: arm64.LDRB, 2: arm64.LDRH, 4: arm64.LDRW}
	laneStores = [5]arm64.Access{1: arm64.STRB, 2: arm64.STRH, 4: arm64.STRW}
	laneElems  = [5]arm64.Elem{1: arm64.E8, 2: arm64.E16, 4: arm64.E32}
)

func (e *a64Packs) Vectors(*vecPool) int { return 15 }
func (e *a64Packs) inMemory() bool       { return false }

// half is one of the two registers of v.
func half(v vec, i int) arm64.Vec { return arm64.Vec(2*int(v) + i) }

// eachHalf calls f for both registers of a vector.
func eachHalf(f func(i int)) {
	f(0)
	f(1)
}

// near gives a place as register and offset. If fits refuses the offset, the address is computed
// into tmp.
func (e *a64Packs) near(p packAt, tmp arm64.Reg, fits func(off int64) bool) (arm64.Reg, int64) {
	base, off := a64State, int64(p.off)
	switch p.from {
	case fromLane:
		base, off = laneBases[p.size], off-int64(e.packs.Base)
	case fromCell:
		base = a64Cell
	case fromPool:
		base, off = a64Const, 16*off
	}

	if fits(off) {
		return base, off
	}
	e.add(tmp, base, off)
	return tmp, 0
}

func noOffset(int64) bool { return false }

func fitsPair(off int64) bool { return off%16 == 0 && off >= -1024 && off < 1024 }

// rawLoad loads lanes as they are stored; 4-byte lanes into two registers.
func (e *a64Packs) rawLoad(to arm64.Vec, p packAt, tmp arm64.Reg) {
	switch p.size {
	case 4:
		r, off := e.near(p, tmp, fitsPair)
		e.VLdp(to, to+1, r, off)
	case 2:
		r, off := e.near(p, tmp, arm64.LDRVQ.Fits)
		e.VMem(arm64.LDRVQ, to, r, off)
	default:
		r, off := e.near(p, tmp, arm64.LDRVD.Fits)
		e.VMem(arm64.LDRVD, to, r, off)
	}
}

// rawStore is the reverse of rawLoad.
func (e *a64Packs) rawStore(p packAt, v arm64.Vec, tmp arm64.Reg) {
	switch p.size {
	case 4:
		r, off := e.near(p, tmp, fitsPair)
		e.VStp(v, v+1, r, off)
	case 2:
		r, off := e.near(p, tmp, arm64.STRVQ.Fits)
		e.VMem(arm64.STRVQ, v, r, off)
	default:
		r, off := e.near(p, tmp, arm64.STRVD.Fits)
		e.VMem(arm64.STRVD, v, r, off)
	}
}

func (e *a64Packs) load(dst vec, p packAt) {
	if p.size == 4 {
		e.rawLoad(half(dst, 0), p, a64A)
		return
	}

	// Widen bytes to halves, halves to words.
	e.rawLoad(a64Tmp, p, a64A)
	if p.size == 1 {
		e.VShiftI(arm64.VUSHLL, arm64.E8, a64Tmp, a64Tmp, 0)
	}
	e.VShiftI(arm64.VUSHLL, arm64.E16, half(dst, 0), a64Tmp, 0)
	e.VShiftI(arm64.VUSHLL2, arm64.E16, half(dst, 1), a64Tmp, 0)
}

func (e *a64Packs) store(p packAt, src vec) {
	if p.size == 4 {
		e.rawStore(p, half(src, 0), a64A)
		return
	}

	// Narrow by keeping the even elements.
	e.VRRR(arm64.VUZP1, arm64.E16, a64Tmp, half(src, 0), half(src, 1))
	if p.size == 1 {
		e.VRRR(arm64.VUZP1, arm64.E8, a64Tmp, a64Tmp, a64Tmp)
	}
	e.rawStore(p, a64Tmp, a64A)
}

func (e *a64Packs) storeFirst(p packAt, src vec, lanes int32) {
	r, _ := e.near(p, a64A, noOffset)
	for i := range int(lanes) {
		e.VStElem(laneElems[p.size], half(src, i/4), uint8(i%4)*uint8(4/p.size), r)
	}
}

func (e *a64Packs) copyLanes(to, from packAt) {
	e.rawLoad(a64Tmp, from, a64A)
	e.rawStore(to, a64Tmp, a64A)
}

func (e *a64Packs) loadCells(dst vec, p packAt) { e.rawLoad(half(dst, 0), p, a64A) }

func (e *a64Packs) mend(v vec, p packAt, mask uint8) {
	r, _ := e.near(p, a64A, noOffset)

	// Load the masked lanes one by one; the address steps over the others.
	lo, hi := pack.Span(mask)
	for i := lo; i <= hi; i++ {
		if mask>>i&1 == 0 {
			e.RRI(arm64.ADD, arm64.X, r, r, 4)
			continue
		}
		e.VLdElem(arm64.E32, half(v, i/4), uint8(i%4), r)
	}
}

func (e *a64Packs) constant(dst vec, v uint32, p packAt) {
	if v < 256 {
		eachHalf(func(i int) { e.VMovI32(half(dst, i), uint8(v)) })
		return
	}

	r, off := e.near(p, a64A, arm64.LDRVQ.Fits)
	e.VMem(arm64.LDRVQ, half(dst, 0), r, off)
	e.VBits(arm64.VORR, half(dst, 1), half(dst, 0), half(dst, 0))
}

func (e *a64Packs) spread(dst vec, p packAt) {
	e.access(arm64.LDRW, a64A, a64At{a64State, int64(p.off)})
	eachHalf(func(i int) { e.VDup(arm64.E32, half(dst, i), a64A) })
}

func (e *a64Packs) move(dst, a vec) { e.bits(arm64.VORR, dst, a, a) }

func (e *a64Packs) bits(op arm64.VLogic, dst, a, b vec) {
	eachHalf(func(i int) { e.VBits(op, half(dst, i), half(a, i), half(b, i)) })
}

func (e *a64Packs) lanes(op arm64.VOp, dst, a, b vec) {
	eachHalf(func(i int) { e.VRRR(op, arm64.E32, half(dst, i), half(a, i), half(b, i)) })
}

func (e *a64Packs) two(op net.Op, dst, a vec, b packOperand) {
	switch op {
	case net.And:
		e.bits(arm64.VAND, dst, a, b.reg)
	case net.Or:
		e.bits(arm64.VORR, dst, a, b.reg)
	case net.Xor:
		e.bits(arm64.VEOR, dst, a, b.reg)
	case net.Add:
		e.lanes(arm64.VADD, dst, a, b.reg)
	case net.Sub:
		e.lanes(arm64.VSUB, dst, a, b.reg)
	case net.Mul:
		e.lanes(arm64.VMUL, dst, a, b.reg)

	// A signed 16-bit product per lane: gather the low halves, then multiply to 32 bits.
	case pack.OpMulPairs:
		e.VRRR(arm64.VUZP1, arm64.E16, a64Tmp, half(a, 0), half(a, 1))
		e.VRRR(arm64.VUZP1, arm64.E16, a64Tmp+1, half(b.reg, 0), half(b.reg, 1))
		e.VRRR(arm64.VSMULL, arm64.E16, half(dst, 0), a64Tmp, a64Tmp+1)
		e.VRRR(arm64.VSMULL2, arm64.E16, half(dst, 1), a64Tmp, a64Tmp+1)
	case net.Shl:
		e.shiftBy(arm64.VUSHL, false, dst, a, b.reg)
	case net.Shr:
		e.shiftBy(arm64.VUSHL, true, dst, a, b.reg)
	default:
		panic("native: no arm64 vectors for op " + op.String())
	}
}

// shiftBy shifts each lane by an amount of its own, capped at 32. Shifts to the right use the
// negated amount.
func (e *a64Packs) shiftBy(op arm64.VOp, right bool, dst, a, b vec) {
	e.VMovI32(a64Tmp+1, 32)
	eachHalf(func(i int) {
		e.VRRR(arm64.VUMIN, arm64.E32, a64Tmp, half(b, i), a64Tmp+1)
		if right {
			e.VRR(arm64.VNEG, arm64.E32, a64Tmp, a64Tmp)
		}
		e.VRRR(op, arm64.E32, half(dst, i), half(a, i), a64Tmp)
	})
}

func (e *a64Packs) shiftSigned(dst, a, b vec) { e.shiftBy(arm64.VSSHL, true, dst, a, b) }

var a64Shifts = [...]arm64.VShift{vecShl: arm64.VSHL, vecShr: arm64.VUSHR, vecSar: arm64.VSSHR}

func (e *a64Packs) shift(how int, dst, a vec, k uint8) {
	if k == 0 {
		how = vecShl // a shift right by 0 has no encoding
	}
	eachHalf(func(i int) { e.VShiftI(a64Shifts[how], arm64.E32, half(dst, i), half(a, i), k) })
}

func (e *a64Packs) signed16(dst, a vec, k uint8) {
	eachHalf(func(i int) {
		e.VShiftI(arm64.VSHL, arm64.E16, half(dst, i), half(a, i), k)
		if k > 0 {
			e.VShiftI(arm64.VSSHR, arm64.E16, half(dst, i), half(dst, i), k)
		}
	})
}

func (e *a64Packs) equal(dst, a, b vec)     { e.lanes(arm64.VCMEQ, dst, a, b) }
func (e *a64Packs) greater(dst, a, b vec)   { e.lanes(arm64.VCMGT, dst, a, b) }
func (e *a64Packs) atMost(dst, a, b, _ vec) { e.lanes(arm64.VCMHS, dst, b, a) }
func (e *a64Packs) selector(dst, a vec)     { e.lanes(arm64.VCMTST, dst, a, a) }

func (e *a64Packs) choose(dst, a vec, b packOperand, sel vec) {
	// BIT, BIF and BSL differ in the operand that they overwrite: take the one that dst is
	// already.
	switch dst {
	case a:
		e.bits(arm64.VBIT, dst, b.reg, sel)
		return
	case b.reg:
		e.bits(arm64.VBIF, dst, a, sel)
		return
	case sel:
	default:
		e.move(dst, sel)
	}
	e.bits(arm64.VBSL, dst, b.reg, a)
}
