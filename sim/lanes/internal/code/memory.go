package code

import (
	"slices"

	"etch/sim/lanes/internal/gates"
)

// read makes the word of a memory at addr. Its value matters only under cond.
func (b *blaster) read(mem int32, addr []gates.Lit, cond gates.Lit) []gates.Lit {
	m := &b.l.mems[mem]
	addr = resized(addr, m.addr)

	// Memories of few bits are in the state, and small tables become gates.
	if m.slot >= 0 {
		return b.choose(m, addr, 0)
	}

	if m.table != nil && m.Words <= b.l.pol.SmallTable {
		return b.each(int(m.W), func(i int) gates.Lit { return b.lookUp(m.table, i, addr) })
	}

	// A read instruction; its result bits are leaves of the graph.
	r := read{mem: mem, cond: cond, addr: slices.Clone(addr)}
	for range int(m.W) {
		x := b.g.Leaf()
		b.from = note(b.from, x, int32(len(b.reads)))
		r.out = append(r.out, x)
	}

	b.reads = append(b.reads, r)
	return r.out
}

// choose is a word of a memory in the state, selected by a tree of muxes from the top address
// bit down.
func (b *blaster) choose(m *memory, addr []gates.Lit, row int) []gates.Lit {
	if len(addr) == 0 {
		return b.word(m.slot+int32(row*int(m.W)), int(m.W))
	}

	k := len(addr) - 1
	lo, hi := b.choose(m, addr[:k], row), b.choose(m, addr[:k], row+1<<k)
	return b.each(int(m.W), func(i int) gates.Lit { return b.g.Mux(addr[k], hi[i], lo[i]) })
}

// lookUp is bit i of a table's word, as a tree of muxes over six-input look-ups.
func (b *blaster) lookUp(table []uint64, i int, addr []gates.Lit) gates.Lit {
	if k := len(addr) - 1; k >= 6 {
		half := len(table) / 2
		return b.g.Mux(addr[k], b.lookUp(table[half:], i, addr[:k]), b.lookUp(table[:half], i, addr[:k]))
	}

	// Up to six bits of the address are left, so the table fits in one look-up.
	var t uint64
	for k, v := range table {
		t |= v >> i & 1 << k
	}
	return b.g.Lut(t, addr)
}

// write is a write of a memory outside of the state. If it does not happen, the address is the
// one behind the last word.
type write struct {
	mem              int32
	cond             gates.Lit
	addr, data, mask []gates.Lit // mask nil: all bits
}

// root is the value of a slot of the state at the end of the cycle.
type root struct {
	slot int32
	lit  gates.Lit
}

// writes makes the writes; for memories in the state, their next words.
func (b *blaster) writes() (ws []write, rows []root) {
	small := map[int32][]gates.Lit{} // by memory: all its bits, with the writes so far
	for i := range b.n.Writes {
		w := &b.n.Writes[i]
		m := &b.l.mems[w.Mem]
		en := gates.True
		if w.En >= 0 {
			en = b.any(b.bits(w.En))
		}

		addr, data := resized(b.bits(w.Addr), m.addr), resized(b.bits(w.Data), int(m.W))
		var mask []gates.Lit
		if w.Mask >= 0 {
			mask = resized(b.bits(w.Mask), int(m.W))
		}

		// Memories in the state: later writes win, since they are applied in order.
		if m.slot >= 0 {
			if small[w.Mem] == nil {
				small[w.Mem] = b.word(m.slot, m.Words*int(m.W))
			}
			b.writeRows(m, small[w.Mem], en, addr, data, mask)
			continue
		}

		// A write that does not happen goes to the word behind the last one: address bits 0 below a
		// 1.
		if en != gates.True {
			addr = append(b.each(m.addr, func(k int) gates.Lit { return b.g.And(addr[k], en) }), en.Not())
		}

		ws = append(ws, write{w.Mem, en, slices.Clone(addr), slices.Clone(data), slices.Clone(mask)})
	}

	for mem := range b.l.mems {
		for k, l := range small[int32(mem)] {
			rows = append(rows, root{b.l.mems[mem].slot + int32(k), l})
		}
	}
	return ws, rows
}

// writeRows applies a write to the bits of a memory in the state.
func (b *blaster) writeRows(m *memory, all []gates.Lit, en gates.Lit, addr, data, mask []gates.Lit) {
	w := int(m.W)
	for row := range m.Depth {
		// hit: the write happens and addresses this row.
		hit := en
		for k, l := range addr {
			// Each bit of the address must equal that of the row's number.
			hit = b.g.And(hit, l^gates.Lit(^row>>k&1))
		}
		for k := range w {
			s := hit
			if mask != nil {
				s = b.g.And(hit, mask[k])
			}
			at := &all[row*w+k]
			*at = b.g.Mux(s, data[k], *at)
		}
	}
}

// next is the bits of changing state words at the end of the cycle, in the order in which words
// are computed.
func (b *blaster) next(order []int) (roots []root) {
	for _, r := range order {
		d := b.n.Regs[r].Next
		for k, l := range resized(b.bits(d), int(b.n.Regs[r].W)) {
			roots = append(roots, root{b.l.Reg[r] + int32(k), l})
		}
	}
	return roots
}
