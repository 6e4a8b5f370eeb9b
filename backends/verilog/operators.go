package verilog

import (
	"etch/ir"
)

// oneBitZero is x for a value x == 0 of one bit, which is written !x; else None.
func (p *module) oneBitZero(id ir.ID) ir.ID {
	args := p.m.Args(id)
	for i, a := range args {
		if c, ok := p.konst(a); ok && c.Width() == 1 {
			return args[1-i]
		}
	}
	return ir.None
}

// binary is the operators of ops that have one symbol.
var binary = [ir.NumOps]string{
	ir.And: "&", ir.Or: "|", ir.Xor: "^", ir.Add: "+", ir.Sub: "-", ir.Eq: "==", ir.Lt: "<",
}

func (p *module) not(x ir.ID, h how) {
	c := byte('~')
	if h.cond && p.m.Width(x) == 1 {
		c = '!'
	}
	p.ch(c)
	p.expr(p.v(x), precUnary, h)
}

// isNegation reports whether a value, 0 - x, is written as -x.
func (p *module) isNegation(id ir.ID) bool {
	if p.m.Op(id) != ir.Sub || p.m.Width(id) == 1 {
		return false
	}
	args := p.m.Args(id)
	zero, ok := p.konst(args[0])
	return ok && zero.IsZero() && !p.isConst(args[1])
}

func (p *module) infix(id ir.ID, prec int, h how) {
	op, args := p.m.Op(id), p.m.Args(id)
	sign := binary[op]
	// Doubled for truth values.
	if prec == precOrOr || prec == precAndAnd {
		sign += sign
	} else {
		h.cond = false
	}

	h.typ = 0
	for i, a := range args {
		if i > 0 {
			p.ch(' ')
			p.str(sign)
			p.wrap(h.indent + 4)
		}
		// Subtraction does not associate, and the right operand of a sum is bracketed to
		// show its grouping.
		chain := op
		if i > 0 && (op == ir.Sub || op == ir.Add) {
			chain = ir.Invalid
		}
		p.sameChain(a, chain, prec, h)
	}
}

// signs is the four operators of a comparison: as it is, with sides swapped, inverted,
// both.
var signs = [ir.NumOps][4]string{
	ir.Eq: {"==", "==", "!=", "!="}, ir.Lt: {"<", ">", ">=", "<="}, ir.LtS: {"<", ">", ">=", "<="},
}

// compare prints a comparison, or its inverse. A constant goes to the right.
func (p *module) compare(id ir.ID, invert bool, h how) {
	args := p.m.Args(id)
	x, y, way := p.v(args[0]), p.v(args[1]), 0
	if p.isConst(x) {
		x, y, way = y, x, 1
	}
	if invert {
		way += 2
	}

	// Each side gives the other one its type, for enumeration constants.
	hx, hy := how{typ: p.hintOf(y), indent: h.indent}, how{typ: p.hintOf(x), indent: h.indent}
	switch p.m.Op(id) {
	case ir.LtS:
		p.signed(x, precLess, hx)
	case ir.Lt:
		p.unsigned(x, y, precLess, hx)
	default:
		p.expr(x, precLess, hx)
	}

	p.ch(' ')
	p.str(signs[p.m.Op(id)][way])
	p.wrap(h.indent + 4)
	key, isKey := p.konst(y)
	switch {
	case p.m.Op(id) == ir.LtS:
		p.signed(y, precLess, hy)
	case p.m.Op(id) == ir.Eq && isKey && p.pattern(x, key):
	default:
		p.expr(y, precLess, hy)
	}
}

// lessBit prints a comparison of single bits without operator: unsigned, only 0 < 1 is
// true; signed, only -1 < 0, that is 1 < 0.
func (p *module) lessBit(op ir.Op, args []ir.ID, h how) {
	x, y := p.v(args[0]), p.v(args[1])
	if op == ir.LtS {
		x, y = y, x
	}
	h = how{indent: h.indent}
	p.not(x, h)
	p.str(" & ")
	p.expr(y, precAnd, h)
}

// inverted is the comparison whose inverse a value is, if it can be written with the
// opposite operator; else None.
func (p *module) inverted(id ir.ID) ir.ID {
	x := p.v(p.m.Args(id)[0])
	if p.isAtom(x) || p.isConst(x) || p.m.Width(id) != 1 {
		return ir.None
	}
	switch p.m.Op(x) {
	case ir.Eq:
		if p.oneBitZero(x) != ir.None {
			return ir.None
		}
		return x
	case ir.Lt, ir.LtS:
		if p.m.Width(p.m.Args(x)[0]) > 1 {
			return x
		}
	}
	return ir.None
}
