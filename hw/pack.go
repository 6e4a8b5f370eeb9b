package hw

import (
	"reflect"
	"unsafe"

	"etch/ir"
	"etch/ir/bits"
)

// Pack is all scalars of x side by side as in a Verilog packed struct: the first field at
// the top, element 0 of a vector at the bottom.
func Pack[T any](x T) UInt {
	p := planOf[T]()
	if p.err != nil {
		return UInt{mistake(moduleIn(reflect.ValueOf(x), 0), 1, "bundle", nil, "Pack: %v", p.err)}
	}
	var ss []sig
	packOrder(p, ptr(&x), func(_ leafKind, s *sig) { ss = append(ss, *s) })
	return UInt{cat("Pack", ss)}
}

// Unpack reads bits as a value of shape's form: the inverse of [Pack].
func Unpack[T any](shape T, x UInt) T {
	p := planOf[T]()
	y, ok := unary("Unpack", x.sig, x.Width())
	out := mapShape(shape, func(*proto) {})

	// Reported from the inside out: the bits, the type, the shape, then the fit of both.
	switch w := WidthOf(out); {
	case !ok:
		return poisoned(y, out)
	case p.err != nil:
		return poisoned(mistake(y.b, 1, "bundle", nil, "Unpack: %v", p.err), out)
	case !allShapes(p, &out):
		return poisoned(mistake(y.b, 1, "shape", nil, "Unpack: a part of the shape has no width; say hw.Unsigned(w) or hw.Signed(w)"), out)
	case w != y.Width():
		return poisoned(mistake(y.b, 1, "width", origin(y), "Unpack: %s has %s, the shape %d", describe(y), plural(y.Width(), "bit"), w), out)
	}

	// The word is cut from the top down, in the order of packOrder.
	top := y.Width()
	packOrder(p, ptr(&out), func(k leafKind, s *sig) {
		top -= s.Width()
		*s = sliceAs(k, y, s.x, top)
	})
	return out
}

// allShapes reports whether every scalar is a shape by now.
func allShapes[T any](p *plan, x *T) bool {
	ok := true
	p.each(ptr(x), func(_ leafKind, s *sig) { ok = ok && s.is(shape) })
	return ok
}

// sliceAs is the part of x from bit lo that has the width and type of shape t.
func sliceAs(k leafKind, x sig, t *proto, lo int) sig {
	b := x.b
	s := slice("Unpack", k.kind(), x, lo, t.width)
	typ := b.typeOf(t)

	// A slice made here can take the type itself. A slice of all bits is x, whose type
	// belongs to others: a wire of the new type stands for it.
	switch n := b.m.Node(s.id); {
	case s.id != x.id:
		n.Type = typ
	case n.Type != typ && int(typ) > int(ir.Bool): // enumerations, clocks, binary points live in the node
		s.id = b.add(ir.Wire, typ, t.width, x.id)
	}
	return s
}

// packOrder visits scalars from the top of the packed word down.
func packOrder(p *plan, base unsafe.Pointer, f func(k leafKind, s *sig)) {
	for _, i := range p.pack {
		q := &p.parts[i]
		at := unsafe.Add(base, q.off)
		if q.elem == nil {
			f(q.kind, (*sig)(at))
			continue
		}

		h := (*sliceHeader)(at)

		// Element 0 is at the bottom, so it comes last.
		for j := h.len - 1; j >= 0; j-- {
			packOrder(q.elem, unsafe.Add(h.data, uintptr(j)*q.size), f)
		}
	}
}

// Zero is the literal of x's form and widths with every bit low.
func Zero[T any](x T) T {
	return walk(x, func(k leafKind, s *sig) {
		switch p := shapeFrom(k, *s); {
		case p == nil:
		case p.width < 1 || p.width > maxWidth:
			*s = mistake(nil, 1, "shape", nil, "Zero: %s", badWidth("the shape", p.width))
		default:
			*s = zeroLiteral(p)
		}
	})
}

// zeroLiteral is the literal 0 of a shape.
func zeroLiteral(p *proto) sig {
	return sig{x: &proto{is: literal, width: p.width, typ: p.typ, enum: p.enum, lit: &litValue{num: bits.Zero(p.width)}}}
}

// Sized is lit with the widths and enumerations of shape, for places where no operand gives
// them. Scalars that lit leaves unset are zero.
func Sized[T any](shape, lit T) T {
	out := Zero(shape)

	err := planOf[T]().pair(ptr(&out), ptr(&lit), true, func(_ leafKind, z, l *sig) {
		switch {
		// A scalar that lit leaves unset stays zero, and a mistake stays itself.
		case !l.isSet() || !z.is(literal):
		case l.is(poison):
			*z = *l
		case !l.is(literal):
			*z = mistake(l.b, z.Width(), "literal", nil, "Sized: %s is not a literal", describe(*l))
		default:
			v, err := fit(l.x, z.x.width, z.x.enum)
			if err != nil {
				*z = mistake(nil, z.x.width, "literal", nil, "Sized: %v", err)
				return
			}
			z.x.lit.num = v
		}
	})

	if err != nil {
		return poisoned(mistake(nil, 1, "bundle", nil, "Sized: %v", err), out)
	}
	return out
}
