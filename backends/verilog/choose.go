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
	indent := h.indent
	for {
		args := p.m.Args(id)
		p.condition(args[0], precTernary, indent)
		p.str(" ? ")
		p.expr(p.v(args[1]), precTernary, how{typ: typ, indent: indent})
		p.str(" :")
		next := p.v(args[2])
		if p.m.Op(next) != ir.Mux || p.isAtom(next) || p.isConst(next) {
			if p.is(id, chained) || p.chainStart != 0 {
				p.nextLine()
			} else {
				p.wrap(indent + 4)
			}
			p.chainStart = 0
			p.expr(next, precTernary, how{typ: typ, indent: indent})
			return
		}
		if p.chainStart == 0 {
			p.chainStart = indent + 4
		}
		p.nextLine()
		id = next
	}
}

func (p *module) nextLine() {
	p.nl()
	p.indent(p.chainStart)
}
