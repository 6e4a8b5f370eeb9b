package float

import (
	"errors"

	"etch/hw"
	"etch/hw/arith"
	"etch/hw/float"
	"etch/hw/stream"
)

// Dividing divides a digit a cycle, one division at a time, by the handshake of
// hw/stream. Steps that are seldom needed take cycles of their own instead of shifters: a
// subnormal operand is moved up, and a subnormal quotient down, a place a cycle. Stages
// is 0, and the rounding is static.
type Dividing struct{ Op }

// Pair is the operands of a division.
type Pair struct{ A, B Num }

// Result is the result of an iterative unit.
type Result struct {
	Y     Num
	Flags hw.UInt // 5 bits: NV DZ OF UF NX
}

// DividingPorts are streams of operands and of quotients with their flags, in one order.
type DividingPorts struct {
	In  stream.Stream[Pair]   `dir:"in"`
	Out stream.Stream[Result] `dir:"out"`
}

func (o Op) resultOf() stream.Stream[Result] {
	return stream.Of(Result{Of(o.Format), hw.Unsigned(5)})
}

// iterative refuses stages, and roundings that need a port.
func (o Op) iterative() error {
	if o.Stages != 0 || o.Rounding.ModeWidth() != 0 {
		return errors.New("an iterative unit has no Stages, and its Rounding needs no port")
	}
	return o.Validate()
}

func (c Dividing) Validate() error { return c.iterative() }

func (c Dividing) Ports() DividingPorts {
	return DividingPorts{In: stream.Of(Pair{Of(c.Format), Of(c.Format)}), Out: c.resultOf()}
}

// ModuleName is dividing_e5m10_0 for fp16.
func (c Dividing) ModuleName() string { return c.name("dividing") }

// Interval is the initiation interval in cycles, of normal operands with a normal quotient, which is
// offered in the last of them. Each subnormal operand takes up to Frac cycles more, a subnormal
// quotient up to as many as it has digits.
func (c Dividing) Interval() int { return c.digits() + 5 }

// The phases of a division.
const (
	idle   phase = "idle"
	scale  phase = "scale"  // the operands are moved up to their first ones
	digits phase = "digits" // a digit a cycle
	point  phase = "point"  // the quotient is moved to have its first one at the top
	lower  phase = "lower"  // a subnormal quotient is moved down
	offer  phase = "offer"
)

type phase string

