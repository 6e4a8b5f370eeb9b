package passes

import (
	"sort"

	"etch/ir"
	"etch/ir/bits"
)

// The constructors of this file build wiring (slices, concatenations, extensions) and
// simplify it on the way. A try function returns false if nothing is simpler than the plain
// node.

// maxParts bounds the parts of a concatenation that are copied into a new one, so that many
// slices of a wide vector do not grow quadratically.
const maxParts = 8

// slice returns bits lo+w-1 … lo of x.
func (r *rebuilder) slice(x ir.ID, lo, w int) ir.ID {
	if v, ok := r.trySlice(x, lo, w); ok {
		return v
	}
	return r.plainSlice(x, lo, w)
}

func (r *rebuilder) plainSlice(x ir.ID, lo, w int) ir.ID {
	v := r.node(ir.Slice, w, x)
	r.m.Node(v).Aux = int32(lo)
	return v
}

// trySlice follows the slice through wiring, step by step.
func (r *rebuilder) trySlice(x ir.ID, lo, w int) (ir.ID, bool) {
	for moved := false; ; moved = true {
		if lo == 0 && w == r.width(x) {
			return x, true
		}
		y, at, v := r.sliceOf(x, lo, w)
		if v != ir.None {
			return v, true
		}
		if y == ir.None {
			if moved {
				return r.plainSlice(x, lo, w), true
			}
			return ir.None, false
		}
		x, lo = y, at
	}
}

// sliceOf takes one step. The slice of x is either the slice of y from bit at, or the value
// v; if both are None, it cannot be simplified.
func (r *rebuilder) sliceOf(x ir.ID, lo, w int) (y ir.ID, at int, v ir.ID) {
	args := r.m.Args(x)
	switch r.op(x) {
	case ir.Const:
		return 0, 0, r.konst(r.m.ConstOf(x).Slice(lo, w))
	case ir.Slice:
		return args[0], lo + int(r.m.Node(x).Aux), 0
	case ir.Cat:
		return r.sliceCat(x, lo, w)
	// Within the operand it is a slice of that; above it there is only extension.
	case ir.ZExt, ir.SExt:
		if lo+w <= r.width(args[0]) {
			return args[0], lo, 0
		}
		return 0, 0, r.above(r.op(x), args[0], lo, w)
	// Shifts by constants are wiring.
	case ir.Shl:
		if k, ok := r.amount(args[1], r.width(x)); ok && lo >= k {
			return args[0], lo - k, 0
		} else if ok && lo+w <= k {
			return 0, 0, r.zero(w)
		}

	case ir.Shr, ir.ShrS:
		k, ok := r.amount(args[1], r.width(x))
		if ok && lo+w+k <= r.width(x) {
			return args[0], lo + k, 0
		} else if ok && r.op(x) == ir.Shr {
			return 0, 0, r.above(ir.ZExt, args[0], lo+k, w)
		} else if ok {
			return 0, 0, r.above(ir.SExt, args[0], lo+k, w)
		}
	}
	return 0, 0, 0
}

// above returns bits lo+w-1 … lo of x extended upwards by ext. Its highest bit lies above
// x.
func (r *rebuilder) above(ext ir.Op, x ir.ID, lo, w int) ir.ID {
	have := r.width(x)
	switch {
	case lo >= have && ext == ir.ZExt:
		return r.zero(w)
	case lo >= have:
		return r.sext(r.slice(x, have-1, 1), w)
	case ext == ir.ZExt:
		return r.zext(r.slice(x, lo, have-lo), w)
	default:
		return r.sext(r.slice(x, lo, have-lo), w)
	}
}

// amount is a constant shift amount, capped at width.
func (r *rebuilder) amount(y ir.ID, width int) (int, bool) {
	v, ok := r.constOf(y)
	if !ok {
		return 0, false
	}
	if !v.IsUint64() || v.Uint64() > uint64(width) {
		return width, true
	}
	return int(v.Uint64()), true
}

// sliceCat reduces a slice of a concatenation to the parts that it touches.
func (r *rebuilder) sliceCat(x ir.ID, lo, w int) (y ir.ID, at int, v ir.ID) {
	parts := r.m.Args(x)
	first, firstAt := r.part(x, lo)   // the part with the lowest bit
	last, lastAt := r.part(x, lo+w-1) // the part with the highest bit
	if first == last {
		return parts[first], lo - firstAt, 0
	}

	// If the slice touches all parts, or too many, nothing is gained.
	exact := lo == firstAt && lo+w == lastAt+r.width(parts[last])
	n := first - last + 1
	if n > maxParts || n == len(parts) && !exact {
		return 0, 0, 0
	}
	touched := append([]ir.ID(nil), parts[last:first+1]...)
	all := r.cat(touched)
	return 0, 0, r.slice(all, lo-firstAt, w)
}

