package native

import (
	"etch/sim/native/amd64"
	"etch/sim/net"
)

const ymm = amd64.V256

// vector computes vector i of the graph, unless its users can take it from
// memory.
func (e *x86Packs) vector(i int32, left []int32, cells int32) {
	v := &e.s.nodes[i]
	var t *patch
	for k := range e.patch {
		if e.patch[k].v == i {
			t = &e.patch[k]
		}
	}
	switch {
	case e.keep[i]:
	case t == nil && (v.k == vConst || v.k == vSpread), t == nil && v.k == vLoad && e.uses[i] == 1:
		return // see operand
	case v.k == vOp:
		e.operation(i, v, left)
	case v.k == vCells && t != nil:
		e.reg[i] = e.take()
		lo, _ := span(t.mask)
		e.V2M(amd64.VMOVDQU, ymm, e.reg[i], e.cellMem(t, cells, -lo))
		return
	case v.k == vCells:
		e.reg[i] = e.take()
		return
	default:
		e.load(i)
	}
	if t != nil {
		e.mend(i, t, cells)
	}
}

// cellMem is the memory of a patch's cells, and lanes further on.
func (e *x86Packs) cellMem(t *patch, cells int32, lanes int) amd64.Mem {
	return amd64.At(packCell, e.cell+4*(t.cell-cells)+4*int32(lanes))
}

// mend puts patched lanes into vector i.
func (e *x86Packs) mend(i int32, t *patch, cells int32) {
	from, to := e.reg[i], e.reg[i]
	if e.keep[i] {
		panic("native: a patch of what all blocks share")
	}
	lo, hi := span(t.mask)
	if lo == hi { // one word, which the processor can take from a store still under way
		x := e.take()
		e.V2M(amd64.VPBROADCASTD, ymm, x, e.cellMem(t, cells, 0))
		e.V3I(amd64.VPBLENDD, ymm, to, from, x, t.mask)
		e.give(x)
		return
	}
	e.V3MI(amd64.VPBLENDD, ymm, to, from, e.cellMem(t, cells, -lo), t.mask)
}

// load puts a vector that is not computed into a register.
func (e *x86Packs) load(i int32) {
	v := &e.s.nodes[i]
	e.reg[i] = e.take()
	switch v.k {
	case vLoad:
		e.V2M(lanesFrom[e.k.runs[v.run].size], ymm, e.reg[i], e.laneMem(v))
	case vConst:
		e.V2M(amd64.VMOVDQU, ymm, e.reg[i], e.constant(uint32(v.imm)))
	case vSpread:
		e.V2M(amd64.VPBROADCASTD, ymm, e.reg[i], amd64.At(stateR, e.k.cellAt(e.s.spreads[i])))
	}
}

func (e *x86Packs) laneMem(v *vnode) amd64.Mem {
	return e.lane(stateR, &e.k.runs[v.run], e.s.at+v.base)
}

// ready returns the register of vector i, loaded if need be.
func (e *x86Packs) ready(i int32) amd64.Vec {
	if e.reg[i] == noVec {
		e.load(i)
	}
	return e.reg[i]
}

// memory returns the memory operand that vector i is, if it is one.
func (e *x86Packs) memory(i int32) (amd64.Mem, bool) {
	v := &e.s.nodes[i]
	switch {
	case e.reg[i] != noVec:
	case v.k == vConst:
		return e.constant(uint32(v.imm)), true
	case v.k == vLoad && e.k.runs[v.run].size == 4:
		return e.laneMem(v), true
	}
	return amd64.Mem{}, false
}

// done counts a use of vector i, and frees its register after the last one.
func (e *x86Packs) done(i int32, left []int32) {
	if i < 0 {
		return
	}
	if left[i]--; left[i] == 0 && e.reg[i] != noVec && !e.keep[i] {
		e.give(e.reg[i])
	}
}

// two is dst = a op b.
func (e *x86Packs) two(op amd64.VOp, dst amd64.Vec, a amd64.Vec, b int32) {
	if m, ok := e.memory(b); ok {
		e.V3M(op, ymm, dst, a, m)
		return
	}
	e.V3(op, ymm, dst, a, e.ready(b))
}

