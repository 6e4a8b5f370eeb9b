package emit

import (
	"etch/sim/native/internal/pack"
	"etch/sim/native/vector"
	"etch/sim/net"
)

// do appends an operation of the piece.
func (e *packCode) do(op vector.Op, imm uint8, args ...vector.Value) vector.Value {
	args = append(args, vector.None, vector.None)
	return e.c.Emit(op, imm, args[0], args[1], args[2])
}

// withConst is a op v in all elements.
func (e *packCode) withConst(op vector.Op, a vector.Value, v uint32) vector.Value {
	return e.do(op, 0, a, e.c.Const(uint64(v), 32))
}

// patchOf is the current block's patch of vector i, or nil.
func (e *packCode) patchOf(i int32) *pack.Patch {
	for k := range e.patch {
		if e.patch[k].V == i {
			return &e.patch[k]
		}
	}
	return nil
}

// vector makes vector i of the graph, an operation or one with patched elements; cells is the first
// cell of the block.
func (e *packCode) vector(i, cells int32) {
	v, t := &e.s.Nodes[i], e.patchOf(i)
	switch {
	case v.K == pack.VCells:
		e.value[i] = e.patched(t, cells)
		return
	case v.K == pack.VOp:
		e.value[i] = e.operation(i, v)
	default:
		e.use(i)
	}
	if t != nil {
		e.value[i] = e.mend(e.value[i], t, cells)
	}
}

// use returns vector i. A load or a constant is made at its first use.
func (e *packCode) use(i int32) vector.Value {
	if e.value[i] != vector.None {
		return e.value[i]
	}

	v := &e.s.Nodes[i]
	switch {
	case e.keep[i] != 0:
		e.value[i] = e.c.Kept(e.keep[i])
	case v.K == pack.VLoad:
		e.value[i] = e.loadElements(e.elementAt(v), e.k.Runs[v.Run].Size)
	case v.K == pack.VSpread:
		e.value[i] = e.c.Fetch(vector.Spread32, e.c.Place(e.cellOf(e.s.Spreads[i])))
	default: // a constant; elements that no block patches are not read
		e.value[i] = e.c.Const(v.Imm&0xffffffff, 32)
	}
	return e.value[i]
}

// packArith is the operations that are one instruction.
var packArith = [net.NumOps + 2]vector.Op{net.And: vector.And, net.Or: vector.Or, net.Xor: vector.Xor, net.Add: vector.Add32, net.Sub: vector.Sub32,
	net.Mul: vector.Mul32, pack.OpMulPairs: vector.Mul16S, net.Shl: vector.ShlBy32, net.Shr: vector.ShrBy32}

func (e *packCode) operation(i int32, v *pack.Vnode) vector.Value {
	// Values of several instructions, then those of one.
	var x vector.Value
	a := e.use(v.A)
	switch v.Op {
	case net.Not:
		x = e.withConst(vector.Xor, a, uint32(net.Mask(v.Ow)))
	case net.Eq, net.Ne, net.Lt, net.Le, net.LtS, net.LeS:
		x = e.compareElements(i, v, a, e.use(v.B))
	case net.ShrS:
		x = e.do(vector.SarBy32, 0, e.signed(a, uint8(v.Imm)), e.use(v.B))
	case net.Mux:
		x = e.muxElements(v, a)
	case net.Slice:
		return e.sliceElements(v, a)
	case net.Cat:
		x = e.do(vector.Or, 0, e.do(vector.Shl32, uint8(v.Imm), a), e.use(v.B))
	case net.SExt:
		x = e.signed(a, uint8(v.Imm))
	case pack.OpSigned16:
		k := 16 - uint8(v.Imm)
		x = e.do(vector.Sar16, k, e.do(vector.Shl16, k, a))
	default:
		x = e.do(packArith[v.Op], 0, a, e.use(v.B))
	}

	// Elements are zero above their width.
	if e.exceeds(v) {
		x = e.withConst(vector.And, x, uint32(net.Mask(v.Ow)))
	}
	return x
}

// signed sign-extends elements of so many bits.
func (e *packCode) signed(a vector.Value, bits uint8) vector.Value {
	if bits == 32 {
		return a
	}
	return e.do(vector.Sar32, 32-bits, e.do(vector.Shl32, 32-bits, a))
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

// sliceElements extracts bits from every element.
func (e *packCode) sliceElements(v *pack.Vnode, x vector.Value) vector.Value {
	if v.Imm > 0 {
		x = e.do(vector.Shr32, uint8(v.Imm), x)
	}
	if int(v.Imm)+int(v.Ow) < int(e.s.Nodes[v.A].W) {
		x = e.withConst(vector.And, x, uint32(net.Mask(v.Ow)))
	}
	return x
}

// compareElements makes a mask of -1 and 0, and converts it to 1 and 0 unless only selects use it.
// Instructions exist for equal, signed greater and the unsigned minimum: other comparisons
// exchange operands or produce the inverse mask (see inverted).
func (e *packCode) compareElements(i int32, v *pack.Vnode, x, y vector.Value) vector.Value {
	// All below are x > y or, of 32 bits unsigned, x <= y. The operands of "less" change places.
	if v.Op == net.Lt || v.Op == net.LtS {
		x, y = y, x
	}

	var mask vector.Value
	switch width := max(e.s.Nodes[v.A].W, e.s.Nodes[v.B].W); {
	case v.Op == net.Eq || v.Op == net.Ne:
		mask = e.do(vector.Eq32, 0, x, y)

	// Narrow signed operands are shifted up so that their signs are in the top bit.
	case v.Op == net.LtS || v.Op == net.LeS:
		if k := 32 - uint8(v.Imm); k > 0 {
			x, y = e.do(vector.Shl32, k, x), e.do(vector.Shl32, k, y)
		}
		mask = e.do(vector.Gt32, 0, x, y)

	// Unsigned elements below 32 bits are positive as signed numbers.
	case width < 32:
		mask = e.do(vector.Gt32, 0, x, y)
	default:
		mask = e.do(vector.Eq32, 0, e.do(vector.Min32, 0, x, y), x)
	}

	// The inverse mask plus 1 is the result; the mask itself keeps one bit.
	switch {
	case e.bit[i]:
		return mask
	case e.inverted(v):
		return e.withConst(vector.Add32, mask, 1)
	}
	return e.do(vector.Shr32, 31, mask)
}

// inverted reports whether compareElements makes the mask of the opposite condition.
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

// muxElements selects element by element.
func (e *packCode) muxElements(v *pack.Vnode, sel vector.Value) vector.Value {
	// A mask selects as it is, an inverse mask with exchanged arms; of 1 and 0 the bit becomes the
	// sign first.
	b, c := e.use(v.B), e.use(v.C)
	if !e.bit[v.A] {
		return e.do(vector.Choose32, 0, c, b, e.do(vector.Shl32, 31, sel))
	}
	if e.inverted(&e.s.Nodes[v.A]) {
		b, c = c, b
	}
	return e.do(vector.Choose32, 1, c, b, sel)
}
