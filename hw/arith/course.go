package arith

import (
	"etch/hw"
	"etch/hw/stream"
)

// course counts the cycles since an iterative circuit took its operands. In the
// last one, in which it offers its result, it waits, and may take the next.
type course struct {
	cycle hw.UInt // 0: nothing under way
	last  int
	taken hw.Bit // operands come in
}

// follow makes the handshake of a circuit whose result is ready latency cycles after it has taken its
// operands.
func follow[A, B any](m *hw.Module, in stream.Stream[A], out stream.Stream[B], latency int) course {
	// Cycle 0 is rest; the operands are taken in it, or in the last cycle if the result leaves at
	// once.
	c := course{cycle: hw.Reg(m, "cycle", hw.UpTo(latency), hw.U(0)), last: latency, taken: in.Fire().Named("taken")}
	done := c.at(latency)
	in.Ready.Set(c.idle().Or(done.And(out.Ready)))
	out.Valid.Set(done)
	c.cycle.SetIf(c.taken, c.cycle.Lit(1)).
		ElseWhen(done, func() { c.cycle.SetIf(out.Ready, c.cycle.Lit(0)) }).
		ElseWhen(c.idle().Not(), func() { c.cycle.Set(c.cycle.Inc()) })

	// The result is on time, and the handshake is kept.
	m.Assert(c.cycle.Le(hw.U(latency)), "cycle %d is past the result", c.cycle)
	m.Assert(hw.Rose(m, out.Valid).Implies(hw.Past(m, c.cycle).Is(latency-1)), "the result came after cycle %d", hw.Past(m, c.cycle))
	stream.Check(m, "out", out)
	return c
}

func (c course) idle() hw.Bit { return c.cycle.Is(0) }

// at is high in a cycle.
func (c course) at(cycle int) hw.Bit { return c.cycle.Is(cycle) }

// within is high from cycle 1 to a cycle.
func (c course) within(to int) hw.Bit {
	return c.idle().Not().And(c.cycle.Le(c.cycle.Lit(to)))
}
