package hw

import "etch/ir"

// Named gives every scalar of x a name in netlists and waves, with m's prefix,
// and returns x. For a single value there is the method Named.
func Named[T any](m *Module, name string, x T) T {
	p := planOf[T]()
	if m.finished("Named " + name) {
		return x
	}
	if p.err != nil {
		m.Errorf("bundle", "Named %s: %v", name, p.err)
		return x
	}

	p.own(ptr(&x))
	p.named(ptr(&x), join(m.prefix, name), func(path string, k leafKind, s *sig) {
		*s = namedIn(m.b, *s, k.kind(), flat(path))
		m.b.place(*s, path)
		if s.isPlain() {
			m.marked(s.id)
		}
	})
	return x
}

// named is namedIn for the module of s. Without a module, the mistake is reported where s
// meets one.
func named(s sig, k ir.Kind, name string) sig {
	if b := moduleOf(s); b != nil {
		return namedIn(b, s, k, name)
	}
	if s.b != nil {
		return homeless("Named", s.Width(), s)
	}
	return s
}

// namedIn gives a fresh value its name. A value that already has a name, is a leaf or wire,
// or is seen as another kind gets a wire of the new name.
func namedIn(b *body, s sig, k ir.Kind, name string) sig {
	xs := [1]sig{s}
	if b.resolve("Named", xs[:], false) {
		return poisonOf(b, s.Width())
	}

	s = xs[0]
	n := b.m.Node(s.id)
	t := b.carried(k, n.Type)
	if b.m.NameOf(s.id) != "" || n.Op.Info().Leaf || n.Op == ir.Wire || t != n.Type {
		s = sig{b: b, id: b.add(ir.Wire, t, int(n.Width), s.id)}
	}

	b.give(s.id, name, claimed, b.m.Node(s.id).Pos)
	return s
}