// Build is a machine of these phases around one subtraction.
func (c Dividing) Build(m *hw.Module, p DividingPorts) {
	f, n := c.Format, c.digits()

	// The registers: the phase, the exponent, the divisor, the remainder, the digits, and the
	// result's sign and special values.
	at := hw.Reg(m, "at", hw.EnumOf(idle, scale, digits, point, lower, offer), hw.Val(idle))
	a, b := p.In.Data.A.Parts(), p.In.Data.B.Parts()
	w := countTo(c.greatestQuotient()) + 1
	exp := hw.Reg(m, "exp", hw.Unsigned(w)) // the quotient's exponent field, signed
	by := hw.Reg(m, "by", hw.Unsigned(f.Frac+1))
	rest := hw.Reg(m, "rest", hw.Unsigned(f.Frac+2)) // first A without its lowest bit
	lowest := hw.Reg(m, "lowest", hw.Bit{})
	q := hw.Reg(m, "quotient", hw.Unsigned(n))
	left := hw.Reg(m, "left", hw.UpTo(n))
	exact := hw.Reg(m, "exact", hw.Bit{}) // nothing was left at some digit: then all others are 0
	what := hw.Reg(m, "what", aroundOf{})

	// Operands are taken as they are. Special results and zeros have no digits and are offered at
	// once.
	take := func() {
		x := c.around(a, b)
		hw.Set(what, x)
		exp.Set(a.Exp.Extend(w).Sub(b.Exp.Extend(w)).Add(hw.U(f.Bias() - 1).Extend(w)))
		by.Set(b.Sig)
		rest.Set(a.Sig.Shr(1).Extend(f.Frac + 2))
		lowest.Set(a.Sig.Bit(0))
		q.Set(hw.U(0))
		exact.Set(x.Zero.Or(x.Inf, x.NaN))
		left.Set(hw.U(n))
		m.When(x.Zero.Or(x.Inf, x.NaN), func() { at.Goto(offer) }).Else(func() { at.Goto(scale) })
	}

	// One division at a time, which waits to be taken.
	p.In.Ready.Set(at.Is(idle))
	p.Out.Valid.Set(at.Is(offer))
	top := q.Bit(n - 1)
	for now := range at.Cases() {
		switch now {
		case idle:
			m.When(p.In.Fire(), take)
		case scale:
			// Both significands move up until their top bits are 1, a bit a cycle, A's first: then
			// the quotient lies between 1/2 and 2.
			m.When(rest.Bit(f.Frac-1).Not(), func() {
				rest.Set(hw.Cat(rest.Trunc(f.Frac+1), lowest))
				lowest.Set(hw.Low)
				exp.Set(exp.Dec())
			}).ElseWhen(by.Bit(f.Frac).Not(), func() {
				by.Set(by.Shl(1))
				exp.Set(exp.Inc())
			}).Else(func() { at.Goto(digits) })
		case digits:
			// Non-restoring division, a digit a cycle.
			after, digit := arith.DivideStep(rest, lowest, by)
			rest.Set(after)
			lowest.Set(hw.Low)
			q.Set(hw.Cat(q.Trunc(n-1), digit))
			exact.Set(exact.Or(after.Any().Not()))
			left.Set(left.Dec())
			at.GotoIf(left.Is(1), point)
		case point:
			// The top digit is 0 where A's significand is the lesser one.
			m.When(top, func() { exp.Set(exp.Inc()) }).Else(func() { q.Set(q.Shl(1)) })
			at.Goto(lower)
		case lower:
			// A subnormal quotient moves down until its exponent is the least; bits that fall off
			// make it inexact.
			m.When(exp.Bit(w-1).Or(exp.Any().Not()).And(q.Any()), func() {
				q.Set(q.Shr(1))
				exact.Set(exact.AndNot(q.Bit(0)))
				exp.Set(exp.Inc())
			}).Else(func() { at.Goto(offer) })
		case offer:
			at.GotoIf(p.Out.Ready, idle)
		}
	}

	// The exponent of a number that has been moved down is 0.
	normal := exp.Bit(w - 1).Or(exp.Any().Not()).Not()
	base := c.quotientBase(exp.Dec().Trunc(w-1).And(normal.Rep(w-1)), what.Zero.Or(what.Inf).Not())
	c.offer(m, p.Out, float.Exact{
		Neg: what.Neg, Base: base, Sig: q, Rest: exact.Not(), Carry: hw.Low, Zero: what.Zero, Special: what.Inf.Or(what.NaN), NaN: what.NaN,
		Invalid: what.Invalid, DivideZero: what.DivideZero,
	})
}

// aroundOf is a quotient without digits and exponent.
type aroundOf struct{ Neg, Zero, Inf, NaN, Invalid, DivideZero hw.Bit }

// around tells which quotients are special or need no digits.
func (o Op) around(a, b float.Parts) aroundOf {
	// As those of Divider.
	bad := a.Inf.And(b.Inf).Or(a.Zero.And(b.Zero))
	inf := a.Inf.Or(b.Zero)
	return aroundOf{
		Neg: a.Neg.Xor(b.Neg), NaN: a.NaN.Or(b.NaN, bad), Inf: inf, Zero: a.Zero.Or(b.Inf).AndNot(inf),
		Invalid: a.Signaling.Or(b.Signaling, bad), DivideZero: b.Zero.AndNot(a.Zero).AndNot(a.Special()),
	}
}

// offer rounds a result and drives the stream with it.
func (o Op) offer(m *hw.Module, to stream.Stream[Result], x float.Exact) {
	if !o.Flags {
		hw.Unused(m, x.Invalid, x.DivideZero)
	}

	// Combinational, from the registers of the machine.
	y, flags := float.Rounder{Format: o.Format, Rounding: o.Rounding, Flags: o.Flags}.Finish(x)
	to.Data.Y.Set(y)
	to.Data.Flags.Set(flags)
	m.Assert(to.Valid.AndNot(y.IsNaN().And(y.Raw.Ne(y.LitBits(o.Format.NaN()).Raw))).Or(to.Valid.Not()), "the NaN %x", y.Raw)
}

