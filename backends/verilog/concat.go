package verilog

import (
	"etch/backends/verilog/internal/syntax"
	"etch/ir"
	"etch/ir/bits"
)

// concat is a concatenation, broken after column limit (0: as other lines). A run of equal
// elements becomes a replication.
func (p *module) concat(args []ir.ID, limit int32) *syntax.Expr {
	if p.counting {
		for _, a := range args {
			p.operand(a, inside, context{})
		}
		return p.trees.New(syntax.Later)
	}

	var list []*syntax.Expr
	for i := 0; i < len(args); {
		// The length of the run of equal elements.
		n := 1
		for i+n < len(args) && p.v(args[i+n]) == p.v(args[i]) {
			n++
		}

		// The parts of a concatenation inside join the outer one.
		parts := p.operand(args[i], inside, context{}).Parts()
		if n > 1 {
			list = append(list, p.trees.Repeat(n, parts...))
		} else {
			list = append(list, parts...)
		}
		i += n
	}
	e := p.trees.Concat(list...)
	e.Limit = limit
	return e
}

// zeros is a constant of n zeros.
func (p *module) zeros(n int) *syntax.Expr { return p.trees.Literal(bits.Zero(n)) }

// extendSign is x with n copies of its top bit in front. The top bit is selected by name, so
// x needs one unless it is a single bit.
func (p *module) extendSign(x ir.ID, n int) *syntax.Expr {
	w := p.m.Width(x)
	if w == 1 {
		return p.trees.Repeat(n+1, p.operand(x, inside, context{}))
	}

	// The value, and its sign in front.
	whole := p.operand(x, wantNet, context{})
	sign := p.bitsOf(x, w-1, 1)
	if n > 1 {
		sign = p.trees.Repeat(n, sign)
	}
	return p.trees.Extend(sign, whole)
}
