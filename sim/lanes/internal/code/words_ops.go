package code

import (
	"etch/sim/native/vector"
	"etch/sim/net"
)

// oneBit makes a one-bit node as a mask, in its most natural elements of es bits.
func (w *worder) oneBit(id net.ID) (v []vector.Value, es int) {
	nd := &w.n.N[id]
	switch nd.Op {
	case net.Const:
		return w.constant(-nd.Imm, 16), 16
	case net.Leaf:
		if w.l.bit != nil && w.l.bit[nd.Imm] {
			return []vector.Value{w.c.Bits(w.l.Reg[nd.Imm])}, 16
		}
		return []vector.Value{w.c.At(w.l.Reg[nd.Imm])}, 16
	case net.Not:
		if w.n.Width(nd.A) == 1 {
			return w.invert(w.mask(nd.A, 16), 16), 16
		}
	// One-bit arithmetic is logic.
	case net.And, net.Or, net.Xor, net.Add, net.Sub, net.Mul:
		if w.n.Width(nd.A) == 1 && w.n.Width(nd.B) == 1 {
			op := map[net.Op]vector.Op{net.And: vector.And, net.Mul: vector.And, net.Or: vector.Or}[nd.Op]
			if nd.Op == net.Xor || nd.Op == net.Add || nd.Op == net.Sub {
				op = vector.Xor
			}
			return w.do(op, 0, w.mask(nd.A, 16), w.mask(nd.B, 16)), 16
		}
	case net.Mux:
		return w.choose(nd.A, 16, w.mask(nd.C, 16), w.mask(nd.B, 16)), 16
	case net.Slice:
		return w.sliceBit(nd.A, int(nd.Imm))
	case net.Eq, net.Ne, net.Lt, net.Le, net.LtS, net.LeS:
		v, es, opposite := w.comparison(nd)
		if opposite {
			v = w.invert(v, es)
		}
		return v, es
	case net.SExt:
		if w.n.Width(nd.A) == 1 {
			return w.mask(nd.A, 16), 16
		}
	}
	// Look-ups and parities make masks themselves; other ops give the lowest bit of a number.
	switch nd.Op {
	case net.Lut:
		return w.lut(nd), 16
	case net.Parity:
		return w.parity(nd.A)
	}

	// The number is made in the elements of the widest operand. A read's operand is an address and
	// does not count.
	own := 16
	if nd.Op != net.Read {
		w.n.Args(id, func(x net.ID) { own = max(own, elementOf(w.n.Width(x))) })
	}
	return w.lowest(w.number(id, own), own), own
}

// lowest is a mask of the lowest bits.
func (w *worder) lowest(v []vector.Value, es int) []vector.Value {
	return w.allOf(w.shl(v, es-1, es), es)
}

// allOf is a mask of the highest bits: an arithmetic shift, or a comparison with 0 for 64 bits.
func (w *worder) allOf(v []vector.Value, es int) []vector.Value {
	if es < 64 {
		return w.do(sized(es, vector.Sar16, vector.Sar32, 0), es-1, v)
	}
	return w.do(vector.Gt64, 0, w.constant(0, 64), v)
}

// comparison makes a mask of a comparison, or of its opposite: the instructions are equal, and
// signed greater.
func (w *worder) comparison(nd *net.Node) (v []vector.Value, es int, opposite bool) {
	wa, wb := w.n.Width(nd.A), w.n.Width(nd.B)
	width := max(wa, wb)
	if nd.Op == net.LtS || nd.Op == net.LeS {
		width = uint8(nd.Imm)
	}
	es = elementOf(width)

	// Masks are compared by XOR.
	if wa == 1 && wb == 1 && (nd.Op == net.Eq || nd.Op == net.Ne) {
		return w.do(vector.Xor, 0, w.mask(nd.A, 16), w.mask(nd.B, 16)), 16, nd.Op == net.Eq
	}

	x, y := w.value(nd.A, es), w.value(nd.B, es)
	gt := sized(es, vector.Gt16, vector.Gt32, vector.Gt64)
	switch nd.Op {
	case net.Eq, net.Ne:
		return w.equal(x, y, es), es, nd.Op == net.Ne
	case net.LtS, net.LeS: // bring the sign to the top
		x, y = w.shl(x, es-int(nd.Imm), es), w.shl(y, es-int(nd.Imm), es)
	// Unsigned: flip the top bits if they may be set.
	default:
		if int(width) == es {
			top := w.constant(1<<(es-1), es)
			x, y = w.do(vector.Xor, 0, x, top), w.do(vector.Xor, 0, y, top)
		}
	}

	// There is only signed greater: x < y is y > x, and x <= y is the opposite of x > y.
	if nd.Op == net.Lt || nd.Op == net.LtS {
		return w.do(gt, 0, y, x), es, false
	}
	return w.do(gt, 0, x, y), es, true
}

