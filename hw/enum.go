package hw

import (
	"errors"
	"fmt"
	"iter"
	"reflect"
	"strings"

	"etch/ir"
	"etch/ir/bits"
)

// enumInfo is an enumeration: Go values and their names and codes in the netlist.
type enumInfo struct {
	typ    reflect.Type
	values []any
	ir     *ir.Enum
}

// enumOf makes the description of an enumeration. It refuses an empty list and two values
// that print the same.
func enumOf[E comparable](values []E) (*enumInfo, error) {
	if len(values) == 0 {
		return nil, errors.New("an enumeration has at least one value")
	}
	info := &enumInfo{typ: reflect.TypeFor[E](), ir: &ir.Enum{Name: shortType(reflect.TypeFor[E]())}}

	seen := map[string]bool{}
	for i, v := range values {
		name := fmt.Sprint(v)
		if seen[name] {
			return nil, fmt.Errorf("a second value %s", name)
		}
		seen[name] = true
		info.values = append(info.values, v)
		info.ir.Names = append(info.ir.Names, name)
		info.ir.Codes = append(info.ir.Codes, uint64(i))
	}
	return info, nil
}

func (e *enumInfo) code(v any) (uint64, bool) {
	for i, w := range e.values {
		if v == w {
			return uint64(i), true
		}
	}
	return 0, false
}

// enumKey tells enumerations apart.
type enumKey struct {
	typ   reflect.Type
	names string
}

// intern returns the design's one copy of an enumeration, so that types can be
// compared by pointer.
func (d *design) intern(info *enumInfo) *enumInfo {
	key := enumKey{info.typ, strings.Join(info.ir.Names, "\x00")}
	if e := d.enums[key]; e != nil {
		return e
	}
	own := *info.ir
	for n := 2; d.enumNames[own.Name]; n++ { // another type, or the same one with other values
		own.Name = info.ir.Name + "_" + itoa(n)
	}
	d.enumNames[own.Name] = true
	e := &enumInfo{info.typ, info.values, &own}
	d.enums[key], d.enumOf[e.ir] = e, e
	return e
}

// Set drives e, which must be an output, wire, register or instance input.
func (e Enum[E]) Set(v Enum[E]) { assign("Set", e.sig, v.sig) }

// Goto drives e with a Go value: e.Set(hw.Val(v)).
func (e Enum[E]) Goto(v E) { assign("Goto", e.sig, Val(v).sig) }

// Named gives the value its name in netlists and waves and returns it.
func (e Enum[E]) Named(name string) Enum[E] { return Enum[E]{named(e.sig, ir.EnumKind, name)} }

// Is reports whether e equals one of values. Each costs a comparator.
func (e Enum[E]) Is(values ...E) Bit {
	var is []Bit
	for _, v := range values {
		is = append(is, Bit{compare2("Is", ir.Eq, ir.EnumKind, e.sig, Val(v).sig)})
	}
	return AnyOf(is...)
}

// IsNot reports whether e is none of values.
func (e Enum[E]) IsNot(values ...E) Bit { return e.Is(values...).Not() }

// Eq reports whether both hold the same value.
func (e Enum[E]) Eq(v Enum[E]) Bit { return Bit{compare2("Eq", ir.Eq, ir.EnumKind, e.sig, v.sig)} }

// Ne reports whether they hold different values.
func (e Enum[E]) Ne(v Enum[E]) Bit {
	return Bit{compare2("Ne", ir.Eq, ir.EnumKind, e.sig, v.sig)}.Not()
}

// Bits returns the encoding: the place of the value in [EnumOf].
func (e Enum[E]) Bits() UInt { return UInt{e.sig} }

// Cases runs the loop body once per value; a Set in the body takes effect only
// while e holds that value. With a Go switch it is the body of a state machine:
//
//	for s := range state.Cases() {
//		switch s {
//		case idle: …
//		case busy: …
//		}
//	}
//
// A code without a value behaves like the last case. If some case leaves a target unset,
// the target keeps the value it had before Cases.
func (e Enum[E]) Cases() iter.Seq[E] {
	return func(yield func(E) bool) {
		s, ok := unary("Cases", e.sig, e.Width())
		b := s.b
		if b == nil {
			b.meetStray(s)
		}
		if b == nil || b.done {
			return // no module to go on with
		}

		// After a mistake the cases still run if the values are known: they may hold
		// mistakes of their own.
		info := b.enumInfoOf(e.sig)
		switch {
		case !ok && info == nil:
			b.blind = true // the targets that the cases set are not known
			return
		case !ok:
			s = sig{b: b, id: b.filler(e.sig)} // the mistake is reported; the cases may hold more
		case info == nil:
			b.blind = true
			b.d.report(newDiag("enum", origin(s), "Cases: %s is not an enumeration", describe(s)))
			return
		}

		b.cases(s, len(info.values), false, func(i int) (bits.Value, string) {
			return bits.New(s.Width(), uint64(i)), info.ir.Names[i]
		}, func(i int) bool { return yield(info.values[i].(E)) })
	}
}
