package emit

import (
	"etch/sim/native/internal/pack"
	"etch/sim/net"
)

// vector computes vector i of the graph, unless its users can read it from memory. left counts
// the uses to come; cells is the first cell of the block.
func (e *packCode) vector(i int32, left []int32, cells int32) {
	v := &e.s.Nodes[i]

	var t *pack.Patch
	for k := range e.patch {
		if e.patch[k].V == i {
			t = &e.patch[k]
		}
	}

	switch {
	case e.keep[i]:
	case t == nil && (v.K == pack.VConst || v.K == pack.VSpread), t == nil && v.K == pack.VLoad && e.uses[i] == 1:
		return // operand loads it, or uses it in memory
	case v.K == pack.VOp:
		e.operation(i, v, left)
	case v.K == pack.VCells && t != nil:
		e.reg[i] = e.take()
		lo, _ := pack.Span(t.Mask)
		e.m.loadCells(e.reg[i], e.cellMem(t, cells).plus(-4*int32(lo)))
		return
	case v.K == pack.VCells:
		e.reg[i] = e.take()
		return
	default:
		e.load(i)
	}

	if t != nil {
		e.mend(i, t, cells)
	}
}

// cellMem addresses the cells of a patch.
func (e *packCode) cellMem(t *pack.Patch, cells int32) packAt {
	return packAt{fromCell, 4, e.cell + 4*(t.Cell-cells)}
}

// mend inserts the patched lanes into vector i.
func (e *packCode) mend(i int32, t *pack.Patch, cells int32) {
	if e.keep[i] {
		panic("native: a patch of what all blocks share")
	}
	e.m.mend(e.reg[i], e.cellMem(t, cells), t.Mask)
}

// load loads a vector that is not an operation.
func (e *packCode) load(i int32) {
	v := &e.s.Nodes[i]
	e.reg[i] = e.take()
	switch v.K {
	case pack.VLoad:
		e.m.load(e.reg[i], e.laneMem(v))
	case pack.VConst:
		e.m.constant(e.reg[i], uint32(v.Imm), e.constant(uint32(v.Imm)))
	case pack.VSpread:
		e.m.spread(e.reg[i], e.cellOf(e.s.Spreads[i]))
	}
}

func (e *packCode) laneMem(v *pack.Vnode) packAt {
	return e.lane(&e.k.Runs[v.Run], e.s.At+v.Base)
}

// ready returns the register of vector i, loading it if necessary.
func (e *packCode) ready(i int32) vec {
	if e.reg[i] == noVec {
		e.load(i)
	}
	return e.reg[i]
}

// memory returns vector i as a memory operand, if it can be one.
func (e *packCode) memory(i int32) (packAt, bool) {
	v := &e.s.Nodes[i]
	switch {
	case !e.m.inMemory():
	case e.reg[i] != noVec:
	case v.K == pack.VConst:
		return e.constant(uint32(v.Imm)), true
	case v.K == pack.VLoad && e.k.Runs[v.Run].Size == 4:
		return e.laneMem(v), true
	}
	return packAt{}, false
}

// done counts a use of vector i and frees its register after the last.
func (e *packCode) done(i int32, left []int32) {
	if i < 0 {
		return
	}
	if left[i]--; left[i] == 0 && e.reg[i] != noVec && !e.keep[i] {
		e.give(e.reg[i])
	}
}

// operand is vector i, in memory if possible.
func (e *packCode) operand(i int32) packOperand {
	if m, ok := e.memory(i); ok {
		return packOperand{at: m, mem: true}
	}
	return packOperand{reg: e.ready(i)}
}

// withConst computes dst = a op v in all lanes.
func (e *packCode) withConst(op net.Op, dst, a vec, v uint32) {
	if e.m.inMemory() {
		e.m.two(op, dst, a, packOperand{at: e.constant(v), mem: true})
		return
	}

	t := e.take()
	e.m.constant(t, v, e.constant(v))
	e.m.two(op, dst, a, packOperand{reg: t})
	e.give(t)
}

// operation computes vector i.
func (e *packCode) operation(i int32, v *pack.Vnode, left []int32) {
	var dst vec
	fresh := func() vec { // operands used for the last time may give their register to the result
		e.done(v.A, left)
		e.done(v.B, left)
		e.done(v.C, left)
		dst = e.take()
		return dst
	}
	switch v.Op {
	case net.Not:
		x := e.ready(v.A)
		e.withConst(net.Xor, fresh(), x, uint32(net.Mask(v.Ow)))
	case net.Eq, net.Ne, net.Lt, net.Le, net.LtS, net.LeS:
		e.compareLanes(i, v, fresh)
	case net.ShrS:
		e.shiftSignedLanes(v, fresh)
	case net.Mux:
		e.muxLanes(v, fresh)
	case net.Slice:
		e.sliceLanes(v, fresh)
	case net.Cat:
		x := e.ready(v.A)
		e.readyIfSpread(v.B)
		t := e.take()
		e.m.shift(vecShl, t, x, uint8(v.Imm))
		b := e.operand(v.B)
		e.m.two(net.Or, fresh(), t, b)
		e.give(t)
	case net.SExt:
		x, s := e.ready(v.A), 32-uint8(v.Imm)
		fresh()
		e.m.shift(vecShl, dst, x, s)
		e.m.shift(vecSar, dst, dst, s)
	case pack.OpSigned16:
		x := e.ready(v.A)
		e.m.signed16(fresh(), x, 16-uint8(v.Imm))
	default:
		e.arithLanes(v, fresh)
	}

	if e.exceeds(v) {
		e.withConst(net.And, dst, dst, uint32(net.Mask(v.Ow)))
	}
	e.reg[i] = dst
}

