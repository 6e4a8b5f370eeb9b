package verilog

import (
	"etch/ir"
	"etch/ir/bits"
)

// Precedence of Verilog operators, weakest first.
const (
	precTernary = iota + 1
	precOrOr
	precAndAnd
	precOr
	precXor
	precAnd
	precEq
	precLess
	precShift
	precAdd
	precMul
	precReduce // reductions are operators, but read badly beside others
	precUnary
	precName
)

// how is the context of an expression.
type how struct {
	cond   bool      // it is a truth value: && || ! instead of & | ~
	typ    ir.TypeID // the type of constants
	indent int       // of continuation lines
}

// name prints a value that has a name, or is a part of a value with a name.
func (p *module) name(id ir.ID) {
	if id = p.v(id); p.names[id] == 0 && p.isSlice(id) {
		x, lo := p.part(id)
		p.bitsOf(x, lo, p.m.Width(id))
		return
	}
	p.raw(p.table.get(p.names[id]))
}

// hintOf is the type for a constant beside id.
func (p *module) hintOf(id ir.ID) ir.TypeID { return p.m.Node(id).Type }

// rhs prints the whole right-hand side of an assignment.
func (p *module) rhs(id ir.ID, typ ir.TypeID, indent int) {
	p.expr(p.v(id), 0, how{typ: typ, indent: indent})
}

// condition prints a truth value.
func (p *module) condition(id ir.ID, above int, indent int) {
	p.expr(p.v(id), above, how{cond: true, indent: indent})
}

// expr prints a value as operand of an operator of precedence above; 0 if there is none.
func (p *module) expr(id ir.ID, above int, h how) {
	// Constants and names need no brackets.
	if v, ok := p.konst(id); ok {
		if p.enumName(h.typ, v) == 0 && p.m.Op(id) == ir.Const && h.typ == 0 {
			h.typ = p.m.Node(id).Type
		}
		p.constLit(v, h.typ)
		return
	}
	if p.isAtom(id) || p.isState(id) {
		p.name(id)
		return
	}

	prec := p.precOf(id, h)
	if paren(prec, above) {
		p.ch('(')
		defer p.ch(')')
	}
	p.operation(id, prec, h)
}

// paren reports whether an operator needs brackets inside another one. It adds some that
// Verilog does not need, where the precedence is not obvious to a reader.
func paren(inner, outer int) bool {
	switch {
	case outer == 0 || inner == precName:
		return false
	case outer == precTernary, outer == precOrOr, outer == precAndAnd:
		return inner <= outer || inner == precAndAnd
	case inner == precUnary:
		return outer >= precUnary
	case outer == precAdd && inner == precMul:
		return false
	}
	return true
}

// sameChain prints an operand that continues a chain of the same operator without brackets:
// a + b + c.
func (p *module) sameChain(id ir.ID, op ir.Op, prec int, h how) {
	id = p.v(id)
	if p.m.Op(id) == op && !p.isAtom(id) && !p.isConst(id) {
		p.operation(id, prec, h)
		return
	}
	p.expr(id, prec, h)
}

// precOf is the precedence of the outermost operator in the text of a value. Its cases
// mirror operation: a value may be written with another operator than its op.
func (p *module) precOf(id ir.ID, h how) int {
	args, one := p.m.Args(id), p.m.Width(id) == 1
	// An inverted comparison is a comparison; a gate is a conjunction; a guard makes a
	// conditional.
	switch op := p.m.Op(id); op {
	case ir.Not:
		if x := p.inverted(id); x != ir.None {
			return precs[p.m.Op(x)]
		}
	case ir.And, ir.Or:
		switch {
		case !one || !h.cond:
		case op == ir.And:
			return precAndAnd
		default:
			return precOrOr
		}
	case ir.Sub:
		if is, _ := p.sumOfProduct(id); !is && p.isNegation(id) {
			return precUnary
		}
	case ir.Mux, ir.Case:
		if !p.isGate(id) {
			break
		}
		if h.cond {
			return precAndAnd
		}
		return precAnd
	case ir.Eq:
		if p.oneBitZero(id) != ir.None {
			return precUnary
		}
	case ir.Lt, ir.LtS:
		if p.m.Width(args[0]) == 1 {
			return precAnd
		}
	case ir.Div, ir.DivS, ir.Rem, ir.RemS:
		switch {
		case one:
			return precOr
		case p.isConst(args[1]):
			return precMul
		}
	case ir.Lut:
		if len(args) == 1 {
			return precUnary
		}
	case ir.MemRead:
		if p.isConst(args[0]) || !pastEnd(&p.m.Mems[p.m.Node(id).Aux], p.m.Width(args[0])) {
			return precName
		}
	}
	return precs[p.m.Op(id)]
}

