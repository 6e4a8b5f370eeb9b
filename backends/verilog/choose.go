package verilog

import (
	"etch/ir"
	"etch/ir/bits"
)

// isGate reports whether a choice of one bit is written as a conjunction: c ? x : 0.
func (p *module) isGate(id ir.ID) bool {
	args := p.m.Args(id)
	if p.m.Width(id) != 1 || len(args) != 3 {
		return false
	}
	// A Case has its default before its values.
	x, other := args[1], args[2]
	if p.m.Op(id) == ir.Case {
		x, other = other, x
	}
	zero, ok := p.konst(other)
	return ok && zero.IsZero() && !p.isConst(x)
}

// gate prints a choice for which isGate holds. && joins truth values, & other bits.
func (p *module) gate(id ir.ID, prec int, h how) {
	args := p.m.Args(id)
	sign, x := " &", args[1]
	if prec == precAndAnd {
		sign = " &&"
	} else {
		h.cond = false
	}

	// The condition: a comparison for a Case,
	h.typ = 0
	if p.m.Op(id) == ir.Case {
		sel := p.v(args[0])
		p.ch('(')
		p.expr(sel, precEq, how{indent: h.indent})
		p.str(" == ")
		p.constLit(p.m.KeysOf(id)[0], p.hintOf(sel))
		p.ch(')')
		x = args[2]
	} else {
		p.sameChain(args[0], ir.And, prec, h)
	}

	// and the value. A gate inside it continues the chain without brackets.
	p.str(sign)
	p.wrap(h.indent + 4)
	if y := p.v(x); p.isGateText(y) {
		p.gate(y, prec, h)
		return
	}
	p.sameChain(x, ir.And, prec, h)
}

// isGateText is isGate for a value that is written inline.
func (p *module) isGateText(id ir.ID) bool {
	op := p.m.Op(id)
	return (op == ir.Mux || op == ir.Case) && !p.isAtom(id) && !p.isConst(id) && p.isGate(id)
}

// ternary prints a multiplexer. Multiplexers in its last operand continue it, each on a
// line of its own.
func (p *module) ternary(id ir.ID, h how) {
	typ := p.m.Node(id).Type
	if typ == 0 {
		typ = h.typ
	}
	h = how{typ: typ, indent: h.indent}
	for chain := false; ; chain = true {
		args := p.m.Args(id)
		p.condition(args[0], precTernary, h.indent)
		p.str(" ? ")
		p.expr(p.v(args[1]), precTernary, h)
		p.str(" :")

		// Only the last operand goes on without brackets.
		next := p.v(args[2])
		more := p.m.Op(next) == ir.Mux && !p.isAtom(next) && !p.isConst(next)
		if more || chain {
			p.nl()
			p.indent(h.indent + 4)
		} else {
			p.wrap(h.indent + 4)
		}
		if !more {
			p.expr(next, precTernary, h)
			return
		}
		id = next
	}
}

// caseTernary prints a Case of few arms as a chain of comparisons.
func (p *module) caseTernary(id ir.ID, h how) {
	m, args := p.m, p.m.Args(id)
	h = how{typ: m.Node(id).Type, indent: h.indent}
	sel := p.v(args[0])
	for i, k := range m.KeysOf(id) {
		p.expr(sel, precEq, how{indent: h.indent})
		p.str(" == ")
		p.constLit(k, p.hintOf(sel))
		p.str(" ? ")
		p.expr(p.v(args[2+i]), precTernary, h)
		p.str(" :")
		if len(args) > 3 {
			p.nl()
			p.indent(h.indent + 4)
		} else {
			p.wrap(h.indent + 4)
		}
	}
	p.expr(p.v(args[1]), precTernary, h)
}

// memRead prints an asynchronous read. Past the end it gives 0, by a comparison unless the
// address cannot get there.
func (p *module) memRead(id ir.ID, h how) {
	at := int(p.m.Node(id).Aux)
	mem, addr := &p.m.Mems[at], p.m.Args(id)[0]
	// A constant address is decided here.
	if a, ok := p.konst(addr); ok {
		if !a.IsUint64() || a.Uint64() >= uint64(mem.Depth) {
			p.literal(bits.Zero(mem.Width))
			return
		}
		p.word(at, addr, h.indent)
		return
	}
	if pastEnd(mem, p.m.Width(addr)) {
		p.inRange(mem, addr)
		p.str(" ? ")
		p.word(at, addr, h.indent)
		p.str(" : ")
		p.literal(bits.Zero(mem.Width))
		return
	}
	p.word(at, addr, h.indent)
}

// inRange prints the comparison of an address with the depth.
func (p *module) inRange(mem *ir.Memory, addr ir.ID) {
	p.name(addr)
	if mem.Depth == 1 {
		p.str(" == ")
		p.literal(bits.Zero(p.m.Width(addr)))
		return
	}
	p.str(" < ")
	p.literal(bits.New(p.m.Width(addr), uint64(mem.Depth)))
}

// word prints mem[addr]. The index has exactly the bits that the depth needs, since tools
// warn of others.
func (p *module) word(at int, addr ir.ID, indent int) {
	mem := &p.m.Mems[at]
	n, w := indexWidth(mem), p.m.Width(addr)
	p.raw(p.table.get(p.mems[at]))
	p.ch('[')

	a, isConst := p.konst(addr)
	switch {
	case isConst:
		p.literal(bits.New(n, a.Uint64()))
	case mem.Depth == 1:
		p.literal(bits.Zero(1))
	case w > n:
		p.bitsOf(p.v(addr), 0, n)
	case w < n:
		p.ch('{')
		p.literal(bits.Zero(n - w))
		p.str(", ")
		p.catPart(addr, how{indent: indent})
		p.ch('}')
	default:
		p.unsigned(addr, ir.None, 0, how{indent: indent})
	}
	p.ch(']')
}
