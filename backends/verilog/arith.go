package verilog

import (
	"slices"

	"etch/backends/verilog/internal/syntax"
	"etch/ir"
	"etch/ir/bits"
)

// product multiplies at the width of the result. Wider operands are cut, which changes
// nothing modulo 2^w. Verilog itself extends narrower ones to the width of the context,
// that of the product or of a sum around it (inSum).
func (p *exprs) product(id ir.ID, width int, inSum bool) *syntax.Expr {
	x, y := p.factor(id, 0, width, inSum), p.factor(id, 1, width, inSum)
	narrow := func(a ir.ID) bool { return p.m.Width(a) < width }
	if p.m.Op(id) == ir.Mul && slices.ContainsFunc(p.m.Args(id), narrow) {
		x = p.unsignedBeside(x, y)
	}
	return p.trees.Binary(syntax.Mul, x, y)
}

// factor is an operand of a product.
func (p *exprs) factor(id ir.ID, i, width int, inSum bool) *syntax.Expr {
	m, w := p.m, p.m.Width(id)
	a := m.Args(id)[i]
	aw := m.Width(a)
	signed, extends := m.Op(id) == ir.MulS, p.extendsProduct(id)

	// Constants are cut or extended here.
	if v, ok := p.konst(a); ok {
		p.note(a, inside)
		if aw > w {
			v = v.Trunc(w)
		}
		switch {
		case extends:
			return p.trees.Literal(v.SExt(w))
		case signed:
			return p.trees.SignedLiteral(v.SExt(width))
		}
		return p.trees.Literal(v)
	}

	// A select is unsigned, whatever it selects from. A narrow operand that is not signed
	// needs a name (wider), since Verilog would compute it at the width around it.
	switch {
	case aw > w && signed && !extends:
		return p.trees.ToSigned(p.bitsOf(a, 0, w))
	case aw > w:
		return p.bitsOf(a, 0, w)
	case extends && aw < w:
		return p.extendSign(a, w-aw)
	case signed && !extends:
		// The brackets of $signed keep an operation at its own width.
		return p.asSigned(p.inner(a), aw < width)
	case !signed && (aw < w || inSum):
		return p.operand(a, inside|wider, context{})
	}
	return p.inner(a)
}

// extendsProduct reports whether the operands of a signed product are sign-extended first,
// which makes it an unsigned product. Verilator limits signed products to 512 bits.
func (p *view) extendsProduct(id ir.ID) bool {
	return p.m.Op(id) == ir.MulS && p.m.Width(id) > 512
}

// maxAmount is the width of the widest shift amount that every tool takes, in bits.
const maxAmount = 31

// shift is a shift by a constant or by a value. An amount past the width shifts everything out,
// in the netlist as in Verilog.
func (p *exprs) shift(id ir.ID) *syntax.Expr {
	m, args := p.m, p.m.Args(id)
	op := symbols[m.Op(id)]
	operand := p.operand
	if m.Op(id) == ir.ShrS {
		operand = p.signed
	}
	x := operand(args[0], p.unlessWord(args[0]), context{})

	// A constant amount is at most w - 1: shifts past the width were folded, other than
	// ShrS, which repeats the sign.
	y, w := args[1], m.Width(id)
	if n, ok := p.konst(y); ok {
		at := w - 1
		if n.IsUint64() {
			at = int(min(n.Uint64(), uint64(at)))
		}
		return p.trees.Binary(op, x, p.trees.Number(at))
	}

	if m.Width(y) <= maxAmount {
		return p.trees.Binary(op, x, p.operand(y, p.unlessWord(y), context{}))
	}

	// Tools take amounts of up to maxAmount bits. A wider one is replaced by a narrower one
	// with the same result: all ones if any higher bit is set.
	// The lower k bits hold the width itself, so that all ones shift everything out.
	p.note(y, wantNet) // the two parts read it whole
	k := ir.CountWidth(w)
	tooFar := p.trees.Repeat(k, p.trees.Unary(syntax.AnyOne, p.bitsRef(y, k, m.Width(y)-k)))
	return p.trees.Binary(op, x, p.trees.Tight(syntax.Or, tooFar, p.bitsRef(y, 0, k)))
}

// unlessWord is the marks of an operand of a shift. Icarus Verilog 11 compiles m[2] >> x, a
// word of a memory at a constant address, to a model that it cannot load: it gets a wire.
func (p *view) unlessWord(id ir.ID) use {
	id = p.v(id)
	if p.m.Op(id) == ir.MemRead && !p.is(id, named|folded) && p.isConst(p.m.Args(id)[0]) {
		return wantNet
	}
	return inside
}

