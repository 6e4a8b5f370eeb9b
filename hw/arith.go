package hw

import (
	"slices"

	"etch/ir"
	"etch/ir/bits"
)

// grow is Add or Sub on operands extended by one bit, with a result of Go kind k.
func grow(name string, op, ext ir.Op, k ir.Kind, x, y sig) sig {
	b, a, c, bad := pairOf(name, k, x, y)
	w := a.Width() + 1
	switch {
	case b == nil:
		return fold(name, widthOf([]sig{x, y})+1, func(s []sig) sig { return grow(name, op, ext, k, s[0], s[1]) }, x, y)
	case bad:
		return a.resize(w)
	case b.tooWide(name, w):
		return poisonOf(b, w)
	}

	// Both operands grow first, so that the carry or borrow stays in the result.
	t := b.typeFor(k, b.m.Node(a.id).Type)
	long, other := b.add(ext, t, w, a.id), b.add(ext, t, w, c.id)
	return sig{b: b, id: b.add(op, t, w, long, other)}
}

// product is a full multiplication, as wide as both operands together. A literal takes the
// width of the other side.
func product(name string, op ir.Op, k ir.Kind, x, y sig) sig {
	xs := [2]sig{x, y}
	w := x.Width() + y.Width()
	b := moduleOf(x, y)
	switch {
	case b == nil:
		return fold(name, w, func(s []sig) sig { return product(name, op, k, s[0], s[1]) }, x, y)
	case (!x.isPlain() || !y.isPlain() || x.b != y.b) && b.resolve(name, xs[:], true):
		return poisonOf(b, w)
	}

	// resolve may have given a literal its width: only now is the result's width known.
	if w = xs[0].Width() + xs[1].Width(); b.tooWide(name, w) {
		return poisonOf(b, w)
	}
	return sig{b: b, id: b.add(op, ir.TypeID(k), w, xs[0].id, xs[1].id)}
}

// keep is an operation on one operand that keeps its width.
func keep(name string, op ir.Op, k ir.Kind, x sig) sig {
	// A literal with a width is folded: no module takes part.
	if x.isSized() {
		return fold(name, x.Width(), func(s []sig) sig { return keep(name, op, k, s[0]) }, x)
	}

	y, ok := unary(name, x, x.Width())
	if !ok {
		return y
	}
	return sig{b: y.b, id: y.b.add(op, y.b.typeFor(k, y.b.m.Node(y.id).Type), y.Width(), y.id)}
}

// shift is a shift by a Go number.
func shift(name string, op ir.Op, k ir.Kind, x sig, by int) sig {
	if x.isSized() {
		return fold(name, x.Width(), func(s []sig) sig { return shift(name, op, k, s[0], by) }, x)
	}

	y, ok := unary(name, x, x.Width())
	switch {
	case !ok:
		return y
	case by < 0:
		return mistake(y.b, y.Width(), "range", nil, "%s: a shift by %d", name, by)
	}

	by = min(by, maxWidth) // everything goes all the same

	// The amount has just the bits that the number needs, whatever the width of x.
	b, t := y.b, y.b.m.Node(y.id).Type
	amount := b.constant(bits.New(ir.CountWidth(by), uint64(by)), 0)
	return sig{b: b, id: b.add(op, b.typeFor(k, t), y.Width(), y.id, amount)}
}

// shiftBy is a shift by a signal. A literal amount is a shift by a Go number, whatever its
// size.
func shiftBy(name string, op ir.Op, k ir.Kind, x, by sig) sig {
	if by.isUnsized() && !by.x.lit.neg {
		// An amount beyond any width shifts everything out, as maxWidth does.
		n := maxWidth
		if by.x.lit.num.IsUint64() {
			n = int(min(by.x.lit.num.Uint64(), maxWidth))
		}
		return shift(name, op, k, x, n)
	}

	// Value and amount need not agree in width, so neither gives one to the other.
	xs := [2]sig{x, by}
	b := moduleOf(x, by)
	switch {
	case b == nil:
		return fold(name, x.Width(), func(s []sig) sig { return shiftBy(name, op, k, s[0], s[1]) }, x, by)
	case b.resolve(name, xs[:], false):
		return poisonOf(b, x.Width())
	}
	return sig{b: b, id: b.add(op, b.typeFor(k, b.m.Node(xs[0].id).Type), xs[0].Width(), xs[0].id, xs[1].id)}
}

// slice is width bits of x from bit lo.
func slice(name string, k ir.Kind, x sig, lo, width int) sig {
	if x.isSized() {
		return fold(name, width, func(s []sig) sig { return slice(name, k, s[0], lo, width) }, x)
	}
	y, ok := unary(name, x, width)
	if !ok {
		return y
	}

	b := y.b

	// The comparison subtracts, since lo+width could overflow.
	switch w := y.Width(); {
	case lo < 0 || width < 1 || width > w || lo > w-width:
		return mistake(b, width, "range", origin(y), "%s: %s of %s, which has bits %d..0", name, bitRange(lo, width), describe(y), w-1)
	case width == w:
		return sig{b: b, id: y.id, lv: y.lv &^ flipped} // all of it, which can be Set as the whole can
	}

	// A slice of a dynamic element stays a target: it selects the same bits of whichever
	// element the index chooses.
	out := sig{b: b, id: b.slice(b.d.pos(), ir.TypeID(k), y.id, lo, width)}
	if x.is(dynamic) && x.x.dyn.elems != nil {
		part := *x.x.dyn
		part.lo, part.width = part.lo+lo, width
		out.x = &proto{is: dynamic, width: width, typ: ir.Type{Kind: k}, dyn: &part}
	}
	return out
}

