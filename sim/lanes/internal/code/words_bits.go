package code

import (
	mathbits "math/bits"

	"etch/sim/lanes/internal/gates"
	"etch/sim/native/vector"
	"etch/sim/net"
)

// lut makes a look-up as gates over masks.
func (w *worder) lut(nd *net.Node) []vector.Value {
	// A graph of its own finds the gates; then each becomes one instruction.
	g := gates.New(2)
	var in []gates.Lit
	value := map[int32]vector.Value{}
	for _, x := range w.n.Pool[nd.A : nd.A+nd.B] {
		leaf := g.Leaf()
		value[leaf.Node()] = w.mask(x, 16)[0]
		in = append(in, leaf)
	}

	out := g.Lut(nd.Imm, in)
	if out <= gates.True {
		return w.constant(-uint64(out), 16)
	}

	// Inverted operands use Andn where possible.
	ones := w.c.Const(0xff, 8)
	at := func(l gates.Lit) vector.Value {
		if v := value[l.Node()]; !l.Neg() {
			return v
		}
		return w.c.Do(vector.Xor, 0, value[l.Node()], ones)
	}

	for n := range g.N {
		switch gt := &g.N[n]; {
		case gt.Fn == gates.Xor:
			value[int32(n)] = w.c.Do(vector.Xor, 0, at(gt.A), at(gt.B))
		case gt.Fn == gates.And && gt.A.Neg():
			value[int32(n)] = w.c.Do(vector.Andn, 0, at(gt.A.Not()), at(gt.B))
		case gt.Fn == gates.And && gt.B.Neg():
			value[int32(n)] = w.c.Do(vector.Andn, 0, at(gt.B.Not()), at(gt.A))
		case gt.Fn == gates.And:
			value[int32(n)] = w.c.Do(vector.And, 0, at(gt.A), at(gt.B))
		}
	}
	return []vector.Value{at(out)}
}

// parity is a mask of parity: shifts by halves collect the XOR of all bits in the top bit.
func (w *worder) parity(id net.ID) ([]vector.Value, int) {
	if w.n.Width(id) == 1 {
		return w.mask(id, 16), 16
	}
	es := elementOf(w.n.Width(id))
	v := w.value(id, es)
	for sh := es / 2; sh > 0; sh /= 2 {
		v = w.do(vector.Xor, 0, v, w.shl(v, sh, es))
	}
	return w.allOf(v, es), es
}

// count is the number of ones, by sums of bits in pairs, fours and bytes (Hacker's Delight,
// 5-1).
func (w *worder) count(nd *net.Node, es int) []vector.Value {
	own := elementOf(w.n.Width(nd.A))
	v := w.value(nd.A, own)

	// m masks the lower half of every field.
	m := []uint64{0x55, 0x33, 0x0f}
	for k, sh := range []int{1, 2, 4} { // sums in fields of two, four, eight bits
		mask := make([]vector.Value, len(v))
		for i := range mask {
			mask[i] = w.c.Const(m[k], 8)
		}
		high := w.do(vector.And, 0, w.shr(v, sh, own), mask)
		v = w.do(sized(own, vector.Add16, vector.Add32, vector.Add64), 0, w.do(vector.And, 0, v, mask), high)
	}

	// Add the bytes in the lowest byte.
	for sh := 8; sh < own; sh *= 2 {
		v = w.do(sized(own, vector.Add16, vector.Add32, vector.Add64), 0, v, w.shr(v, sh, own))
	}
	v = w.cut(v, 7, own)
	return w.resize(v, 7, own, es)
}

// memory describes the access to a memory, with the width of addresses and their scaling.
func (w *worder) memory(mem int32) (a vector.Access, bits, shift int) {
	m := &w.l.mems[mem]
	lanes := w.l.Lanes(w.t)

	// A row is one word of all instances, so addresses are scaled by their number.
	if w.l.rows(m) {
		shift = mathbits.TrailingZeros(uint(lanes))
	}
	bits = 16
	if m.addr+shift > 15 {
		bits = 32
	}
	return vector.Access{Offset: w.l.offset(m, lanes), Rows: w.l.rows(m), Elem: m.elem, Width: int(m.W)}, bits, shift
}

// read makes a word of a memory: a row for a constant address, a choice of rows for one of two,
// else a gather.
func (w *worder) read(id net.ID) []vector.Value {
	nd := &w.n.N[id]
	if at, ok := w.rowAt(int32(nd.Imm), nd.A); ok {
		return w.cut(w.row(int32(nd.Imm), at), nd.W, elementOf(nd.W))
	}
	if v := w.readEither(nd); v != nil {
		return w.cut(v, nd.W, elementOf(nd.W))
	}

	a, bits, shift := w.memory(int32(nd.Imm))
	if c, ok := w.conds[id]; ok {
		a.Cond, a.HasCond = w.mask(c, 16)[0], true
	}
	v := w.c.ReadWords(a, w.shl(w.value(nd.A, bits), shift, bits), bits)
	return w.cut(v, nd.W, elementOf(nd.W))
}

