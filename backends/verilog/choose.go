package verilog

import (
	"slices"

	"etch/backends/verilog/internal/syntax"
	"etch/ir"
	"etch/ir/bits"
)

// choice is a multiplexer or a case as an expression.
func (p *module) choice(id ir.ID, c context) *syntax.Expr {
	switch {
	case p.isGate(id):
		return p.gate(id, c)
	case p.m.Op(id) == ir.Mux:
		if typ := p.m.Node(id).Type; typ != 0 {
			c.typ = typ
		}
		return p.ternary(id, c.typ, false)
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

// gate is a choice for which isGate holds. && joins truth values, & other bits. A gate that
// is the value of another one continues it.
func (p *module) gate(id ir.ID, c context) *syntax.Expr {
	args, op := p.m.Args(id), syntax.And
	if c.truth {
		op = syntax.AndAnd
	}
	c.typ = 0

	// The condition of a Case is a comparison with its only key.
	var cond *syntax.Expr
	x := args[1]
	if p.m.Op(id) == ir.Case {
		cond = p.isKey(id, 0)
		cond.Brace = true
		x = args[2]
	} else {
		cond = p.operand(args[0], inside, c)
	}
	e := p.trees.Binary(op, cond, p.operand(x, inside, c))
	e.Gate, e.Flat = true, syntax.FlatLeft|syntax.FlatRight
	return e
}

// isKey compares the selector of a Case with one of its keys.
func (p *module) isKey(id ir.ID, i int) *syntax.Expr {
	as := inside
	if len(p.m.Args(id)) > 3 {
		as = wantNet // each key repeats it
	}
	sel := p.v(p.m.Args(id)[0])
	return p.trees.Binary(syntax.Eq, p.operand(sel, as, context{}), p.constLit(p.m.KeysOf(id)[i], p.m.Node(sel).Type))
}

// ternary is a multiplexer whose constants have a type. Multiplexers in its last operand
// continue it (in a chain), each on a line of its own.
func (p *module) ternary(id ir.ID, typ ir.TypeID, chain bool) *syntax.Expr {
	args := p.m.Args(id)
	cond := p.operand(args[0], inside, context{truth: true})
	x := p.operand(args[1], inside, context{typ: typ})

	// Counting, the chain is not known yet: whether the next one is inlined is decided by
	// its uses.
	next := p.v(args[2])
	if p.m.Op(next) == ir.Mux && !p.isAtom(next) && !p.isConst(next) && !p.counting {
		return p.trees.Choose(cond, x, p.ternary(next, typ, true), syntax.BreakAlways)
	}
	y := p.operand(args[2], inElse, context{typ: typ})
	e := p.trees.Choose(cond, x, y, syntax.BreakLong)
	if e.Flat = 0; chain {
		e.Break = syntax.BreakAlways
	}
	return e
}

// caseTernary is a Case of few arms as a chain of comparisons.
func (p *module) caseTernary(id ir.ID) *syntax.Expr {
	m, args := p.m, p.m.Args(id)
	c := context{typ: m.Node(id).Type}
	lines := syntax.BreakLong
	if len(args) > 3 {
		lines = syntax.BreakAlways
	}

	// From the last key up.
	e := p.operand(args[1], inside, c)
	for i := len(m.KeysOf(id)) - 1; i >= 0; i-- {
		// A default that is a conditional itself keeps its brackets; the comparisons are one chain.
		flat := e.Kind == syntax.Cond && i < len(m.KeysOf(id))-1
		e = p.trees.Choose(p.isKey(id, i), p.operand(args[2+i], inside, c), e, lines)
		if !flat {
			e.Flat = 0
		}
	}
	return e
}

// memRead is an asynchronous read. Past the end it gives 0, by a comparison unless the
// address cannot get there.
func (p *module) memRead(id ir.ID) *syntax.Expr {
	at := int(p.m.Node(id).Aux)
	mem, addr := &p.m.Mems[at], p.m.Args(id)[0]
	p.isReadAsync[at] = true
	// A constant address is decided here.
	if isPast, isConst := p.isPastEnd(mem, addr); isPast {
		return p.zeros(mem.Width)
	} else if isConst || !pastEnd(mem, p.m.Width(addr)) {
		return p.word(at, addr)
	}
	return p.trees.Choose(p.inRange(mem, addr), p.word(at, addr), p.zeros(mem.Width), syntax.BreakNever)
}

// isPastEnd reports whether an address is constant, and past the end of a memory.
func (p *view) isPastEnd(mem *ir.Memory, addr ir.ID) (isPast, isConst bool) {
	a, ok := p.konst(addr)
	return ok && (!a.IsUint64() || a.Uint64() >= uint64(mem.Depth)), ok
}

// indexWidth is the number of bits that address a memory.
func indexWidth(mem *ir.Memory) int { return ir.CountWidth(mem.Depth - 1) }

// pastEnd reports whether an address of w bits can exceed the depth.
func pastEnd(mem *ir.Memory, w int) bool { return w >= 31 || 1<<w > mem.Depth }

// inRange compares an address with the depth.
func (p *module) inRange(mem *ir.Memory, addr ir.ID) *syntax.Expr {
	a, w := p.operand(addr, wantNet, context{}), p.m.Width(addr)
	if mem.Depth == 1 {
		return p.trees.Tight(syntax.Eq, a, p.zeros(w))
	}
	return p.trees.Tight(syntax.Lt, a, p.trees.Literal(bits.New(w, uint64(mem.Depth))))
}

// carries reports whether the value of e depends on the width in which it is computed. Icarus Verilog
// 11 computes an index in more bits than its operands have, and reads x from mem[a - b] where the
// difference is negative. In a concatenation it has its own width.
func carries(e *syntax.Expr) bool {
	switch {
	case e.IsCompare():
		return false
	case e.Kind == syntax.Binary && (e.Op == syntax.Add || e.Op == syntax.Sub || e.Op == syntax.Mul):
		return true
	case e.Kind == syntax.Binary && e.Op > syntax.OrOr, e.Kind == syntax.Unary && (e.Op == syntax.Invert || e.Op == syntax.Minus):
		return slices.ContainsFunc(e.Args, carries)
	case e.Kind == syntax.Cond:
		return carries(e.Args[1]) || carries(e.Args[2])
	}
	return false
}

// word is mem[addr]. The index has exactly the bits that the depth needs, since tools warn
// of others.
func (p *module) word(at int, addr ir.ID) *syntax.Expr {
	mem := &p.m.Mems[at]
	n, w := indexWidth(mem), p.m.Width(addr)

	// Bits above n are zero where the word is read at all: the guard sees to that.
	var index *syntax.Expr
	a, isConst := p.konst(addr)
	switch {
	case isConst:
		index = p.trees.Literal(bits.New(n, a.Uint64()))
	case mem.Depth == 1:
		index = p.zeros(1)
	case w > n:
		index = p.bitsOf(addr, 0, n)
	case w < n:
		index = p.trees.Extend(p.zeros(n-w), p.operand(addr, inside, context{}))
	default:
		index = p.trees.ToUnsigned(p.operand(addr, inside, context{}))
		if carries(index) {
			index = p.trees.Concat(index)
		}
	}
	e := p.trees.New(syntax.Index, index)
	e.Name, e.Width = p.table.get(p.mems[at]), int32(mem.Width)
	return e
}
