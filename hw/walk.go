package hw

import (
	"fmt"
	"reflect"
	"unsafe"
)

type sliceHeader struct {
	data unsafe.Pointer
	len  int
	cap  int
}

// each visits the scalars of the value at base in field order. Slices are walked through
// their headers.
func (p *plan) each(base unsafe.Pointer, f func(k leafKind, s *sig)) {
	for i := range p.parts {
		q := &p.parts[i]
		at := unsafe.Add(base, q.off)
		if q.elem == nil {
			f(q.kind, (*sig)(at))
			continue
		}

		h := (*sliceHeader)(at)
		for j := range h.len {
			q.elem.each(unsafe.Add(h.data, uintptr(j)*q.size), f)
		}
	}
}

// named is each with the path of every scalar below root: names and indexes joined by dots.
// [flat] of the path is the scalar's name.
func (p *plan) named(base unsafe.Pointer, root string, f func(path string, k leafKind, s *sig)) {
	for i := range p.parts {
		q := &p.parts[i]
		at, path := unsafe.Add(base, q.off), partOf(root, q.name)
		if q.elem == nil {
			f(path, q.kind, (*sig)(at))
			continue
		}

		h := (*sliceHeader)(at)
		for j := range h.len {
			q.elem.named(unsafe.Add(h.data, uintptr(j)*q.size), partOf(path, itoa(j)), f)
		}
	}
}

var zeroSig sig

// pair visits the scalars of two values of one form together. With partial, b may leave out
// any part: a nil slice stands for unset scalars, and a zero plain field beside unset
// scalars agrees with anything. The error says where the forms differ.
func (p *plan) pair(a, b unsafe.Pointer, partial bool, f func(k leafKind, a, b *sig)) error {
	if p.err != nil {
		return p.err
	}

	// Plain fields first: parameters that must agree, such as a binary point.
	for i := range p.plains {
		if err := p.agree(&p.plains[i], a, b, partial); err != nil {
			return err
		}
	}

	for i := range p.parts {
		q := &p.parts[i]
		x, y := unsafe.Add(a, q.off), unsafe.Add(b, q.off)
		if q.elem == nil {
			f(q.kind, (*sig)(x), (*sig)(y))
			continue
		}

		// A nil slice on a partial side stands for elements that are all unset.
		h, g := (*sliceHeader)(x), (*sliceHeader)(y)
		if partial && g.data == nil {
			for j := range h.len {
				q.elem.each(unsafe.Add(h.data, uintptr(j)*q.size), func(k leafKind, s *sig) { f(k, s, &zeroSig) })
			}
			continue
		}

		if h.len != g.len {
			return fmt.Errorf("%s has %s on one side and %d on the other", or(flat(q.name), "the vector"), plural(h.len, "element"), g.len)
		}
		for j := range h.len {
			at := uintptr(j) * q.size
			if err := q.elem.pair(unsafe.Add(h.data, at), unsafe.Add(g.data, at), partial, f); err != nil {
				return err
			}
		}
	}
	return nil
}

// agree compares a plain field on both sides.
func (p *plan) agree(f *plain, a, b unsafe.Pointer, partial bool) error {
	x := reflect.NewAt(f.typ, unsafe.Add(a, f.off)).Elem()
	y := reflect.NewAt(f.typ, unsafe.Add(b, f.off)).Elem()
	switch {
	case !x.Comparable() || !y.Comparable() || x.Equal(y):
		return nil
	case partial && y.IsZero() && p.isUnset(b, f.from, f.to):
		return nil

	// The ports of a component with mistakes are poisoned and have no parameters.
	case x.IsZero() && p.isPoison(a, f.from, f.to), y.IsZero() && p.isPoison(b, f.from, f.to):
		return nil
	}
	return fmt.Errorf("%s is %v on one side and %v on the other", f.name, x, y)
}

// isUnset reports whether the scalars of some parts are all unset.
func (p *plan) isUnset(base unsafe.Pointer, from, to int) bool {
	unset := true
	part := plan{parts: p.parts[from:to]}
	part.each(base, func(_ leafKind, s *sig) { unset = unset && !s.isSet() })
	return unset
}

// isPoison reports whether the scalars of some parts all stand for a mistake.
func (p *plan) isPoison(base unsafe.Pointer, from, to int) bool {
	bad, any := true, false
	part := plan{parts: p.parts[from:to]}
	part.each(base, func(_ leafKind, s *sig) { bad, any = bad && s.is(poison), true })
	return bad && any
}

// own gives the value at base its own copies of slices, so that changing its scalars
// changes no other value.
func (p *plan) own(base unsafe.Pointer) {
	for i := range p.parts {
		q := &p.parts[i]
		if q.elem == nil {
			continue
		}

		at := unsafe.Add(base, q.off)

		// The value gets slices of its own, and so do the elements in them.
		old := reflect.NewAt(q.slice, at).Elem()
		fresh := reflect.MakeSlice(q.slice, old.Len(), old.Len())
		reflect.Copy(fresh, old)
		old.Set(fresh)

		h := (*sliceHeader)(at)
		for j := range h.len {
			q.elem.own(unsafe.Add(h.data, uintptr(j)*q.size))
		}
	}
}

// walk returns a copy of x in which f has changed the scalars.
func walk[T any](x T, f func(k leafKind, s *sig)) T {
	p := planOf[T]()
	p.own(ptr(&x))
	p.each(ptr(&x), f)
	return x
}

// scalars lists the scalars of x in field order.
func scalars[T any](x *T) []sig {
	var out []sig
	planOf[T]().each(ptr(x), func(_ leafKind, s *sig) { out = append(out, *s) })
	return out
}
