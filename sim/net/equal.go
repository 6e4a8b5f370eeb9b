package net

import "slices"

// Hash hashes a net; equal nets have equal hashes.
func (n *Net) Hash() uint64 {
	h := uint64(len(n.N))
	mix := func(v uint64) {
		h = (h ^ v) * 0xBF58476D1CE4E5B9
		h ^= h >> 29
	}
	for i := range n.N {
		mix(hash(&n.N[i]))
	}
	for r := range n.Regs {
		mix(uint64(uint32(n.Regs[r].Next)))
	}
	mix(uint64(len(n.Writes)))
	return h
}

// Equal reports whether two nets over the same state are identical, node by node. Banks are compared
// by their numbers only.
func (n *Net) Equal(m *Net) bool {
	return slices.Equal(n.N, m.N) && slices.Equal(n.Pool, m.Pool) && slices.Equal(n.Regs, m.Regs) &&
		slices.Equal(n.Mems, m.Mems) && slices.Equal(n.Writes, m.Writes) && n.Stop == m.Stop && n.Entry == m.Entry && slices.Equal(n.Outs, m.Outs)
}
