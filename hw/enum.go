package hw

import (
	"fmt"
	"iter"

	"etch/ir"
	"etch/ir/bits"
)

// Set drives e, which must be an output, wire, register or instance input.
func (e Enum[E]) Set(v Enum[E]) { assign(e.sig, v.sig) }

// Goto drives e with a Go value: e.Set(hw.Val(v)).
func (e Enum[E]) Goto(v E) { assign(e.sig, Val(v).sig) }

// Named gives the value its name in netlists and waves and returns it.
func (e Enum[E]) Named(name string) Enum[E] { return Enum[E]{named(e.sig, name)} }

// Is reports whether e is one of values.
func (e Enum[E]) Is(values ...E) Bit {
	var is []Bit
	for _, v := range values {
		is = append(is, Bit{compare2("Is", ir.Eq, e.sig, Val(v).sig)})
	}
	return AnyOf(is...)
}

// Eq reports whether both hold the same value.
func (e Enum[E]) Eq(v Enum[E]) Bit { return Bit{compare2("Eq", ir.Eq, e.sig, v.sig)} }

// Bits returns the encoding: the place of the value in [EnumOf].
func (e Enum[E]) Bits() UInt { return UInt{e.sig} }

// Cases runs the loop body once per value; what the body sets, it sets only
// while e holds that value. With a Go switch it is the body of a state machine:
//
//	for s := range state.Cases() {
//		switch s {
//		case idle: …
//		case busy: …
//		}
//	}
//
// Codes that no value has do as the last value does, or keep what held before
// where some value does not set.
func (e Enum[E]) Cases() iter.Seq[E] {
	return func(yield func(E) bool) {
		s, ok := unary("Cases", e.sig, 1)
		if !ok {
			return
		}
		b := s.b
		info := b.enumInfoOf(s)
		if info == nil {
			mistake(b, 1, "enum", origin(s), "Cases: %s is not an enumeration", describe(s))
			return
		}
		b.cases(s, len(info.values), func(i int) (bits.Value, string) {
			return bits.New(s.Width(), uint64(i)), fmt.Sprint(info.values[i])
		}, func(i int) bool { return yield(info.values[i].(E)) })
	}
}