var packOps = [net.NumOps + 2]amd64.VOp{net.And: amd64.VPAND, net.Or: amd64.VPOR, net.Xor: amd64.VPXOR, net.Add: amd64.VPADDD, net.Sub: amd64.VPSUBD,
	net.Mul: amd64.VPMULLD, opMulPairs: amd64.VPMADDWD, net.Shl: amd64.VPSLLVD, net.Shr: amd64.VPSRLVD}

// operation computes vector i.
func (e *x86Packs) operation(i int32, v *vnode, left []int32) {
	var dst amd64.Vec
	fresh := func() amd64.Vec { // operands that end may give their registers
		e.done(v.a, left)
		e.done(v.b, left)
		e.done(v.c, left)
		dst = e.take()
		return dst
	}
	switch v.op {
	case net.Not:
		x := e.ready(v.a)
		e.V3M(amd64.VPXOR, ymm, fresh(), x, e.constant(uint32(net.Mask(v.ow))))
	case net.Eq, net.Ne, net.Lt, net.Le, net.LtS, net.LeS:
		e.compareLanes(i, v, fresh)
	case net.ShrS:
		e.shiftSigned(v, fresh)
	case net.Mux:
		e.muxLanes(v, fresh)
	case net.Slice:
		e.sliceLanes(v, fresh)
	case net.Cat:
		x := e.ready(v.a)
		e.readyIfSpread(v.b)
		t := e.take()
		e.V2I(amd64.VPSLLDI, ymm, t, x, uint8(v.imm))
		e.two(amd64.VPOR, fresh(), t, v.b)
		e.give(t)
	case net.SExt:
		x, s := e.ready(v.a), 32-uint8(v.imm)
		fresh()
		e.V2I(amd64.VPSLLDI, ymm, dst, x, s)
		e.V2I(amd64.VPSRADI, ymm, dst, dst, s)
	case opSigned16:
		x, s := e.ready(v.a), 16-uint8(v.imm)
		fresh()
		e.V2I(amd64.VPSLLWI, ymm, dst, x, s)
		e.V2I(amd64.VPSRAWI, ymm, dst, dst, s)
	default:
		e.arithLanes(v, fresh)
	}
	if e.exceeds(v) {
		e.V3M(amd64.VPAND, ymm, dst, dst, e.constant(uint32(net.Mask(v.ow))))
	}
	e.reg[i] = dst
}

// arithLanes computes what is one instruction.
func (e *x86Packs) arithLanes(v *vnode, fresh func() amd64.Vec) {
	a, b := v.a, v.b
	if v.op == opMulPairs || commutes(v.op) { // the operand that may stay in memory comes second
		if _, ok := e.memory(a); ok {
			a, b = b, a
		}
	}
	x := e.ready(a)
	e.readyIfSpread(b)
	e.two(packOps[v.op], fresh(), x, b)
}

// exceeds reports whether what the instructions of v leave may have bits above
// v's width.
func (e *x86Packs) exceeds(v *vnode) bool {
	width := func(x int32) int { return int(e.s.nodes[x].w) }
	w := int(v.ow)
	switch v.op {
	case net.Add:
		return w < 32 && max(width(v.a), width(v.b)) >= w
	case net.Mul:
		return w < 32 && width(v.a)+width(v.b) > w
	case net.Not:
		return w < 32 && width(v.a) > w
	case net.Sub, net.Shl, net.ShrS, net.SExt, opMulPairs:
		return w < 32
	}
	return false
}

// shiftSigned shifts to the right by what each lane says.
func (e *x86Packs) shiftSigned(v *vnode, fresh func() amd64.Vec) {
	x, y := e.ready(v.a), e.ready(v.b)
	t := e.take() // the result may take the place of y
	if s := 32 - uint8(v.imm); s > 0 {
		e.V2I(amd64.VPSLLDI, ymm, t, x, s)
		e.V2I(amd64.VPSRADI, ymm, t, t, s)
		x = t
	}
	e.V3(amd64.VPSRAVD, ymm, fresh(), x, y)
	e.give(t)
}