// number makes a node in its own elements, without undefined bits.
func (w *worder) number(id net.ID, es int) []vector.Value {
	v, above := w.loose(id, es)
	if above {
		v = w.cut(v, w.n.Width(id), es)
	}
	return v
}

// loose is number, but with above, bits above the node's width are undefined.
func (w *worder) loose(id net.ID, es int) (v []vector.Value, above bool) {
	nd := &w.n.N[id]
	arg := func(x net.ID) []vector.Value { return w.value(x, es) }
	// Operations that never set upper bits need no cut.
	switch nd.Op {
	case net.Leaf:
		v := make([]vector.Value, es/16)
		for k := range v {
			v[k] = w.c.At(w.l.Reg[nd.Imm] + int32(k))
		}
		return v, false
	case net.Not:
		return w.do(vector.Xor, 0, arg(nd.A), w.constant(net.Mask(nd.W), es)), w.n.Width(nd.A) > nd.W
	case net.And:
		return w.do(vector.And, 0, arg(nd.A), arg(nd.B)), false
	case net.Or:
		return w.do(vector.Or, 0, arg(nd.A), arg(nd.B)), false
	case net.Xor:
		return w.do(vector.Xor, 0, arg(nd.A), arg(nd.B)), false
	case net.Add:
		if v := w.sumOfProducts(nd, es); v != nil {
			return v, false
		}
		v := w.do(sized(es, vector.Add16, vector.Add32, vector.Add64), 0, w.mod(nd.A, nd.W, es), w.mod(nd.B, nd.W, es))
		return v, nd.W <= max(w.n.Width(nd.A), w.n.Width(nd.B)) // else it cannot overflow
	case net.Sub:
		return w.do(sized(es, vector.Sub16, vector.Sub32, vector.Sub64), 0, w.mod(nd.A, nd.W, es), w.mod(nd.B, nd.W, es)), true
	case net.Mul:
		return w.product(nd, es), true
	case net.Mux:
		return w.choose(nd.A, es, arg(nd.C), arg(nd.B)), false
	case net.Slice:
		return w.slice(nd, es)
	case net.Cat:
		hi := w.raised(nd.A, int(nd.Imm), es)
		if c, ok := w.n.IsConst(nd.B); ok && c == 0 {
			return hi, false
		}
		return w.do(vector.Or, 0, hi, arg(nd.B)), false
	case net.SExt:
		return w.extend(nd.A, int(nd.Imm), es), true
	}
	return w.others(id, es), false
}

// others makes the nodes that take many instructions; an op without code fails.
func (w *worder) others(id net.ID, es int) []vector.Value {
	nd := &w.n.N[id]
	switch nd.Op {
	case net.Shl, net.Shr, net.ShrS:
		return w.shift(nd, es)
	case net.Read:
		return w.read(id)
	case net.Pop:
		return w.count(nd, es)
	}
	w.fail = true
	return w.constant(0, es)
}

// shift makes shifts. Shifts by a variable amount exist for elements of at least 32 bits.
func (w *worder) shift(nd *net.Node, es int) []vector.Value {
	if k, ok := w.n.IsConst(nd.B); ok {
		return w.shiftBy(nd, int(min(k, 64)), es)
	}

	// Both operands take one element width, for which there are such shifts.
	at := max(32, es, elementOf(w.n.Width(nd.A)), elementOf(w.n.Width(nd.B)))
	if nd.Op == net.ShrS { // the sign may lie above the operand
		at = max(at, elementOf(uint8(nd.Imm)))
	}
	x, y := w.value(nd.A, at), w.value(nd.B, at)
	var v []vector.Value
	switch {
	case nd.Op == net.Shl:
		v = w.do(sized(at, 0, vector.ShlBy32, vector.ShlBy64), 0, x, y)
	case nd.Op == net.Shr:
		v = w.do(sized(at, 0, vector.ShrBy32, vector.ShrBy64), 0, x, y)
	case at == 32:
		v = w.do(vector.SarBy32, 0, w.extend(nd.A, int(nd.Imm), 32), y)
	// There is no arithmetic shift of 64-bit elements.
	default:
		w.fail = true
		v = x
	}
	return w.cut(w.resize(v, 64, at, es), nd.W, es)
}

