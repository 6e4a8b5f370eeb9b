package hw

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unsafe"
)

// plan says where the scalars of a Go type are, so that bundles are walked
// without reflection: it is made once per type.
type plan struct {
	parts  []part
	pack   []int // parts from the top of the packed word down
	plains []plain
	err    error // why values of the type cannot be hardware
}

// part is a scalar at a fixed place, or a slice of elements that hold scalars.
type part struct {
	off   uintptr
	name  string // path from the plan's root, "" for the root itself
	kind  leafKind
	elem  *plan // of a slice
	size  uintptr
	slice reflect.Type
}

// plain is a field that is not hardware, such as a binary point; the two sides
// of a connection must agree on it.
type plain struct {
	off  uintptr
	typ  reflect.Type
	name string
}

type leafKind uint8

const (
	notLeaf leafKind = iota
	bitLeaf
	uintLeaf
	sintLeaf
	clockLeaf
	resetLeaf
	enumLeaf
)

func (*Bit) leaf() leafKind     { return bitLeaf }
func (*UInt) leaf() leafKind    { return uintLeaf }
func (*SInt) leaf() leafKind    { return sintLeaf }
func (*Clock) leaf() leafKind   { return clockLeaf }
func (*Reset) leaf() leafKind   { return resetLeaf }
func (*Enum[E]) leaf() leafKind { return enumLeaf }

// leafer is implemented by pointers to the scalar kinds and, through embedding,
// by pointers to types that wrap them; those are told apart by their package.
type leafer interface{ leaf() leafKind }

var (
	sigType = reflect.TypeFor[sig]()
	plans   sync.Map // reflect.Type → *plan; a cache of facts about types
)

func leafOf(t reflect.Type) leafKind {
	if t.Kind() != reflect.Struct || t.NumField() != 1 || t.Field(0).Type != sigType {
		return notLeaf
	}
	return reflect.New(t).Interface().(leafer).leaf()
}

func planFor(t reflect.Type) *plan {
	if p, ok := plans.Load(t); ok {
		return p.(*plan)
	}
	p := &plan{}
	p.pack = p.add(t, 0, "")
	plans.Store(t, p)
	return p
}

func planOf[T any]() *plan { return planFor(reflect.TypeFor[T]()) }

// holdsSignals reports whether values of t can contain scalars.
func holdsSignals(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		return holdsSignals(t.Elem())
	case reflect.Struct:
		if leafOf(t) != notLeaf {
			return true
		}
		for i := range t.NumField() {
			if f := t.Field(i); f.Tag.Get("hw") != "-" && holdsSignals(f.Type) {
				return true
			}
		}
	}
	return false
}

// add appends the parts of a type and returns them in packing order: fields from
// the top, elements of an array from the bottom.
func (p *plan) add(t reflect.Type, off uintptr, path string) (pack []int) {
	switch {
	case leafOf(t) != notLeaf:
		p.parts = append(p.parts, part{off: off, name: path, kind: leafOf(t)})
		return []int{len(p.parts) - 1}
	case !holdsSignals(t):
	case t.Kind() == reflect.Slice:
		p.parts = append(p.parts, part{off: off, name: path, elem: planFor(t.Elem()), size: t.Elem().Size(), slice: t})
		if err := planFor(t.Elem()).err; err != nil {
			p.err = err
		}
		return []int{len(p.parts) - 1}
	case t.Kind() == reflect.Array:
		for i := range t.Len() {
			pack = append(p.add(t.Elem(), off+uintptr(i)*t.Elem().Size(), join(path, strconv.Itoa(i))), pack...)
		}
	default:
		for i := range t.NumField() {
			pack = append(pack, p.field(t, t.Field(i), off, path)...)
		}
	}
	return pack
}

func (p *plan) field(t reflect.Type, f reflect.StructField, off uintptr, path string) []int {
	at := off + f.Offset
	switch {
	case f.Tag.Get("hw") == "-":
	case !holdsSignals(f.Type):
		if f.Type.Comparable() && f.Type.Size() > 0 {
			p.plains = append(p.plains, plain{at, f.Type, shortType(t) + "." + f.Name})
		}
	case !f.IsExported() && !f.Anonymous:
		p.err = fmt.Errorf("field %s of %s holds a signal and must be exported", f.Name, shortType(t))
	default:
		return p.add(f.Type, at, join(path, fieldName(f)))
	}
	return nil
}

