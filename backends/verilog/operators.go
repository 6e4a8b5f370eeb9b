package verilog

import (
	"etch/backends/verilog/internal/syntax"
	"etch/ir"
)

// not is the inverse of a value.
func (p *module) not(x ir.ID, as mark, c context) *syntax.Expr {
	return p.inverted(p.operand(x, as, c), p.m.Width(x), c)
}

// inverted is !x for a truth value, else ~x.
func (p *module) inverted(x *syntax.Expr, width int, c context) *syntax.Expr {
	if c.truth && width == 1 {
		return p.trees.Unary(syntax.Not, x)
	}
	e := p.trees.Unary(syntax.Invert, x)
	e.Width, e.Signed = int32(width), x.Signed
	return e
}

// opposite is the inverse of a condition: an inverse loses its inverter, a comparison takes
// the opposite operator. A comparison that is an inverse itself stays as its designer wrote
// it: !(level <= 16).
func (p *module) opposite(e *syntax.Expr) *syntax.Expr {
	switch {
	case e.Kind == syntax.Unary && e.Op == syntax.Not:
		return e.Args[0]
	case e.IsCompare() && e.Args[0].Width > 1 && (e.Op == syntax.Eq || e.Op == syntax.Lt || e.Op == syntax.Gt):
		e.Op = e.Op.Inverse()
		return e
	}
	return p.trees.Unary(syntax.Not, e)
}

// oneBitZero is x for a value x == 0 of one bit, which is written !x; else None.
func (p *view) oneBitZero(id ir.ID) ir.ID {
	args := p.m.Args(id)
	for i, a := range args {
		if c, ok := p.konst(a); ok && c.Width() == 1 {
			return args[1-i]
		}
	}
	return ir.None
}

// isNegation reports whether a value, 0 - x, is written as -x.
func (p *view) isNegation(id ir.ID) bool {
	if p.m.Op(id) != ir.Sub || p.m.Width(id) == 1 {
		return false
	}
	args := p.m.Args(id)
	zero, ok := p.konst(args[0])
	return ok && zero.IsZero() && !p.isConst(args[1])
}

// symbols is the operators of the ops that have one.
var symbols = [ir.NumOps]syntax.Op{
	ir.And: syntax.And, ir.Or: syntax.Or, ir.Xor: syntax.Xor, ir.Add: syntax.Add, ir.Sub: syntax.Sub,
	ir.Div: syntax.Div, ir.DivS: syntax.Div, ir.Rem: syntax.Rem, ir.RemS: syntax.Rem,
	ir.Shl: syntax.Shl, ir.Shr: syntax.Shr, ir.ShrS: syntax.ShrSigned,
	ir.Eq: syntax.Eq, ir.Lt: syntax.Lt, ir.LtS: syntax.Lt,
}

// infix is an operator between two values. Subtraction does not associate, and the right
// operand of a sum is bracketed to show its grouping.
func (p *module) infix(id ir.ID, c context) *syntax.Expr {
	op := symbols[p.m.Op(id)]

	// A single bit that stands for a truth value takes a logical operator.
	switch {
	case c.truth && op == syntax.And && p.m.Width(id) == 1:
		op = syntax.AndAnd
	case c.truth && op == syntax.Or && p.m.Width(id) == 1:
		op = syntax.OrOr
	default:
		c.truth = false
	}

	// The first two operands give the operator; &, | and ^ may have more.
	c.typ = 0
	args := p.m.Args(id)
	e := p.trees.Binary(op, p.operand(args[0], inside, c), p.operand(args[1], inside, c))
	for _, a := range args[2:] {
		p.trees.More(e, p.operand(a, inside, c))
	}
	if e.Flat = syntax.FlatLeft; op != syntax.Add && op != syntax.Sub {
		e.Flat |= syntax.FlatRight
	}
	return e
}

// swapped is the comparison with its sides exchanged.
var swapped = map[syntax.Op]syntax.Op{syntax.Eq: syntax.Eq, syntax.Lt: syntax.Gt}

// compare is a comparison. A constant goes to the right.
func (p *module) compare(id ir.ID) *syntax.Expr {
	op, args := symbols[p.m.Op(id)], p.m.Args(id)
	x, y := p.v(args[0]), p.v(args[1])
	if p.isConst(x) {
		x, y, op = y, x, swapped[op]
	}

	// Each side gives the other one its type, for enumeration constants.
	cx, cy := context{typ: p.m.Node(y).Type}, context{typ: p.m.Node(x).Type}
	switch p.m.Op(id) {
	case ir.LtS:
		return p.trees.Binary(op, p.signed(x, inside, cx), p.signed(y, inside, cy))
	case ir.Lt:
		a, b := p.operand(x, inside, cx), p.operand(y, inside, cy)
		return p.trees.Binary(op, p.unsignedBeside(a, b), b)
	}

	// Equality has no sign. A key of a decoder is written field by field.
	a := p.operand(x, inside, cx)
	if key := p.pattern(x, y); key != nil {
		return p.trees.Binary(op, a, key)
	}
	return p.trees.Binary(op, a, p.operand(y, inside, cy))
}

// lessBit is a comparison of single bits without operator: unsigned, only 0 < 1 is true;
// signed, only -1 < 0, that is 1 < 0.
func (p *module) lessBit(op ir.Op, args []ir.ID) *syntax.Expr {
	x, y := args[0], args[1]
	if op == ir.LtS {
		x, y = y, x
	}
	return p.bitwise(syntax.And, p.not(x, inside, context{}), p.operand(y, inside, context{}))
}

// bitwise is an operation of single bits that stands for another one: beside the same
// operator it has brackets.
func (p *module) bitwise(op syntax.Op, x, y *syntax.Expr) *syntax.Expr {
	e := p.trees.Tight(op, x, y)
	e.Gate = true
	return e
}
