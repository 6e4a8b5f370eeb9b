package hw

import "etch/ir"

// OneHotMux is the element of xs that sel chooses by a bit of its own: bit i
// chooses xs[i], and one bit is to be high. It takes an and for each element and
// an or, no comparison. Where no bit is high it is zero; where several are, the
// bitwise or of their elements. sel has as many bits as there are elements.
func OneHotMux[T any](sel UInt, xs []T) T {
	y, ok := selector("OneHotMux", sel, xs)
	if !ok {
		return poisonedElem(y, xs)
	}
	return combine("OneHotMux", xs, func(k leafKind, s []sig) sig { return oneHot(k, y, s) })
}

// oneHot is one scalar of a OneHotMux.
func oneHot(k leafKind, sel sig, elems []sig) sig {
	// agree turns literals into constants in place, so it gets a copy.
	b, xs := sel.b, append([]sig(nil), elems...)
	w, bad := b.agree("OneHotMux", k.kind(), xs)
	if bad {
		return poisonLike(b, elems...)
	}

	t := b.typeFor(k.kind(), b.m.Node(xs[0].id).Type)

	// Each element passes under its bit of sel, and the or joins them.
	terms := make([]ir.ID, len(xs))
	for i, x := range xs {
		terms[i] = b.under(slice("OneHotMux", ir.Bool, sel, i, 1).id, x.id, t, w)
	}

	if len(terms) == 1 {
		return sig{b: b, id: terms[0]}
	}
	return sig{b: b, id: b.add(ir.Or, t, w, terms...)}
}

// under is x where the bit c is high, else zero.
func (b *body) under(c, x ir.ID, t ir.TypeID, width int) ir.ID {
	if width > 1 {
		c = b.add(ir.SExt, ir.TypeID(ir.UInt), width, c)
	}
	return b.add(ir.And, t, width, c, x)
}

// PriorityMux is the first element of xs whose bit in sel is high, deflt where
// none is: bit 0, the lowest, chooses xs[0] and comes first. sel has as many bits
// as there are elements.
func PriorityMux[T any](sel UInt, deflt T, xs []T) T {
	y, ok := selector("PriorityMux", sel, xs)
	if !ok {
		return poisoned(y, deflt)
	}

	// The last element is innermost, so that the lowest bit wins.
	out := deflt
	for i := len(xs) - 1; i >= 0; i-- {
		c := slice("PriorityMux", ir.Bool, y, i, 1)
		out = combine("PriorityMux", []T{xs[i], out}, func(k leafKind, s []sig) sig { return mux2("PriorityMux", k, c, s[0], s[1]) })
	}
	return out
}

// selector checks a selector with a bit per element.
func selector[T any](name string, sel UInt, xs []T) (y sig, ok bool) {
	if y, ok = unary(name, sel.sig, max(sel.Width(), 1)); ok && y.Width() != len(xs) {
		return mistake(y.b, 1, "width", origin(y), "%s: %s has %s for %s", name, describe(y), plural(y.Width(), "bit"), plural(len(xs), "element")), false
	}
	return y, ok
}

// poisonedElem is an element of xs with the mistake in p.
func poisonedElem[T any](p sig, xs []T) (out T) {
	if len(xs) > 0 {
		out = xs[0]
	}
	return poisoned(p, out)
}

// Gate is x where c is high, else zero, scalar by scalar; of an enumeration the
// first value is zero.
func Gate[T any](c Bit, x T) T {
	return combine("Gate", []T{x}, func(k leafKind, s []sig) sig { return gate(k, c.sig, s[0]) })
}

func gate(k leafKind, c, x sig) sig {
	b := moduleOf(c, x)
	if b == nil {
		return fold("Gate", x.Width(), func(s []sig) sig { return gate(k, s[0], s[1]) }, c, x)
	}

	// Both operands are resolved before either is refused, so that both mistakes are reported.
	cs, xs := [1]sig{c}, [1]sig{x}
	bad := b.resolve("Gate", cs[:], false)
	if b.resolve("Gate", xs[:], false) || bad {
		return poisonLike(b, x)
	}

	t := b.typeFor(k.kind(), b.m.Node(xs[0].id).Type)
	return sig{b: b, id: b.under(cs[0].id, xs[0].id, t, xs[0].Width())}
}

// Reduce joins the elements of xs by f, pair by pair in a balanced tree:
// f(f(x0, x1), f(x2, x3)). For an f that may be grouped in any way, such as
// hw.UInt.Add, it is the shallowest hardware. Of nothing there is no result.
func Reduce[T any](xs []T, f func(a, b T) T) T {
	switch len(xs) {
	case 0:
		return poisonedElem(mistake(nil, 1, "range", nil, "Reduce: of nothing"), xs)
	case 1:
		return xs[0]
	}

	// The left half of a tree is a power of two or as large as the right one, so
	// that elements keep their order and depths differ by at most one.
	mid := (len(xs) + 1) / 2
	return f(Reduce(xs[:mid], f), Reduce(xs[mid:], f))
}
