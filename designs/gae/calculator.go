package gae

import (
	"etch/hw"
	"etch/hw/arith"
)

// calculator holds the iterative circuits that a state machine computes with. In a state the
// machine calls one of the methods, which waits for the result and then runs the given function.
type calculator struct {
	m     *hw.Module
	asked hw.Bit // the operands have been taken, the result is awaited
	times arith.MultiplierPorts
	ratio arith.DividerPorts[hw.UInt]
	root  arith.RootPorts
}

func newCalculator(m *hw.Module) *calculator {
	division := arith.Division[hw.UInt]{Numerator: productBits + 16, Divisor: 2 * countBits, Quotient: varianceBits}
	c := &calculator{
		m: m, asked: hw.Reg(m, "asked", hw.Bit{}, hw.Low),
		times: hw.Inst(m, "times", arith.Multiplier{A: squaresBits, B: sumBits}),
		ratio: hw.Inst(m, "ratio", division.Iterative(1)),
		root:  hw.Inst(m, "root", arith.SquareRoot{Radicand: varianceBits}.Iterative(1)),
	}

	// Only quotient and root are used; the divisions here can neither overflow nor divide by zero.
	quotient, root := c.ratio.Out.Data, c.root.Out.Data
	hw.Unused(m, quotient.Negative, quotient.Overflow, quotient.ByZero)
	hw.Unused(m, quotient.Remainder, root.Remainder)

	// All three take requests from the methods below, which override the idle inputs, and never
	// wait to hand over results.
	c.times.In.Idle()
	c.ratio.In.Idle()
	c.root.In.Idle()
	c.times.Out.Ready.Set(hw.High)
	c.ratio.Out.Ready.Set(hw.High)
	c.root.Out.Ready.Set(hw.High)
	return c
}

// await follows a calculation from the operands to the result.
func (c *calculator) await(taken, there hw.Bit, then func()) {
	c.asked.SetIf(taken, hw.High)
	c.m.When(there.And(c.asked), func() {
		c.asked.Set(hw.Low)
		then()
	})
}

// multiply gives a · b.
func (c *calculator) multiply(a, b hw.UInt, then func(product hw.UInt)) {
	in, out := c.times.In, c.times.Out
	in.Send(c.asked.Not(), arith.Factors{A: a.Extend(squaresBits), B: b.Extend(sumBits)})
	c.await(in.Fire(), out.Valid, func() { then(out.Data.Trunc(productBits)) })
}

// divide gives a / b, rounded down.
func (c *calculator) divide(a, b hw.UInt, then func(quotient hw.UInt)) {
	in, out := c.ratio.In, c.ratio.Out
	in.Send(c.asked.Not(), arith.Operands[hw.UInt]{Numerator: a.Extend(in.Data.Numerator.Width()), Divisor: b.Extend(in.Data.Divisor.Width())})
	c.await(in.Fire(), out.Valid, func() { then(out.Data.Quotient) })
}

// squareRoot gives √x, rounded down.
func (c *calculator) squareRoot(x hw.UInt, then func(root hw.UInt)) {
	in, out := c.root.In, c.root.Out
	in.Send(c.asked.Not(), x)
	c.await(in.Fire(), out.Valid, func() { then(out.Data.Root) })
}
