package hw

import (
	"unsafe"

	"etch/ir"
)

// Named gives every scalar of x a name in netlists and waves, with m's prefix,
// and returns x. For a single value there is the method Named.
func Named[T any](m *Module, name string, x T) T {
	planOf[T]().own(unsafe.Pointer(&x))
	planOf[T]().named(unsafe.Pointer(&x), join(m.prefix, name), func(path string, _ leafKind, s *sig) { *s = named(*s, path) })
	return x
}

// named gives a fresh value its name; what has a name already or is shared gets
// a wire of the new name.
func named(s sig, name string) sig {
	xs := [1]sig{s}
	b, _ := moduleOf(xs[:])
	if b == nil {
		return s // reported where it meets a module
	}
	if b.resolve("Named", xs[:], false) {
		return poisonOf(b, s.Width())
	}
	s = xs[0]
	n := b.m.Node(s.id)
	if b.m.NameOf(s.id) != "" || n.Op.Info().Leaf || n.Op == ir.Wire {
		s = sig{b: b, id: b.add(ir.Wire, n.Type, int(n.Width), s.id)}
	}
	b.give(s.id, name)
	return s
}
