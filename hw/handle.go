package hw

import (
	"etch/hw/internal/caller"
	"etch/ir"
	"etch/ir/bits"
)

// sig is the handle inside every scalar kind. Handles cannot be compared with
// ==: whether two signals are equal is a question for hardware, asked with Eq.
type sig struct {
	_  [0]func()
	b  *body  // the module of a signal; nil for shapes, literals and zero handles
	id ir.ID  // its node in b.m
	lv lvalue // how it can be Set
	x  *proto // of shapes, literals and other handles that are more than a signal
}

// lvalue says how a handle can be Set: 1 + the index of a target in body.targets, 0 for a
// value that cannot be Set. Its top bit marks a scalar that travels against its bundle.
type lvalue uint32

const flipped lvalue = 1 << 31

func (l lvalue) settable() bool { return l&^flipped != 0 }
func (l lvalue) index() int32   { return int32(l&^flipped) - 1 }

func (l *lvalue) flip(f bool) {
	if f {
		*l |= flipped
	}
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

// isSet reports whether s is anything but a zero handle.
func (s sig) isSet() bool { return s.b != nil || s.x != nil }

// isLive reports whether s is hardware.
func (s sig) isLive() bool { return s.b != nil && (s.x == nil || s.x.is == dynamic) }

// isPlain reports whether s is a signal of a module under construction and
// nothing more, as nearly all operands are.
func (s sig) isPlain() bool { return s.x == nil && s.b != nil && !s.b.done }

func (s sig) is(k protoKind) bool { return s.x != nil && s.x.is == k }

// isUnsized reports whether s is a number that takes its width from the other
// operand.
func (s sig) isUnsized() bool { return s.is(literal) && s.x.width == 0 && s.x.lit.enum == nil }

// isSized reports whether s is a number of a width of its own.
func (s sig) isSized() bool {
	return s.is(literal) && s.x.width > 0 && s.x.lit.enum == nil && s.x.lit.num.Width() == s.x.width
}

// isFlipped reports whether s belongs to a field that travels against its bundle.
func (s sig) isFlipped() bool {
	if s.is(shape) {
		return s.x.flip
	}
	return s.lv&flipped != 0
}

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
	padEnd  // an end of a wire with several drivers, of node id
	dynamic // a vector element chosen by hardware: a signal that can also be Set
)

// proto describes a handle that is not simply a signal.
type proto struct {
	is       protoKind
	directed bool // a port's shape
	dir      ir.Dir
	flip     bool // a shape that travels against its bundle
	pull     Pull // of a pad's shape
	width    int  // 0: an unsized literal
	typ      ir.Type
	pc       uintptr // where a shape was written

	enum *enumInfo  // of a shape
	lit  *litValue  // of a literal
	dyn  *selection // of a dynamic element
	diag *Diag      // of poison: a mistake not reported yet, for want of a module
}

// litValue is the value of a literal.
type litValue struct {
	num  bits.Value // two's complement, in enough bits
	neg  bool       // num is negative
	enum any        // an enumeration value instead
}

// equal reports whether both are written the same.
func (v *litValue) equal(u *litValue) bool {
	return v.neg == u.neg && v.enum == u.enum && v.num.Width() == u.num.Width() && v.num.Equal(u.num)
}

// selection is a vector, or the bits of a number, with the index signal that chooses from
// it.
type selection struct {
	index     sig
	elems     []sig
	number    sig // whose bit is chosen, if elems is nil
	lo, width int // the bits of the element that are selected; all if width is 0
}

// elem is the target where the index is i.
func (s *selection) elem(op string, i int) sig {
	switch {
	case s.elems == nil:
		return slice(op, ir.Bool, s.number, i, 1)
	case s.width == 0:
		return s.elems[i]
	}
	return slice(op, ir.UInt, s.elems[i], s.lo, s.width)
}

// count is the number of elements.
func (s *selection) count() int {
	if s.elems == nil {
		return s.number.Width()
	}
	return len(s.elems)
}

func shapeOf(width int, t ir.Type) sig {
	return sig{x: &proto{is: shape, width: width, typ: t, pc: caller.PC()}}
}

func literalOf(width int, k ir.Kind, v litValue) sig {
	x := &struct { // one allocation
		proto
		v litValue
	}{proto{is: literal, width: width, typ: ir.Type{Kind: k}}, v}
	x.lit = &x.v
	return sig{x: &x.proto}
}

// poisonOf makes a value that stands for a failed construction; its width is at least 1.
func poisonOf(b *body, width int) sig {
	return sig{b: b, x: &proto{is: poison, width: min(max(width, 1), maxWidth)}}
}

// poisoned is x with every scalar poisoned, to carry the mistake in p on.
func poisoned[T any](p sig, x T) T {
	return walk(x, func(_ leafKind, s *sig) {
		q := p.resize(s.Width())
		if s.is(shape) {
			q.x.enum = s.x.enum
		}
		*s = q
	})
}
