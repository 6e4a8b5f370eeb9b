package hw

import (
	"etch/ir"
	"etch/ir/bits"
)

// sig is the handle inside every scalar kind. Handles cannot be compared with
// ==: whether two signals are equal is a question for hardware, asked with Eq.
type sig struct {
	_  [0]func()
	b  *body  // the module of a signal; nil for shapes, literals and zero handles
	id ir.ID  // its node in b.m
	lv int32  // 1 + index of the target in b.targets, 0 if it cannot be Set
	x  *proto // what is not simply a signal
}

func (s sig) handle() sig { return s }

// Width returns the number of bits, or 0 for an unsized literal or zero handle.
func (s sig) Width() int {
	switch {
	case s.x != nil:
		return s.x.width
	case s.b != nil:
		return s.b.m.Width(s.id)
	}
	return 0
}

// isLive reports whether s is hardware.
func (s sig) isLive() bool { return s.b != nil && (s.x == nil || s.x.is == dynamic) }

// typ is the display type of a signal or shape.
func (s sig) typ() ir.Type {
	switch {
	case s.x != nil:
		return s.x.typ
	case s.b != nil:
		return s.b.m.TypeOf(s.b.m.Node(s.id).Type)
	}
	return ir.Type{}
}

// Signal is any scalar: Bit, UInt, SInt, Enum, Clock or Reset.
type Signal interface {
	handle() sig
	// Width returns the number of bits, 0 if it has none yet.
	Width() int
}

type protoKind uint8

const (
	shape protoKind = iota
	literal
	poison  // stands for a value whose construction failed
	dynamic // a vector element chosen by hardware: a signal that can also be Set
)

// proto is what a handle stands for when it is not simply a signal.
type proto struct {
	is    protoKind
	width int // 0: an unsized literal
	typ   ir.Type
	pcs   [3]uintptr // where a shape was written

	// of a shape
	directed bool
	dir      ir.Dir
	flip     bool
	enum     *enumInfo

	// of a literal
	num     bits.Value // magnitude or two's complement, in just enough bits
	neg     bool       // num is negative
	enumVal any        // an enumeration value instead

	diag *Diag // of poison: a mistake not reported yet, for want of a module

	// of a dynamic element
	index sig
	elems []sig
}

// enumInfo is an enumeration: Go values and what the netlist shows.
type enumInfo struct {
	values []any
	ir     *ir.Enum
}

func (e *enumInfo) code(v any) (uint64, bool) {
	for i, w := range e.values {
		if v == w {
			return uint64(i), true
		}
	}
	return 0, false
}

func shapeOf(width int, t ir.Type) sig {
	return sig{x: &proto{is: shape, width: width, typ: t, pcs: callers()}}
}

func poisonOf(b *body, width int) sig {
	return sig{b: b, x: &proto{is: poison, width: width}}
}
