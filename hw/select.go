package hw

import (
	"cmp"
	"reflect"
	"slices"

	"etch/ir"
	"etch/ir/bits"
)

// combine makes a value of T's form. f makes each scalar from the scalars at its place in
// all of xs, of which there is at least one. f may change the list.
func combine[T any](name string, xs []T, f func(k leafKind, s []sig) sig) T {
	p, out := planOf[T](), xs[0]
	switch {
	case p.err != nil:
		mistake(moduleIn(reflect.ValueOf(xs), 0), 1, "bundle", nil, "%s: %v", name, p.err)
		return out
	case p.leaf:
		column := make([]sig, len(xs))
		for i := range xs {
			column[i] = *(*sig)(ptr(&xs[i]))
		}
		*(*sig)(ptr(&out)) = f(p.parts[0].kind, column)
		return out
	}

	// Rows are the scalars of each value, columns those at one place.
	p.own(ptr(&out))
	rows := make([][]sig, len(xs))
	rows[0] = scalars(&out)
	for i := range xs[1:] {
		err := p.pair(ptr(&out), ptr(&xs[i+1]), false, func(_ leafKind, _, s *sig) { rows[i+1] = append(rows[i+1], *s) })
		if err != nil {
			return poisoned(mistake(moduleIn(reflect.ValueOf(xs), 0), 1, "bundle", nil, "%s: %v", name, err), out)
		}
	}

	// each visits the places in the order in which scalars has listed them.
	at := 0
	p.each(ptr(&out), func(k leafKind, s *sig) {
		column := make([]sig, len(xs))
		for i := range rows {
			column[i] = rows[i][at]
		}
		*s = f(k, column)
		at++
	})
	return out
}

// Mux is a when c is high, else b, scalar by scalar.
func Mux[T any](c Bit, a, b T) T {
	return combine("Mux", []T{a, b}, func(k leafKind, s []sig) sig { return mux2("Mux", k, c.sig, s[0], s[1]) })
}

func mux2(name string, k leafKind, c, x, y sig) sig {
	b := moduleOf(c, x, y)
	if b == nil {
		return fold(name, widthOf([]sig{x, y}), func(s []sig) sig { return mux2(name, k, s[0], s[1], s[2]) }, c, x, y)
	}

	cs, xs := [1]sig{c}, [2]sig{x, y}
	bad := !(c.isPlain() && c.b == b) && b.resolve(name, cs[:], false)

	// Signals of one module and width need no check, except enumerations, whose values may differ.
	w := x.Width()
	if !plainPair(x, y) || x.b != b || k == enumLeaf {
		var worse bool
		w, worse = b.agree(name, k.kind(), xs[:])
		bad = bad || worse
	}

	if bad {
		return poisonLike(b, x, y)
	}

	// A constant has no display type of its own: the other side decides.
	t := b.m.Node(xs[0].id).Type
	if b.m.Op(xs[0].id) == ir.Const {
		t = b.m.Node(xs[1].id).Type
	}
	return sig{b: b, id: b.add(ir.Mux, b.carried(k.kind(), t), w, cs[0].id, xs[0].id, xs[1].id)}
}

// poisonLike is the poisoned result of a choice among xs. The enumeration stays known, so
// that its cases still run.
func poisonLike(b *body, xs ...sig) sig {
	p := poisonOf(b, widthOf(xs))
	for _, x := range xs {
		if p.x.enum == nil {
			p.x.enum = b.enumInfoOf(x)
		}
	}
	return p
}

// Choose is the value of the case whose key equals sel, else deflt. Every key must fit sel.
func Choose[T any](sel UInt, deflt T, cases map[int]T) T {
	keys := sortedKeys(cases)
	xs := make([]T, 1, 1+len(keys))
	xs[0] = deflt
	for _, k := range keys {
		xs = append(xs, cases[k])
	}
	return combine("Choose", xs, func(k leafKind, s []sig) sig {
		// The arms are alternatives that the user wrote, which coverage tells apart; the elements of a
		// vector, see At, are not.
		x := choose("Choose", k, sel.sig, keys, s)
		if x.b != nil && x.b.m.Op(x.id) == ir.Case {
			x.b.m.SetOwnArms(x.id)
		}
		return x
	})
}

