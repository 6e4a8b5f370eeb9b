package emit

import (
	"encoding/binary"

	"etch/sim/native/amd64"
	"etch/sim/native/internal/pack"
	"etch/sim/net"
)

// Registers of pack code.
const (
	packLane  = amd64.RDX // the current lane
	packCell  = amd64.RSI // the current cell
	packCount = amd64.RDI
	packPool  = amd64.R8 // base of the constants
)

const ymm = amd64.V256

// x86Packs writes packs for amd64 with AVX2.
type x86Packs struct {
	*x86
	free *vecPool
	at   amd64.Label // label of the constants
}

func (e *x86Packs) Vectors(p *vecPool) int {
	e.free = p
	return 16
}

func (e *x86Packs) inMemory() bool { return true }

// mem is a place as a memory operand.
func (e *x86Packs) mem(w way, p packAt) amd64.Mem {
	base := e.bases[ofState][w]
	switch p.from {
	case fromLane:
		return amd64.AtIndex(base, packLane, uint8(p.size), p.off)
	case fromCell:
		return amd64.At(packCell, p.off)
	case fromPool:
		return amd64.At(packPool, 32*p.off)
	}
	return amd64.At(base, p.off)
}

// Instructions for vectors of stored lanes, by lane size in bytes: widening load, load, store,
// and length.
var (
	lanesFrom = [5]amd64.VOp{1: amd64.VPMOVZXBD, 2: amd64.VPMOVZXWD, 4: amd64.VMOVDQU}
	lanesMove = [5]amd64.VOp{1: amd64.VMOVQ, 2: amd64.VMOVDQU, 4: amd64.VMOVDQU}
	lanesKeep = [5]amd64.VOp{1: amd64.VMOVQS, 2: amd64.VMOVDQU, 4: amd64.VMOVDQU}
	lanesLen  = [5]amd64.VLen{1: amd64.V128, 2: amd64.V128, 4: amd64.V256}
)

func (e *x86Packs) load(dst vec, p packAt) {
	e.V2M(lanesFrom[p.size], ymm, amd64.Vec(dst), e.mem(loads, p))
}

func (e *x86Packs) store(p packAt, src vec) {
	t := e.free.take()
	e.put(e.mem(stores, p), p.size, amd64.Vec(src), amd64.Vec(t))
	e.free.give(t)
}

func (e *x86Packs) storeFirst(p packAt, src vec, lanes int32) {
	x := e.free.take()
	t, r, to := amd64.Vec(x), amd64.Vec(src), e.mem(stores, p)
	if p.size == 4 {
		e.V3MI(amd64.VPBLENDD, ymm, t, r, to, ^uint8(0)<<lanes)
	} else {
		e.V2M(lanesFrom[p.size], ymm, t, to)
		e.V3I(amd64.VPBLENDD, ymm, t, r, t, ^uint8(0)<<lanes)
	}
	e.put(to, p.size, t, t)
	e.free.give(x)
}

// put stores lanes of size bytes each, using t.
func (e *x86Packs) put(to amd64.Mem, size int32, r, t amd64.Vec) {
	if size < 4 {
		u := e.free.take()
		e.V2I(amd64.VEXTRACTI128, ymm, amd64.Vec(u), r, 1)
		e.V3(amd64.VPACKUSDW, amd64.V128, t, r, amd64.Vec(u))
		if size == 1 {
			e.V3(amd64.VPACKUSWB, amd64.V128, t, t, t)
		}
		e.free.give(u)
		r = t
	}

	e.VStore(lanesKeep[size], lanesLen[size], to, r)
}

func (e *x86Packs) copyLanes(to, from packAt) {
	x := e.free.take()
	e.V2M(lanesMove[to.size], lanesLen[to.size], amd64.Vec(x), e.mem(loads, from))
	e.VStore(lanesKeep[to.size], lanesLen[to.size], e.mem(stores, to), amd64.Vec(x))
	e.free.give(x)
}

func (e *x86Packs) loadCells(dst vec, p packAt) {
	e.V2M(amd64.VMOVDQU, ymm, amd64.Vec(dst), e.mem(loads, p))
}

func (e *x86Packs) mend(v vec, p packAt, mask uint8) {
	lo, hi := pack.Span(mask)
	if lo == hi { // a single word can be forwarded from a store still in flight
		x := e.free.take()
		e.spread(x, p)
		e.V3I(amd64.VPBLENDD, ymm, amd64.Vec(v), amd64.Vec(v), amd64.Vec(x), mask)
		e.free.give(x)
		return
	}
	e.V3MI(amd64.VPBLENDD, ymm, amd64.Vec(v), amd64.Vec(v), e.mem(loads, p.plus(-4*int32(lo))), mask)
}

func (e *x86Packs) constant(dst vec, _ uint32, p packAt) { e.loadCells(dst, p) }

