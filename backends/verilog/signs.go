package verilog

import "etch/ir"

// A value of a signed type is declared signed, so that comparisons, products and
// arithmetic shifts of it need no $signed(), and viewers show it with its sign.
//
// Verilog makes an expression signed if all its operands are signed. The sign then decides
// how a narrow operand is extended, how < and / work, and whether an index can be negative.
// Elsewhere in etch's text all operands have one width, and the sign of an expression
// changes nothing. So only the places that depend on the sign handle it: they call signed
// for a signed operand and unsigned for an unsigned one.

// isSigned reports whether a value is declared signed. Single bits are not: as a signed
// number 1'b1 is -1.
func (p *module) isSigned(id ir.ID) bool {
	switch p.m.Op(id) {
	case ir.NetOut, ir.MemOut, ir.Const:
		return false
	}
	n := p.m.Node(id)
	return n.Width > 1 && p.m.TypeOf(n.Type).Kind.Signed()
}

// readsSigned reports whether Verilog takes the text of a value in an expression as signed.
func (p *module) readsSigned(id ir.ID) bool {
	id = p.v(id)
	if p.isConst(id) {
		return false
	}
	if p.isAtom(id) || p.isState(id) {
		return p.isSigned(id)
	}
	// The rules of IEEE 1364-2005, 5.5: an operator is signed if its operands are;
	// comparisons, selects and concatenations are unsigned.
	args := p.m.Args(id)
	switch p.m.Op(id) {
	case ir.Add, ir.Sub, ir.And, ir.Or, ir.Xor, ir.Not:
		return p.allSigned(args)
	case ir.Mul: // a narrow operand is made unsigned, see product
		return p.allSigned(args) && !p.narrower(args, p.m.Width(id))
	case ir.Mux, ir.Case:
		return p.allSigned(args[1:])
	case ir.Shl, ir.Shr:
		return p.readsSigned(args[0])
	case ir.MulS, ir.ShrS, ir.DivS, ir.RemS:
		return true
	}
	return false
}

func (p *module) allSigned(args []ir.ID) bool {
	for _, a := range args {
		if !p.readsSigned(a) {
			return false
		}
	}
	return true
}

// signed prints a value as a signed operand of an operator of precedence above.
func (p *module) signed(id ir.ID, above int, h how) {
	if v, ok := p.konst(id); ok {
		p.signedLiteral(v)
		return
	}
	h = how{indent: h.indent}
	if p.readsSigned(id) {
		p.expr(p.v(id), above, h)
		return
	}
	p.str("$signed(")
	p.expr(p.v(id), 0, h)
	p.ch(')')
}

// unsigned prints an operand so that the expression around it is unsigned. If the other
// operand already makes it so, it is printed as it is.
func (p *module) unsigned(id, other ir.ID, above int, h how) {
	if !p.readsSigned(id) || other != ir.None && !p.readsSigned(other) {
		p.expr(p.v(id), above, h)
		return
	}
	p.str("$unsigned(")
	p.expr(p.v(id), 0, h)
	p.ch(')')
}
