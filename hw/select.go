package hw

import (
	"unsafe"

	"etch/ir"
	"etch/ir/bits"
)

// combine makes a value of T's form whose every scalar f makes from the scalars
// of xs at its place; xs are at least one.
func combine[T any](name string, xs []T, f func(k leafKind, s []sig) sig) T {
	pl, out := planOf[T](), xs[0]
	pl.own(unsafe.Pointer(&out))
	rows := make([][]sig, len(xs))
	rows[0] = scalars(&out)
	for i := range xs[1:] {
		err := pl.pair(unsafe.Pointer(&out), unsafe.Pointer(&xs[i+1]), func(_ leafKind, _, s *sig) { rows[i+1] = append(rows[i+1], *s) })
		if err == nil {
			err = pl.err
		}
		if err != nil {
			b, _ := moduleOf(append(rows[0], scalars(&xs[i+1])...))
			mistake(b, 0, "bundle", nil, "%s: %v", name, err)
			pl.each(unsafe.Pointer(&out), func(_ leafKind, s *sig) { *s = poisonOf(b, max(1, s.Width())) })
			return out
		}
	}
	at := 0
	pl.each(unsafe.Pointer(&out), func(k leafKind, s *sig) {
		column := make([]sig, len(xs))
		for i := range rows {
			column[i] = rows[i][at]
		}
		*s = f(k, column)
		at++
	})
	return out
}

// Mux is a when c is high, else b.
func Mux[T any](c Bit, a, b T) T {
	return combine("Mux", []T{a, b}, func(_ leafKind, s []sig) sig { return mux2(c.sig, s[0], s[1]) })
}

func mux2(c, x, y sig) sig {
	xs := [2]sig{x, y}
	b, _ := moduleOf([]sig{c, x, y})
	if b == nil {
		return homeless("Mux", []sig{c, x, y}, widthOf(xs[:]))
	}
	cs := [1]sig{c}
	bad := b.resolve("Mux", cs[:], false)
	w, worse := b.agree("Mux", xs[:])
	if bad || worse {
		return poisonOf(b, max(1, widthOf(xs[:])))
	}
	t := b.m.Node(xs[0].id).Type
	if x.x != nil {
		t = b.m.Node(xs[1].id).Type
	}
	return sig{b: b, id: b.add(ir.Mux, t, w, cs[0].id, xs[0].id, xs[1].id)}
}

// Choose is the value of the case whose number sel has, else deflt.
func Choose[T any](sel UInt, deflt T, cases map[int]T) T {
	keys := sortedKeys(cases)
	xs := []T{deflt}
	for _, k := range keys {
		xs = append(xs, cases[k])
	}
	return combine("Choose", xs, func(_ leafKind, s []sig) sig { return choose("Choose", sel.sig, keys, s) })
}

// choose is a Case of sel over numbers; s[0] is the default.
func choose(name string, sel sig, keys []int, s []sig) sig {
	b, _ := moduleOf(append([]sig{sel}, s...))
	if b == nil {
		return homeless(name, append([]sig{sel}, s...), widthOf(s))
	}
	ss := [1]sig{sel}
	bad := b.resolve(name, ss[:], false)
	xs := append([]sig(nil), s...)
	w, worse := b.agree(name, xs)
	if bad || worse {
		return poisonOf(b, max(1, widthOf(s)))
	}
	sel = ss[0]
	var values []bits.Value
	args := []ir.ID{sel.id, xs[0].id}
	for i, k := range keys {
		if k < 0 || bitLen(k) > sel.Width() {
			return mistake(b, w, "range", origin(sel), "%s: case %d of %s, which has %s", name, k, describe(sel), plural(sel.Width(), "bit"))
		}
		values = append(values, bits.New(sel.Width(), uint64(k)))
		args = append(args, xs[1+i].id)
	}
	id := b.m.AddCase(w, b.d.pos(), values, args...)
	b.m.Node(id).Type = b.m.Node(args[len(args)-1]).Type
	return sig{b: b, id: id}
}

func bitLen(k int) int {
	if k == 0 {
		return 0
	}
	return ir.CountWidth(k)
}

// At selects by hardware; past the end it reads zero. The result may be Set
// where the elements may: past the end nothing is set then.
func (v Vec[T]) At(index UInt) T {
	if len(v) == 0 {
		var none T
		b, _ := moduleOf([]sig{index.sig})
		mistake(b, 1, "range", nil, "At: an empty vector")
		return none
	}
	xs := append([]T{v[0]}, v...) // the first stands for the default
	return combine("At", xs, func(_ leafKind, s []sig) sig { return at(index.sig, s[1:]) })
}

func at(index sig, elems []sig) sig {
	b, _ := moduleOf(append([]sig{index}, elems...))
	if b == nil {
		return homeless("At", append([]sig{index}, elems...), widthOf(elems))
	}
	xs := append([]sig(nil), elems...)
	ix := [1]sig{index}
	bad := b.resolve("At", ix[:], false)
	w, worse := b.agree("At", xs)
	if bad || worse {
		return poisonOf(b, max(1, widthOf(elems)))
	}
	var keys []int
	values := []sig{{b: b, id: b.constant(bits.Zero(w), b.m.Node(xs[0].id).Type)}}
	settable := true
	for i := range xs {
		settable = settable && elems[i].lv > 0
		if bitLen(i) <= ix[0].Width() {
			keys, values = append(keys, i), append(values, xs[i])
		}
	}
	out := choose("At", ix[0], keys, values)
	if settable || elems[0].flipped() {
		out.x = &proto{is: dynamic, width: w, typ: elems[0].typ(), index: ix[0], elems: elems, flip: elems[0].flipped()}
	}
	return out
}

// Lut is the bit of table that address chooses, address[0] being bit 0 of the
// number; table has 2^len(address) bits.
func Lut(table bits.Value, address ...Bit) Bit {
	xs := make([]sig, len(address))
	for i, a := range address {
		xs[i] = a.sig
	}
	b, _ := moduleOf(xs)
	switch {
	case b == nil:
		return Bit{homeless("Lut", xs, 1)}
	case b.resolve("Lut", xs, false):
		return Bit{poisonOf(b, 1)}
	case len(xs) > ir.MaxLut || table.Width() != 1<<len(xs):
		return Bit{mistake(b, 1, "range", nil, "Lut: a table of %s for %s of address", plural(table.Width(), "bit"), plural(len(xs), "bit"))}
	}
	ids := make([]ir.ID, len(xs))
	for i, x := range xs {
		ids[i] = x.id
	}
	id := b.m.AddLut(table, b.d.pos(), ids...)
	b.m.Node(id).Type = ir.TypeID(ir.Bool)
	return Bit{sig{b: b, id: id}}
}