// part returns the index of the part of Cat x that holds a bit, and the lowest bit of that
// part. For concatenations of many parts the lowest bits are cached and searched.
func (r *rebuilder) part(x ir.ID, bit int) (index, begin int) {
	parts := r.m.Args(x)
	begins, ok := r.cats[x]
	if !ok && len(parts) <= maxParts {
		for i := len(parts) - 1; ; i-- {
			w := r.width(parts[i])
			if bit < begin+w {
				return i, begin
			}
			begin += w
		}
	}

	if !ok {
		begins = make([]int, len(parts)) // by distance from the last part
		sum := 0
		for i := range begins {
			begins[i] = sum
			sum += r.width(parts[len(parts)-1-i])
		}
		r.cats[x] = begins
	}
	i := sort.SearchInts(begins, bit+1) - 1
	return len(parts) - 1 - i, begins[i]
}

// zext returns x extended to w bits by zeros.
func (r *rebuilder) zext(x ir.ID, w int) ir.ID {
	if v, ok := r.tryZExt(x, w); ok {
		return v
	}
	return r.node(ir.ZExt, w, x)
}

func (r *rebuilder) tryZExt(x ir.ID, w int) (ir.ID, bool) {
	switch {
	case r.width(x) == w:
		return x, true
	case r.op(x) == ir.Const:
		return r.konst(r.m.ConstOf(x).ZExt(w)), true
	case r.op(x) == ir.ZExt:
		return r.zext(r.m.Args(x)[0], w), true
	}
	return ir.None, false
}

// sext returns x extended to w bits by its sign.
func (r *rebuilder) sext(x ir.ID, w int) ir.ID {
	if v, ok := r.trySExt(x, w); ok {
		return v
	}
	return r.node(ir.SExt, w, x)
}

func (r *rebuilder) trySExt(x ir.ID, w int) (ir.ID, bool) {
	switch {
	case r.width(x) == w:
		return x, true
	case r.op(x) == ir.Const:
		return r.konst(r.m.ConstOf(x).SExt(w)), true
	case r.op(x) == ir.SExt:
		return r.sext(r.m.Args(x)[0], w), true
	case r.op(x) == ir.ZExt && r.width(x) > r.width(r.m.Args(x)[0]):
		return r.zext(r.m.Args(x)[0], w), true
	}
	return ir.None, false
}

// resize cuts x to w bits or extends it by ext.
func (r *rebuilder) resize(ext ir.Op, x ir.ID, w int) ir.ID {
	switch {
	case w <= r.width(x):
		return r.slice(x, 0, w)
	case ext == ir.ZExt:
		return r.zext(x, w)
	default:
		return r.sext(x, w)
	}
}

// cat returns the parts side by side, the first at the top. It takes ownership of parts.
func (r *rebuilder) cat(parts []ir.ID) ir.ID {
	if v, ok := r.tryCat(parts); ok {
		return v
	}
	return r.plainCat(parts)
}

func (r *rebuilder) plainCat(parts []ir.ID) ir.ID {
	sum := 0
	for _, p := range parts {
		sum += r.width(p)
	}
	return r.node(ir.Cat, sum, parts...)
}

// tryCat flattens small concatenations, joins neighbours and turns leading zeros into an
// extension. ok is false if nothing changes.
func (r *rebuilder) tryCat(parts []ir.ID) (ir.ID, bool) {
	joined, changed := r.joinParts(parts)
	if len(joined) == 1 {
		return joined[0], true
	}

	// Leading zeros.
	if v, ok := r.constOf(joined[0]); ok && v.IsZero() {
		sum := 0
		for _, p := range joined {
			sum += r.width(p)
		}
		return r.zext(r.cat(joined[1:]), sum), true
	}
	if changed {
		return r.plainCat(joined), true
	}
	return ir.None, false
}

// joinParts opens nested concatenations and joins neighbouring constants and neighbouring
// slices of one value.
func (r *rebuilder) joinParts(parts []ir.ID) (joined []ir.ID, changed bool) {
	joined = make([]ir.ID, 0, len(parts))
	// Each part is joined with the one before, if possible.
	add := func(p ir.ID) {
		if len(joined) > 0 {
			if v, ok := r.join(joined[len(joined)-1], p); ok {
				joined[len(joined)-1], changed = v, true
				return
			}
		}
		joined = append(joined, p)
	}
	for _, p := range parts {
		if r.op(p) != ir.Cat || len(r.m.Args(p)) > maxParts {
			add(p)
			continue
		}
		changed = true
		for _, q := range append([]ir.ID(nil), r.m.Args(p)...) {
			add(q)
		}
	}
	return joined, changed
}

// join makes one value of two neighbours if both are constants or adjacent slices.
func (r *rebuilder) join(high, low ir.ID) (ir.ID, bool) {
	h, okH := r.constOf(high)
	l, okL := r.constOf(low)
	if okH && okL {
		return r.konst(bits.Concat(h, l)), true
	}
	nh, nl := r.m.Node(high), r.m.Node(low)
	if nh.Op == ir.Slice && nl.Op == ir.Slice && r.m.Args(high)[0] == r.m.Args(low)[0] && nh.Aux == nl.Aux+nl.Width {
		return r.slice(r.m.Args(high)[0], int(nl.Aux), int(nh.Width+nl.Width)), true
	}
	return ir.None, false
}
