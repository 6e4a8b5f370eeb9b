package code

import (
	"etch/sim/native/vector"
	"etch/sim/net"
)

// Fields of words: slices, and values shifted to a position. Bits that a later operation drops
// need not be cleared first.

// above is a node in its own elements of es bits, with undefined bits above its width, for users
// that drop them.
func (w *worder) above(id net.ID, es int) []vector.Value {
	key := form{^id, es} // ^id marks undefined upper bits
	if v, ok := w.memo[key]; ok {
		return v
	}
	if v, ok := w.memo[form{id, es}]; ok {
		return v
	}

	// Only these ops leave bits above the width, and these bits may stay here.
	switch op := w.n.N[id].Op; {
	case w.n.Width(id) == 1:
	case op == net.Add, op == net.Sub, op == net.Mul, op == net.Slice, op == net.SExt:
		v, _ := w.loose(id, es)
		w.memo[key] = v
		return v
	}
	return w.value(id, es)
}

// mod is a node in es-bit elements for a user of its low width bits.
func (w *worder) mod(id net.ID, width uint8, es int) []vector.Value {
	if own := w.n.Width(id); own >= width && elementOf(own) == es {
		return w.above(id, es)
	}
	return w.value(id, es)
}

// raised is a node times 2^k mod 2^es.
func (w *worder) raised(id net.ID, k, es int) []vector.Value {
	nd, width := &w.n.N[id], w.n.Width(id)
	own := elementOf(width)
	c, isConst := w.n.IsConst(id)

	switch {
	case isConst:
		return w.constant(c<<k, es)
	case w.movable(id, es):
		v := w.moved(id, k, es)

		// No bits to clear if nothing lies below the slice and no room is left above it.
		if nd.Imm == 0 && int(width)+k >= es {
			return v
		}
		return w.do(vector.And, 0, v, w.constant(net.Mask(width)<<k, es))
	case own < es && k >= es/2: // the upper half: interleaving shifts for free
		return w.onTop(w.raised(id, k-es/2, es/2), es/2)
	case width == 1:
		return w.do(vector.And, 0, w.mask(id, es), w.constant(1<<k, es))
	case own < es:
		return w.shl(w.value(id, es), k, es)
	}
	return w.shl(w.mod(id, uint8(es-k), es), k, es)
}

// movable reports whether a node is a slice with a single user, of elements at least as wide, so
// that it can be moved directly to where it is needed.
func (w *worder) movable(id net.ID, es int) bool {
	nd := &w.n.N[id]
	return nd.Op == net.Slice && w.uses[id] == 1 && elementOf(w.n.Width(nd.A)) >= es && w.n.Width(nd.A) > 1
}

// moved is a slice times 2^k, with undefined bits below and above: a single shift.
func (w *worder) moved(id net.ID, k, es int) []vector.Value {
	v, from, _ := w.field(&w.n.N[id], es)
	if from > k {
		return w.shr(v, from-k, es)
	}
	return w.shl(v, k-from, es)
}

// onTop is elements of 2·es bits with v as upper halves and zeros below.
func (w *worder) onTop(v []vector.Value, es int) (out []vector.Value) {
	low, high := sized(es, vector.Low16, vector.Low32, 0), sized(es, vector.High16, vector.High32, 0)
	zero := w.c.Const(0, 8)
	for _, x := range v {
		out = append(out, w.c.Do(low, 0, zero, x), w.c.Do(high, 0, zero, x))
	}
	return out
}

// sliced reports whether a slice is made directly in es-bit elements other than its own. From a
// one-bit mask or narrower elements that would take longer.
func (w *worder) sliced(id net.ID, es int) bool {
	nd := &w.n.N[id]
	if nd.Op != net.Slice || w.n.Width(nd.A) == 1 || elementOf(w.n.Width(nd.A)) < es {
		return false
	}
	// A mask made already is cheaper.
	if nd.W == 1 {
		_, made := w.masc[form{id, 16}]
		_, here := w.masc[form{id, es}]
		return !made && !here
	}
	return elementOf(nd.W) < es && w.uses[id] == 1
}

// slice is a slice in elements no wider than its source's. above says that bits above it are
// undefined.
func (w *worder) slice(nd *net.Node, es int) (v []vector.Value, above bool) {
	v, k, above := w.field(nd, es)
	return w.shr(v, k, es), above
}

// field is es-bit elements that hold a slice at bit k, with undefined bits below and, if above,
// above it.
func (w *worder) field(nd *net.Node, es int) (v []vector.Value, k int, above bool) {
	wa := w.n.Width(nd.A)
	from, k, end := elementOf(wa), int(nd.Imm), int(nd.Imm)+int(nd.W)
	// Bits above the slice may be anything anyway.
	if above = end < int(wa); above {
		v = w.mod(nd.A, uint8(end), from)
	} else {
		v = w.value(nd.A, from)
	}

	// A shared source is halved once, for all slices of that half.
	for from > es && w.uses[nd.A] > 1 && (end <= from/2 || k >= from/2) {
		v = w.half(v, from, k >= from/2)
		from /= 2
		k, end = k%from, k%from+int(nd.W)
	}

	above = above && end < from
	if from == es {
		return v, k, above
	}

	// Narrow the elements: shift first, since only the low part survives.
	v = w.shr(v, k, from)
	left := uint8(from - k)
	if from == 32 && k < 16 && above { // packing saturates
		v, above = w.cut(v, nd.W, from), false
	}
	if !above {
		left = nd.W
	}
	return w.resize(v, left, from, es), 0, above
}

// half is the lower or upper halves of elements of from bits.
func (w *worder) half(v []vector.Value, from int, upper bool) []vector.Value {
	switch {
	case upper:
		v = w.shr(v, from/2, from)
	case from == 32:
		// Packing saturates, so the upper halves must be 0.
		v = w.cut(v, 16, from)
	}
	return w.halved(v, from, vector.Pack32)
}

// sliceBit is a mask of bit k of a node.
func (w *worder) sliceBit(id net.ID, k int) ([]vector.Value, int) {
	if w.n.Width(id) == 1 {
		return w.mask(id, 16), 16
	}
	// Bring the bit to the top, and spread it.
	es := elementOf(w.n.Width(id))
	v := w.mod(id, uint8(k+1), es)

	// As in field, a shared source is halved once for all its slices.
	for es > 16 && w.uses[id] > 1 {
		v = w.half(v, es, k >= es/2)
		es /= 2
		k %= es
	}
	return w.allOf(w.shl(v, es-1-k, es), es), es
}
