package hw

import (
	"etch/hw/internal/caller"
	"etch/ir"
)

// mapShape makes a shape of every scalar of x and applies f to it. A scalar without a width
// stays as it is, to be reported where it meets a module.
func mapShape[T any](x T, f func(*proto)) T {
	return walk(x, func(k leafKind, s *sig) {
		if c := shapeFrom(k, *s); c != nil {
			f(c)
			*s = sig{x: c}
		}
	})
}

// shapeFrom is a fresh shape of the form of a shape, signal, sized literal or zero handle;
// nil if there is no width.
func shapeFrom(k leafKind, s sig) *proto {
	switch {
	case !s.isSet():
		return zeroShape(k)
	case s.is(shape):
		c := *s.x
		return &c
	case s.is(poison) || s.Width() == 0:
		return nil
	}

	c := &proto{is: shape, width: s.Width(), typ: k.typ(s.typ()), flip: s.isFlipped()}
	if k == padLeaf {
		c.directed, c.dir = true, ir.InOut
	}
	if s.b != nil && c.typ.Kind == ir.EnumKind {
		c.enum = s.b.d.enumOf[c.typ.Enum]
	}
	return c
}

// zeroShape is the shape that the zero handle of a kind stands for.
func zeroShape(k leafKind) *proto {
	switch k {
	case bitLeaf, clockLeaf, resetLeaf:
		return &proto{is: shape, width: 1, typ: ir.Type{Kind: k.kind()}}
	}
	return nil
}

// Like is the shape of x, without direction. A bundle's flipped fields stay so; a
// scalar by itself is not flipped.
func Like[T any](x T) T {
	alone := planOf[T]().leaf
	return mapShape(x, func(p *proto) {
		p.directed = p.dir == ir.InOut // a pad stays one
		p.flip = p.flip && !alone
	})
}

// In marks every scalar of a port shape as driven from outside, except flipped
// ones, which are driven from inside, and pads.
func In[T any](x T) T { return directed(x, ir.In) }

// Out marks every scalar of a port shape as driven from inside, except flipped
// ones, which are driven from outside, and pads.
func Out[T any](x T) T { return directed(x, ir.Out) }

func directed[T any](x T, d ir.Dir) T {
	// The line of In or Out becomes that of the port.
	pc := caller.PC()
	return mapShape(x, func(p *proto) {
		if p.directed && p.dir == ir.InOut {
			return
		}
		p.directed, p.dir = true, d
		if p.flip {
			p.dir = ir.In + ir.Out - d
		}
		p.pc = pc
	})
}

// Flip marks a field that travels against its bundle, such as a stream's ready.
func Flip[T any](x T) T { return mapShape(x, func(p *proto) { p.flip = !p.flip }) }

// WidthOf is the number of bits of a shape or signal, scalar or bundle.
func WidthOf[T any](x T) int {
	w := 0
	planOf[T]().each(ptr(&x), func(k leafKind, s *sig) { w += widthAs(k, *s) })
	return w
}

// widthAs is the width of a scalar, also of a zero handle that is a shape.
func widthAs(k leafKind, s sig) int {
	if c := zeroShape(k); !s.isSet() && c != nil {
		return c.width
	}
	return s.Width()
}
