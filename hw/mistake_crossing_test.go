//hwvet:ignore -- these mistakes are deliberate

package hw_test

import "etch/hw"

// twoClocks are ports with two clocks, each with an asynchronous reset.
type twoClocks struct {
	A, B hw.Domain
	X, Y hw.Bit  // on A
	N    hw.UInt // on A
	Seen hw.Bit  // on B
	Many hw.UInt // on B
}

func twoClockShapes() twoClocks {
	return twoClocks{
		A: hw.In(hw.AsyncDomain()), // at clka
		B: hw.In(hw.AsyncDomain()), // at clkb
		X: hw.In(hw.Bit{}), Y: hw.In(hw.Bit{}), N: hw.In(hw.Unsigned(4)),
		Seen: hw.Out(hw.Bit{}), Many: hw.Out(hw.Unsigned(4)),
	}
}

func twoClocked(body func(a, b *hw.Module, p twoClocks)) func() error {
	return func() error {
		return build(hw.Func("cross", twoClockShapes(), func(m *hw.Module, p twoClocks) { body(m.On(p.A), m.On(p.B), p) })) // at crossbody
	}
}

type flagPorts struct{ In, Out hw.Bit }

func flagShapes() flagPorts { return flagPorts{hw.In(hw.Bit{}), hw.Out(hw.Bit{})} }

// busyUnit gives out a flag that is logic, and one that is a register.
var busyUnit = hw.Func("busy_unit", struct{ In, Logic, Reg, Through hw.Bit }{hw.In(hw.Bit{}), hw.Out(hw.Bit{}), hw.Out(hw.Bit{}), hw.Out(hw.Bit{})},
	func(m *hw.Module, p struct{ In, Logic, Reg, Through hw.Bit }) {
		r := hw.Delay(m, "r", p.In, 1)
		p.Logic.Set(r.And(p.In)) // at busylogic
		p.Reg.Set(r)
		p.Through.Set(p.In.Not())
	})

// seer has a synchroniser behind an input, below another module.
var seer = hw.Func("seer", flagShapes(), func(m *hw.Module, p flagPorts) {
	p.Out.Set(hw.Inst(m, "deep", hw.Func("deep_seer", flagShapes(), func(m *hw.Module, p flagPorts) {
		p.Out.Set(hw.Sync(m, "seen", p.In)) // at deepsync
	}), flagPorts{In: p.In}).Out)
})

// resetIn has a register with its implicit reset, resetOut makes a reset.
var resetIn = hw.Func("reset_in", flagShapes(), func(m *hw.Module, p flagPorts) { p.Out.Set(hw.Delay(m, "q", p.In, 1, hw.B(false))) })

type resetOutPorts struct {
	In  hw.Bit
	Rst hw.Reset
}

var resetOut = hw.Func("reset_out", resetOutPorts{hw.In(hw.Bit{}), hw.Out(hw.AsyncReset())}, func(m *hw.Module, p resetOutPorts) {
	p.Rst.Set(hw.Delay(m, "q", p.In, 1).AsAsyncReset())
})

