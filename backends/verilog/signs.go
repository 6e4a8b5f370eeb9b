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

// signed is a value as a signed operand.
func (p *exprs) signed(id ir.ID, as use, c context) *syntax.Expr {
	e := p.operand(id, as, c)
	if v, ok := p.konst(id); ok {
		return p.trees.SignedLiteral(v)
	}
	return p.asSigned(e, false)
}

// asSigned is an operand with a sign. In a narrow operation, every operation has its own width.
func (p *exprs) asSigned(e *syntax.Expr, narrow bool) *syntax.Expr {
	if e.Signed { // which only a name is, so far
		return e
	}
	e = p.trees.New(syntax.AsSigned, e)
	e.Tight = narrow
	return e
}

// unsignedBeside is an operand that makes an operator unsigned, unless the other operand
// already does.
func (p *exprs) unsignedBeside(e, other *syntax.Expr) *syntax.Expr {
	if e.Kind == syntax.Name && !e.Signed || other.Kind == syntax.Name && !other.Signed {
		return e
	}

	// Whether the two are signed is known when both are linked.
	e = p.trees.New(syntax.AsUnsigned, e)
	e.Tight = true
	return e
}