// division is a quotient or remainder with guards for the cases in which Verilog gives x:
// the quotient is all ones and the remainder the dividend for a divisor of 0. Signed
// division with a divisor of -1 is guarded against the overflow that stops some simulators.
// All operands of a signed expression must be signed, or Verilog computes it unsigned.
func (p *exprs) division(id ir.ID) *syntax.Expr {
	m, args, w := p.m, p.m.Args(id), p.m.Width(id)
	d := dividing{exprs: p, op: m.Op(id), x: args[0], y: args[1], asX: inside, asY: inside, w: w}
	divisor, isConst := p.konst(d.y)

	// A guard repeats the divisor, and the dividend if it is a result of the guard: both
	// then need names.
	if !isConst {
		d.asY = wantNet
		if (d.op != ir.Div || w > 64) && !p.isConst(d.x) {
			d.asX = wantNet
		}
	}

	// One bit needs no division. A constant divisor needs no guard, since zero was folded
	// before.
	switch signed := d.op == ir.DivS || d.op == ir.RemS; {
	case w == 1 && (d.op == ir.Div || d.op == ir.DivS): // 1 / 1 = 1, -1 / -1 = 1 mod 2
		return p.bitwise(syntax.Or, d.dividend(), p.not(d.y, d.asY))
	case w == 1:
		return p.bitwise(syntax.And, d.dividend(), p.not(d.y, d.asY))
	case !signed && isConst:
		return d.quotient()
	case !signed:
		return d.guarded()
	case isConst && divisor.IsOnes():
		return d.negative()
	case isConst:
		return p.trees.Binary(symbols[d.op], p.signed(d.x, d.asX, context{}), p.signed(d.y, d.asY, context{}))
	}
	return d.guardedSigned()
}

// dividing is a division whose text is being built.
type dividing struct {
	*exprs
	op       ir.Op
	x, y     ir.ID
	asX, asY use
	w        int
}

func (d *dividing) dividend() *syntax.Expr { return d.operand(d.x, d.asX, context{}) }

// quotient is the plain unsigned division.
func (d *dividing) quotient() *syntax.Expr {
	x, y := d.dividend(), d.operand(d.y, d.asY, context{})
	return d.trees.Binary(symbols[d.op], d.unsignedBeside(x, y), y)
}

// by compares the divisor with a constant.
func (d *dividing) by(v bits.Value) *syntax.Expr {
	return d.trees.Tight(syntax.Eq, d.operand(d.y, d.asY, context{}), d.trees.Literal(v))
}

// guarded is an unsigned division with its result for a divisor of 0.
func (d *dividing) guarded() *syntax.Expr {
	e := d.quotient()
	if d.op == ir.Rem {
		return d.trees.Choose(d.by(bits.Zero(d.w)), d.dividend(), e, syntax.BreakNever)
	}
	if d.w > 64 {
		// Icarus Verilog 11 divides a number of more than 64 bits with its top bit set by 1
		// to 0.
		e = d.trees.Choose(d.by(bits.New(d.w, 1)), d.dividend(), e, syntax.BreakAlways)
	}
	return d.trees.Choose(d.by(bits.Zero(d.w)), d.trees.Literal(bits.Ones(d.w)), e, syntax.BreakNever)
}

// guardedSigned is a signed division with its two special divisors: 0, and -1, which
// negates the dividend or leaves no remainder.
func (d *dividing) guardedSigned() *syntax.Expr {
	x, y := d.signed(d.x, d.asX, context{}), d.signed(d.y, d.asY, context{})
	e := d.trees.Binary(symbols[d.op], x, y)

	// The results for a divisor of 0 and of -1: all ones and the negated dividend of a quotient,
	// the dividend and 0 of a remainder.
	byZero, byMinusOne := d.trees.SignedLiteral(bits.Ones(d.w)), d.trees.SignedLiteral(bits.Zero(d.w))
	if d.op == ir.DivS {
		byMinusOne = d.negative()
	} else {
		byZero = d.signed(d.x, d.asX, context{})
	}
	e = d.trees.Choose(d.by(bits.Ones(d.w)), byMinusOne, e, syntax.BreakAlways)
	return d.trees.Choose(d.by(bits.Zero(d.w)), byZero, e, syntax.BreakAlways)
}

// negative is -x as a signed operand.
func (d *dividing) negative() *syntax.Expr {
	x := d.signed(d.x, d.asX, context{})
	if v, ok := d.konst(d.x); ok {
		return d.trees.SignedLiteral(v.Neg())
	}
	return d.trees.Map(syntax.Minus, x)
}
