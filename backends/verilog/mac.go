package verilog

import (
	"etch/backends/verilog/internal/syntax"
	"etch/ir"
)

// A sum with a full product in it is written as one expression, sum + a * b, as a designer
// would write it and as synthesis looks for it. At the width of the sum, the product equals
// its extension, since it has as many bits as its operands together.

// productIn is the product that a term of a sum is, or is the extension of; None if the
// term is something else or has other uses.
func (p *view) productIn(term ir.ID, width int) ir.ID {
	m := p.m
	// An extension, if it has no other use.
	term = p.v(term)
	ext := m.Op(term)
	if ext == ir.SExt || ext == ir.ZExt {
		if p.is(term, named|folded) || p.fanout[term] != 1 {
			return ir.None
		}
		term = p.v(m.Args(term)[0])
	}

	// A product without another use. Verilator limits signed products to 512 bits.
	op := m.Op(term)
	if op != ir.Mul && op != ir.MulS || p.is(term, named|folded) || p.fanout[term] != 1 || width > 512 {
		return ir.None
	}

	// Either it is computed at the width of the sum, or it is full and extended by its own
	// sign.
	args := m.Args(term)
	full := m.Width(term) == m.Width(args[0])+m.Width(args[1])
	same := m.Width(term) == width && m.Width(args[0]) <= width && m.Width(args[1]) <= width
	if same || full && (ext == ir.SExt) == (op == ir.MulS) {
		return term
	}
	return ir.None
}

// sumOfProduct reports whether an addition or subtraction contains a product, and whether
// it is signed.
func (p *view) sumOfProduct(id ir.ID) (is, signed bool) {
	m := p.m
	if op := m.Op(id); op != ir.Add && op != ir.Sub || p.is(id, folded) || p.to[id] != id {
		return false, false
	}
	for _, a := range m.Args(id) {
		if x := p.productIn(a, m.Width(id)); x != ir.None {
			return true, m.Op(x) == ir.MulS
		}
	}
	return false, false
}

// termIn is the product in a term, if its signedness is that of the sum.
func (p *view) termIn(sum, term ir.ID) ir.ID {
	_, signed := p.sumOfProduct(sum)
	if x := p.productIn(term, p.m.Width(sum)); x != ir.None && (p.m.Op(x) == ir.MulS) == signed {
		return x
	}
	return ir.None
}

// sumOfTerms is a sum with a product in it. Terms of the other signedness are values of the
// sum's width.
func (p *exprs) sumOfTerms(id ir.ID) *syntax.Expr {
	_, signed := p.sumOfProduct(id)
	var terms [2]*syntax.Expr
	for i, a := range p.m.Args(id) {
		switch x := p.termIn(id, a); {
		case x != ir.None:
			// The product and its extension have no text of their own.
			p.marks[p.v(a)] |= tree
			p.marks[x] |= tree
			terms[i] = p.product(x, p.m.Width(id), true)
		case signed:
			terms[i] = p.signed(a, inside, context{})
		default:
			terms[i] = p.inner(a)
		}
	}
	return p.trees.Binary(symbols[p.m.Op(id)], terms[0], terms[1])
}
