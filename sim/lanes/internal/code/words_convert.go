package code

import (
	"etch/sim/native/vector"
	"etch/sim/net"
)

// resize converts a value of width bits from elements of from bits to elements of to bits, with
// zeros on top or cut off.
func (w *worder) resize(v []vector.Value, width uint8, from, to int) []vector.Value {
	// Widen by interleaving with zeros.
	for ; from < to; from *= 2 {
		zero := w.c.Const(0, 8)
		out := make([]vector.Value, 0, 2*len(v))
		for _, x := range v {
			if from == 16 {
				out = append(out, w.c.Do(vector.Low16, 0, x, zero), w.c.Do(vector.High16, 0, x, zero))
			} else {
				out = append(out, w.c.Do(vector.Low32, 0, x, zero), w.c.Do(vector.High32, 0, x, zero))
			}
		}
		v = out
	}

	// Narrow by packing pairs of vectors.
	for ; from > to; from /= 2 {
		if from == 32 && width > 16 { // packing saturates
			v = w.do(vector.And, 0, v, w.constant(0xffff, 32))
		}
		v = w.halved(v, from, vector.Pack32)
	}
	return v
}

// halved is the lower halves of elements of from bits. With Pack32 the upper halves must be 0 if
// from is 32; PackS32 is for masks.
func (w *worder) halved(v []vector.Value, from int, pack vector.Op) []vector.Value {
	op := pack
	if from == 64 {
		op = vector.Even32
	}
	var out []vector.Value
	for k := 0; k < len(v); k += 2 {
		out = append(out, w.c.Do(op, 0, v[k], v[k+1]))
	}
	return out
}

// widened converts a mask from elements of from bits to elements of to bits.
// A mask interleaved with itself is a wider mask.
func (w *worder) widened(v []vector.Value, from, to int) []vector.Value {
	for ; from < to; from *= 2 {
		var out []vector.Value
		for _, x := range v {
			if from == 16 {
				out = append(out, w.c.Do(vector.Low16, 0, x, x), w.c.Do(vector.High16, 0, x, x))
			} else {
				out = append(out, w.c.Do(vector.Low32, 0, x, x), w.c.Do(vector.High32, 0, x, x))
			}
		}
		v = out
	}

	// Packing with signed saturation keeps a mask a mask.
	for ; from > to; from /= 2 {
		v = w.halved(v, from, vector.PackS32)
	}
	return v
}

// mask is a one-bit node as a mask of es-bit elements.
func (w *worder) mask(id net.ID, es int) []vector.Value {
	if v, ok := w.masc[form{id, es}]; ok {
		return v
	}
	// Keep both widths: the natural one serves other users.
	v, have := w.natural(id)
	if have != es {
		v = w.widened(v, have, es)
		w.masc[form{id, es}] = v
	}
	return v
}

// natural is a one-bit node as a mask, in its most natural elements of es bits. It is made once:
// the read of a memory, made again after the memory's writes, would find the new word.
func (w *worder) natural(id net.ID) (v []vector.Value, es int) {
	es = w.width[id]
	if v, ok := w.masc[form{id, es}]; ok {
		return v, es
	}
	v, es = w.oneBit(id)
	w.masc[form{id, es}], w.width[id] = v, es
	return v, es
}

// anyUnlike is a vector with ones if a one-bit node differs from want in some instance.
func (w *worder) anyUnlike(id net.ID, want bool) vector.Value {
	v, es := w.natural(id)
	if want {
		v = w.invert(v, es)
	}
	// OR all vectors of the mask.
	for len(v) > 1 {
		v = append(v[2:len(v):len(v)], w.c.Do(vector.Or, 0, v[0], v[1]))
	}
	return v[0]
}

// truth is a mask of whether a node is not 0.
func (w *worder) truth(id net.ID, es int) []vector.Value {
	if w.n.Width(id) == 1 {
		return w.mask(id, es)
	}
	own := elementOf(w.n.Width(id))
	zero := w.equal(w.value(id, own), w.constant(0, own), own)
	return w.widened(w.invert(zero, own), own, es)
}

// condition is truth or its opposite, whichever is cheaper.
func (w *worder) condition(id net.ID, es int) (mask []vector.Value, opposite bool) {
	nd := &w.n.N[id]
	if _, made := w.masc[form{id, es}]; made {
		return w.masc[form{id, es}], false
	}

	var own int
	// Comparisons exist in one polarity only; inverting the use is free.
	switch {
	case nd.Op == net.Not && nd.W == 1 && w.n.Width(nd.A) == 1:
		mask, opposite = w.condition(nd.A, es)
		return mask, !opposite
	case nd.W > 1:
		own, opposite = elementOf(nd.W), true
		mask = w.equal(w.value(id, own), w.constant(0, own), own)
	case nd.Op == net.Ne || nd.Op == net.Le || nd.Op == net.LeS:
		mask, own, opposite = w.comparison(nd)
	default:
		return w.mask(id, es), false
	}

	return w.widened(mask, own, es), opposite
}

// choose is yes where a node is not 0, else no. The arms are computed first, since masks are
// short-lived.
func (w *worder) choose(sel net.ID, es int, no, yes []vector.Value) []vector.Value {
	mask, opposite := w.condition(sel, es)
	if opposite {
		no, yes = yes, no
	}
	return w.do(vector.Choose8, 0, no, yes, mask)
}

func (w *worder) invert(v []vector.Value, es int) []vector.Value {
	return w.do(vector.Xor, 0, v, w.constant(^uint64(0), es))
}

func (w *worder) equal(x, y []vector.Value, es int) []vector.Value {
	return w.do(sized(es, vector.Eq16, vector.Eq32, vector.Eq64), 0, x, y)
}

// value is a node as a number in es-bit elements, mod 2^es.
func (w *worder) value(id net.ID, es int) []vector.Value {
	if v, ok := w.memo[form{id, es}]; ok {
		return v
	}

	width := w.n.Width(id)
	own := elementOf(width)
	var v []vector.Value
	// Each node has natural elements; other widths are converted from these where that is
	// cheapest.
	switch c, isConst := w.n.IsConst(id); {
	case isConst:
		v = w.constant(c, es)
	case w.sliced(id, es):
		v = w.number(id, es)
	case width == 1:
		v = w.shr(w.mask(id, es), es-1, es)
	case es < own:
		v = w.resize(w.above(id, own), 64, own, es)
	case es > own:
		v = w.resize(w.value(id, own), width, own, es)
	default:
		v = w.number(id, es)
	}

	w.memo[form{id, es}] = v
	return v
}

// extend is a node, a signed number of from bits, in es-bit elements.
func (w *worder) extend(id net.ID, from, es int) []vector.Value {
	if from == 1 && w.n.Width(id) == 1 { // the mask of a wider node is not that of its lowest bit
		return w.mask(id, es)
	}
	if from >= es || int(w.n.Width(id)) < from {
		return w.value(id, es)
	}

	// Shift the sign to the top, then back arithmetically.
	if es < 64 {
		var v []vector.Value
		if w.movable(id, es) { // the bits below are shifted out
			v = w.moved(id, es-from, es)
		} else {
			v = w.raised(id, es-from, es)
		}
		return w.do(sized(es, vector.Sar16, vector.Sar32, 0), es-from, v)
	}

	// Without 64-bit arithmetic shifts: (x ^ sign) - sign.
	sign := w.constant(1<<(from-1), es)
	return w.do(vector.Sub64, 0, w.do(vector.Xor, 0, w.value(id, es), sign), sign)
}
