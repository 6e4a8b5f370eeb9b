package hw

import "etch/ir"

// Past is x, of any kind or a bundle, as it was n edges of m's clock ago; without n, one
// edge. Through a view with an enable, the edges are those at which the enable is high. It
// is for statements only: logic outside of them must not read it; hardware takes [Delay]. A
// statement whose condition or arguments depend on the past, directly or through logic,
// does nothing until that past exists, that is in the first n cycles after m's reset (or
// after power-up in a domain without reset). Equal uses share their registers.
//
//	m.Assert(hw.Past(m, p.Push).Implies(queue.Empty.Not()), "a pushed word is there")
func Past[T any](m *Module, x T, n ...int) T {
	edges := 1
	switch {
	case len(n) > 1:
		m.Errorf("range", "Past: %s; want at most one", plural(len(n), "number"))
		return x
	case len(n) == 1:
		edges = n[0]
	}

	if edges < 0 || edges > maxDelay {
		m.Errorf("range", "Past: %s; want 0 to %d", plural(edges, "edge"), maxDelay)
		return x
	}
	return mapPast(m, "Past", x, edges)
}

// Rose is high when b is high and was low one edge of m's clock ago; see [Past].
func Rose(m *Module, b Bit) Bit {
	was := mapPast(m, "Rose", b, 1)
	if was.is(poison) {
		return was // the mistake is reported
	}
	return b.AndNot(was)
}

// Fell is high when b is low and was high one edge of m's clock ago; see [Past].
func Fell(m *Module, b Bit) Bit {
	was := mapPast(m, "Fell", b, 1)
	if was.is(poison) {
		return was // the mistake is reported
	}
	return was.AndNot(b)
}

// Stable is high when every scalar of x is as it was one edge of m's clock ago;
// see [Past].
func Stable[T any](m *Module, x T) Bit { return AllOf(samePast(m, "Stable", x)...) }

// Changed is high when some scalar of x is not as it was one edge of m's clock
// ago; see [Past].
func Changed[T any](m *Module, x T) Bit { return AllOf(samePast(m, "Changed", x)...).Not() }

// Implies is high unless b is high and y is low.
func (b Bit) Implies(y Bit) Bit { return b.Not().Or(y) }

// mapPast is x some edges ago, scalar by scalar.
func mapPast[T any](m *Module, op string, x T, edges int) T {
	p := planOf[T]()
	if m.finished(op) {
		return x
	}

	if p.err != nil {
		m.Errorf("bundle", "%s: %v", op, p.err)
		return x
	}
	return walk(x, func(k leafKind, s *sig) { *s = m.past(op, k, *s, edges) })
}

// samePast compares every scalar of x with its past; literals do not change.
func samePast[T any](m *Module, op string, x T) []Bit {
	was := mapPast(m, op, x, 1)
	now, then := scalars(&x), scalars(&was)

	var same []Bit
	for i := range min(len(now), len(then)) {
		if !now[i].is(literal) {
			same = append(same, Bit{compare2(op, ir.Eq, ir.UInt, now[i], then[i])})
		}
	}
	return same
}

// past is one scalar some edges ago. The past of a literal is the literal.
func (m *Module) past(op string, k leafKind, s sig, edges int) sig {
	if s.is(literal) || edges == 0 {
		return s
	}
	xs := [1]sig{s}
	switch b := m.b; {
	case k == clockLeaf || k == resetLeaf:
		b.d.report(newDiag("shape", nil, "%s: %s is a clock or a reset, which has no past; Bit makes a signal of a reset", op, describe(s)))
		return poisonLike(b, s)
	case b.resolve(op, xs[:], false):
		return poisonLike(b, s)
	}

	// The shared registers of a value are a chain: the past of its past.
	id, v := xs[0].id, m.view()
	for range edges {
		id = m.b.pastOf(id, m.b.typeFor(k.kind(), m.b.m.Node(id).Type), v)
	}

	out := sig{b: m.b, id: id}
	out.lv.flip(s.isFlipped())
	return out
}
