//hwvet:ignore -- these mistakes are deliberate

package hw_test

import "etch/hw"

// The past is for statements.
var pastMistakes = []mistake{
	latencyMistake,
	{"the past in hardware", func(m *hw.Module, p pins) {
		was := hw.Past(m, p.A) // at was
		p.Y.Set(was.Inc())     // want "output y reads the past of a, which only statements may [history]" note "the past is asked for here"@was note "hw.Delay is a register for hardware"
		rises := hw.Reg(m, "rises", hw.Unsigned(8), hw.U(0))
		m.When(hw.Rose(m, p.C), func() { // at rose
			rises.Set(rises.Inc()) // want "register rises reads the past of c, which only statements may [history]" note "the past is asked for here"@rose
		})
		ram := hw.Mem(m, "ram", 16, hw.Unsigned(8))
		ram.Write(p.B, was) // want "memory ram reads the past of a, which only statements may"
		m.Assert(ram.Read(p.B).Eq(rises), "both are read")
		below := hw.Inst(m, "below", pass)
		below.In.Set(was) // want "input in of below reads the past of a, which only statements may"
		m.Assert(below.Out.Eq(p.A), "so is this")
	}},
	{"the past as an enable", func(m *hw.Module, p pins) {
		p.Y.Set(p.A)
		run := m.Enabled(hw.Fell(m, p.C))
		run.Assert(hw.Stable(run, p.A), "at falls") // want "the enable of a view reads the past of c, which only statements may [history]"
	}},
	{"a past of itself", func(m *hw.Module, p pins) {
		p.Y.Set(p.A)
		sum := hw.Wire(m, "sum", hw.Unsigned(8))
		sum.Set(hw.Past(m, sum).Add(p.A)) // want "Past: the past of sum is made of itself, so that it never begins [history]"
		m.Assert(sum.Any(), "a sum")
	}},
	{"pasts that are none", func(m *hw.Module, p pins) {
		p.Y.Set(p.A)
		m.Assert(hw.Past(m, p.A, -1).Eq(p.A), "before")             // want "Past: -1 edges; want 0 to 65536 [range]"
		m.Assert(hw.Past(m, p.A, 1, 2).Eq(p.A), "twice")            // want "Past: 2 numbers; want at most one [range]"
		m.Assert(m.After(-1), "before")                             // want "After: -1 edges; want 0 to 1073741824 [range]"
		m.Assert(hw.Stable(m, m.Domain()), "a clock")               // want "Stable: clk is a clock or a reset, which has no past" "Stable: rst is a clock or a reset"
		m.Assert(hw.Rose(m, hw.Bit{}), "nothing")                   // want "Rose: an operand is unset"
		m.Assert(hw.Past(m, hw.Unsigned(3)).Any(), "a shape")       // want "Past: a shape of 3 bits is not a signal"
		m.Assert(hw.Past(m, p.A).Eq(hw.Past(m, p.B)), "two widths") // want "Eq: the past of a has 8 bits, the past of b has 4 [width]" note "the past of a is 8 bits wide" note "the past of b is 4 bits wide"
		m.Assert(p.C.Implies(hw.Bit{}), "unset")                    // want "Or: an operand is unset"
		hw.Past(m, p.A).Set(p.A)                                    // want "Set: "
	}},
}

// hasty says a latency that it has not.
type hasty struct{}

func (hasty) Latency() int { return 1 }

func (hasty) Ports() thruPorts {
	return thruPorts{
		In:  hw.In(hw.Unsigned(8)),
		Out: hw.Out(hw.Unsigned(8)), // want "Latency of hasty is 1, and from in to out there are 2 registers [latency]" note "register late_1"@late note "register late_2"@late note "hw.Static"
	}
}

func (hasty) Build(m *hw.Module, p thruPorts) {
	p.Out.Set(hw.Delay(m, "late", p.In, 2)) // at late
}

var latencyMistake = mistake{"a latency that lies", func(m *hw.Module, p pins) {
	p.Y.Set(hw.Inst(m, "u", hasty{}, thruPorts{In: p.A}).Out)
}}
