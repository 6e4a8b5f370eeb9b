package verilog

import (
	"etch/ir"
	"etch/ir/bits"
)

// ternary prints a multiplexer; those in its last part follow in lines of their
// own.
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

// caseTernary prints a case of few arms.
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

// division prints a quotient or remainder with what etch defines where Verilog
// gives x: all ones and the dividend for a divisor of 0. The signed ones with a
// divisor of -1 avoid the overflow that stops some simulators. All operands of a
// signed expression are signed, or it would not be.
func (p *module) division(id ir.ID, h how) {
	m, args, w := p.m, p.m.Args(id), p.m.Width(id)
	op := m.Op(id)
	x, y := p.v(args[0]), p.v(args[1])
	h = how{indent: h.indent}
	divisor, isConst := p.konst(y)
	switch {
	case w == 1 && (op == ir.Div || op == ir.DivS): // 1 / 1 = 1, -1 / -1 = 1 mod 2
		p.expr(x, precOr, h)
		p.str(" | ")
		p.not(y, h)
	case w == 1:
		p.expr(x, precOr, h) // x & ~y, bracketed by precOr
		p.str(" & ")
		p.not(y, h)
	case op == ir.Div || op == ir.Rem:
		if !isConst {
			p.name(y)
			p.str(" == ")
			p.literal(bits.Zero(w))
			p.str(" ? ")
			if op == ir.Div {
				p.literal(bits.Ones(w))
			} else {
				p.expr(x, precTernary, h)
			}
			p.str(" : ")
			if op == ir.Div && w > 64 {
				p.divideByOne(x, y, h)
			}
		}
		p.expr(x, precMul, h)
		p.str(divSign(op))
		p.expr(y, precMul, h)
	case isConst && divisor.IsOnes():
		p.negative(x, h)
	case isConst:
		p.signed(x, h)
		p.str(divSign(op))
		p.signedLiteral(divisor)
	default:
		p.guardedSigned(op, x, y, h)
	}
}

// divideByOne guards a wide quotient: Icarus Verilog 11 says that a number of
// more than 64 bits with its top bit set, divided by 1, is 0.
func (p *module) divideByOne(x, y ir.ID, h how) {
	p.name(y)
	p.str(" == ")
	p.literal(bits.New(p.m.Width(y), 1))
	p.str(" ? ")
	p.expr(x, precTernary, h)
	p.str(" :")
	p.nl()
	p.indent(h.indent + 4)
}

func divSign(op ir.Op) string {
	if op == ir.Div || op == ir.DivS {
		return " / "
	}
	return " % "
}

func (p *module) guardedSigned(op ir.Op, x, y ir.ID, h how) {
	w := p.m.Width(x)
	p.name(y)
	p.str(" == ")
	p.literal(bits.Zero(w))
	p.str(" ? ")
	if op == ir.DivS {
		p.signedLiteral(bits.Ones(w))
	} else {
		p.signed(x, h)
	}
	p.str(" :")
	p.nl()
	p.indent(h.indent + 4)
	p.name(y)
	p.str(" == ")
	p.literal(bits.Ones(w))
	p.str(" ? ")
	if op == ir.DivS {
		p.negative(x, h)
	} else {
		p.signedLiteral(bits.Zero(w))
	}
	p.str(" :")
	p.nl()
	p.indent(h.indent + 4)
	p.signed(x, h)
	p.str(divSign(op))
	p.signed(y, h)
}

// negative prints -x as a signed operand.
func (p *module) negative(x ir.ID, h how) {
	if v, ok := p.konst(x); ok {
		p.signedLiteral(v.Neg())
		return
	}
	p.ch('-')
	p.signed(x, h)
}

// memRead prints an asynchronous read; past the end there is 0.
func (p *module) memRead(id ir.ID, h how) {
	at := int(p.m.Node(id).Aux)
	mem, addr := &p.m.Mems[at], p.m.Args(id)[0]
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

// word prints mem[addr] with an index of exactly the bits that it takes.
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
		p.expr(p.v(addr), 0, how{indent: indent})
	}
	p.ch(']')
}