// Clock crossings.
var crossingMistakes = []failing{
	{"logic in front of a synchroniser", twoClocked(func(a, b *hw.Module, p twoClocks) {
		x, y := hw.Delay(a, "x_q", p.X, 1), hw.Delay(a, "y_q", p.Y, 1)
		n := hw.Delay(a, "n_q", p.N, 1)
		hw.Sync(b, "s0", x.And(y))                           // want "Sync s0: and(x_q, y_q) may glitch, and the first register of the synchroniser would catch it [clock]" note "and(x_q, y_q) is logic" note "hw.Delay on the clock that it comes from"
		both := x.Or(y).Named("both")                        // at both
		hw.Sync(b, "s1", both.Not())                         // want "Sync s1: !(both) may glitch" note "both is logic"@both
		hw.SyncGray(b, "s2", n.Xor(n.Shr(1)))                // want "SyncGray s2: xor(n_q, …) may glitch"
		hw.Sync(b, "s3", p.X.And(p.Y))                       // want "Sync s3: and(x, y) may glitch"
		hw.Sync(b, "fine", n.Bit(2).Not())                   // wiring and an inverter
		hw.Sync(b, "port", p.X)                              // a port
		hw.Sync(b, "fixed", hw.Static(b, "still", x.And(y))) // it stands still
		hw.Sync(a, "own", x.And(y))                          // its own clock
		p.Seen.Set(hw.B(false))
		p.Many.Set(hw.U(0))
	}), false},
	{"logic in front of a synchroniser, through instances", twoClocked(func(a, b *hw.Module, p twoClocks) {
		u := hw.Inst(a, "u", busyUnit, struct{ In, Logic, Reg, Through hw.Bit }{In: p.X})
		hw.Sync(b, "s0", u.Logic) // want "Sync s0: u.logic may glitch" note "u.logic is and(r, in), which is logic, in busy_unit"@busylogic
		hw.Sync(b, "s1", u.Reg)
		x, y := hw.Delay(a, "x_q", p.X, 1), hw.Delay(a, "y_q", p.Y, 1)
		v := hw.Inst(a, "v", busyUnit, struct{ In, Logic, Reg, Through hw.Bit }{In: x.Xor(y)})
		hw.Sync(b, "s2", v.Through)                    // want "Sync s2: v.through may glitch" note "xor(x_q, y_q) is logic"
		hw.Inst(b, "w", seer, flagPorts{In: x.And(y)}) // want "instance w: and(x_q, y_q) may glitch" note "Sync seen is here"@deepsync
		hw.Inst(b, "w1", seer, flagPorts{In: u.Logic}) // want "instance w1: u.logic may glitch" note "in busy_unit"@busylogic
		hw.Inst(b, "w2", seer, flagPorts{In: x, Out: p.Seen})
		p.Many.Set(hw.U(0))
	}), false},
	{"several bits through a synchroniser", twoClocked(func(a, b *hw.Module, p twoClocks) {
		n := hw.Delay(a, "n_q", p.N, 1)
		hw.Sync(b, "s0", n)                                                            // want "Sync s0: 4 bits would arrive in different cycles [clock]" note "hw.SyncGray is for a Gray code, hw.SyncHeld for a value that stands still" via crossbody
		hw.Sync(b.Scope("in"), "s1", []hw.Bit{p.X, p.Y})                               // want "Sync in_s1: 2 bits would arrive in different cycles" via crossbody
		count := hw.Reg(a, "count", hw.Unsigned(4), hw.U(0))                           // at count
		a.When(p.X, func() { count.Set(count.Inc()) }).Else(func() { count.Set(p.N) }) // at counts
		hw.SyncGray(b, "s2", count)                                                    // want "SyncGray s2: count counts in binary, where several bits change at once [clock]" note "count takes add(count, 1)"@counts note "gray.Set(next.Xor(next.Shr(1)))"
		down := hw.Reg(a, "down", hw.Unsigned(4), hw.U(0))
		down.Set(down.Sub(hw.U(3)))
		hw.SyncGray(b, "s3", down.Range(2, 1)) // want "SyncGray s3: down counts in binary"
		hw.SyncGray(b, "s4", n)                // a promise
		late := hw.Delay(a, "late", p.X, 1)
		held := hw.SyncHeld(b, "held", count, late, hw.U(0)) // want "register held mixes clocks a_clk and b_clk [clock]"
		p.Many.Set(held)
		p.Seen.Set(hw.Sync(b, "flag", late))
	}), false},
	{"a reset of another clock", twoClocked(func(a, b *hw.Module, p twoClocks) {
		stop := hw.Delay(a, "stop", p.X, 1) // at stop
		there := b.On(hw.Domain{Clk: p.B.Clk, Rst: stop.Or(p.B.Rst.Bit()).AsAsyncReset()})
		r := hw.Delay(there, "r", p.Y, 1, hw.B(false)) // want "register r is reset asynchronously by stop of clock a_clk, which falls out of step with its own clock b_clk [clock]" note "stop is declared here"@stop note "hw.SyncReset on the clock of the register"
		sync := b.On(hw.Domain{Clk: p.B.Clk, Rst: stop.AsReset()})
		hw.Delay(sync, "s", r, 1, hw.B(false))                                                                 // want "register s is reset by stop of clock a_clk"
		hw.Inst(b.On(hw.Domain{Clk: p.B.Clk, Rst: stop.Not().AsAsyncReset()}), "u", resetIn, flagPorts{In: r}) // want "register q in u is reset asynchronously by stop of clock a_clk"
		made := hw.Inst(a, "made", resetOut, resetOutPorts{In: p.X}).Rst
		hw.Delay(b.On(hw.Domain{Clk: p.B.Clk, Rst: made}), "t", r, 1, hw.B(false))     // want "register t is reset asynchronously by made.rst of clock a_clk"
		hw.Delay(a.On(hw.Domain{Clk: p.A.Clk, Rst: made}), "own", p.X, 1, hw.B(false)) // its own clock
		good := hw.SyncReset(b.On(hw.Domain{Clk: p.B.Clk}), "good", made)
		hw.Delay(b.On(hw.Domain{Clk: p.B.Clk, Rst: good}), "v", r, 1, hw.B(false)) // in step
		hw.Inst(b.On(hw.Domain{Clk: p.B.Clk, Rst: good}), "fine", resetIn, flagPorts{In: r, Out: p.Seen})
		p.Many.Set(hw.U(0))
	}), false},
}