func bitRange(lo, width int) string {
	switch {
	case width == 1:
		return "bit " + itoa(lo)
	case width < 1:
		return plural(width, "bit") // an empty range
	}
	return "bits " + itoa(lo+width-1) + ".." + itoa(lo)
}

// extend widens x to width bits.
func extend(name string, op ir.Op, k ir.Kind, x sig, width int) sig {
	if x.isUnsized() {
		return litLike(name, shapeOf(width, ir.Type{Kind: k}), x)
	}
	if x.isSized() {
		return fold(name, width, func(s []sig) sig { return extend(name, op, k, s[0], width) }, x)
	}

	y, ok := unary(name, x, width)
	if !ok {
		return y
	}

	// Cutting by mistake and a result wider than the limit are reported; the same width is the
	// value itself.
	b := y.b
	switch w := y.Width(); {
	case width < w:
		return mistake(b, width, "range", origin(y), "%s: to %s from %d; Trunc cuts", name, plural(width, "bit"), w)
	case b.tooWide(name, width):
		return poisonOf(b, width)
	case width == w:
		return sig{b: b, id: y.id}
	}
	return sig{b: b, id: b.add(op, b.typeFor(k, b.m.Node(y.id).Type), width, y.id)}
}

// Cat is the bits of the operands side by side, of whatever kind, the first at
// the top. Of a vector or bundle, see [Pack].
func Cat(xs ...Signal) UInt {
	ss := make([]sig, len(xs))
	for i, x := range xs {
		// A nil operand stays a zero handle, which is reported as unset.
		if x != nil {
			ss[i] = x.handle()
		}
	}
	return UInt{cat("Cat", ss)}
}

// cat concatenates xs, the first at the top. It may change xs in place.
func cat(name string, xs []sig) sig {
	width := 0
	for _, x := range xs {
		width += x.Width()
	}

	b := moduleOf(xs...)
	switch {
	case len(xs) == 0:
		return mistake(nil, 1, "range", nil, "%s: of nothing", name)
	case b == nil:
		return fold(name, width, func(s []sig) sig { return cat(name, s) }, xs...)
	case b.resolve(name, xs, false) || b.tooWide(name, width):
		return poisonOf(b, width)
	case len(xs) == 1:
		return sig{b: b, id: xs[0].id}
	}
	return sig{b: b, id: b.add(ir.Cat, ir.TypeID(ir.UInt), width, ids(xs)...)}
}

// rep is n copies of x side by side.
func rep(x sig, n int) sig {
	if x.isSized() {
		return fold("Rep", min(max(n, 1), maxWidth), func(s []sig) sig { return rep(s[0], n) }, x)
	}
	w := max(x.Width(), 1)
	y, ok := unary("Rep", x, w)
	switch {
	case !ok:
		return y.resize(min(max(n, 1), maxWidth) * w)
	case n < 1:
		return mistake(y.b, w, "range", nil, "Rep: %d copies", n)
	case y.b.tooWide("Rep", min(n, 1<<42)*w): // no overflow
		return poisonOf(y.b, maxWidth)
	case n == 1:
		return y
	// One bit repeated is its sign extension.
	case w == 1:
		return sig{b: y.b, id: y.b.add(ir.SExt, ir.TypeID(ir.UInt), n, y.id)}
	}
	return cat("Rep", slices.Repeat([]sig{y}, n))
}

// padLow is x with n zeros below it.
func padLow(k ir.Kind, x sig, n int) sig {
	switch {
	case n < 0 || n > maxWidth:
		return mistake(moduleOf(x), x.Width(), "range", nil, "PadLow: %s; want 0 to %d", plural(n, "zero"), maxWidth)
	case n == 0:
		return x
	}

	y := cat("PadLow", []sig{x, Zeros(n).sig})

	// A concatenation is unsigned: the result takes back the kind of x.
	if y.isPlain() {
		y.b.m.Node(y.id).Type = ir.TypeID(k)
	}
	return y
}

// catOf is bits side by side, the first at the top.
func catOf(name string, bits []Bit) sig {
	xs := make([]sig, len(bits))
	for i, x := range bits {
		xs[i] = x.sig
	}
	return cat(name, xs)
}

// FromBits is a number made of bits, least significant first.
func FromBits(xs ...Bit) UInt {
	ss := make([]sig, len(xs))
	for i, x := range xs {
		ss[len(xs)-1-i] = x.sig
	}
	return UInt{cat("FromBits", ss)}
}