// precs is the precedence of each op in its usual form.
var precs = [ir.NumOps]int{
	ir.Not: precUnary, ir.And: precAnd, ir.Or: precOr, ir.Xor: precXor, ir.Add: precAdd, ir.Sub: precAdd,
	ir.Mul: precMul, ir.MulS: precMul, ir.Div: precTernary, ir.DivS: precTernary, ir.Rem: precTernary, ir.RemS: precTernary,
	ir.Eq: precEq, ir.Lt: precLess, ir.LtS: precLess, ir.Shl: precShift, ir.Shr: precShift, ir.ShrS: precShift,
	ir.Mux: precTernary, ir.Case: precTernary, ir.Slice: precName, ir.Cat: precName, ir.ZExt: precName, ir.SExt: precName,
	ir.RedAnd: precReduce, ir.RedOr: precReduce, ir.RedXor: precReduce, ir.PopCount: precName, ir.Lut: precName,
	ir.MemRead: precTernary,
}

// operation prints an operation with its operands. Special forms come first in each case,
// then the usual one.
func (p *module) operation(id ir.ID, prec int, h how) {
	args := p.m.Args(id)
	// A change here needs one in operands (count.go) and precOf.
	switch op := p.m.Op(id); op {
	case ir.Not:
		if x := p.inverted(id); x != ir.None {
			p.compare(x, true, h)
			return
		}
		p.not(args[0], h)
	case ir.Add, ir.Sub:
		if is, _ := p.sumOfProduct(id); is {
			p.sumText(id, h)
			return
		}
		if p.isNegation(id) {
			p.ch('-')
			p.expr(p.v(args[1]), precUnary, how{indent: h.indent})
			return
		}
		p.infix(id, prec, h)
	case ir.And, ir.Or, ir.Xor:
		p.infix(id, prec, h)
	case ir.Eq:
		if x := p.oneBitZero(id); x != ir.None {
			p.not(x, h)
			return
		}
		p.compare(id, false, h)
	case ir.Lt, ir.LtS:
		if p.m.Width(args[0]) == 1 {
			p.lessBit(op, args, h)
			return
		}
		p.compare(id, false, h)
	case ir.Mul, ir.MulS:
		p.product(id, p.m.Width(id), h)
	case ir.Div, ir.DivS, ir.Rem, ir.RemS:
		p.division(id, h)
	case ir.Shl, ir.Shr, ir.ShrS:
		p.shift(id, h)
	case ir.Mux, ir.Case:
		switch {
		case p.isGate(id):
			p.gate(id, prec, h)
		case op == ir.Mux:
			p.ternary(id, h)
		default:
			p.caseTernary(id, h)
		}
	default:
		p.structural(id, how{indent: h.indent})
	}
}

// structural prints operations that are written as a name, a concatenation or a call.
func (p *module) structural(id ir.ID, h how) {
	m, args := p.m, p.m.Args(id)
	// None of them needs brackets around it.
	switch op := m.Op(id); op {
	case ir.Slice:
		x, lo := p.part(id)
		p.bitsOf(x, lo, m.Width(id))
	case ir.Cat:
		p.ch('{')
		p.catList(args, wide, h)
		p.ch('}')
	case ir.ZExt:
		p.ch('{')
		p.literal(bits.Zero(m.Width(id) - m.Width(args[0])))
		p.str(", ")
		p.catPart(args[0], h)
		p.ch('}')
	case ir.SExt:
		p.extendSign(p.v(args[0]), m.Width(id)-m.Width(args[0]), h)
	case ir.RedAnd, ir.RedOr, ir.RedXor:
		p.ch([...]byte{'&', '|', '^'}[op-ir.RedAnd])
		p.expr(p.v(args[0]), precUnary, h)
	case ir.PopCount:
		p.call(p.helpers.count[m.Width(args[0])])
		p.expr(p.v(args[0]), 0, h)
		p.ch(')')
	case ir.Lut:
		p.lut(id, h)
	case ir.MemRead:
		p.memRead(id, h)
	}
}
