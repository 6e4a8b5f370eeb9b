package hw

import (
	"strings"

	"etch/ir"
	"etch/ir/bits"
)

// Decode is the entry of table whose pattern x matches, else deflt. A pattern
// gives one character per bit, the top first: 0, 1, or - for either; spaces and
// underscores are free. Fields an entry leaves unset are those of deflt.
// Patterns that overlap are a mistake.
func Decode[T any](x UInt, deflt T, table map[string]T) T {
	y, ok := unary("Decode", x.sig, x.Width())
	if !ok {
		return poisoned(y, deflt)
	}

	// Sorted keys, so that the netlist does not depend on the order of a map.
	b, keys := y.b, sortedKeys(table)
	if !b.patterns(keys, y.Width()) {
		return poisoned(poisonOf(b, 1), deflt)
	}

	match := make([]ir.ID, len(keys))
	for i, k := range keys {
		match[i] = b.matches(y, clean(k))
	}

	// Entries leave fields out, so each is filled from the default before scalars are combined.
	entries := make([]T, 1, 1+len(keys))
	entries[0] = deflt
	for _, k := range keys {
		entries = append(entries, filled(deflt, table[k]))
	}
	return combine("Decode", entries, func(k leafKind, s []sig) sig { return b.decoded(k, match, s) })
}

// filled is entry with its unset scalars taken from deflt.
func filled[T any](deflt, entry T) T {
	out := deflt

	// The result must not share slices with the default.
	planOf[T]().own(ptr(&out))
	err := planOf[T]().pair(ptr(&out), ptr(&entry), true, func(_ leafKind, d, e *sig) {
		if e.isSet() {
			*d = *e
		}
	})
	if err != nil {
		return entry // combine reports the difference in form
	}
	return out
}

var free = strings.NewReplacer(" ", "", "_", "", "?", "-")

func clean(pattern string) string { return free.Replace(pattern) }

// patterns checks the patterns of a table.
func (b *body) patterns(keys []string, width int) bool {
	ok := true
	bad := func(format string, args ...any) {
		ok = false
		b.d.report(newDiag("pattern", nil, "Decode: "+format, args...))
	}
	good := make([]string, len(keys)) // "" for a malformed one
	for i, k := range keys {
		// Widths are checked per pattern. Overlap is checked against the good ones before
		// it, so that one bad pattern is one message.
		p := clean(k)
		if strings.Trim(p, "01-") != "" || len(p) != width {
			bad("%q is not a pattern of %s; it has 0, 1 or - for each", k, plural(width, "bit"))
			continue
		}

		// Overlap is not transitive, so every pair is compared.
		for j, q := range good[:i] {
			if overlap(p, q) {
				bad("patterns %q and %q overlap", keys[j], k)
			}
		}
		good[i] = p
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
	// Runs of bits that the pattern fixes become one slice each; all slices are compared at
	// once with the fixed bits.
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

	// A pattern of dashes matches every value.
	if len(parts) == 0 {
		return b.high()
	}
	field := cat("Decode", parts)
	return b.bit(ir.Eq, field.id, b.constant(bits.Concat(want...), 0))
}

// decoded is one scalar of a decode: s[0] unless a pattern matches. Patterns do not
// overlap, so those that give the same value are joined by an or, and the order of the
// choices is free.
func (b *body) decoded(k leafKind, match []ir.ID, s []sig) sig {
	w, bad := b.agree("Decode", k.kind(), s)
	if bad {
		return poisonLike(b, s...)
	}

	// Group the patterns by value, values in order of first use.
	var values []ir.ID
	when := map[ir.ID][]ir.ID{}
	for i, x := range s[1:] {
		if x.id == s[0].id {
			continue
		}
		if when[x.id] == nil {
			values = append(values, x.id)
		}
		when[x.id] = append(when[x.id], match[i])
	}

	out, t := s[0].id, b.m.Node(s[0].id).Type
	for _, v := range values {
		any := when[v][0]
		if len(when[v]) > 1 {
			any = b.bit(ir.Or, when[v]...)
		}

		// A bit that is 1 for some patterns and 0 otherwise is the or itself.
		if w == 1 && out == s[0].id && b.isConst(out, 0) && b.isConst(v, 1) {
			out = any
			continue
		}
		out = b.add(ir.Mux, t, w, any, v, out)
	}
	return sig{b: b, id: out}
}
