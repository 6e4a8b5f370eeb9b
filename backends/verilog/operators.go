package verilog

import (
	"etch/backends/verilog/internal/syntax"
	"etch/ir"
)

// not is the inverse of a value; link makes it !x where a truth value is wanted.
func (p *exprs) not(x ir.ID, as use) *syntax.Expr {
	return p.trees.Map(syntax.Invert, p.operand(x, as, context{}))
}

// oneBitZero is x for a value x == 0 of one bit, which is written !x; else None.
func (p *view) oneBitZero(id ir.ID) ir.ID {
	if x, c, ok := p.besideConst(p.m.Args(id)); ok && c.Width() == 1 {
		return x
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

// infix is an operator between values: &, | and ^ may have more than two. Subtraction does
// not associate, and the right operand of a sum is bracketed to show its grouping.
func (p *exprs) infix(id ir.ID) *syntax.Expr {
	op := symbols[p.m.Op(id)]
	var list [4]*syntax.Expr
	args := list[:0]
	for _, a := range p.m.Args(id) {
		args = append(args, p.inner(a))
	}
	e := p.trees.Binary(op, args...)
	if e.Flat = syntax.FlatLeft; op != syntax.Add && op != syntax.Sub {
		e.Flat |= syntax.FlatRight
	}
	return e
}

// swapped is the comparison with its sides exchanged.
var swapped = map[syntax.Op]syntax.Op{syntax.Eq: syntax.Eq, syntax.Lt: syntax.Gt}

// compare is a comparison. A constant goes to the right.
func (p *exprs) compare(id ir.ID) *syntax.Expr {
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

	// Equality has no sign. The key of a decoder stands behind the constant.
	a, b := p.operand(x, inside, cx), p.operand(y, inside, cy)
	if key := p.pattern(x, y); key != nil {
		return p.trees.Binary(op, a, b, key)
	}
	return p.trees.Binary(op, a, b)
}

// lessBit is a comparison of single bits without operator: unsigned, only 0 < 1 is true;
// signed, only -1 < 0, that is 1 < 0.
func (p *exprs) lessBit(op ir.Op, args []ir.ID) *syntax.Expr {
	x, y := args[0], args[1]
	if op == ir.LtS {
		x, y = y, x
	}
	return p.bitwise(syntax.And, p.not(x, inside), p.inner(y))
}

// bitwise is an operation of single bits that stands for another one: beside the same
// operator it has brackets.
func (p *exprs) bitwise(op syntax.Op, x, y *syntax.Expr) *syntax.Expr {
	e := p.trees.Tight(op, x, y)
	e.Gate = true
	return e
}
