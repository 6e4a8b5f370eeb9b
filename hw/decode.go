package hw

import (
	"strings"
	"unsafe"

	"etch/ir"
	"etch/ir/bits"
)

// Decode is the entry of table whose pattern x matches, else deflt. A pattern
// gives one character per bit, the top first: 0, 1, or - for either; spaces and
// underscores are free. Fields an entry leaves unset are those of deflt.
// Patterns that overlap are a mistake.
func Decode[T any](x UInt, deflt T, table map[string]T) T {
	xs := [1]sig{x.sig}
	b, _ := moduleOf(xs[:])
	if b == nil {
		p := homeless("Decode", xs[:], 1)
		return walk(deflt, func(_ leafKind, s *sig) { *s = p })
	}
	keys := sortedKeys(table)
	if b.resolve("Decode", xs[:], false) || !b.patterns(keys, xs[0].Width()) {
		return walk(deflt, func(_ leafKind, s *sig) { *s = poisonOf(b, max(1, s.Width())) })
	}
	match := make([]ir.ID, len(keys))
	for i, k := range keys {
		match[i] = b.matches(xs[0], clean(k))
	}
	entries := make([]T, 0, len(keys)+1)
	entries = append(entries, deflt)
	for _, k := range keys {
		entries = append(entries, filled(deflt, table[k]))
	}
	return combine("Decode", entries, func(_ leafKind, s []sig) sig { return b.decoded(match, s) })
}

// filled is entry with its unset scalars taken from deflt.
func filled[T any](deflt, entry T) T {
	out := deflt
	planOf[T]().own(unsafe.Pointer(&out))
	err := planOf[T]().pair(unsafe.Pointer(&out), unsafe.Pointer(&entry), func(_ leafKind, d, e *sig) {
		if e.b != nil || e.x != nil {
			*d = *e
		}
	})
	if err != nil {
		return entry // combine reports the difference in form
	}
	return out
}

func clean(pattern string) string {
	return strings.NewReplacer(" ", "", "_", "", "?", "-").Replace(pattern)
}

// patterns checks the patterns of a table.
func (b *body) patterns(keys []string, width int) bool {
	ok := true
	bad := func(format string, args ...any) {
		ok = false
		b.d.report(newDiag("pattern", nil, "Decode: "+format, args...))
	}
	for i, k := range keys {
		p := clean(k)
		if len(p) != width || strings.Trim(p, "01-") != "" {
			bad("%q is not a pattern of %s of 0, 1 and -", k, plural(width, "bit"))
			continue
		}
		for _, l := range keys[:i] {
			if overlap(p, clean(l)) {
				bad("patterns %q and %q overlap", l, k)
			}
		}
	}
	return ok
}

func overlap(p, q string) bool {
	if len(p) != len(q) {
		return false
	}
	for i := range p {
		if p[i] != q[i] && p[i] != '-' && q[i] != '-' {
			return false
		}
	}
	return true
}

// matches compares the bits of x that a pattern cares about.
func (b *body) matches(x sig, pattern string) ir.ID {
	var parts []sig
	var want []bits.Value
	for i := 0; i < len(pattern); {
		j := i
		for j < len(pattern) && (pattern[j] == '-') == (pattern[i] == '-') {
			j++
		}
		if pattern[i] != '-' {
			v, _ := bits.Parse(itoa(j-i) + "'b" + pattern[i:j])
			parts = append(parts, slice("Decode", ir.UInt, x, len(pattern)-j, j-i))
			want = append(want, v)
		}
		i = j
	}
	if len(parts) == 0 {
		return b.high()
	}
	field := cat("Decode", parts)
	return b.add(ir.Eq, ir.TypeID(ir.Bool), 1, field.id, b.constant(bits.Concat(want...), 0))
}

// decoded is one scalar of a decode: s[0] unless a pattern matches. Patterns
// that give the same value are joined.
func (b *body) decoded(match []ir.ID, s []sig) sig {
	xs := append([]sig(nil), s...)
	w, bad := b.agree("Decode", xs)
	if bad {
		return poisonOf(b, max(1, widthOf(s)))
	}
	var values []ir.ID
	when := map[ir.ID][]ir.ID{}
	for i, x := range xs[1:] {
		if x.id == xs[0].id {
			continue
		}
		if when[x.id] == nil {
			values = append(values, x.id)
		}
		when[x.id] = append(when[x.id], match[i])
	}
	out, t := xs[0].id, b.m.Node(xs[0].id).Type
	for _, v := range values {
		any := when[v][0]
		if len(when[v]) > 1 {
			any = b.add(ir.Or, ir.TypeID(ir.Bool), 1, when[v]...)
		}
		if w == 1 && out == xs[0].id && b.isConst(out, 0) && b.isConst(v, 1) {
			out = any
			continue
		}
		out = b.add(ir.Mux, t, w, any, v, out)
	}
	return sig{b: b, id: out}
}

// isConst reports whether a node is the constant v.
func (b *body) isConst(id ir.ID, v uint64) bool {
	return b.m.Op(id) == ir.Const && b.m.ConstOf(id).Uint64() == v && b.m.ConstOf(id).IsUint64()
}