// choose is a Case of sel over rising numbers; s[0] is the default. It changes s.
func choose(name string, k leafKind, sel sig, keys []int, s []sig) sig {
	ss := [1]sig{sel}
	b := moduleOf(append(s, sel)...)
	if b == nil {
		return fold(name, widthOf(s), func(s []sig) sig { return choose(name, k, s[0], keys, s[1:]) }, append(ss[:], s...)...)
	}

	bad := b.resolve(name, ss[:], false)
	width := widthOf(s)
	if _, worse := b.agree(name, k.kind(), s); bad || worse {
		return poisonOf(b, width)
	}

	sel = ss[0]
	values := make([]bits.Value, 0, len(keys))
	args := append(make([]ir.ID, 0, 2+len(keys)), sel.id, s[0].id)
	for i, key := range keys {
		if key < 0 || bitLen(key) > sel.Width() {
			return mistake(b, width, "range", origin(sel), "%s: case %d of %s, which has %s", name, key, describe(sel), plural(sel.Width(), "bit"))
		}
		values = append(values, bits.New(sel.Width(), uint64(key)))
		args = append(args, s[1+i].id)
	}

	// The type of the last value: a default is often a constant.
	id := b.m.AddCase(width, b.d.pos(), values, args...)
	b.m.Node(id).Type = b.carried(k.kind(), b.m.Node(args[len(args)-1]).Type)
	return sig{b: b, id: id}
}

// bitLen is the number of bits that k needs, 0 for 0.
func bitLen(k int) int {
	if k == 0 {
		return 0
	}
	return ir.CountWidth(k)
}

// sortedKeys returns the keys of a map in order.
func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// At is the element that index selects; an index past the end reads zero. If the elements
// can be Set, so can the result; an index past the end then sets nothing.
func (v Vec[T]) At(index UInt) T {
	if len(v) == 0 {
		var none T
		return poisoned(mistake(moduleOf(index.sig), 1, "range", nil, "At: an empty vector"), none)
	}
	return combine("At", v, func(k leafKind, s []sig) sig { return at(k, index.sig, s) })
}

func at(k leafKind, index sig, elems []sig) sig {
	xs, ix := append([]sig(nil), elems...), [1]sig{index}
	b := moduleOf(append(xs, index)...)
	if b == nil {
		return fold("At", widthOf(elems), func(s []sig) sig { return at(k, s[0], s[1:]) }, append(ix[:], elems...)...)
	}

	bad := b.resolve("At", ix[:], false)
	if w, worse := b.agree("At", k.kind(), xs); bad || worse {
		return poisonOf(b, max(w, widthOf(elems)))
	}

	// The keys that the index can reach, with zero for the others.
	zero := sig{b: b, id: b.constant(bits.Zero(xs[0].Width()), b.m.Node(xs[0].id).Type)}
	values := []sig{zero}
	var keys []int
	settable := true
	for i := range xs {
		settable = settable && elems[i].lv.settable()
		if bitLen(i) <= ix[0].Width() {
			keys, values = append(keys, i), append(values, xs[i])
		}
	}

	out := choose("At", k, ix[0], keys, values)

	// A choice among targets is a target itself, see assignDynamic.
	if flip := elems[0].isFlipped(); settable || flip {
		out.x = &proto{is: dynamic, width: xs[0].Width(), typ: elems[0].typ(), dyn: &selection{index: ix[0], elems: elems}}
		out.lv.flip(flip)
	}
	return out
}

// Lut is bit number {address} of table, address[0] being bit 0 of the number. table has
// 2^len(address) bits; at most [ir.MaxLut] bits of address.
func Lut(table bits.Value, address ...Bit) Bit {
	xs := make([]sig, len(address))
	for i, a := range address {
		xs[i] = a.sig
	}
	return Bit{lut(table, xs)}
}

// lut is Lut; it changes xs.
func lut(table bits.Value, xs []sig) sig {
	b := moduleOf(xs...)
	switch {
	case b == nil:
		return fold("Lut", 1, func(s []sig) sig { return lut(table, s) }, xs...)
	case b.resolve("Lut", xs, false):
		return poisonOf(b, 1)
	case len(xs) > ir.MaxLut || table.Width() != 1<<len(xs):
		return mistake(b, 1, "range", nil, "Lut: a table of %s for %s of address; at most %d of address", plural(table.Width(), "bit"), plural(len(xs), "bit"), ir.MaxLut)
	}

	id := b.m.AddLut(table, b.d.pos(), ids(xs)...)
	b.m.Node(id).Type = ir.TypeID(ir.Bool)
	return sig{b: b, id: id}
}
