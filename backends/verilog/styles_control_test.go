package verilog_test

import "etch/hw"

type rxState string

const (
	rxIdle  rxState = "idle"
	rxStart rxState = "start"
	rxData  rxState = "data"
	rxStop  rxState = "stop"
	rxBreak rxState = "break"
)

// receiver is a UART receiver with the machine of a textbook: a case on the state, an
// if in each arm, defaults in front.
type receiver struct{ Divide int }

type receiverPorts struct {
	Line  hw.Bit
	Byte  hw.UInt
	Valid hw.Bit
	Error hw.Bit
}

func (c receiver) Ports() receiverPorts {
	return receiverPorts{Line: hw.In(hw.Bit{}), Byte: hw.Out(hw.Unsigned(8)), Valid: hw.Out(hw.Bit{}), Error: hw.Out(hw.Bit{})}
}

func (c receiver) Build(m *hw.Module, p receiverPorts) {
	state := hw.Reg(m, "state", hw.EnumOf(rxIdle, rxStart, rxData, rxStop, rxBreak), hw.Val(rxIdle))
	timer := hw.Reg(m, "timer", hw.AddressOf(c.Divide), hw.U(0))
	bits := hw.Reg(m, "bits", hw.Unsigned(3), hw.U(0))
	shift := hw.Reg(m, "shift", hw.Unsigned(8), hw.U(0))
	p.Byte.Set(shift)
	p.Valid.Set(hw.B(false))
	p.Error.Set(hw.B(false))
	timer.Set(hw.Mux(timer.Is(0), timer.Lit(c.Divide-1), timer.Dec()))
	for s := range state.Cases() {
		switch s {
		case rxIdle:
			bits.Set(bits.Lit(0))
			m.When(p.Line.Not(), func() {
				timer.Set(timer.Lit(c.Divide / 2))
				state.Goto(rxStart)
			})
		case rxStart:
			m.When(timer.Is(0), func() {
				m.When(p.Line, func() { state.Goto(rxIdle) }).Else(func() { state.Goto(rxData) })
			})
		case rxData:
			m.When(timer.Is(0), func() {
				shift.Set(hw.Cat(p.Line, shift.Range(7, 1)))
				bits.Set(bits.Inc())
				state.GotoIf(bits.Is(7), rxStop)
			})
		case rxStop:
			m.When(timer.Is(0), func() {
				p.Valid.Set(p.Line)
				p.Error.Set(p.Line.Not())
				m.When(p.Line, func() { state.Goto(rxIdle) }).Else(func() { state.Goto(rxBreak) })
			})
		case rxBreak:
			state.GotoIf(p.Line, rxIdle)
		}
	}
}

// timing is a video timing generator: two counters, ranges, one block over another.
type timing struct{ Width, Height, Blank int }

type timingPorts struct {
	Run    hw.Bit
	X, Y   hw.UInt
	Hsync  hw.Bit
	Vsync  hw.Bit
	Active hw.Bit
}

func (c timing) Ports() timingPorts {
	return timingPorts{Run: hw.In(hw.Bit{}), X: hw.Out(hw.Unsigned(11)), Y: hw.Out(hw.Unsigned(11)), Hsync: hw.Out(hw.Bit{}), Vsync: hw.Out(hw.Bit{}), Active: hw.Out(hw.Bit{})}
}

func (c timing) Build(m *hw.Module, p timingPorts) {
	x := hw.Reg(m, "column", hw.Unsigned(11), hw.U(0))
	y := hw.Reg(m, "row", hw.Unsigned(11), hw.U(0))
	h := hw.Reg(m, "h", hw.Bit{}, hw.B(true))
	v := hw.Reg(m, "v", hw.Bit{}, hw.B(true))
	x.SetIf(p.Run, x.Inc())
	m.When(x.Is(c.Width+4*c.Blank-1), func() {
		x.Set(x.Lit(0))
		y.Set(y.Inc())
		y.SetIf(y.Is(c.Height+4*c.Blank-1), y.Lit(0))
	})
	h.Set(x.IsLt(c.Width + c.Blank).Or(x.IsGe(c.Width + 2*c.Blank)))
	v.Set(y.IsLt(c.Height + c.Blank).Or(y.IsGe(c.Height + 2*c.Blank)))
	m.When(p.Run.Not(), func() {
		x.Set(x.Lit(0))
		y.Set(y.Lit(0))
	})
	p.X.Set(x)
	p.Y.Set(y)
	p.Hsync.Set(h)
	p.Vsync.Set(v)
	p.Active.Set(x.IsLt(c.Width).And(y.IsLt(c.Height)))
}

// grant is a round-robin arbiter of loops over bits, without a helper.
type grant struct{ N int }

type grantPorts struct {
	Want  hw.UInt
	Grant hw.UInt
	Any   hw.Bit
}

func (c grant) Ports() grantPorts {
	return grantPorts{Want: hw.In(hw.Unsigned(c.N)), Grant: hw.Out(hw.Unsigned(c.N)), Any: hw.Out(hw.Bit{})}
}

func (c grant) Build(m *hw.Module, p grantPorts) {
	last := hw.Reg(m, "last", hw.Unsigned(c.N), hw.U(1))
	choice := hw.Wire(m, "choice", hw.Unsigned(c.N), hw.U(0))
	for from := range c.N {
		m.When(last.Bit(from), func() {
			for k := c.N; k >= 1; k-- {
				i := (from + k) % c.N
				m.When(p.Want.Bit(i), func() { choice.Set(choice.Lit(1 << i)) })
			}
		})
	}
	last.SetIf(p.Want.Any(), choice)
	p.Grant.Set(choice)
	p.Any.Set(p.Want.Any())
}
