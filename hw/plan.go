package hw

import (
	"fmt"
	"reflect"
	"slices"
	"sync"
	"unsafe"

	"etch/ir"
)

// plan describes the layout of a Go type: where its scalars are. Bundles are then walked by
// offsets, without reflection. It is made once per type.
type plan struct {
	leaf   bool // the type is a scalar kind itself
	parts  []part
	pack   []int // parts from the top of the packed word down
	plains []plain
	err    error // why values of the type cannot be hardware

	tag string // while it is made: the direction tag of the field around
}

// part is a scalar at a fixed place, or a slice of elements that hold scalars.
type part struct {
	off   uintptr
	name  string // path from the plan's root, as [plan.named] gives it; "" for the root itself
	kind  leafKind
	elem  *plan // of a slice
	size  uintptr
	slice reflect.Type
	dir   string // the tag's: "in", "out", "" for none
}

// plain is a field that is not hardware, such as a binary point; the two sides
// of a connection must agree on it. parts[from:to] are of the same struct.
type plain struct {
	off      uintptr
	typ      reflect.Type
	name     string
	from, to int
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
	padLeaf
)

func (*Bit) leaf() leafKind     { return bitLeaf }
func (*UInt) leaf() leafKind    { return uintLeaf }
func (*SInt) leaf() leafKind    { return sintLeaf }
func (*Clock) leaf() leafKind   { return clockLeaf }
func (*Reset) leaf() leafKind   { return resetLeaf }
func (*Enum[E]) leaf() leafKind { return enumLeaf }

// kind is the kind of a value of which nothing else is known.
func (k leafKind) kind() ir.Kind {
	return [...]ir.Kind{bitLeaf: ir.Bool, uintLeaf: ir.UInt, sintLeaf: ir.SInt, clockLeaf: ir.Clock, resetLeaf: ir.Reset, enumLeaf: ir.EnumKind, padLeaf: ir.UInt}[k]
}

// typ is t if it suits the Go kind, else the plain type of the kind: the bits of an
// enumeration are a plain number.
func (k leafKind) typ(t ir.Type) ir.Type {
	switch {
	case k == enumLeaf, k == padLeaf, k == sintLeaf && t.Kind == ir.Fixed, k == uintLeaf && t.Kind == ir.Float, k == resetLeaf && t.Kind == ir.AsyncReset:
		return t
	}
	return ir.Type{Kind: k.kind()}
}

// leafer is implemented by pointers to the scalar kinds and, through embedding,
// by pointers to types that wrap them; those are told apart by their field.
type leafer interface{ leaf() leafKind }

var (
	sigType = reflect.TypeFor[sig]()
	plans   sync.Map // reflect.Type → *plan; a cache of facts about types
)

func leafOf(t reflect.Type) leafKind {
	// Every scalar kind is a struct around one handle, so most types are ruled out without making a
	// value.
	if t.Kind() != reflect.Struct || t.NumField() != 1 || t.Field(0).Type != sigType {
		return notLeaf
	}
	if x, ok := reflect.New(t).Interface().(leafer); ok {
		return x.leaf()
	}
	return notLeaf // a type defined as a scalar kind; see planner.field
}

func planFor(t reflect.Type) *plan {
	if p, ok := plans.Load(t); ok {
		return p.(*plan)
	}
	p := &plan{leaf: leafOf(t) != notLeaf}
	if p.err = hardware(t, shortType(t), nil); p.err == nil {
		p.pack = p.add(t, 0, "")
	}

	// Two goroutines may plan one type at once: the plans are equal and either may stay.
	plans.Store(t, p)
	return p
}

func planOf[T any]() *plan { return planFor(reflect.TypeFor[T]()) }

// ptr is where a value lies, for walks.
func ptr[T any](x *T) unsafe.Pointer { return unsafe.Pointer(x) }

