package verilog

import (
	"strconv"

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

// how is what an expression's surroundings say of it.
type how struct {
	cond   bool      // a truth value: && || ! instead of & | ~
	typ    ir.TypeID // for constants
	indent int       // of further lines
}

// name prints a value that has a name, or is a part of one that has.
func (p *module) name(id ir.ID) {
	if id = p.v(id); p.names[id] == 0 && p.isSlice(id) {
		x, lo := p.part(id)
		p.bitsOf(x, lo, p.m.Width(id))
		return
	}
	p.raw(p.table.get(p.names[id]))
}

// hintOf is the type that a constant beside id should have.
func (p *module) hintOf(id ir.ID) ir.TypeID { return p.m.Node(id).Type }

// rhs prints the whole right-hand side of an assignment.
func (p *module) rhs(id ir.ID, typ ir.TypeID, indent int) {
	p.expr(p.v(id), 0, how{typ: typ, indent: indent})
}

// condition prints a truth value.
func (p *module) condition(id ir.ID, above int, indent int) {
	p.expr(p.v(id), above, how{cond: true, indent: indent})
}

// expr prints a value for a place where an operator of precedence above is
// around it, 0 for none.
func (p *module) expr(id ir.ID, above int, h how) {
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

// paren reports whether an operator needs brackets inside of another. Where a
// reader would have to think there are some, needed or not.
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

// sameChain prints an operand of an operator that may be continued without
// brackets: a + b + c.
func (p *module) sameChain(id ir.ID, op ir.Op, prec int, h how) {
	id = p.v(id)
	if p.m.Op(id) == op && !p.isAtom(id) && !p.isConst(id) {
		p.operation(id, prec, h)
		return
	}
	p.expr(id, prec, h)
}

// precOf is the precedence of the operator that a value's text has at its top.
func (p *module) precOf(id ir.ID, h how) int {
	m := p.m
	one := m.Width(id) == 1
	switch m.Op(id) {
	case ir.Mux, ir.Case, ir.DivS, ir.RemS:
		if one && m.Op(id) != ir.Mux && m.Op(id) != ir.Case {
			return precOr
		}
		return precTernary
	case ir.Div, ir.Rem:
		switch {
		case one:
			return precOr
		case p.isConst(m.Args(id)[1]):
			return precMul
		}
		return precTernary
	case ir.Or:
		if one && h.cond {
			return precOrOr
		}
		return precOr
	case ir.And:
		if one && h.cond {
			return precAndAnd
		}
		return precAnd
	case ir.Xor:
		return precXor
	case ir.Eq:
		if c := p.oneBitZero(id); c != ir.None {
			return precUnary
		}
		return precEq
	case ir.Lt, ir.LtS:
		if m.Width(m.Args(id)[0]) == 1 {
			return precAnd
		}
		return precLess
	case ir.Shl, ir.Shr, ir.ShrS:
		return precShift
	case ir.Add, ir.Sub:
		return precAdd
	case ir.Mul, ir.MulS:
		return precMul
	case ir.RedAnd, ir.RedOr, ir.RedXor:
		return precReduce
	case ir.Not:
		switch x := p.inverted(id); {
		case x == ir.None:
			return precUnary
		case m.Op(x) == ir.Eq:
			return precEq
		}
		return precLess
	case ir.Lut:
		if len(m.Args(id)) == 1 {
			return precUnary
		}
	case ir.MemRead:
		if mem := &m.Mems[m.Node(id).Aux]; !p.isConst(m.Args(id)[0]) && pastEnd(mem, m.Width(m.Args(id)[0])) {
			return precTernary
		}
	}
	return precName
}

// oneBitZero is x where a value is x == 0 of one bit.
func (p *module) oneBitZero(id ir.ID) ir.ID {
	args := p.m.Args(id)
	for i, a := range args {
		if c, ok := p.konst(a); ok && c.Width() == 1 {
			return args[1-i]
		}
	}
	return ir.None
}

// binary are the operators of ops with one symbol.
var binary = [ir.NumOps]string{
	ir.And: "&", ir.Or: "|", ir.Xor: "^", ir.Add: "+", ir.Sub: "-", ir.Eq: "==", ir.Lt: "<",
}

func (p *module) operation(id ir.ID, prec int, h how) {
	m, args := p.m, p.m.Args(id)
	op := m.Op(id)
	plain := how{indent: h.indent}
	switch op {
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
		if m.Width(args[0]) == 1 {
			p.lessBit(op, args, h)
			return
		}
		p.compare(id, false, h)
	case ir.Mul, ir.MulS:
		p.product(id, h)
	case ir.Div, ir.DivS, ir.Rem, ir.RemS:
		p.division(id, h)
	case ir.Shl, ir.Shr, ir.ShrS:
		p.shift(id, h)
	case ir.Mux:
		p.ternary(id, h)
	case ir.Case:
		p.caseTernary(id, h)
	case ir.Slice:
		x, lo := p.part(id)
		p.bitsOf(x, lo, m.Width(id))
	case ir.Cat:
		p.concat(args, h)
	case ir.ZExt:
		p.ch('{')
		p.literal(bits.Zero(m.Width(id) - m.Width(args[0])))
		p.str(", ")
		p.catPart(args[0], plain)
		p.ch('}')
	case ir.SExt:
		p.signExtend(id, h)
	case ir.RedAnd, ir.RedOr, ir.RedXor:
		p.ch([...]byte{'&', '|', '^'}[op-ir.RedAnd])
		p.expr(p.v(args[0]), precUnary, plain)
	case ir.PopCount:
		p.call(p.helpers.count[m.Width(args[0])])
		p.expr(p.v(args[0]), 0, plain)
		p.ch(')')
	case ir.Lut:
		p.lut(id, h)
	case ir.MemRead:
		p.memRead(id, h)
	}
}

func (p *module) call(f nameID) {
	p.raw(p.table.get(f))
	p.ch('(')
}

func (p *module) not(x ir.ID, h how) {
	c := byte('~')
	if h.cond && p.m.Width(x) == 1 {
		c = '!'
	}
	p.ch(c)
	p.expr(p.v(x), precUnary, h)
}

func (p *module) infix(id ir.ID, prec int, h how) {
	op, args := p.m.Op(id), p.m.Args(id)
	sign := binary[op]
	if prec == precOrOr || prec == precAndAnd {
		sign += sign
	} else {
		h.cond = false
	}
	h.typ = 0
	for i, a := range args {
		if i > 0 {
			p.ch(' ')
			p.str(sign)
			p.wrap(h.indent + 4)
		}
		chain := op
		if i > 0 && (op == ir.Sub || op == ir.Add) {
			chain = ir.Invalid
		}
		p.sameChain(a, chain, prec, h)
	}
}

// signs are the ways to write a comparison: as it is, with the sides swapped,
// inverted, both.
var signs = [ir.NumOps][4]string{
	ir.Eq: {"==", "==", "!=", "!="}, ir.Lt: {"<", ">", ">=", "<="}, ir.LtS: {"<", ">", ">=", "<="},
}

// compare prints a comparison, or its inverse. A constant goes to the right.
func (p *module) compare(id ir.ID, invert bool, h how) {
	args := p.m.Args(id)
	x, y, way := p.v(args[0]), p.v(args[1]), 0
	if p.isConst(x) {
		x, y, way = y, x, 1
	}
	if invert {
		way += 2
	}
	side := func(x, other ir.ID) {
		if p.m.Op(id) == ir.LtS {
			p.signed(x, h)
			return
		}
		p.expr(x, precLess, how{typ: p.hintOf(other), indent: h.indent})
	}
	side(x, y)
	p.ch(' ')
	p.str(signs[p.m.Op(id)][way])
	p.wrap(h.indent + 4)
	side(y, x)
}

// lessBit prints a comparison of single bits: 0 < 1, or -1 < 0.
func (p *module) lessBit(op ir.Op, args []ir.ID, h how) {
	x, y := p.v(args[0]), p.v(args[1])
	if op == ir.LtS {
		x, y = y, x
	}
	h = how{indent: h.indent}
	p.not(x, h)
	p.str(" & ")
	p.expr(y, precAnd, h)
}

// inverted is the comparison that a value is the inverse of, if it is written as
// one.
func (p *module) inverted(id ir.ID) ir.ID {
	x := p.v(p.m.Args(id)[0])
	if p.isAtom(x) || p.isConst(x) || p.m.Width(id) != 1 {
		return ir.None
	}
	switch p.m.Op(x) {
	case ir.Eq:
		if p.oneBitZero(x) != ir.None {
			return ir.None
		}
		return x
	case ir.Lt, ir.LtS:
		if p.m.Width(p.m.Args(x)[0]) > 1 {
			return x
		}
	}
	return ir.None
}

// signed prints a value as a signed operand.
func (p *module) signed(id ir.ID, h how) {
	if v, ok := p.konst(id); ok {
		p.signedLiteral(v)
		return
	}
	p.str("$signed(")
	p.expr(p.v(id), 0, how{indent: h.indent})
	p.ch(')')
}

// product multiplies at the width of the result: wider operands are cut, which
// changes nothing modulo 2^w, narrower ones are extended by Verilog itself.
func (p *module) product(id ir.ID, h how) {
	m, w := p.m, p.m.Width(id)
	for i, a := range m.Args(id) {
		if i > 0 {
			p.str(" *")
			p.wrap(h.indent + 4)
		}
		v, isConst := p.konst(a)
		cut := m.Width(a) > w
		if isConst && cut {
			v = v.Trunc(w)
		}
		signed := m.Op(id) == ir.MulS && !p.extendsProduct(id)
		if signed && !isConst {
			p.str("$signed(")
		}
		switch {
		case isConst && p.extendsProduct(id):
			p.literal(v.SExt(w))
		case isConst && m.Op(id) == ir.MulS:
			p.signedLiteral(v)
			continue
		case isConst:
			p.literal(v)
		case p.extendsProduct(id) && m.Width(a) < w:
			p.extendSign(p.v(a), w-m.Width(a), how{indent: h.indent})
		case cut:
			p.bitsOf(p.v(a), 0, w)
		case signed:
			p.expr(p.v(a), 0, how{indent: h.indent})
		default:
			p.expr(p.v(a), precMul, how{indent: h.indent})
		}
		if signed {
			p.ch(')')
		}
	}
}

// bitsOf prints a part-select of a value with a name.
func (p *module) bitsOf(x ir.ID, lo, w int) {
	if x = p.v(x); p.names[x] == 0 && p.isSlice(x) {
		base, at := p.part(x)
		x, lo = p.v(base), lo+at
	}
	p.name(x)
	switch {
	case w == p.m.Width(x):
	case w == 1:
		p.ch('[')
		p.num(lo)
		p.ch(']')
	default:
		p.ch('[')
		p.num(lo + w - 1)
		p.ch(':')
		p.num(lo)
		p.ch(']')
	}
}

// catPart prints an element of a concatenation; one that is a concatenation
// itself needs no braces of its own.
func (p *module) catPart(id ir.ID, h how) {
	id = p.v(id)
	if p.m.Op(id) == ir.Cat && !p.isAtom(id) && !p.isConst(id) {
		p.catList(p.m.Args(id), h)
		return
	}
	p.expr(id, 0, h)
}

func (p *module) concat(args []ir.ID, h how) {
	p.ch('{')
	p.catList(args, h)
	p.ch('}')
}

// catList prints elements; the same one several times in a row is repeated.
func (p *module) catList(args []ir.ID, h how) { p.catListAt(args, wide, h) }

func (p *module) catListAt(args []ir.ID, limit int, h how) {
	h = how{indent: h.indent}
	for i := 0; i < len(args); {
		if i > 0 {
			p.ch(',')
			p.wrapAt(limit, h.indent+4)
		}
		n := 1
		for i+n < len(args) && p.v(args[i+n]) == p.v(args[i]) {
			n++
		}
		if n > 1 {
			p.ch('{')
			p.num(n)
			p.ch('{')
			p.catPart(args[i], h)
			p.str("}}")
		} else {
			p.catPart(args[i], h)
		}
		i += n
	}
}

func (p *module) signExtend(id ir.ID, h how) {
	x := p.v(p.m.Args(id)[0])
	p.extendSign(x, p.m.Width(id)-p.m.Width(x), how{indent: h.indent})
}

// extendSign prints x with n copies of its top bit in front.
func (p *module) extendSign(x ir.ID, n int, h how) {
	w := p.m.Width(x)
	if w == 1 {
		p.ch('{')
		p.num(n + 1)
		p.ch('{')
		p.expr(x, 0, h)
		p.str("}}")
		return
	}
	p.ch('{')
	if n > 1 {
		p.ch('{')
		p.num(n)
		p.ch('{')
	}
	p.bitsOf(x, w-1, 1)
	if n > 1 {
		p.str("}}")
	}
	p.str(", ")
	p.expr(x, 0, h)
	p.ch('}')
}

// lut prints a call of the look-up function of that many inputs.
func (p *module) lut(id ir.ID, h how) {
	args, t := p.m.Args(id), p.m.TableOf(id)
	if len(args) == 1 {
		p.not(args[0], how{cond: true, indent: h.indent})
		return
	}
	p.call(p.helpers.lut[len(args)])
	if t.Width() <= 256 {
		p.table256(t)
	} else {
		p.literal(t)
	}
	p.str(", {")
	rev := make([]ir.ID, 0, 16)
	for i := len(args) - 1; i >= 0; i-- {
		rev = append(rev, args[i])
	}
	p.catListAt(rev, wide+16, h)
	p.str("})")
}

// table256 prints a truth table with all its digits.
func (p *module) table256(t bits.Value) {
	p.num(t.Width())
	p.str("'h")
	digits := len(t.Hex())
	for n := (t.Width() + 3) / 4; n > digits; n-- {
		p.ch('0')
	}
	p.buf = t.AppendHex(p.buf)
}

func (p *module) shift(id ir.ID, h how) {
	m, args := p.m, p.m.Args(id)
	w := m.Width(id)
	if m.Op(id) == ir.ShrS {
		p.signed(args[0], h)
		p.str(" >>> ")
	} else {
		p.expr(p.v(args[0]), precShift, how{indent: h.indent})
		if m.Op(id) == ir.Shl {
			p.str(" << ")
		} else {
			p.str(" >> ")
		}
	}
	if n, ok := p.konst(args[1]); ok {
		at := uint64(w - 1) // only ShrS gets here with more
		if n.IsUint64() && n.Uint64() < at {
			at = n.Uint64()
		}
		p.buf = strconv.AppendUint(p.buf, at, 10)
		return
	}
	y := p.v(args[1])
	if m.Width(y) <= maxAmount {
		p.expr(y, precShift, how{indent: h.indent})
		return
	}
	// An amount that no tool takes becomes a narrower one that is as good: all
	// ones if any higher bit is set.
	k := ir.CountWidth(w)
	p.str("({")
	p.num(k)
	p.str("{|")
	p.bitsOf(y, k, m.Width(y)-k)
	p.str("}} | ")
	p.bitsOf(y, 0, k)
	p.ch(')')
}