// arithLanes computes the operations that are one instruction.
func (e *packCode) arithLanes(v *pack.Vnode, fresh func() vec) {
	a, b := v.A, v.B
	if v.Commutes() { // the operand that may stay in memory comes second
		if _, ok := e.memory(a); ok {
			a, b = b, a
		}
	}

	x := e.ready(a)
	e.readyIfSpread(b)
	y := e.operand(b)
	e.m.two(v.Op, fresh(), x, y)
}

// exceeds reports whether the instructions of v may leave bits above v's width.
func (e *packCode) exceeds(v *pack.Vnode) bool {
	width := func(x int32) int { return int(e.s.Nodes[x].W) }
	w := int(v.Ow)
	switch v.Op {
	case net.Add:
		return w < 32 && max(width(v.A), width(v.B)) >= w
	case net.Mul:
		return w < 32 && width(v.A)+width(v.B) > w
	case net.Not:
		return w < 32 && width(v.A) > w
	case net.Sub, net.Shl, net.ShrS, net.SExt, pack.OpMulPairs:
		return w < 32
	}
	return false
}

// shiftSignedLanes shifts right by an amount per lane.
func (e *packCode) shiftSignedLanes(v *pack.Vnode, fresh func() vec) {
	x, y := e.ready(v.A), e.ready(v.B)
	t := e.take() // the result may overwrite y
	if s := 32 - uint8(v.Imm); s > 0 {
		e.m.shift(vecShl, t, x, s)
		e.m.shift(vecSar, t, t, s)
		x = t
	}

	e.m.shiftSigned(fresh(), x, y)
	e.give(t)
}

// sliceLanes extracts bits from every lane.
func (e *packCode) sliceLanes(v *pack.Vnode, fresh func() vec) {
	x := e.ready(v.A)
	dst := fresh()

	if v.Imm > 0 {
		e.m.shift(vecShr, dst, x, uint8(v.Imm))
		x = dst
	}

	if int(v.Imm)+int(v.Ow) < int(e.s.Nodes[v.A].W) {
		e.withConst(net.And, dst, x, uint32(net.Mask(v.Ow)))
	} else if x != dst {
		e.m.move(dst, x)
	}
}

// readyIfSpread loads vector i if it cannot be a memory operand.
func (e *packCode) readyIfSpread(i int32) {
	if _, ok := e.memory(i); !ok {
		e.ready(i)
	}
}

// compareLanes makes a mask of -1 and 0, and converts it to 1 and 0 unless only selects use it.
// Instructions exist for equal, signed greater and unsigned at most: other comparisons exchange
// operands or produce the inverse mask (see inverted).
func (e *packCode) compareLanes(i int32, v *pack.Vnode, fresh func() vec) {
	a, b := v.A, v.B
	width := max(e.s.Nodes[a].W, e.s.Nodes[b].W)
	x, y := e.ready(a), e.ready(b)
	var dst vec

	switch {
	case v.Op == net.Eq || v.Op == net.Ne:
		dst = fresh()
		e.m.equal(dst, x, y)

	// Narrow signed operands are shifted up so that their signs are in the top bit.
	case v.Op == net.LtS || v.Op == net.LeS:
		s := 32 - uint8(v.Imm)
		if s > 0 {
			t, u := e.take(), e.take()
			e.m.shift(vecShl, t, x, s)
			e.m.shift(vecShl, u, y, s)
			x, y = t, u
		}
		dst = fresh()
		if s > 0 {
			e.give(y)
			e.give(x)
		}
		if v.Op == net.LtS {
			x, y = y, x
		}
		e.m.greater(dst, x, y)

	// Unsigned lanes below 32 bits are positive as signed numbers.
	case width < 32:
		dst = fresh()
		if v.Op == net.Lt {
			x, y = y, x
		}
		e.m.greater(dst, x, y)
	default: // a < b unless b <= a
		if v.Op == net.Lt {
			x, y = y, x
		}
		t := e.take()
		dst = fresh()
		e.m.atMost(dst, x, y, t)
		e.give(t)
	}

	// The inverse mask plus 1 is the result; the mask itself keeps one bit.
	switch {
	case e.bit[i]:
	case e.inverted(v):
		e.withConst(net.Add, dst, dst, 1)
	default:
		e.m.shift(vecShr, dst, dst, 31)
	}
}

// inverted reports whether compareLanes makes the mask of the opposite condition.
func (e *packCode) inverted(v *pack.Vnode) bool {
	wide := e.s.Nodes[v.A].W == 32 || e.s.Nodes[v.B].W == 32
	switch v.Op {
	case net.Ne, net.LeS:
		return true
	case net.Lt:
		return wide
	case net.Le:
		return !wide
	}
	return false
}

// muxLanes selects lane by lane.
func (e *packCode) muxLanes(v *pack.Vnode, fresh func() vec) {
	// A mask selects as it is; an inverse mask with exchanged arms; 0 and 1 become a mask first.
	sel, b, c := e.ready(v.A), v.B, v.C
	cond := &e.s.Nodes[v.A]
	if e.bit[v.A] {
		if e.inverted(cond) {
			b, c = c, b
		}
	} else {
		t := e.take()
		e.m.selector(t, sel)
		sel = t
		defer e.give(t)
	}

	other := e.ready(c)
	x := e.operand(b)
	e.m.choose(fresh(), other, x, sel)
}
