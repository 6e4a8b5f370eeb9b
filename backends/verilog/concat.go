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
		return p.later()
	}
	var list []*syntax.Expr
	for i := 0; i < len(args); {
		n := 1
		for i+n < len(args) && p.v(args[i+n]) == p.v(args[i]) {
			n++
		}
		parts := elements(p.operand(args[i], inside, context{}))
		if n > 1 {
			list = append(list, p.repeat(n, parts...))
		} else {
			list = append(list, parts...)
		}
		i += n
	}
	e := p.concatOf(list...)
	e.Limit = limit
	return e
}

// concatOf is {parts…}.
func (p *module) concatOf(parts ...*syntax.Expr) *syntax.Expr {
	e := p.trees.New(syntax.Concat, parts...)
	for _, x := range parts {
		e.Width += x.Width
	}
	return e
}

// elements is the parts of an expression in a concatenation: a concatenation as element
// needs no braces of its own. An extension keeps them, to show its width.
func elements(e *syntax.Expr) []*syntax.Expr {
	if e.Kind == syntax.Concat && !e.Tight {
		return e.Args
	}
	return []*syntax.Expr{e}
}

func (p *module) repeat(n int, parts ...*syntax.Expr) *syntax.Expr {
	e := p.trees.New(syntax.Repeat, parts...)
	e.N = n
	for _, x := range parts {
		e.Width += int32(n) * x.Width
	}
	return e
}

// padded is an expression with a constant in front.
func (p *module) padded(front bits.Value, e *syntax.Expr) *syntax.Expr {
	return p.extension(p.literal(front), elements(e)...)
}

func (p *module) extension(front *syntax.Expr, rest ...*syntax.Expr) *syntax.Expr {
	e := p.concatOf(append([]*syntax.Expr{front}, rest...)...)
	e.Tight = true
	return e
}

// extendSign is x with n copies of its top bit in front. The top bit is selected by name, so
// x needs one unless it is a single bit.
func (p *module) extendSign(x ir.ID, n int) *syntax.Expr {
	w := p.m.Width(x)
	if w == 1 {
		return p.repeat(n+1, p.operand(x, inside, context{}))
	}
	whole := p.operand(x, wantNet, context{})
	sign := p.bitsOf(x, w-1, 1)
	if n > 1 {
		sign = p.repeat(n, sign)
	}
	return p.extension(sign, whole)
}
