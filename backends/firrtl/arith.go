package firrtl

import (
	"etch/ir"
	"etch/ir/bits"
)

// isLiteral reports whether a value is a constant, whether it has a name or not.
func (p *module) isLiteral(n ir.ID) bool { return p.m.Op(p.root(n)) == ir.Const }

// literal is the value of a constant.
func (p *module) literal(n ir.ID) (bits.Value, bool) {
	if n = p.root(n); p.m.Op(n) == ir.Const {
		return p.m.ConstOf(n), true
	}
	return bits.Value{}, false
}

// isWholeProduct reports whether a product keeps all its bits.
func (p *module) isWholeProduct(n ir.ID) bool {
	args := p.m.Args(n)
	return p.m.Width(n) == p.m.Width(args[0])+p.m.Width(args[1])
}

func (p *module) product(n ir.ID, t typ) {
	if p.isWholeProduct(n) {
		p.call("mul", p.m.Args(n), t)
		return
	}

	// FIRRTL's product is as wide as both operands together.
	p.str("bits(")
	p.call("mul", p.m.Args(n), t)
	p.range_(0, p.m.Width(n))
}

// divide prints a quotient or remainder. FIRRTL leaves x / 0 open, the netlist does not.
// Signed operands get one more bit, since some tools fail for the least number by -1, whose
// quotient does not fit.
func (p *module) divide(n ir.ID) {
	args, w, op := p.m.Args(n), p.m.Width(n), p.m.Op(n)
	v, ok := p.literal(args[1])
	// A constant divisor other than 0 needs no guard.
	guarded := !ok || v.IsZero()
	if guarded {
		p.str("mux(eq(")
		p.operand(args[1], unsigned)
		p.str(", ")
		p.number(w, 0)
		p.str("), ")
		if op == ir.Rem || op == ir.RemS {
			p.operand(args[0], unsigned)
		} else {
			p.constant(bits.Ones(w), unsigned)
		}
		p.str(", ")
	}

	// The quotient of signed operands has one more bit, which tail drops. A remainder is as wide as
	// the narrower operand, so both are padded.
	switch op {
	case ir.Div:
		p.call("div", args, unsigned)
	case ir.Rem:
		p.call("rem", args, unsigned)
	case ir.DivS:
		p.str("tail(")
		p.call("div", args, signed)
		p.str(", 1)")

	case ir.RemS:
		p.str("tail(rem(pad(")
		p.operand(args[0], signed)
		p.str(", ")
		p.num(w + 1)
		p.str("), pad(")
		p.operand(args[1], signed)
		p.str(", ")
		p.num(w + 1)
		p.str(")), 1)")
	}

	if guarded {
		p.str(")")
	}
}

// shift prints a shift by a constant or a value. Amounts of the width or more shift
// everything out, in FIRRTL and in the netlist.
func (p *module) shift(n ir.ID) {
	args := p.m.Args(n)
	if v, ok := p.literal(args[1]); ok {
		// By the width, if the amount is more.
		by := p.m.Width(n)
		if v.IsUint64() && v.Uint64() < uint64(by) {
			by = int(v.Uint64())
		}
		p.shiftBy(n, by)
		return
	}

	if !p.splitsAmount(n) {
		p.shiftLow(n, p.m.Width(args[1]))
		return
	}

	// A wide amount: if any bit above the low k is set, everything is shifted out; else
	// shift by the low bits.
	k := amountBits(p.m.Width(n))
	if p.m.Op(n) != ir.Shl {
		k = max(16, k)
	}

	amount := p.m.Width(args[1])
	p.str("mux(orr(")
	p.part(args[1], k, amount-k)
	p.str("), ")
	// All copies of the sign, or zeros.
	if w := p.m.Width(n); p.m.Op(n) == ir.ShrS {
		p.str("asUInt(pad(asSInt(")
		p.part(args[0], w-1, 1)
		p.str("), ")
		p.num(w)
		p.str("))")
	} else {
		p.number(w, 0)
	}

	p.str(", ")

	// A shift of a signed operand is signed, and the other arm is not.
	c := p.m.Op(n) == ir.ShrS
	if c {
		p.str("asUInt(")
	}

	p.shiftLow(n, k)
	p.close(c)
	p.str(")")
}

// shiftLow prints a shift by the low k bits of the amount.
func (p *module) shiftLow(n ir.ID, k int) {
	args, op := p.m.Args(n), p.m.Op(n)

	// dshl widens its operand by all that it may shift; bits cuts it again.
	switch op {
	case ir.Shl:
		p.str("bits(dshl(")
		p.operand(args[0], unsigned)
	case ir.Shr:
		p.str("dshr(")
		p.operand(args[0], unsigned)
	default:
		p.str("dshr(")
		p.operand(args[0], signed)
	}
	p.str(", ")
	p.part(args[1], 0, k)
	p.str(")")
	if op == ir.Shl {
		p.range_(0, p.m.Width(n))
	}
}

// shiftBy prints a shift by a constant of at most the width.
func (p *module) shiftBy(n ir.ID, by int) {
	x, w, op := p.m.Args(n)[0], p.m.Width(n), p.m.Op(n)

	// A right shift in FIRRTL narrows its operand, a left one widens it: pad and tail restore the
	// width.
	switch {
	case op == ir.ShrS:
		p.str("pad(shr(")
		p.operand(x, signed)
		p.str(", ")
		p.num(min(by, w-1))
		p.str("), ")
		p.num(w)
		p.str(")")
	case by == w:
		p.number(w, 0)
	case op == ir.Shl:
		p.str("tail(shl(")
		p.operand(x, unsigned)
		p.str(", ")
		p.num(by)
		p.str("), ")
		p.num(by)
		p.str(")")

	default:
		p.str("pad(shr(")
		p.operand(x, unsigned)
		p.str(", ")
		p.num(by)
		p.str("), ")
		p.num(w)
		p.str(")")
	}
}

// signExtend prints a value sign-extended to w bits, as a signed one.
func (p *module) signExtend(x ir.ID, w int) {
	if p.m.Width(x) == w {
		p.operand(x, signed)
		return
	}

	// A pad of an SInt repeats the sign.
	p.str("pad(")
	p.operand(x, signed)
	p.str(", ")
	p.num(w)
	p.str(")")
}
