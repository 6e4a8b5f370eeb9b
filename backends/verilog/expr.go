package verilog

import (
	"etch/backends/verilog/internal/syntax"
	"etch/ir"
	"etch/ir/bits"
)

// Expressions are built twice by the same functions. The first time (module.counting) every
// operand is only counted, with the marks that its place asks for: so the writer learns
// which values need a wire. The second time, operands are names or the trees of inlined
// values, and the result is printed. So no list of operands has to agree with the text.

// context is the place of an expression, as far as its form depends on it.
type context struct {
	truth bool      // a truth value: && || ! instead of & | ~
	typ   ir.TypeID // the type of constants
}

// operand is a value as a part of an expression; as holds the marks of its place, 0 for a
// whole right-hand side.
func (p *module) operand(id ir.ID, as mark, c context) *syntax.Expr {
	if p.counting {
		if as&edge == 0 && p.isConst(id) {
			as &^= wantNet // a literal does as well as a name
		}
		p.use(id, as)
		return p.trees.New(syntax.Later)
	}

	// A constant without a type of its place takes its own, for the names of enumerations.
	id = p.v(id)
	if v, ok := p.konst(id); ok {
		if p.enumName(c.typ, v) == 0 && p.m.Op(id) == ir.Const && c.typ == 0 {
			c.typ = p.m.Node(id).Type
		}
		return p.constLit(v, c.typ)
	}
	if p.isAtom(id) || p.isState(id) {
		return p.name(id)
	}
	return p.operation(id, c)
}

// condition is a value as a truth value.
func (p *module) condition(id ir.ID) *syntax.Expr {
	return p.operand(id, inside, context{truth: true})
}

// whole is a value as the right-hand side of an assignment.
func (p *module) whole(id ir.ID, typ ir.TypeID) *syntax.Expr {
	return p.operand(id, 0, context{typ: typ})
}

// name is a value that has a name, or is a part of a value with a name.
func (p *module) name(id ir.ID) *syntax.Expr {
	if p.counting {
		return p.trees.New(syntax.Later)
	}
	if id = p.v(id); p.names[id] == 0 && p.isSlice(id) {
		x, lo := p.part(id)
		return p.bitsOf(x, lo, p.m.Width(id))
	}
	e := p.called(p.names[id])
	e.Width, e.Signed = int32(p.m.Width(id)), p.isSigned(id)
	return e
}

// called is a name by itself.
func (p *module) called(n nameID) *syntax.Expr {
	e := p.trees.New(syntax.Name)
	if !p.counting {
		e.Name = p.table.get(n)
	}
	return e
}

// bitsOf is a part-select of a value with a name. Verilog has no part-select of a
// part-select: slices without a name are followed to their source.
func (p *module) bitsOf(x ir.ID, lo, w int) *syntax.Expr {
	if p.counting {
		p.useBits(x, lo, w)
		return p.trees.New(syntax.Later)
	}
	if x = p.v(x); p.names[x] == 0 && p.isSlice(x) {
		base, at := p.part(x)
		x, lo = p.v(base), lo+at
	}
	return p.trees.Select(p.name(x), lo, w, p.m.Width(x))
}

// constLit is a constant of type t: the localparam of an enumeration's code, else a literal.
func (p *module) constLit(v bits.Value, t ir.TypeID) *syntax.Expr {
	if name := p.enumName(t, v); name != 0 {
		return p.called(name)
	}
	return p.trees.Literal(v)
}

// helper is a call of a function of the module.
func (p *module) helper(function nameID, args ...*syntax.Expr) *syntax.Expr {
	if p.counting {
		return p.trees.New(syntax.Later) // it has no name yet
	}
	return p.trees.Call(p.table.get(function), args...)
}

// operation is an operation with its operands. Special forms come first in each case, then
// the usual one.
func (p *module) operation(id ir.ID, c context) *syntax.Expr {
	m, args := p.m, p.m.Args(id)
	switch op := m.Op(id); op {
	case ir.Not:
		// An inlined comparison takes the opposite operator.
		e := p.operand(args[0], inside, c)
		if e.IsCompare() {
			e.Op = e.Op.Inverse()
			return e
		}
		return p.inverted(e, m.Width(args[0]), c)

	case ir.Add, ir.Sub:
		if is, _ := p.sumOfProduct(id); is {
			return p.sumOfTerms(id)
		}
		if p.isNegation(id) {
			return p.trees.Map(syntax.Minus, p.operand(args[1], inside, context{}))
		}
		return p.infix(id, c)

	case ir.And, ir.Or, ir.Xor:
		return p.infix(id, c)
	case ir.Eq:
		if x := p.oneBitZero(id); x != ir.None {
			return p.not(x, inside, c)
		}
		return p.compare(id)

	case ir.Lt, ir.LtS:
		// Single bits are never signed in Verilog, and < of them reads badly.
		if m.Width(args[0]) == 1 {
			return p.lessBit(op, args)
		}
		return p.compare(id)

	case ir.Mul, ir.MulS:
		return p.product(id, m.Width(id), false)
	case ir.Div, ir.DivS, ir.Rem, ir.RemS:
		return p.division(id)
	case ir.Shl, ir.Shr, ir.ShrS:
		return p.shift(id)
	case ir.Mux, ir.Case:
		return p.choice(id, c)
	}
	return p.structural(id)
}

// structural is the operations that are written as a name, a concatenation or a call: they
// need no brackets.
func (p *module) structural(id ir.ID) *syntax.Expr {
	m, args := p.m, p.m.Args(id)
	switch op := m.Op(id); op {
	case ir.Slice:
		x, lo := p.part(id)
		return p.bitsOf(x, lo, m.Width(id))
	case ir.Cat:
		return p.concat(args, 0)
	case ir.ZExt:
		return p.trees.Extend(p.zeros(m.Width(id)-m.Width(args[0])), p.operand(args[0], inside, context{}))
	case ir.SExt:
		return p.extendSign(args[0], m.Width(id)-m.Width(args[0]))
	case ir.RedAnd, ir.RedOr, ir.RedXor:
		return p.trees.Unary([...]syntax.Op{syntax.AllOnes, syntax.AnyOne, syntax.Parity}[op-ir.RedAnd], p.operand(args[0], inside, context{}))
	case ir.PopCount:
		return p.helper(p.helpers.count[m.Width(args[0])], p.operand(args[0], inside, context{}))
	case ir.Lut:
		return p.lut(id)
	case ir.MemRead:
		return p.memRead(id)
	}
	return p.trees.New(syntax.Later) // leaves have names
}

// lut is a call of the look-up function for its number of inputs, with the truth table and
// the address, the last input at its top. A single input that is not the identity is an
// inverter.
func (p *module) lut(id ir.ID) *syntax.Expr {
	args, t := p.m.Args(id), p.m.TableOf(id)
	if len(args) == 1 {
		return p.not(args[0], inside, context{truth: true})
	}

	// Input 0 is the lowest bit of the address.
	rev := make([]ir.ID, 0, 16)
	for i := len(args) - 1; i >= 0; i-- {
		rev = append(rev, args[i])
	}
	return p.helper(p.helpers.lut[len(args)], p.trees.Table(t), p.concat(rev, lutLimit))
}

// lutLimit is the column after which an address of a look-up table is broken.
const lutLimit = 112