// hardware says why values of t cannot be hardware; path leads to it through the
// types around it.
func hardware(t reflect.Type, path string, around []reflect.Type) error {
	switch {
	case leafOf(t) != notLeaf:
		return nil
	case slices.Contains(around, t):
		return fmt.Errorf("%s contains itself", shortType(t))
	case t.Kind() == reflect.Struct && t.NumField() == 1 && t.Field(0).Type == sigType:
		return fmt.Errorf("%s is defined as a kind of hw; embed the kind in a struct instead", shortType(t))
	}

	// Descend to every scalar; a pointer or map would share signals between copies of a bundle.
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		return hardware(t.Elem(), path, append(around, t))
	case reflect.Pointer, reflect.Map, reflect.Chan:
		if holdsSignals(t.Elem(), append(around, t)) {
			return fmt.Errorf("%s is a %s and holds signals; only structs, slices and arrays can", path, t.Kind())
		}
	case reflect.Interface:
		if t == reflect.TypeFor[Signal]() {
			return fmt.Errorf("%s is an hw.Signal; its kind must be known", path)
		}
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if f.Tag.Get("hw") == "-" {
				continue
			}
			if dir, ok := f.Tag.Lookup("dir"); ok && dir != "in" && dir != "out" {
				return fmt.Errorf("field %s of %s has the tag dir:%q; want %s", f.Name, shortType(t), dir, meantDir(dir))
			}

			if err := hardware(f.Type, "field "+f.Name+" of "+shortType(t), append(around, t)); err != nil {
				return err
			}

			if !f.IsExported() && !f.Anonymous && holdsSignals(f.Type, nil) {
				return fmt.Errorf("field %s of %s holds a signal and must be exported", f.Name, shortType(t))
			}
		}
	}
	return nil
}

// moduleIn finds the module of some signal in a value of any type, for messages
// about types that are no hardware.
func moduleIn(v reflect.Value, depth int) *body {
	// A value may lead back to itself: the depth ends the search.
	if depth > 8 {
		return nil
	}

	// Private fields are read too: the module must be found whatever the mistake is.
	switch v.Kind() {
	case reflect.Struct:
		if v.Type() == sigType {
			return (*body)(v.FieldByName("b").UnsafePointer())
		}
		for i := range v.NumField() {
			if b := moduleIn(v.Field(i), depth+1); b != nil {
				return b
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if b := moduleIn(v.Index(i), depth+1); b != nil {
				return b
			}
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			return moduleIn(v.Elem(), depth+1)
		}
	}
	return nil
}

// holdsSignals reports whether values of t, which lies in the types around, can
// contain scalars.
func holdsSignals(t reflect.Type, around []reflect.Type) bool {
	if leafOf(t) != notLeaf {
		return true
	}

	// A type within itself holds no signals that the outer one does not.
	if slices.Contains(around, t) {
		return false
	}
	around = append(around, t)

	switch t.Kind() {
	case reflect.Slice, reflect.Array, reflect.Pointer, reflect.Map, reflect.Chan:
		return holdsSignals(t.Elem(), around)
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.Tag.Get("hw") != "-" && holdsSignals(f.Type, around) {
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
		p.parts = append(p.parts, part{off: off, name: path, kind: leafOf(t), dir: p.tag})
		return []int{len(p.parts) - 1}
	case !holdsSignals(t, nil):
	case t.Kind() == reflect.Slice:
		p.parts = append(p.parts, part{off: off, name: path, elem: planFor(t.Elem()), size: t.Elem().Size(), slice: t, dir: p.tag})
		return []int{len(p.parts) - 1}
	case t.Kind() == reflect.Array:
		// Parts are in the order of the elements, packing begins with the last element.
		packs := make([][]int, t.Len())
		for i := range packs {
			packs[i] = p.add(t.Elem(), off+uintptr(i)*t.Elem().Size(), partOf(path, itoa(i)))
		}
		slices.Reverse(packs)
		pack = slices.Concat(packs...)
	default:
		// A plain field belongs to the parts of its own struct; to is 0 until that struct
		// is done.
		from, at := len(p.parts), len(p.plains)
		for i := range t.NumField() {
			pack = append(pack, p.field(t, t.Field(i), off, path)...)
		}
		for i := range p.plains[at:] {
			if q := &p.plains[at+i]; q.to == 0 {
				q.from, q.to = from, len(p.parts)
			}
		}
	}
	return pack
}

// field appends the parts of one field. A field without signals is kept as a plain one, to
// be compared when two bundles meet. A direction tag holds for the fields inside.
func (p *plan) field(t reflect.Type, f reflect.StructField, off uintptr, path string) []int {
	at := off + f.Offset
	switch {
	case f.Tag.Get("hw") == "-":
		return nil
	case !holdsSignals(f.Type, nil):
		// A field that cannot be compared, or that has no bytes, cannot disagree.
		if f.Type.Comparable() && f.Type.Size() > 0 {
			p.plains = append(p.plains, plain{off: at, typ: f.Type, name: shortType(t) + "." + f.Name})
		}
		return nil
	}

	// The direction holds for the fields inside, and ends with this one.
	if dir := f.Tag.Get("dir"); dir != "" {
		around := p.tag
		p.tag = dir
		defer func() { p.tag = around }()
	}
	return p.add(f.Type, at, partOf(path, fieldName(f)))
}
