package verilog

import (
	"etch/backends/verilog/internal/syntax"
	"etch/ir"
)

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

// signed is a value as a signed operand.
func (p *module) signed(id ir.ID, as mark, c context) *syntax.Expr {
	if v, ok := p.konst(id); ok && !p.counting {
		return p.trees.SignedLiteral(v)
	}
	e := p.operand(id, as, c)
	if e.Signed {
		return e
	}
	return p.trees.ToSigned(e)
}

// unsignedBeside is an operand that makes an operator unsigned, unless the other operand
// already does.
func (p *module) unsignedBeside(e, other *syntax.Expr) *syntax.Expr {
	if !other.Signed {
		return e
	}
	return p.trees.ToUnsigned(e)
}
