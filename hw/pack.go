package hw

import (
	"unsafe"

	"etch/ir"
)

// Pack is all scalars of x side by side as in a Verilog packed struct: the first
// field at the top, element 0 of a vector at the bottom.
func Pack[T any](x T) UInt {
	var ss []sig
	packOrder(planOf[T](), unsafe.Pointer(&x), func(s *sig) { ss = append(ss, *s) })
	return UInt{cat("Pack", ss)}
}

// Unpack reads bits as a value of shape's form: the inverse of [Pack].
func Unpack[T any](shape T, x UInt) T {
	out := mapShape(shape, func(*proto) {})
	want := 0
	for _, s := range scalars(&out) {
		want += s.Width()
	}
	if w := x.Width(); w != want {
		b, _ := moduleOf([]sig{x.sig})
		p := mistake(b, 1, "width", origin(x.sig), "Unpack: %s has %s, the shape %d", describe(x.sig), plural(w, "bit"), want)
		return walk(out, func(_ leafKind, s *sig) { *s = poisonOf(p.b, max(1, s.Width())) })
	}
	top := want
	packOrder(planOf[T](), unsafe.Pointer(&out), func(s *sig) {
		w, t := s.Width(), s.x
		top -= w
		*s = sliceAs(x.sig, t, top, w)
	})
	return out
}

// sliceAs is a part of x shown as the shape t.
func sliceAs(x sig, t *proto, lo, width int) sig {
	s := slice("Unpack", t.typ.Kind, x, lo, width)
	if !s.isLive() {
		return s
	}
	b := s.b
	typ := b.typeOf(t)
	if n := b.m.Node(s.id); n.Type != typ {
		if n.Op != ir.Slice || s.id == x.id {
			s.id = b.add(ir.Wire, typ, width, s.id)
		} else {
			n.Type = typ
		}
	}
	return s
}

// packOrder visits scalars from the top of the packed word down.
func packOrder(p *plan, base unsafe.Pointer, f func(s *sig)) {
	for _, i := range p.pack {
		q := &p.parts[i]
		at := unsafe.Add(base, q.off)
		if q.elem == nil {
			f((*sig)(at))
			continue
		}
		h := (*sliceHeader)(at)
		for j := h.len - 1; j >= 0; j-- {
			packOrder(q.elem, unsafe.Add(h.data, uintptr(j)*q.size), f)
		}
	}
}

// Zero is the literal of x's form and widths with every bit low.
func Zero[T any](x T) T {
	return walk(x, func(k leafKind, s *sig) {
		if p := protoOf(k, *s); p != nil {
			*s = zeroLiteral(p)
		}
	})
}
