package verilog

import (
	"slices"
	"strconv"

	"etch/ir"
	"etch/ir/bits"
)

// product multiplies at the width of the result. Wider operands are cut, which changes
// nothing modulo 2^w. Verilog itself extends narrower ones to the width of the context,
// that of the product or of a sum around it.
func (p *module) product(id ir.ID, context int, h how) {
	m, w := p.m, p.m.Width(id)
	for i, a := range m.Args(id) {
		if i > 0 {
			p.str(" *")
			p.wrap(h.indent + 4)
		}

		// The constants and cuts first; then the sign: an operand needs $signed unless its
		// declaration or the operators around it make it signed.
		v, isConst := p.konst(a)
		cut := m.Width(a) > w
		if isConst && cut {
			v = v.Trunc(w)
		}

		signed := m.Op(id) == ir.MulS && !p.extendsProduct(id)
		h := how{indent: h.indent}
		switch {
		case isConst && p.extendsProduct(id):
			p.literal(v.SExt(w))
		case isConst && m.Op(id) == ir.MulS:
			p.signedLiteral(v.SExt(context))
			continue
		case isConst:
			p.literal(v)
		case p.extendsProduct(id) && m.Width(a) < w:
			p.extendSign(p.v(a), w-m.Width(a), h)
		case cut && signed:
			p.str("$signed(")
			p.bitsOf(p.v(a), 0, w)
			p.ch(')')
		case cut:
			p.bitsOf(p.v(a), 0, w)
		case signed && m.Width(a) < context && !p.isAtom(a) && !p.isState(p.v(a)):
			// The brackets of $signed keep the operation at its own width.
			p.str("$signed(")
			p.expr(p.v(a), 0, h)
			p.ch(')')
		case signed:
			p.signed(a, precMul, h)
		case i == 0 && p.narrower(m.Args(id), context):
			p.unsigned(p.v(a), p.v(m.Args(id)[1]), precMul, h)
		default:
			p.expr(p.v(a), precMul, h)
		}
	}
}

// narrower reports whether one of the values has less than w bits.
func (p *module) narrower(ids []ir.ID, w int) bool {
	return slices.ContainsFunc(ids, func(id ir.ID) bool { return p.m.Width(id) < w })
}

// shift prints a shift. An amount that can be all ones needs no cap: any larger amount
// gives the same result.
func (p *module) shift(id ir.ID, h how) {
	m, args := p.m, p.m.Args(id)
	w := m.Width(id)
	if m.Op(id) == ir.ShrS {
		p.signed(args[0], precShift, h)
		p.str(" >>> ")
	} else {
		p.expr(p.v(args[0]), precShift, how{indent: h.indent})
		if m.Op(id) == ir.Shl {
			p.str(" << ")
		} else {
			p.str(" >> ")
		}
	}

	// A constant amount is at most w - 1: shifts past the width were folded, other than
	// ShrS, which repeats the sign.
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
	// Tools take amounts of up to maxAmount bits. A wider one is replaced by a narrower one
	// with the same result: all ones if any higher bit is set.
	k := ir.CountWidth(w)
	p.str("({")
	p.num(k)
	p.str("{|")
	p.bitsOf(y, k, m.Width(y)-k)
	p.str("}} | ")
	p.bitsOf(y, 0, k)
	p.ch(')')
}

// division prints a quotient or remainder with guards for the cases in which Verilog gives
// x: the quotient is all ones and the remainder the dividend for a divisor of 0. Signed
// division with a divisor of -1 is guarded against the overflow that stops some simulators.
// All operands of a signed expression must be signed, or Verilog computes it unsigned.
func (p *module) division(id ir.ID, h how) {
	m, args, w := p.m, p.m.Args(id), p.m.Width(id)
	op := m.Op(id)

	x, y := p.v(args[0]), p.v(args[1])
	h = how{indent: h.indent}
	divisor, isConst := p.konst(y)

	// One bit needs no division. A constant divisor needs no guard, since zero was folded
	// before.
	switch {
	case w == 1 && (op == ir.Div || op == ir.DivS): // 1 / 1 = 1, -1 / -1 = 1 mod 2
		p.expr(x, precOr, h)
		p.str(" | ")
		p.not(y, h)
	case w == 1:
		p.expr(x, precOr, h) // x & ~y, bracketed by precOr
		p.str(" & ")
		p.not(y, h)
	case op == ir.Div || op == ir.Rem:
		if !isConst {
			p.name(y)
			p.str(" == ")
			p.literal(bits.Zero(w))
			p.str(" ? ")
			if op == ir.Div {
				p.literal(bits.Ones(w))
			} else {
				p.expr(x, precTernary, h)
			}
			p.str(" : ")
			if op == ir.Div && w > 64 {
				p.divideByOne(x, y, h)
			}
		}
		p.unsigned(x, y, precMul, h)
		p.str(divSign(op))
		p.expr(y, precMul, h)
	case isConst && divisor.IsOnes():
		p.negative(x, h)
	case isConst:
		p.signed(x, precMul, h)
		p.str(divSign(op))
		p.signedLiteral(divisor)
	default:
		p.guardedSigned(op, x, y, h)
	}
}

// divideByOne guards a wide quotient against a bug of Icarus Verilog 11: a number of more
// than 64 bits with its top bit set, divided by 1, gives 0.
func (p *module) divideByOne(x, y ir.ID, h how) {
	p.name(y)
	p.str(" == ")
	p.literal(bits.New(p.m.Width(y), 1))
	p.str(" ? ")
	p.expr(x, precTernary, h)
	p.str(" :")
	p.nl()
	p.indent(h.indent + 4)
}

func divSign(op ir.Op) string {
	if op == ir.Div || op == ir.DivS {
		return " / "
	}
	return " % "
}

// guardedSigned prints a signed division with its two special divisors: 0, and -1, which
// negates the dividend or leaves no remainder.
func (p *module) guardedSigned(op ir.Op, x, y ir.ID, h how) {
	w := p.m.Width(x)
	p.name(y)
	p.str(" == ")
	p.literal(bits.Zero(w))
	p.str(" ? ")
	if op == ir.DivS {
		p.signedLiteral(bits.Ones(w))
	} else {
		p.signed(x, precTernary, h)
	}
	p.str(" :")

	p.nl()
	p.indent(h.indent + 4)
	p.name(y)
	p.str(" == ")
	p.literal(bits.Ones(w))
	p.str(" ? ")
	if op == ir.DivS {
		p.negative(x, h)
	} else {
		p.signedLiteral(bits.Zero(w))
	}
	p.str(" :")

	p.nl()
	p.indent(h.indent + 4)
	p.signed(x, precMul, h)
	p.str(divSign(op))
	p.signed(y, precMul, h)
}

// negative prints -x as a signed operand.
func (p *module) negative(x ir.ID, h how) {
	if v, ok := p.konst(x); ok {
		p.signedLiteral(v.Neg())
		return
	}
	p.ch('-')
	p.signed(x, precUnary, h)
}
