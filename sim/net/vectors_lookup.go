package net

import "math/bits"

// look makes the read that x is if it is a look-up: muxes that compare one index with numbers,
// each giving the register of that number. The registers are a vector, or lie at equal distances.
// It returns None for other muxes.
func (v *vectors) look(x ID) ID {
	n, m := v.n, v.m
	l := lookup{v: v, index: None}
	for {
		nd := &n.N[x]
		if nd.Op != Mux {
			break
		}
		i, k, ok := v.index(nd.A)
		if !ok || l.index >= 0 && i != l.index || !l.take(nd.B, k) {
			break
		}
		l.index, x = i, nd.C
	}
	if l.count < v.most.LookedUp {
		return None
	}

	// The last arm is the value for all numbers that no mux names. It may be the register of the one
	// number that is missing: in a gap, or else next above or below.
	switch l.count {
	case l.hi - l.lo:
		for k := l.lo; k <= l.hi; k++ {
			l.take(x, k)
		}
	case l.hi - l.lo + 1:
		if l.hi < Mask(n.Width(l.index)) {
			l.take(x, l.hi+1)
		} else if l.lo > 0 {
			l.take(x, l.lo-1)
		}
	}
	if l.count != l.hi-l.lo+1 {
		return None
	}

	// Words outside of lo to hi may not exist: there the read gets address lo and is not used.
	mem, addr := l.mem(), v.copied(l.index)
	in := v.within(l.lo, l.hi, addr)
	if in < 0 {
		return m.Read(mem, addr)
	}
	return m.Mux(in, m.Read(mem, m.Mux(in, addr, m.Const(l.lo))), v.copied(x))
}

// lookup is a look-up found so far.
type lookup struct {
	v      *vectors
	index  ID
	of     int32  // the vector of all registers, or -1
	reg    int32  // the first one taken
	at     uint64 // its number
	step   int64
	lo, hi uint64
	count  uint64
	w      uint8
	seen   [mostLooked / 64]uint64
}

// take adds node x as the value for number k. It returns false if that is not possible.
func (l *lookup) take(x ID, k uint64) bool {
	v := l.v
	nd := &v.n.N[x]
	if nd.Op != Leaf || k >= mostLooked || l.seen[k/64]>>(k%64)&1 != 0 {
		return false
	}
	r := int32(nd.Imm)
	switch {
	case l.count == 0:
		l.of, l.reg, l.at, l.lo, l.hi = v.of[r], r, k, k, k
	case v.of[r] != l.of:
		return false
	}
	if l.of >= 0 && v.rank[r] != k {
		return false
	}

	// The second register gives the distance of neighbours.
	if l.of < 0 && l.count > 0 {
		by, far := int64(k)-int64(l.at), int64(v.n.Regs[r].Slot)-int64(v.n.Regs[l.reg].Slot)
		if l.count == 1 {
			l.step = far / by
		}
		if far != l.step*by || l.step < 1 || l.step > v.most.Step {
			return false
		}
	}
	l.seen[k/64] |= 1 << (k % 64)
	l.lo, l.hi, l.count, l.w = min(l.lo, k), max(l.hi, k), l.count+1, max(l.w, v.n.Regs[r].W)
	return true
}

// mem is the memory that the look-up reads: the vector's, or a view of the registers.
func (l *lookup) mem() int32 {
	v := l.v
	if l.of >= 0 {
		return v.list[l.of].mem
	}
	step := uint32(l.step)
	m := Mem{At: uint32(v.n.Regs[l.reg].Slot) - uint32(l.at)*step, Words: 1 << bits.Len64(l.hi), Depth: int(l.hi) + 1, W: l.w, Step: step, Lowest: int(l.lo)}
	k, ok := v.views[m]
	if !ok {
		k = int32(len(v.m.Mems))
		v.m.Mems = append(v.m.Mems, m)
		v.views[m] = k
	}
	return k
}