// shiftBy makes a shift by the constant k.
func (w *worder) shiftBy(nd *net.Node, k, es int) []vector.Value {
	wa := w.n.Width(nd.A)
	at := max(es, elementOf(wa))
	switch {
	case nd.Op == net.Shl && k < es:
		v := w.raised(nd.A, k, es)
		if int(w.n.Width(nd.A))+k > int(nd.W) {
			v = w.cut(v, nd.W, es)
		}
		return v

	case nd.Op == net.ShrS:
		if at < int(nd.Imm) {
			at = elementOf(uint8(nd.Imm))
		}
		v := w.extend(nd.A, int(nd.Imm), at)
		// There is no arithmetic shift of 64-bit elements.
		if at == 64 {
			w.fail = true
			return w.constant(0, es)
		}
		v = w.do(sized(at, vector.Sar16, vector.Sar32, 0), min(k, at-1), v)
		return w.cut(w.resize(v, 64, at, es), nd.W, es)

	case nd.Op == net.Shr && k < at:
		return w.cut(w.resize(w.shr(w.value(nd.A, at), k, at), 64, at, es), nd.W, es)
	}

	// Everything is shifted out.
	return w.constant(0, es)
}

// product makes a product mod 2^W, with undefined bits above.
func (w *worder) product(nd *net.Node, es int) []vector.Value {
	a, b := nd.A, nd.B
	switch es {
	case 16:
		return w.do(vector.Mul16, 0, w.mod(a, nd.W, 16), w.mod(b, nd.W, 16))
	case 32:
		// Two 16-bit factors: low and high halves of the products, interleaved.
		if hi, x, y := w.halves(a, b); hi != 0 {
			lo := w.c.Do(vector.Mul16, 0, x, y)
			top := w.c.Do(hi, 0, x, y)
			return []vector.Value{w.c.Do(vector.Low16, 0, lo, top), w.c.Do(vector.High16, 0, lo, top)}
		}
		return w.do(vector.Mul32, 0, w.mod(a, nd.W, 32), w.mod(b, nd.W, 32))
	}

	// 64 bits from 32-bit products: low × low, plus the cross products shifted up.
	x, y := w.mod(a, nd.W, 64), w.mod(b, nd.W, 64)
	v := w.do(vector.MulEven32, 0, x, y)

	// The second round exchanges the factors for the other cross product.
	for range 2 {
		if w.n.Width(a) > 32 {
			cross := w.do(vector.MulEven32, 0, w.shr(x, 32, 64), y)
			v = w.do(vector.Add64, 0, v, w.shl(cross, 32, 64))
		}
		a, b, x, y = b, a, y, x
	}
	return v
}

// halves finds factors that are 16-bit numbers, both unsigned or both signed, and the op for the
// upper half of their product; 0 if they are not.
func (w *worder) halves(a, b net.ID) (hi vector.Op, x, y vector.Value) {
	if w.n.Width(a) <= 16 && w.n.Width(b) <= 16 {
		return vector.MulHi16, w.value(a, 16)[0], w.value(b, 16)[0]
	}
	x, ok := w.signed16(a)
	if !ok {
		return 0, 0, 0
	}
	if y, ok = w.signed16(b); !ok {
		return 0, 0, 0
	}
	return vector.MulHiS16, x, y
}

// signed16 is a node as signed 16-bit numbers, if it is such a number extended to 32 bits.
func (w *worder) signed16(id net.ID) (vector.Value, bool) {
	if !w.isSigned16(id) {
		return 0, false
	}

	nd := &w.n.N[id]
	if c, isConst := w.n.IsConst(id); isConst {
		return w.c.Const(c&0xffff, 16), true
	}

	// Fewer than 16 bits, as an unsigned number, are a signed number of 16 bits too.
	if nd.W < 16 {
		return w.value(id, 16)[0], true
	}
	return w.extend(nd.A, int(nd.Imm), 16)[0], true
}
