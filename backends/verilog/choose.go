package verilog

import (
	"etch/backends/verilog/internal/syntax"
	"etch/ir"
)

// choice is a multiplexer or a case as an expression.
func (p *exprs) choice(id ir.ID) *syntax.Expr {
	m, args := p.m, p.m.Args(id)
	switch {
	case m.Op(id) == ir.Mux:
		return p.mux(id)
	case p.isGate(id):
		// The condition is a comparison with the only key.
		cond := p.isKey(id, 0)
		cond.Brace = true
		e := p.trees.Binary(syntax.And, cond, p.inner(args[2]))
		e.Gate, e.Flat = true, syntax.FlatLeft|syntax.FlatRight
		return e
	}
	return p.caseTernary(id)
}

// isGate reports whether a choice of one bit is written as a conjunction: c ? x : 0.
func (p *view) isGate(id ir.ID) bool {
	args := p.m.Args(id)
	if p.m.Width(id) != 1 || len(args) != 3 {
		return false
	}
	// A Case has its default before its values.
	x, other := args[1], args[2]
	if p.m.Op(id) == ir.Case {
		x, other = other, x
	}
	zero, ok := p.konst(other)
	return ok && zero.IsZero() && !p.isConst(x)
}

// mux is a multiplexer. The zero of a gate is shown only if it continues a chain.
func (p *exprs) mux(id ir.ID) *syntax.Expr {
	args := p.m.Args(id)
	cond, x, y := p.inner(args[0]), p.inner(args[1]), p.ref(args[2], context{})

	// The last operand is open too: a multiplexer there joins the chain if it has no name.
	e := p.trees.New(syntax.Mux, cond, x, y)
	e.Gate, e.Lo, e.Width = p.isGate(id), int32(p.m.Node(id).Type), int32(p.m.Width(id))
	if !e.Gate {
		p.note(args[2], inElse)
	}
	return e
}

// isKey compares the selector of a Case with one of its keys.
func (p *exprs) isKey(id ir.ID, i int) *syntax.Expr {
	as := inside
	if len(p.m.Args(id)) > 3 {
		as = wantNet // each key repeats it
	}
	sel := p.v(p.m.Args(id)[0])
	return p.trees.Binary(syntax.Eq, p.operand(sel, as, context{}), p.code(p.m.KeysOf(id)[i], p.m.Node(sel).Type))
}

// caseTernary is a Case of few arms as a chain of comparisons.
func (p *exprs) caseTernary(id ir.ID) *syntax.Expr {
	m, args := p.m, p.m.Args(id)
	c := context{typ: m.Node(id).Type}
	lines := syntax.BreakLong
	if len(args) > 3 {
		lines = syntax.BreakAlways
	}

	// From the last key up. A default that is a conditional itself keeps its brackets; the
	// comparisons are one chain.
	e := p.operand(args[1], inside, c)
	for i := len(m.KeysOf(id)) - 1; i >= 0; i-- {
		e = p.trees.Choose(p.isKey(id, i), p.operand(args[2+i], inside, c), e, lines)
		if i == len(m.KeysOf(id))-1 {
			e.Flat = 0
		}
	}
	return e
}
