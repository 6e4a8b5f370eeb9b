// Package counter is the first component to read: a register, a condition, and
// a parent with two instances.
package counter

import "etch/hw"

// Counter counts the cycles in which En is high and wraps at 2^Width.
type Counter struct {
	Width int `help:"bits of the count" range:"1..2^20"`
}

type CounterPorts struct {
	En    hw.Bit  `dir:"in"`
	Count hw.UInt `dir:"out"`
}

func (c Counter) Ports() CounterPorts {
	return CounterPorts{Count: hw.Unsigned(c.Width)}
}

func (c Counter) Build(m *hw.Module, p CounterPorts) {
	count := hw.Reg(m, "count", hw.Unsigned(c.Width), hw.U(0))
	count.SetIf(p.En, count.Inc())
	p.Count.Set(count)

	next := hw.Mux(p.En, count.Inc(), count)
	m.Assert(count.Eq(hw.Past(m, next)), "%d is not the count that follows", count)
}

// Clock counts pulses as seconds and minutes of 64 each: a parent, with two uses
// of [Counter].
type Clock struct{}

type ClockPorts struct {
	Pulse   hw.Bit  `dir:"in"`
	Seconds hw.UInt `dir:"out"`
	Minutes hw.UInt `dir:"out"`
}

func (Clock) Ports() ClockPorts {
	return ClockPorts{Seconds: hw.Unsigned(6), Minutes: hw.Unsigned(6)}
}

// Build connects one counter by name at once and the other port by port.
func (Clock) Build(m *hw.Module, p ClockPorts) {
	seconds := hw.Inst(m, "seconds_counter", Counter{Width: 6}, CounterPorts{En: p.Pulse, Count: p.Seconds})
	wrap := seconds.Count.Is(63).And(p.Pulse).Named("wrap")

	minutes := hw.Inst(m, "minutes_counter", Counter{Width: 6})
	minutes.En.Set(wrap)
	p.Minutes.Set(minutes.Count)

	m.Assert(hw.Changed(m, minutes.Count).Eq(hw.Past(m, wrap)), "a minute ends when the seconds wrap")
}
