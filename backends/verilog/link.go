package verilog

import (
	"slices"

	"etch/backends/verilog/internal/syntax"
	"etch/ir"
	"etch/ir/bits"
)

// linker replaces the references in a tree, after it is known which values have names: by the
// name of a value, or by its tree. The open forms, which depend on that choice, get their text
// here. Trees are changed in place.
type linker struct {
	*view
	*naming
	*uses
	*forest
}

// link replaces the references in a tree and returns what stands in its place.
func (p *linker) link(e *syntax.Expr, c context) *syntax.Expr {
	// A reference may narrow its context: to constants of a type, by Lo, or to a truth value.
	switch e.Kind {
	case syntax.Ref:
		if e.Lo != 0 {
			c.typ = ir.TypeID(e.Lo)
		}
		c.truth = c.truth || e.Op == syntax.AndAnd
		return p.linkValue(e, c)

	case syntax.Code:
		p.setCode(e, *e.Val, ir.TypeID(e.Lo))
		return e

	case syntax.Mux:
		return p.linkMux(e, c)
	case syntax.Inverse:
		return p.linkInverse(e, c)
	case syntax.Opposite:
		return p.linkOpposite(p.link(e.Args[0], context{}))
	case syntax.AsSigned, syntax.AsUnsigned:
		return p.linkCast(e)
	case syntax.Unary:
		return p.linkUnary(e, c)
	case syntax.Binary:
		return p.linkBinary(e, c)
	case syntax.Select:
		return p.linkSelect(e)
	}

	// Operands first: the text of an open form depends on theirs.
	for i, x := range e.Args {
		e.Args[i] = p.link(x, context{})
	}
	p.complete(e)
	return e
}

// complete completes a form whose operands are linked.
func (p *linker) complete(e *syntax.Expr) {
	switch e.Kind {
	case syntax.Index:
		if carries(e.Args[0]) {
			e.Args[0] = p.trees.Concat(e.Args[0])
		}

	// The parts of a concatenation inside join the outer one. An extension keeps its braces,
	// to show its width.
	case syntax.Concat, syntax.Repeat:
		for i := len(e.Args) - 1; i >= 0; i-- {
			if x := e.Args[i]; x.Kind == syntax.Concat && !x.Tight {
				e.Args = slices.Concat(e.Args[:i], x.Args, e.Args[i+1:])
			}
		}

	case syntax.Call:
		switch e.Lo {
		case lutCall:
			e.Name = p.helpers.lut[int(e.N)]
		case countCall:
			e.Name = p.helpers.count[int(e.N)]
		}
	}
	e.Derive()
}

// linkValue replaces a reference: by a constant, a name, or the tree of the value. A value with
// several uses gives a copy.
func (p *linker) linkValue(e *syntax.Expr, c context) *syntax.Expr {
	id := ir.ID(e.N)
	if v, ok := p.konst(id); ok {
		// A constant without a type of its place takes its own, for the names of enumerations.
		if c.typ == 0 && p.m.Op(id) == ir.Const {
			c.typ = p.m.Node(id).Type
		}
		p.setCode(e, v, c.typ)
		return e
	}
	if p.isAtom(id) {
		p.setName(e, id)
		return e
	}
	return p.link(p.take(id), c)
}

// take is the tree of a value for one of its places.
func (p *linker) take(id ir.ID) *syntax.Expr {
	e := p.values[id]
	if p.count[id] > 1 {
		return p.trees.Copy(e)
	}
	p.values[id] = nil
	return e
}

// setCode makes an expression a constant of a type.
func (p *linker) setCode(e *syntax.Expr, v bits.Value, t ir.TypeID) {
	if name := p.enumName(t, v); name != 0 {
		*e = syntax.Expr{Kind: syntax.Name, Name: name}
		return
	}
	p.trees.SetLiteral(e, v)
}

// linkMux is a multiplexer. Multiplexers in its last operand continue it.
func (p *linker) linkMux(e *syntax.Expr, c context) *syntax.Expr {
	if !e.Gate {
		if e.Lo != 0 {
			c.typ = ir.TypeID(e.Lo)
		}
		return p.linkTernary(e, c.typ, false)
	}

	// && joins truth values, & other bits. A gate that is the value of another one continues
	// it.
	e.Kind, e.Op, e.Args, e.Flat = syntax.Binary, syntax.And, e.Args[:2], syntax.FlatLeft|syntax.FlatRight
	return p.linkBinary(e, c)
}

// linkTernary is a multiplexer whose constants have a type. Multiplexers in its last operand
// continue it (in a chain), each on a line of its own.
func (p *linker) linkTernary(e *syntax.Expr, typ ir.TypeID, chain bool) *syntax.Expr {
	e.Kind, e.Break, e.Gate = syntax.Cond, syntax.BreakLong, false
	e.Args[0], e.Args[1] = p.link(e.Args[0], context{truth: true}), p.link(e.Args[1], context{typ: typ})

	if next := e.Args[2]; next.Kind == syntax.Ref && p.m.Op(ir.ID(next.N)) == ir.Mux && !p.isAtom(ir.ID(next.N)) && !p.isConst(ir.ID(next.N)) {
		e.Args[2], e.Break, e.Flat = p.linkTernary(p.take(ir.ID(next.N)), typ, true), syntax.BreakAlways, syntax.FlatRight
	} else {
		e.Args[2] = p.link(next, context{typ: typ})
		if e.Flat = 0; chain {
			e.Break = syntax.BreakAlways
		}
	}
	e.Derive()
	return e
}