// row is the row of a memory that begins at a vector.
func (w *worder) row(mem, at int32) []vector.Value {
	v := make([]vector.Value, w.l.mems[mem].elem/2)
	for k := range v {
		v[k] = w.c.Row(at + int32(k))
	}
	return v
}

// readEither is a read at one of two constant addresses, nil otherwise. A branch gives the
// program counter such a value.
func (w *worder) readEither(nd *net.Node) []vector.Value {
	mem, mux := int32(nd.Imm), nd.A
	// The address is slices of a mux.
	for w.n.N[mux].Op == net.Slice {
		mux = w.n.N[mux].A
	}
	if w.n.N[mux].Op != net.Mux {
		return nil
	}

	yes, ok := w.rowIf(mem, nd.A, w.n.N[mux].B)
	no, too := w.rowIf(mem, nd.A, w.n.N[mux].C)
	if !ok || !too {
		return nil
	}
	return w.choose(w.n.N[mux].A, 8*w.l.mems[mem].elem, w.row(mem, no), w.row(mem, yes))
}

// rowIf is rowAt for an address that is slices of a node with constant x as value.
func (w *worder) rowIf(mem int32, addr, x net.ID) (at int32, ok bool) {
	m := &w.l.mems[mem]
	k, ok := w.n.IsConst(x)
	if !ok || !w.l.rows(m) {
		return 0, false
	}
	k = w.sliceOf(addr, k)
	return w.l.rowAt(m, int(k), w.t), k < uint64(m.Words)
}

// sliceOf applies the slices that lead to x to the number k.
func (w *worder) sliceOf(x net.ID, k uint64) uint64 {
	nd := &w.n.N[x]
	if nd.Op != net.Slice {
		return k
	}
	return w.sliceOf(nd.A, k) >> nd.Imm & net.Mask(nd.W)
}

// rowAt is the vector at which the row of a constant address begins.
func (w *worder) rowAt(mem int32, addr net.ID) (at int32, ok bool) {
	m := &w.l.mems[mem]
	k, ok := w.n.IsConst(addr)
	if !ok || !w.l.rows(m) || k >= uint64(m.Words) {
		return 0, false
	}
	return w.l.rowAt(m, int(k), w.t), true
}

// writeRow prepares the write of a row. The returned function performs it, once all values
// exist.
func (w *worder) writeRow(wr *net.Write, at int32) func() {
	es := 8 * w.l.mems[wr.Mem].elem
	data := w.value(wr.Data, es)

	// The mask combines the write's mask with its enable.
	mask := make([]vector.Value, len(data))
	for k := range mask {
		mask[k] = vector.None
	}
	if wr.Mask >= 0 {
		mask = w.value(wr.Mask, es)
	}

	if wr.En >= 0 {
		c, known := w.n.IsConst(wr.En)
		switch {
		case known && c == 0:
			return func() {}
		case known:
		case wr.Mask >= 0:
			mask = w.do(vector.And, 0, mask, w.truth(wr.En, es))
		default:
			mask = w.truth(wr.En, es)
		}
	}

	return func() {
		for k := range data {
			w.c.StoreRow(data[k], at+int32(k), mask[k])
		}
	}
}

// writes makes the writes, after all their operands, since no read may see them.
func (w *worder) writes() {
	var all []func()
	for i := range w.n.Writes {
		wr := &w.n.Writes[i]
		if at, ok := w.rowAt(wr.Mem, wr.Addr); ok {
			all = append(all, w.writeRow(wr, at))
			continue
		}
		a, bits, shift := w.memory(wr.Mem)
		es := 8 * a.Elem
		addr, data := w.value(wr.Addr, bits), w.value(wr.Data, es)
		if wr.En >= 0 { // a write that does not happen goes behind the last word
			none := w.constant(uint64(w.l.mems[wr.Mem].Words), bits)
			addr = w.do(vector.Choose8, 0, none, addr, w.truth(wr.En, bits))
			a.Cond, a.HasCond = w.truth(wr.En, 16)[0], true
		}
		var mask []vector.Value
		if wr.Mask >= 0 {
			mask = w.value(wr.Mask, es)
		}

		addr = w.shl(addr, shift, bits)
		all = append(all, func() { w.c.WriteWords(a, addr, bits, data, mask) })
	}

	for _, write := range all {
		write()
	}
}
