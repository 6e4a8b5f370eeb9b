package lanes

import "etch/sim/lanes/vector"

// SetMem sets word row of memory m of one instance to v.
func (g *Group) SetMem(m, row, lane int, v uint64) {
	if g.parts != nil {
		h, k := g.home(g.l.mixed.mem[m], lane)
		h.SetMem(m, row, k, v)
		return
	}
	// Words outside of the state, or bits of the state.
	x := &g.l.mems[m]
	if x.slot < 0 {
		g.putElem(g.elemAt(x, row, lane), x.elem, v)
		return
	}

	at := (int(x.slot)+row*int(x.W))*g.words + lane/64
	for k := range int(x.W) {
		p := &g.state[at+k*g.words]
		*p = *p&^(1<<(lane%64)) | v>>k&1<<(lane%64)
	}
}

// Mem is word row of memory m of one instance.
func (g *Group) Mem(m, row, lane int) (v uint64) {
	if g.parts != nil {
		h, k := g.home(g.l.mixed.mem[m], lane)
		return h.Mem(m, row, k)
	}

	x := &g.l.mems[m]
	if x.table != nil { // in sliced form it may be gates only
		return x.table[row]
	}

	if x.slot < 0 {
		at := g.elemAt(x, row, lane)
		return g.mems[at/8] >> (at % 8 * 8) & (1<<x.W - 1)
	}

	// Bits of the state: those of a word are in successive vectors.
	at := (int(x.slot)+row*int(x.W))*g.words + lane/64
	for k := range int(x.W) {
		v |= g.state[at+k*g.words] >> (lane % 64) & 1 << k
	}
	return v
}

// elemAt is the offset of a memory word of one instance, in bytes.
func (g *Group) elemAt(x *memory, row, lane int) int {
	if g.l.rows(x) {
		return g.l.offset(x, g.lanes) + row*g.lanes*x.elem + vector.ByteOf(lane, 8*x.elem, 8*g.words)
	}
	return g.l.offset(x, g.Lanes()) + (lane*x.stride+row)*x.elem
}

// putElem stores an element of size bytes at an offset.
func (g *Group) putElem(at, size int, v uint64) {
	p, sh := &g.mems[at/8], at%8*8
	mask := ^uint64(0) >> (64 - 8*size) << sh
	*p = *p&^mask | v<<sh&mask
}