// linkInverse is the inverse of a value: !x for a truth value, else ~x. An inlined comparison
// takes the opposite operator.
func (p *linker) linkInverse(e *syntax.Expr, c context) *syntax.Expr {
	if x := p.link(e.Args[0], c); x.IsCompare() {
		x.Op = x.Op.Inverse()
		return x
	} else {
		e.Kind, e.Op, e.Args[0] = syntax.Unary, syntax.Invert, x
	}
	if c.truth && e.Width == 1 {
		e.Op = syntax.Not
	}
	e.Derive()
	return e
}

// linkOpposite is the inverse of a condition: an inverse loses its inverter, a comparison takes
// the opposite operator. A comparison that is an inverse itself stays as its designer wrote
// it: !(level <= 16).
func (p *linker) linkOpposite(e *syntax.Expr) *syntax.Expr {
	switch {
	case e.Kind == syntax.Unary && e.Op == syntax.Not:
		return e.Args[0]
	case e.IsCompare() && e.Args[0].Width > 1 && (e.Op == syntax.Eq || e.Op == syntax.Lt || e.Op == syntax.Gt):
		e.Op = e.Op.Inverse()
		return e
	}
	return p.trees.Unary(syntax.Not, e)
}

// linkCast gives an operand a sign, if it has the other one.
func (p *linker) linkCast(e *syntax.Expr) *syntax.Expr {
	x := p.link(e.Args[0], context{})
	if e.Kind == syntax.AsUnsigned {
		return p.trees.ToUnsigned(x)
	}
	if x.Signed && (!e.Tight || x.Kind == syntax.Name) {
		return x
	}
	return p.trees.ToSigned(x)
}

// linkUnary is an operator on one operand. An inverter of a bit is logical where a truth value is
// wanted.
func (p *linker) linkUnary(e *syntax.Expr, c context) *syntax.Expr {
	switch {
	case e.Op == syntax.Not, e.Op == syntax.Invert && c.truth && e.Width == 1:
		e.Op, c.truth = syntax.Not, true
	case e.Op != syntax.Invert:
		c = context{}
	}
	e.Args[0] = p.link(e.Args[0], c)
	e.Derive()
	return e
}

// linkBinary is an operator between its operands. A single bit that stands for a truth value takes
// a logical operator, unless it stands for another operation (Tight).
func (p *linker) linkBinary(e *syntax.Expr, c context) *syntax.Expr {
	in := context{}
	if c.truth && e.Width == 1 && !e.Tight {
		switch e.Op {
		case syntax.And:
			e.Op, in.truth = syntax.AndAnd, true
		case syntax.Or:
			e.Op, in.truth = syntax.OrOr, true
		}
	}

	// The last operand comes first: beside an unsigned one, the first may stay signed.
	for i := len(e.Args) - 1; i >= 0; i-- {
		x := e.Args[i]
		if x.Kind == syntax.AsUnsigned && x.Tight && !e.Args[1].Signed {
			x = x.Args[0]
		}
		e.Args[i] = p.link(x, in)
	}

	// A third operand of a comparison is the key of a decoder, if the first one is written
	// field by field.
	if e.IsCompare() && len(e.Args) == 3 {
		if e.Args[0].Kind != syntax.Name {
			e.Args[1] = e.Args[2]
		}
		e.Args = e.Args[:2]
	}
	e.Derive()
	return e
}

// linkSelect is a part-select of a name or of a word. Verilog has no part-select of a part-select:
// slices without a name are followed to their source.
func (p *linker) linkSelect(e *syntax.Expr) *syntax.Expr {
	x := e.Args[0]
	if x.Kind != syntax.Ref {
		e.Args[0] = p.link(x, context{})
		return e
	}

	// A select of all bits is the name alone.
	id, lo := ir.ID(x.N), int(e.Lo)
	if p.names[id] == 0 && p.isSlice(id) {
		base, at := p.part(id)
		id, lo = p.v(base), lo+at
	}
	p.setName(x, id)
	e.Lo = int32(lo)
	if int(e.N) == p.m.Width(id) {
		return x
	}
	return e
}

// linkStmts replaces the references in statements.
func (p *linker) linkStmts(list []syntax.Stmt) []syntax.Stmt {
	link := func(e **syntax.Expr) {
		if *e != nil {
			*e = p.link(*e, context{})
		}
	}
	for i := range list {
		s := &list[i]
		link(&s.Target)
		link(&s.Value)
		if s.Body == nil {
			continue
		}

		// Of the other forms each part, where it is there.
		link(&s.Cond)
		for j := range s.Args {
			link(&s.Args[j])
		}
		p.linkStmts(s.Then)
		p.linkStmts(s.Else)
		for j := range s.Arms {
			for k := range s.Arms[j].Keys {
				link(&s.Arms[j].Keys[k])
			}
			p.linkStmts(s.Arms[j].Body)
		}
	}
	return list
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