func (e *x86Packs) spread(dst vec, p packAt) {
	e.V2M(amd64.VPBROADCASTD, ymm, amd64.Vec(dst), e.mem(loads, p))
}

func (e *x86Packs) move(dst, a vec) { e.V2(amd64.VMOVDQA, ymm, amd64.Vec(dst), amd64.Vec(a)) }

var packOps = [net.NumOps + 2]amd64.VOp{net.And: amd64.VPAND, net.Or: amd64.VPOR, net.Xor: amd64.VPXOR, net.Add: amd64.VPADDD, net.Sub: amd64.VPSUBD,
	net.Mul: amd64.VPMULLD, pack.OpMulPairs: amd64.VPMADDWD, net.Shl: amd64.VPSLLVD, net.Shr: amd64.VPSRLVD}

func (e *x86Packs) two(op net.Op, dst, a vec, b packOperand) {
	if b.mem {
		e.V3M(packOps[op], ymm, amd64.Vec(dst), amd64.Vec(a), e.mem(loads, b.at))
	} else {
		e.three(packOps[op], dst, a, b.reg)
	}
}

func (e *x86Packs) three(op amd64.VOp, dst, a, b vec) {
	e.V3(op, ymm, amd64.Vec(dst), amd64.Vec(a), amd64.Vec(b))
}

func (e *x86Packs) shiftSigned(dst, a, b vec) { e.three(amd64.VPSRAVD, dst, a, b) }

var packShifts = [...]amd64.VOp{vecShl: amd64.VPSLLDI, vecShr: amd64.VPSRLDI, vecSar: amd64.VPSRADI}

func (e *x86Packs) shift(how int, dst, a vec, k uint8) {
	e.V2I(packShifts[how], ymm, amd64.Vec(dst), amd64.Vec(a), k)
}

func (e *x86Packs) signed16(dst, a vec, k uint8) {
	e.V2I(amd64.VPSLLWI, ymm, amd64.Vec(dst), amd64.Vec(a), k)
	e.V2I(amd64.VPSRAWI, ymm, amd64.Vec(dst), amd64.Vec(dst), k)
}

func (e *x86Packs) equal(dst, a, b vec)   { e.three(amd64.VPCMPEQD, dst, a, b) }
func (e *x86Packs) greater(dst, a, b vec) { e.three(amd64.VPCMPGTD, dst, a, b) }

// atMost computes a <= b, unsigned, as min(a, b) == a.
func (e *x86Packs) atMost(dst, a, b, tmp vec) {
	e.three(amd64.VPMINUD, tmp, a, b)
	e.three(amd64.VPCMPEQD, dst, tmp, a)
}

// selector moves bit 0 to the sign, which blends read.
func (e *x86Packs) selector(dst, a vec) { e.shift(vecShl, dst, a, 31) }

func (e *x86Packs) choose(dst, a vec, b packOperand, sel vec) {
	if b.mem {
		e.VBlendVM(amd64.VBLENDVPS, ymm, amd64.Vec(dst), amd64.Vec(a), e.mem(loads, b.at), amd64.Vec(sel))
		return
	}
	e.VBlendV(amd64.VBLENDVPS, ymm, amd64.Vec(dst), amd64.Vec(a), amd64.Vec(b.reg), amd64.Vec(sel))
}

func (e *x86Packs) startSegments() { e.LeaLabel(packPool, e.at) }

func (e *x86Packs) unlessCell(at int32, l Label) {
	e.MI(amd64.CMP, amd64.S32, amd64.At(stateR, at), 0)
	e.Jcc(amd64.E, amd64.Label(l))
}

func (e *x86Packs) setLane(lane int32) { e.MovRI(packLane, uint64(lane)) }

func (e *x86Packs) setCells(at int32) { e.Lea(amd64.S64, packCell, amd64.At(stateR, at)) }

func (e *x86Packs) moveBlock(lanes, cells int32) {
	e.RI(amd64.ADD, amd64.S64, packLane, lanes)
	if cells != 0 {
		e.RI(amd64.ADD, amd64.S64, packCell, cells)
	}
}

func (e *x86Packs) repeat(n int, aligned bool) Label {
	e.MovRI(packCount, uint64(n))
	if aligned {
		e.Align(16)
	}
	top := e.Declare()
	e.Entry(top)
	return top
}

func (e *x86Packs) again(l Label) {
	e.Dec(amd64.S32, packCount)
	e.Jcc(amd64.NE, amd64.Label(l))
}

// writePool appends the constants to the code.
func (e *x86Packs) writePool(constants []uint32) {
	e.Align(32)
	e.Bind(e.at)
	for _, v := range constants {
		for range pack.LaneCount {
			e.Code = binary.LittleEndian.AppendUint32(e.Code, v)
		}
	}
}
