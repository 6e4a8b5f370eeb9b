package hw

import (
	"etch/ir"
	"etch/ir/bits"
)

// maxChain is the number of edges up to which After is a row of flags, which it
// shares with [Past]; beyond, it is a counter.
const maxChain = 8

// maxAfter bounds the edges of After.
const maxAfter = 1 << 30

// After is high once n edges of m's clock have passed since m's reset was last
// high, or since power-up in a domain without reset: an assertion under it is not
// evaluated before cycle n. Through a view with an enable, only edges at which the enable
// is high count. It is ordinary hardware: logic outside of statements may read it too.
func (m *Module) After(n int) Bit {
	b := m.b
	switch {
	case m.finished("After"):
		return B(true)
	case n < 0 || n > maxAfter:
		m.Errorf("range", "After: %s; want 0 to %d", plural(n, "edge"), maxAfter)
		return Bit{poisonOf(b, 1)}
	case n == 0:
		return B(true)
	case n > maxChain:
		return Bit{sig{b: b, id: b.counted(m.view(), n)}}
	}

	// A row of flags: each is the flag of the edge before, delayed by one edge.
	flag := ir.None
	for range n {
		below := []ir.ID{flag}
		if flag == ir.None {
			below = nil
		}
		flag = b.flagAfter(m.view(), flag, below, b.d.pos())
	}
	return Bit{sig{b: b, id: flag}}
}

// counted is a node that is high from the n-th edge of v on, made by a counter that stops
// at n. The counter is shared by all uses with the same view and n.
func (b *body) counted(v view, n int) ir.ID {
	h := b.looksBack()
	key := countKey{v, n}
	if id, ok := h.counted[key]; ok {
		return id
	}

	w, t, pos := ir.CountWidth(n), ir.TypeID(ir.UInt), b.d.pos()
	count := b.zeroReg(v, w, t, pos)
	node := func(op ir.Op, w int, args ...ir.ID) ir.ID {
		return b.addAt(pos, op, t, w, args...)
	}

	// It stops at n. A proof that starts from any state sees larger counts too, so
	// that the end is at n and above.
	end := node(ir.Not, 1, node(ir.Lt, 1, count, b.constant(bits.New(w, uint64(n)), t)))
	b.m.Node(end).Type = ir.TypeID(ir.Bool)
	next := node(ir.Mux, w, end, count, node(ir.Add, w, count, b.constant(bits.New(w, 1), t)))
	b.m.Regs[b.m.Node(count).Aux].Next = b.gated(count, next, v.gate)

	h.counted[key] = end
	h.counts = append(h.counts, counter{count, v, n})
	return end
}

// counter is the register of After, for n edges of a view.
type counter struct {
	reg ir.ID
	view
	n int
}

type countKey struct {
	view
	n int
}
