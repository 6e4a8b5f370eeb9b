package native

import "etch/sim/net"

// vector computes vector i of the graph, unless its users can read it from memory. left counts
// the uses to come; cells is the first cell of the block.
func (e *packCode) vector(i int32, left []int32, cells int32) {
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
		return // operand loads it, or uses it in memory
	case v.k == vOp:
		e.operation(i, v, left)
	case v.k == vCells && t != nil:
		e.reg[i] = e.take()
		lo, _ := span(t.mask)
		e.m.loadCells(e.reg[i], e.cellMem(t, cells).plus(-4*int32(lo)))
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

// cellMem addresses the cells of a patch.
func (e *packCode) cellMem(t *patch, cells int32) packAt {
	return packAt{fromCell, 4, e.cell + 4*(t.cell-cells)}
}

// mend inserts the patched lanes into vector i.
func (e *packCode) mend(i int32, t *patch, cells int32) {
	if e.keep[i] {
		panic("native: a patch of what all blocks share")
	}
	e.m.mend(e.reg[i], e.cellMem(t, cells), t.mask)
}

// load loads a vector that is not an operation.
func (e *packCode) load(i int32) {
	v := &e.s.nodes[i]
	e.reg[i] = e.take()
	switch v.k {
	case vLoad:
		e.m.load(e.reg[i], e.laneMem(v))
	case vConst:
		e.m.constant(e.reg[i], uint32(v.imm), e.constant(uint32(v.imm)))
	case vSpread:
		e.m.spread(e.reg[i], e.cellOf(e.s.spreads[i]))
	}
}

func (e *packCode) laneMem(v *vnode) packAt {
	return e.lane(&e.k.runs[v.run], e.s.at+v.base)
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
	v := &e.s.nodes[i]
	switch {
	case !e.m.inMemory():
	case e.reg[i] != noVec:
	case v.k == vConst:
		return e.constant(uint32(v.imm)), true
	case v.k == vLoad && e.k.runs[v.run].size == 4:
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
func (e *packCode) operation(i int32, v *vnode, left []int32) {
	var dst vec
	fresh := func() vec { // operands used for the last time may give their register to the result
		e.done(v.a, left)
		e.done(v.b, left)
		e.done(v.c, left)
		dst = e.take()
		return dst
	}
	switch v.op {
	case net.Not:
		x := e.ready(v.a)
		e.withConst(net.Xor, fresh(), x, uint32(net.Mask(v.ow)))
	case net.Eq, net.Ne, net.Lt, net.Le, net.LtS, net.LeS:
		e.compareLanes(i, v, fresh)
	case net.ShrS:
		e.shiftSignedLanes(v, fresh)
	case net.Mux:
		e.muxLanes(v, fresh)
	case net.Slice:
		e.sliceLanes(v, fresh)
	case net.Cat:
		x := e.ready(v.a)
		e.readyIfSpread(v.b)
		t := e.take()
		e.m.shift(vecShl, t, x, uint8(v.imm))
		b := e.operand(v.b)
		e.m.two(net.Or, fresh(), t, b)
		e.give(t)
	case net.SExt:
		x, s := e.ready(v.a), 32-uint8(v.imm)
		fresh()
		e.m.shift(vecShl, dst, x, s)
		e.m.shift(vecSar, dst, dst, s)
	case opSigned16:
		x := e.ready(v.a)
		e.m.signed16(fresh(), x, 16-uint8(v.imm))
	default:
		e.arithLanes(v, fresh)
	}

	if e.exceeds(v) {
		e.withConst(net.And, dst, dst, uint32(net.Mask(v.ow)))
	}
	e.reg[i] = dst
}

// arithLanes computes the operations that are one instruction.
func (e *packCode) arithLanes(v *vnode, fresh func() vec) {
	a, b := v.a, v.b
	if v.op == opMulPairs || commutes(v.op) { // the operand that may stay in memory comes second
		if _, ok := e.memory(a); ok {
			a, b = b, a
		}
	}

	x := e.ready(a)
	e.readyIfSpread(b)
	y := e.operand(b)
	e.m.two(v.op, fresh(), x, y)
}

// exceeds reports whether the instructions of v may leave bits above v's width.
func (e *packCode) exceeds(v *vnode) bool {
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

// shiftSignedLanes shifts right by an amount per lane.
func (e *packCode) shiftSignedLanes(v *vnode, fresh func() vec) {
	x, y := e.ready(v.a), e.ready(v.b)
	t := e.take() // the result may overwrite y
	if s := 32 - uint8(v.imm); s > 0 {
		e.m.shift(vecShl, t, x, s)
		e.m.shift(vecSar, t, t, s)
		x = t
	}

	e.m.shiftSigned(fresh(), x, y)
	e.give(t)
}

// sliceLanes extracts bits from every lane.
func (e *packCode) sliceLanes(v *vnode, fresh func() vec) {
	x := e.ready(v.a)
	dst := fresh()

	if v.imm > 0 {
		e.m.shift(vecShr, dst, x, uint8(v.imm))
		x = dst
	}

	if int(v.imm)+int(v.ow) < int(e.s.nodes[v.a].w) {
		e.withConst(net.And, dst, x, uint32(net.Mask(v.ow)))
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
func (e *packCode) compareLanes(i int32, v *vnode, fresh func() vec) {
	a, b := v.a, v.b
	width := max(e.s.nodes[a].w, e.s.nodes[b].w)
	x, y := e.ready(a), e.ready(b)
	var dst vec

	switch {
	case v.op == net.Eq || v.op == net.Ne:
		dst = fresh()
		e.m.equal(dst, x, y)

	// Narrow signed operands are shifted up so that their signs are in the top bit.
	case v.op == net.LtS || v.op == net.LeS:
		s := 32 - uint8(v.imm)
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
		if v.op == net.LtS {
			x, y = y, x
		}
		e.m.greater(dst, x, y)

	// Unsigned lanes below 32 bits are positive as signed numbers.
	case width < 32:
		dst = fresh()
		if v.op == net.Lt {
			x, y = y, x
		}
		e.m.greater(dst, x, y)
	default: // a < b unless b <= a
		if v.op == net.Lt {
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
func (e *packCode) inverted(v *vnode) bool {
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

// muxLanes selects lane by lane.
func (e *packCode) muxLanes(v *vnode, fresh func() vec) {
	// A mask selects as it is; an inverse mask with exchanged arms; 0 and 1 become a mask first.
	sel, b, c := e.ready(v.a), v.b, v.c
	cond := &e.s.nodes[v.a]
	if e.bit[v.a] {
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
