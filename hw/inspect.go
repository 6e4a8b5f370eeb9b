package hw

import (
	"fmt"

	"etch/ir"
	"etch/ir/bits"
)

// The functions here are for simulators and test benches, which need the netlist
// behind the handles.

// NodeOf returns the module and node of a signal after [Build]; for an output of
// a module, the node that drives it. ok is false for shapes and literals.
func NodeOf(s Signal) (m *ir.Module, id ir.ID, ok bool) {
	h := s.handle()
	if h.b == nil || h.id == ir.None {
		return nil, ir.None, false
	}

	// An unnamed wire in a finished module only stands for a port: its driver counts.
	for m, id = h.b.m, h.id; m.Op(id) == ir.Wire && m.NameOf(id) == "" && h.b.done; {
		id = m.Args(id)[0] // it only stands for a port
	}
	return m, id, true
}

// PortOf returns the index of the port of its module that a signal handed out by
// Ports stands for.
func PortOf(s Signal) (m *ir.Module, port int, ok bool) {
	h := s.handle()
	if h.b == nil || !h.b.done {
		return nil, 0, false
	}

	// An input's node holds its number, outputs and pads are entered in tables. Test benches ask for
	// every port in every cycle, so that inputs and outputs come before pads, which are searched for.
	n := h.b.m.Node(h.id)
	if n.Op == ir.Input {
		return h.b.m, int(n.Aux), true
	}
	if at, ok := h.b.outs[h.id]; ok {
		return h.b.m, int(at), true
	}
	if n.Op == ir.NetOut {
		if at := h.b.m.PadOf(h.id); at >= 0 {
			return h.b.m, at, true
		}
	}
	return nil, 0, false
}

// LiteralOf returns the value that a literal has at the width and type of like, a signal or
// shape. ok is false if lit is unset.
func LiteralOf(lit, like Signal) (v bits.Value, ok bool, err error) {
	return valueOf(lit.handle(), like.handle())
}

func valueOf(l, like sig) (v bits.Value, ok bool, err error) {
	switch {
	case !l.isSet():
		return v, false, nil
	case !l.is(literal):
		return v, false, fmt.Errorf("%s is not a literal", describe(l))
	}

	// The values of an enumeration are encoded by the set that the target holds.
	var enum *enumInfo
	switch {
	case l.x.lit.enum == nil: // a number
	case like.x != nil:
		enum = like.x.enum
	case like.b != nil:
		enum = like.b.enumInfoOf(like)
	}

	v, err = fit(l.x, like.Width(), enum)
	return v, err == nil, err
}

// LeafValue is the value of one scalar of a bundle of literals, at the width of its form.
type LeafValue struct {
	Value bits.Value
	Given bool // the literal is set
}

// LeafValues lists the scalars of a bundle of literals in field order, as those of the
// given form would take them; a slice that is nil stands for unset scalars. The first
// literal that does not fit is the error.
func LeafValues[T any](form, lit T) ([]LeafValue, error) {
	var out []LeafValue
	var wrong error
	p := planOf[T]()
	if n := len(p.parts); n > 0 {
		out = make([]LeafValue, 0, n)
	}

	// Behind a literal that does not fit the walk goes on, so that the list keeps the order of the
	// form.
	err := p.pair(ptr(&form), ptr(&lit), true, func(_ leafKind, x, y *sig) {
		v, given, err := valueOf(*y, *x)
		if err != nil && wrong == nil {
			wrong = err
		}
		out = append(out, LeafValue{v, given})
	})
	if err == nil {
		err = wrong
	}
	return out, err
}

// TypeOf is the display type of a signal or shape.
func TypeOf(s Signal) ir.Type { return s.handle().typ() }

// Leaf is one scalar of a bundle.
type Leaf struct {
	Path   string // joined names of the fields and indexes that lead to it, "" for a scalar itself
	Signal Signal
	Flip   bool // it travels against its bundle
}

// Leaves lists the scalars of a value in field order.
func Leaves[T any](x T) []Leaf {
	var out []Leaf
	planOf[T]().named(ptr(&x), "", func(path string, k leafKind, s *sig) {
		out = append(out, Leaf{flat(path), asSignal(k, *s), s.isFlipped()})
	})
	return out
}

// LeafPairs visits the scalars of two values of one form together; a slice that
// is nil in b stands for unset scalars.
func LeafPairs[T any](a, b T, f func(a, b Signal)) error {
	return planOf[T]().pair(ptr(&a), ptr(&b), true, func(k leafKind, x, y *sig) {
		f(asSignal(k, *x), asSignal(k, *y))
	})
}

func asSignal(k leafKind, s sig) Signal {
	switch k {
	case bitLeaf:
		return Bit{s}
	case sintLeaf:
		return SInt{s}
	case clockLeaf:
		return Clock{s}
	case resetLeaf:
		return Reset{s}
	}
	return UInt{s}
}

// EnumValues lists the Go values of an enumeration in the order of their codes, nil for
// a signal or shape of another kind. The list is not to be changed.
func EnumValues(s Signal) []any {
	h := s.handle()
	switch {
	case h.x != nil && h.x.enum != nil:
		return h.x.enum.values
	case h.b != nil:
		if e := h.b.enumInfoOf(h); e != nil {
			return e.values
		}
	}
	return nil
}
