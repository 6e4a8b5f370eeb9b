// Package uart is a state machine: Go's switch over the values of a register.
package uart

import (
	"etch/hw"
	"etch/hw/stream"
)

// Tx sends bytes as 8N1: a start bit, eight data bits, lowest first, a stop bit.
type Tx struct {
	ClocksPerBit int `help:"clock cycles that a bit stays on the line" range:"2..2^24"`
}

type TxPorts struct {
	Bytes stream.Stream[hw.UInt] `dir:"in"`  // a byte is taken while the line is idle
	Line  hw.Bit                 `dir:"out"` // high when idle
}

func (u Tx) Ports() TxPorts {
	return TxPorts{Bytes: stream.Of(hw.Unsigned(8))}
}

type phase string

const (
	idle  phase = "idle"
	start phase = "start"
	data  phase = "data"
	stop  phase = "stop"
)

func (u Tx) Build(m *hw.Module, p TxPorts) {
	state := hw.Reg(m, "state", hw.EnumOf(idle, start, data, stop), hw.Val(idle))
	timer := hw.Reg(m, "timer", hw.AddressOf(u.ClocksPerBit), hw.U(0)) // clocks left of this bit
	shift := hw.Reg(m, "shift", hw.Unsigned(8))                        // bits left to send, next one lowest
	index := hw.Reg(m, "index", hw.Unsigned(3), hw.U(0))               // of the bit on the line

	fullBit := timer.Lit(u.ClocksPerBit - 1)
	bitDone := timer.Is(0).Named("bit_done")
	timer.Set(hw.Mux(bitDone, fullBit, timer.Dec()))
	p.Bytes.Ready.Set(state.Is(idle))
	p.Line.Set(hw.High)

	// A frame is a start bit, low, eight data bits, the lowest first, and a stop bit, high: the
	// line's default.
	for s := range state.Cases() {
		switch s {
		case idle:
			timer.Set(fullBit)
			m.When(p.Bytes.Fire(), func() {
				shift.Set(p.Bytes.Data)
				state.Goto(start)
			})
		case start:
			p.Line.Set(hw.Low)
			state.GotoIf(bitDone, data)
		case data:
			p.Line.Set(shift.Bit(0))
			m.When(bitDone, func() {
				shift.Set(shift.Shr(1))
				index.Set(index.Inc())
				state.GotoIf(index.Is(7), stop)
			})
		case stop:
			state.GotoIf(bitDone, idle)
		}
	}

	m.Assert(timer.Le(fullBit), "a bit of %d clocks more", timer)
	m.Assert(index.Is(0).Or(state.Is(data)), "bit %d of no byte", index)
	m.Assert(p.Bytes.Ready.Implies(p.Line), "the line is low and idle")
	m.Assert(hw.Past(m, p.Bytes.Fire()).Eq(hw.Fell(m, state.Is(idle))), "a byte is taken and none is sent, or the reverse")
	m.Assert(hw.Past(m, bitDone.Not()).And(state.Is(idle).Not()).Implies(hw.Stable(m, state).Or(hw.Past(m, state.Is(idle)))), "a bit is cut short")
}
