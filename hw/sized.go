package hw

import (
	"unsafe"

	"etch/ir/bits"
)

// Sized is lit with the widths and enumerations of shape, for places where
// nothing else gives them; scalars that lit leaves unset are zero.
func Sized[T any](shape, lit T) T {
	out := Zero(shape)
	err := planOf[T]().pair(unsafe.Pointer(&out), unsafe.Pointer(&lit), func(_ leafKind, z, l *sig) {
		switch {
		case l.b == nil && l.x == nil || z.x == nil:
		case l.x == nil || l.x.is != literal:
			*z = mistake(l.b, z.Width(), "literal", nil, "Sized: %s is not a literal", describe(*l))
		default:
			v, err := fit(l.x, z.x.width, z.x.enum)
			if err != nil {
				*z = mistake(nil, z.x.width, "literal", nil, "Sized: %v", err)
				return
			}
			z.x.num = v
		}
	})
	if err != nil {
		p := mistake(nil, 1, "bundle", nil, "Sized: %v", err)
		return walk(out, func(_ leafKind, s *sig) { *s = p })
	}
	return out
}

// zeroLiteral is the literal 0 of a shape.
func zeroLiteral(p *proto) sig {
	return sig{x: &proto{is: literal, width: p.width, typ: p.typ, enum: p.enum, num: bits.Zero(p.width)}}
}
