package verilog

import (
	"slices"

	"etch/backends/verilog/internal/syntax"
	"etch/ir"
	"etch/ir/bits"
)

// forest is the trees of a module. Each value that is used has one, in which its operands are
// references (syntax.Ref) to other values. Making a reference notes its use; from the uses
// sizeAll decides which values get a wire, and link then replaces references by names or by
// trees.
type forest struct {
	trees  syntax.Arena
	values []*syntax.Expr // by node: the tree of a value, or the name of state
}

func (f *forest) reset(n int) {
	f.trees.Reset()
	f.values = grown(f.values, n)
}

// exprs makes the trees of values.
type exprs struct {
	*view
	*naming
	*uses
	*forest
}

// context is the place of an expression, as far as its form depends on it.
type context struct {
	truth bool      // a truth value: && || ! instead of & | ~
	typ   ir.TypeID // the type of constants
}

// operand is a value as a part of an expression; as holds the marks of its place, 0 for a
// whole right-hand side.
func (p *exprs) operand(id ir.ID, as use, c context) *syntax.Expr {
	p.note(id, as)
	return p.ref(id, c)
}

// note is use for an operand: where a name is asked for, a literal does as well.
func (p *exprs) note(id ir.ID, as use) {
	if as&edge == 0 && p.isConst(id) {
		as &^= wantNet
	}
	p.use(id, as)
}

// ref is a reference to a value that counts as no use. State has its name already, and all
// references share it.
func (p *exprs) ref(id ir.ID, c context) *syntax.Expr {
	id = p.v(id)

	// The name is made at the first reference.
	if p.isState(id) {
		if p.values[id] == nil {
			p.values[id] = p.trees.New(0)
			p.setName(p.values[id], id)
		}
		return p.values[id]
	}

	// Other references are never shared: link writes into them.
	e := p.trees.New(syntax.Ref)
	e.N, e.Lo, e.Width = int32(id), int32(c.typ), int32(p.m.Width(id))
	if c.truth {
		e.Op = syntax.AndAnd
	}
	return e
}

func (p *naming) setName(e *syntax.Expr, id ir.ID) {
	*e = syntax.Expr{Kind: syntax.Name, Name: p.names[id], Width: int32(p.m.Width(id)), Signed: p.isSigned(id)}
}

// condition is a value as a truth value.
func (p *exprs) condition(id ir.ID) *syntax.Expr {
	return p.operand(id, inside, context{truth: true})
}

// inner is a value as a part of an expression that gives its operands no type.
func (p *exprs) inner(id ir.ID) *syntax.Expr { return p.operand(id, inside, context{}) }

// whole is a value as the right-hand side of an assignment.
func (p *exprs) whole(id ir.ID, typ ir.TypeID) *syntax.Expr {
	return p.operand(id, 0, context{typ: typ})
}

// bitsOf is a part-select of a value with a name.
func (p *exprs) bitsOf(x ir.ID, lo, w int) *syntax.Expr {
	p.useBits(x, lo, w)
	return p.bitsRef(x, lo, w)
}

// bitsRef is bitsOf that counts as no use.
func (p *exprs) bitsRef(x ir.ID, lo, w int) *syntax.Expr {
	return p.trees.Select(p.ref(x, context{}), lo, w)
}

// code is a constant of type t: the localparam of an enumeration's code, else a literal.
func (p *exprs) code(v bits.Value, t ir.TypeID) *syntax.Expr { return p.trees.Code(v, int32(t)) }

// define builds the tree of a value.
func (p *exprs) define(id ir.ID) *syntax.Expr {
	typ := p.m.Node(id).Type
	if v, ok := p.constAt(id); ok {
		return p.code(v, typ)
	}
	if p.to[id] != id {
		return p.whole(p.to[id], typ)
	}
	return p.operation(id)
}

// operation is an operation with its operands. Special forms come first in each case, then
// the usual one.
func (p *exprs) operation(id ir.ID) *syntax.Expr {
	m, args := p.m, p.m.Args(id)
	switch op := m.Op(id); op {
	case ir.Not:
		e := p.trees.New(syntax.Inverse, p.inner(args[0]))
		e.Width = int32(m.Width(id))
		return e

	case ir.Add, ir.Sub:
		if is, _ := p.sumOfProduct(id); is {
			return p.sumOfTerms(id)
		}
		if p.isNegation(id) {
			return p.trees.Map(syntax.Minus, p.inner(args[1]))
		}
		return p.infix(id)

	case ir.And, ir.Or, ir.Xor:
		return p.infix(id)
	case ir.Eq:
		if x := p.oneBitZero(id); x != ir.None {
			return p.not(x, inside)
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
		return p.choice(id)
	}
	return p.structural(id)
}

// structural is the operations that are written as a name, a concatenation or a call: they
// need no brackets.
func (p *exprs) structural(id ir.ID) *syntax.Expr {
	// Constants, inputs, registers and other leaves have names, so that none comes here.
	m, args := p.m, p.m.Args(id)
	switch op := m.Op(id); op {
	case ir.Slice:
		x, lo := p.part(id)
		return p.bitsOf(x, lo, m.Width(id))
	case ir.Cat:
		return p.concat(args, 0)
	case ir.ZExt:
		return p.trees.Extend(p.zeros(m.Width(id)-m.Width(args[0])), p.inner(args[0]))
	case ir.SExt:
		return p.extendSign(args[0], m.Width(id)-m.Width(args[0]))
	case ir.RedAnd, ir.RedOr, ir.RedXor:
		return p.trees.Unary([...]syntax.Op{syntax.AllOnes, syntax.AnyOne, syntax.Parity}[op-ir.RedAnd], p.inner(args[0]))
	case ir.PopCount:
		w := m.Width(args[0])
		p.helpers.needCount(w)
		return p.helperCall(countCall, w, p.inner(args[0]))
	case ir.Lut:
		return p.lut(id)
	case ir.MemRead:
		return p.memRead(id)
	}
	panic("verilog: a leaf without a name")
}

// helperCall is a call of a function of the module, which gets its name when all functions
// are known.
func (p *exprs) helperCall(kind int32, inputs int, args ...*syntax.Expr) *syntax.Expr {
	e := p.trees.Call(0, args...)
	e.Lo, e.N = kind, int32(inputs)
	return e
}

// lut is a call of the look-up function for its number of inputs, with the truth table and
// the address, the last input at its top. A single input that is not the identity is an
// inverter.
func (p *exprs) lut(id ir.ID) *syntax.Expr {
	args, t := p.m.Args(id), p.m.TableOf(id)
	if len(args) == 1 {
		return p.trees.Unary(syntax.Not, p.inner(args[0]))
	}

	// Input 0 is the lowest bit of the address.
	rev := slices.Clone(args)
	slices.Reverse(rev)
	p.helpers.lut[len(args)] = 0
	return p.helperCall(lutCall, len(args), p.trees.Table(t), p.concat(rev, lutLimit))
}

// lutLimit is the column after which an address of a look-up table is broken.
const lutLimit = 112
