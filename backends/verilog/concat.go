package verilog

import (
	"etch/backends/verilog/internal/syntax"
	"etch/ir"
	"etch/ir/bits"
)

// concat is a concatenation, broken after column limit (0: as other lines). A run of equal
// elements becomes a replication.
func (p *exprs) concat(args []ir.ID, limit int32) *syntax.Expr {
	list := make([]*syntax.Expr, 0, 8)
	for i := 0; i < len(args); {
		// A run of equal elements; each counts as a use, so a long one gets a name.
		e, n := p.inner(args[i]), 1
		for ; i+n < len(args) && p.v(args[i+n]) == p.v(args[i]); n++ {
			p.note(args[i], inside)
		}

		// Written once, with its number.
		if n > 1 {
			e = p.trees.Repeat(n, e)
		}
		list, i = append(list, e), i+n
	}
	e := p.trees.Concat(list...)
	e.N = limit
	return e
}

// zeros is a constant of n zeros.
func (p *exprs) zeros(n int) *syntax.Expr { return p.trees.Literal(bits.Zero(n)) }

// extendSign is x with n copies of its top bit in front. The top bit is selected by name, so
// x needs one unless it is a single bit.
func (p *exprs) extendSign(x ir.ID, n int) *syntax.Expr {
	w := p.m.Width(x)
	if w == 1 {
		return p.trees.Repeat(n+1, p.inner(x))
	}

	// The value, and its sign in front.
	whole := p.operand(x, wantNet, context{})
	sign := p.bitsOf(x, w-1, 1)
	if n > 1 {
		sign = p.trees.Repeat(n, sign)
	}
	return p.trees.Extend(sign, whole)
}