// fieldName is the hardware name of a struct field: the hw tag, or the Go name
// in snake case; embedded and inline fields add nothing to the path.
func fieldName(f reflect.StructField) string {
	name, opt, _ := strings.Cut(f.Tag.Get("hw"), ",")
	switch {
	case name != "":
		return name
	case f.Anonymous || opt == "inline":
		return ""
	}
	return snake(f.Name)
}

type sliceHeader struct {
	data unsafe.Pointer
	len  int
	cap  int
}

// each visits the scalars of the value at base in field order.
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

// named is each with the path of every scalar below root.
func (p *plan) named(base unsafe.Pointer, root string, f func(path string, k leafKind, s *sig)) {
	for i := range p.parts {
		q := &p.parts[i]
		at, path := unsafe.Add(base, q.off), join(root, q.name)
		if q.elem == nil {
			f(path, q.kind, (*sig)(at))
			continue
		}
		h := (*sliceHeader)(at)
		for j := range h.len {
			q.elem.named(unsafe.Add(h.data, uintptr(j)*q.size), join(path, strconv.Itoa(j)), f)
		}
	}
}

var zeroSig sig

// pair visits the scalars of two values together. A slice that is nil in b
// stands for one whose scalars are all unset.
func (p *plan) pair(a, b unsafe.Pointer, f func(k leafKind, a, b *sig)) error {
	for i := range p.plains {
		if err := p.plains[i].agree(a, b); err != nil {
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
		h, g := (*sliceHeader)(x), (*sliceHeader)(y)
		if g.len == 0 && h.len > 0 {
			for j := range h.len {
				q.elem.each(unsafe.Add(h.data, uintptr(j)*q.size), func(k leafKind, s *sig) { f(k, s, &zeroSig) })
			}
			continue
		}
		if h.len != g.len {
			return fmt.Errorf("%s has %s on one side and %d on the other", or(q.name, "the vector"), plural(h.len, "element"), g.len)
		}
		for j := range h.len {
			at := uintptr(j) * q.size
			if err := q.elem.pair(unsafe.Add(h.data, at), unsafe.Add(g.data, at), f); err != nil {
				return err
			}
		}
	}
	return nil
}

// agree checks a plain field on two sides; a zero value on the second agrees
// with anything, so that a partial bundle need not repeat it.
func (f *plain) agree(a, b unsafe.Pointer) error {
	x := reflect.NewAt(f.typ, unsafe.Add(a, f.off)).Elem()
	y := reflect.NewAt(f.typ, unsafe.Add(b, f.off)).Elem()
	if y.IsZero() || x.Equal(y) {
		return nil
	}
	return fmt.Errorf("%s is %v on one side and %v on the other", f.name, x, y)
}

// own gives the value at base slices of its own, so that changing its scalars
// changes no other value.
func (p *plan) own(base unsafe.Pointer) {
	for i := range p.parts {
		q := &p.parts[i]
		if q.elem == nil {
			continue
		}
		at := unsafe.Add(base, q.off)
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
	p.own(unsafe.Pointer(&x))
	p.each(unsafe.Pointer(&x), f)
	return x
}

// scalars lists the scalars of x in field order.
func scalars[T any](x *T) []sig {
	var out []sig
	planOf[T]().each(unsafe.Pointer(x), func(_ leafKind, s *sig) { out = append(out, *s) })
	return out
}

func typeName[T any]() string { return shortType(reflect.TypeFor[T]()) }

// shortType prints a type without package paths.
func shortType(t reflect.Type) string {
	var b strings.Builder
	word := func(s string) string { return s[strings.LastIndexAny(s, "./")+1:] }
	name, start := t.String(), 0
	for i, r := range name {
		if strings.ContainsRune("[],* {}", r) {
			b.WriteString(word(name[start:i]))
			b.WriteRune(r)
			start = i + 1
		}
	}
	return b.String() + word(name[start:])
}

// snake turns a Go name into a hardware name: DataOut is data_out.
func snake(s string) string {
	rs := []rune(s)
	var b strings.Builder
	for i, r := range rs {
		if i > 0 && unicode.IsUpper(r) && rs[i-1] != '_' &&
			(!unicode.IsUpper(rs[i-1]) || i+1 < len(rs) && unicode.IsLower(rs[i+1])) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "_" + b
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
