package hw

import (
	"etch/ir"
)

// mapShape applies f to every scalar of a shape; f gets a copy to change.
func mapShape[T any](x T, f func(*proto)) T {
	return walk(x, func(k leafKind, s *sig) {
		c := protoOf(k, *s)
		if c == nil {
			return // reported when the shape meets a module
		}
		f(c)
		*s = sig{x: c}
	})
}

// protoOf turns a scalar used as a prototype into a fresh shape, nil when it has
// no width.
func protoOf(k leafKind, s sig) *proto {
	switch {
	case s.x == nil && s.b == nil:
		return zeroShape(k)
	case s.x != nil && s.x.is == shape:
		c := *s.x
		return &c
	case s.x != nil && (s.x.is == poison || s.x.width == 0):
		return nil
	}
	c := &proto{is: shape, width: s.Width(), typ: s.typ()}
	if s.b != nil && c.typ.Kind == ir.EnumKind {
		c.enum = s.b.d.enumOf[c.typ.Enum]
	}
	return c
}

// zeroShape is what the zero handle of a kind is the shape of.
func zeroShape(k leafKind) *proto {
	switch k {
	case bitLeaf:
		return &proto{is: shape, width: 1, typ: ir.Type{Kind: ir.Bool}}
	case clockLeaf:
		return &proto{is: shape, width: 1, typ: ir.Type{Kind: ir.Clock}}
	case resetLeaf:
		return &proto{is: shape, width: 1, typ: ir.Type{Kind: ir.Reset}}
	}
	return nil
}

// Like is the shape of x, without direction.
func Like[T any](x T) T {
	return mapShape(x, func(p *proto) { p.directed = false })
}

// In marks every scalar of a port shape as driven from outside, except flipped
// ones, which are driven from inside.
func In[T any](x T) T { return directed(x, ir.In) }

// Out marks every scalar of a port shape as driven from inside, except flipped
// ones, which are driven from outside.
func Out[T any](x T) T { return directed(x, ir.Out) }

func directed[T any](x T, d ir.Dir) T {
	pcs := callers()
	return mapShape(x, func(p *proto) {
		p.directed, p.dir = true, d
		if p.flip {
			p.dir = ir.In + ir.Out - d
		}
		p.pcs = pcs
	})
}

// Flip marks a field that travels against its bundle, such as a stream's ready.
func Flip[T any](x T) T { return mapShape(x, func(p *proto) { p.flip = !p.flip }) }

// WidthOf is the number of bits of a shape or signal, scalar or bundle.
func WidthOf[T any](x T) int {
	w := 0
	for _, s := range scalars(mapRef(&x)) {
		w += s.Width()
	}
	return w
}

// mapRef makes zero handles inside *x the shapes they stand for.
func mapRef[T any](x *T) *T {
	y := mapShape(*x, func(*proto) {})
	return &y
}
