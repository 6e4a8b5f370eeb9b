package firrtl

import (
	"etch/ir"
)

// typ is the FIRRTL type of a value, without its width.
type typ uint8

const (
	unsigned typ = iota
	signed
	clock
	asyncReset
	integer // unsigned or signed, whichever is natural: only as a wish
)

// typeOf is the type for values of a display type.
func typeOf(t ir.Type, width int) typ {
	switch {
	case t.Kind == ir.Clock && width == 1:
		return clock
	case t.Kind == ir.AsyncReset && width == 1:
		return asyncReset
	case t.Kind.Signed():
		return signed
	}
	return unsigned
}

func portType(m *ir.Module, port int) typ {
	p := &m.Ports[port]
	return typeOf(m.TypeOf(p.Type), p.Width)
}

// typ is the declared type of a node.
func (p *module) typ(n ir.ID) typ {
	node := p.m.Node(n)
	switch node.Op {
	case ir.NetOut:
		return unsigned // Analog has no sign
	case ir.Input:
		return portType(p.m, int(node.Aux))
	case ir.InstOut:
		return portType(p.m.Insts[node.Aux].Mod, int(node.Aux2))
	}
	return typeOf(p.m.TypeOf(node.Type), int(node.Width))
}

// regType is typ for registers, which hold only numbers.
func (p *module) regType(n ir.ID) typ {
	if t := p.typ(n); t == signed {
		return t
	}
	return unsigned
}

// typeText prints a type in FIRRTL's syntax: UInt<width>, Clock, AsyncReset.
func (o *output) typeText(t typ, width int) {
	switch t {
	case clock:
		o.str("Clock")
		return
	case asyncReset:
		o.str("AsyncReset")
		return
	case signed:
		o.str("SInt<")
	default:
		o.str("UInt<")
	}
	o.num(width)
	o.str(">")
}

// open prints the beginning of a conversion from type have to type want; the result says
// whether a bracket must be closed.
func (o *output) open(have, want typ) bool {
	switch {
	// No conversion: equal types, or a wish that any number fulfils.
	case have == want || want == integer && have <= signed:
		return false
	case want == signed:
		o.str("asSInt(")
	case want == clock:
		o.str("asClock(")
	case want == asyncReset:
		o.str("asAsyncReset(")
	default:
		o.str("asUInt(")
	}
	return true
}

func (o *output) close(opened bool) {
	if opened {
		o.str(")")
	}
}