// turns is the handshake of a unit that takes n cycles for its digits.
type turns struct{ taken, done hw.Bit }

// follow counts the digits of the operation under way. At n+1 there is a result, or nothing
// has come in yet.
func follow[A any](m *hw.Module, in stream.Stream[A], out stream.Stream[Result], n int) turns {
	// The next operand may come in the cycle in which a result goes.
	left := hw.Reg(m, "left", hw.UpTo(n), hw.U(0))
	full := hw.Reg(m, "full", hw.Bit{}, hw.Low)
	done := left.Any().Not()
	out.Valid.Set(done.And(full))
	in.Ready.Set(done.And(full.Not().Or(out.Ready)))
	taken := in.Fire().Named("taken")
	left.SetIf(taken, hw.U(n)).ElseWhen(done.Not(), func() { left.Set(left.Dec()) })
	full.SetIf(taken, hw.High).ElseWhen(out.Fire(), func() { full.Set(hw.Low) })
	m.Assert(left.Le(hw.U(n)), "%d digits are left", left)
	return turns{taken, done}
}

// Rooting takes square roots a digit a cycle, one at a time, as [Dividing] divides.
type Rooting struct{ Op }

// RootingPorts are streams of operands and of roots with their flags, in one order.
type RootingPorts struct {
	In  stream.Stream[Num]    `dir:"in"`
	Out stream.Stream[Result] `dir:"out"`
}

func (c Rooting) Validate() error { return c.iterative() }

func (c Rooting) Ports() RootingPorts {
	return RootingPorts{In: stream.Of(Of(c.Format)), Out: c.resultOf()}
}

// ModuleName is rooting_e5m10_0 for fp16.
func (c Rooting) ModuleName() string { return c.name("rooting") }

// Interval is the initiation interval in cycles; the result is offered in the last of them.
func (c Rooting) Interval() int { return c.places() + 1 }

// Build holds the bits of the radicand that are not zeros by construction, and makes a
// digit a cycle.
func (c Rooting) Build(m *hw.Module, p RootingPorts) {
	n := c.places()

	// A radicand of an operand has zeros below its significand: they need no register.
	t := follow(m, p.In, p.Out, n)
	x := c.radicand(p.In.Data)
	w := (c.Format.Frac + 3) / 2 * 2 // of the radicand's bits, those that are not below it
	line := hw.Reg(m, "line", hw.Unsigned(w))
	rest := hw.Reg(m, "rest", hw.Unsigned(n+2))
	digits := hw.Reg(m, "digits", hw.Unsigned(n))
	x.X = x.X.Range(2*n-1, 2*n-w)
	around := hw.Reg(m, "around", hw.Like(rootAround{x.Exp, x.Neg, x.Zero, x.Inf, x.NaN, x.Invalid}))

	// A digit a cycle, from two bits of the radicand.
	after, digit := arith.RootStep(rest, [2]hw.Bit{line.Bit(w - 1), line.Bit(w - 2)}, digits)
	m.When(t.taken, func() {
		hw.Set(around, rootAround{x.Exp, x.Neg, x.Zero, x.Inf, x.NaN, x.Invalid})
		line.Set(x.X)
		rest.Set(hw.U(0))
		digits.Set(hw.U(0))
	}).ElseWhen(t.done.Not(), func() {
		rest.Set(after)
		line.Set(line.Shl(2))
		digits.Set(hw.Cat(digits.Trunc(n-1), digit))
	})

	// Registers keep the sign, the exponent and the special values until the result is offered.
	a := around
	r := radicand{Exp: a.Exp, Neg: a.Neg, Zero: a.Zero, Inf: a.Inf, NaN: a.NaN, Invalid: a.Invalid}
	c.offer(m, p.Out, c.root(r, digits, arith.RootRemainder(rest, digits).Any()))
}

// rootAround is a root without its digits.
type rootAround struct {
	Exp                          hw.UInt
	Neg, Zero, Inf, NaN, Invalid hw.Bit
}
