package protocol

import "etch/hw"

// Rx takes bytes from a serial line, as uart.Tx puts them there: a start bit,
// eight data bits, lowest first, a stop bit.
type Rx struct {
	ClocksPerBit int `help:"clock cycles that a bit stays on the line" range:"4..2^24"`
}

type RxPorts struct {
	Line   hw.Bit  `dir:"in"`
	Valid  hw.Bit  `dir:"out"` // high for one cycle: Data is a byte
	Data   hw.UInt `dir:"out"`
	Broken hw.Bit  `dir:"out"` // high for one cycle: there was no stop bit
}

func (u Rx) Ports() RxPorts {
	return RxPorts{Data: hw.Unsigned(8)}
}

type rxPhase string

const (
	quiet rxPhase = "quiet"
	start rxPhase = "start"
	data  rxPhase = "data"
	stop  rxPhase = "stop"
	brake rxPhase = "break" // until the line is high again
)

// Build describes the body: bits are looked at in their middle.
func (u Rx) Build(m *hw.Module, p RxPorts) {
	early := hw.Reg(m, "early", hw.Bit{}, hw.High) // two registers: the line has no clock
	line := hw.Reg(m, "settled", hw.Bit{}, hw.High)
	early.Set(p.Line)
	line.Set(early)

	state := hw.Reg(m, "state", hw.EnumOf(quiet, start, data, stop, brake), hw.Val(quiet))
	timer := hw.Reg(m, "timer", hw.AddressOf(u.ClocksPerBit), hw.U(0))
	shift := hw.Reg(m, "shift", hw.Unsigned(8))
	index := hw.Reg(m, "index", hw.Unsigned(3), hw.U(0))

	// The timer starts half a bit into the start bit, so that it runs out in the middle of every
	// bit after.
	middle := timer.Is(0).Named("middle")
	timer.Set(hw.Mux(middle, timer.Lit(u.ClocksPerBit-1), timer.Dec()))
	ended := state.Is(stop).And(middle).Named("ended")
	p.Valid.Set(ended.And(line))
	p.Broken.Set(ended.AndNot(line))
	p.Data.Set(shift)

	for s := range state.Cases() {
		switch s {
		case quiet:
			timer.Set(hw.U(u.ClocksPerBit/2 - 1))
			state.GotoIf(line.Not(), start)
		case start:
			state.GotoIf(middle.And(line), quiet). // it was a spike
								ElseWhen(middle, func() { state.Goto(data) })
		case data:
			m.When(middle, func() {
				shift.Set(hw.Cat(line, shift.Range(7, 1)))
				index.Set(index.Inc())
				state.GotoIf(index.Is(7), stop)
			})
		case stop:
			m.When(middle, func() {
				state.GotoIf(line, quiet).Else(func() { state.Goto(brake) })
			})
		case brake:
			state.GotoIf(line, quiet)
		}
	}

	m.Assert(timer.Le(timer.Lit(u.ClocksPerBit-1)), "a bit of %d clocks more", timer)
	m.Assert(index.Is(0).Or(state.Is(data)), "bit %d of no byte", index)
}