// sliceLanes takes bits out of every lane.
func (e *x86Packs) sliceLanes(v *vnode, fresh func() amd64.Vec) {
	x := e.ready(v.a)
	dst := fresh()
	if v.imm > 0 {
		e.V2I(amd64.VPSRLDI, ymm, dst, x, uint8(v.imm))
		x = dst
	}
	if int(v.imm)+int(v.ow) < int(e.s.nodes[v.a].w) {
		e.V3M(amd64.VPAND, ymm, dst, x, e.constant(uint32(net.Mask(v.ow))))
	} else if x != dst {
		e.V2(amd64.VMOVDQA, ymm, dst, x)
	}
}

// readyIfSpread loads what has no memory operand.
func (e *x86Packs) readyIfSpread(i int32) {
	if _, ok := e.memory(i); !ok {
		e.ready(i)
	}
}

// compareLanes makes a mask of -1 and 0, and of that 1 and 0 unless only choices
// want it.
func (e *x86Packs) compareLanes(i int32, v *vnode, fresh func() amd64.Vec) {
	a, b := v.a, v.b
	width := max(e.s.nodes[a].w, e.s.nodes[b].w)
	x, y := e.ready(a), e.ready(b)
	var dst amd64.Vec
	switch {
	case v.op == net.Eq || v.op == net.Ne:
		dst = fresh()
		e.V3(amd64.VPCMPEQD, ymm, dst, x, y)
	case v.op == net.LtS || v.op == net.LeS:
		s := 32 - uint8(v.imm)
		if s > 0 {
			t, u := e.take(), e.take()
			e.V2I(amd64.VPSLLDI, ymm, t, x, s)
			e.V2I(amd64.VPSLLDI, ymm, u, y, s)
			x, y = t, u
			defer e.give(t)
			defer e.give(u)
		}
		dst = fresh()
		if v.op == net.LtS {
			x, y = y, x
		}
		e.V3(amd64.VPCMPGTD, ymm, dst, x, y)
	case width < 32:
		dst = fresh()
		if v.op == net.Lt {
			x, y = y, x
		}
		e.V3(amd64.VPCMPGTD, ymm, dst, x, y)
	default: // a ≤ b when the lesser is a, a < b unless the lesser is b
		t := e.take()
		e.V3(amd64.VPMINUD, ymm, t, x, y)
		if v.op == net.Lt {
			x = y
		}
		dst = fresh()
		e.V3(amd64.VPCMPEQD, ymm, dst, t, x)
		e.give(t)
	}
	switch {
	case e.bit[i]:
	case e.inverted(v):
		e.V3M(amd64.VPADDD, ymm, dst, dst, e.constant(1))
	default:
		e.V2I(amd64.VPSRLDI, ymm, dst, dst, 31)
	}
}

// inverted reports whether compareLanes makes the mask of the opposite.
func (e *x86Packs) inverted(v *vnode) bool {
	wide := e.s.nodes[v.a].w == 32 || e.s.nodes[v.b].w == 32
	switch v.op {
	case net.Ne, net.LeS:
		return true
	case net.Lt:
		return wide
	case net.Le:
		return !wide
	}
	return false
}

// muxLanes chooses lane by lane.
func (e *x86Packs) muxLanes(v *vnode, fresh func() amd64.Vec) {
	sel, b, c := e.ready(v.a), v.b, v.c
	cond := &e.s.nodes[v.a]
	if e.bit[v.a] {
		if e.inverted(cond) {
			b, c = c, b
		}
	} else {
		t := e.take()
		e.V2I(amd64.VPSLLDI, ymm, t, sel, 31)
		sel = t
		defer e.give(t)
	}
	other := e.ready(c)
	e.readyIfSpread(b)
	m, inMemory := e.memory(b)
	var x amd64.Vec
	if !inMemory {
		x = e.ready(b)
	}
	dst := fresh()
	if inMemory {
		e.VBlendVM(amd64.VBLENDVPS, ymm, dst, other, m, sel)
		return
	}
	e.VBlendV(amd64.VBLENDVPS, ymm, dst, other, x, sel)
}
