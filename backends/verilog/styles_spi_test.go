package verilog_test

import "etch/hw"

// spi is an SPI master as a newcomer to the language writes it: blocks of When in the
// order of thought, later ones over earlier ones, no state machine.
type spi struct{ Divide int }

type spiPorts struct {
	Start hw.Bit
	Data  hw.UInt
	Busy  hw.Bit
	Done  hw.Bit
	Got   hw.UInt
	Sclk  hw.Bit
	Mosi  hw.Bit
	Miso  hw.Bit
	Cs    hw.Bit
}

func (c spi) Ports() spiPorts {
	return spiPorts{
		Start: hw.In(hw.Bit{}), Data: hw.In(hw.Unsigned(8)), Miso: hw.In(hw.Bit{}),
		Busy: hw.Out(hw.Bit{}), Done: hw.Out(hw.Bit{}), Got: hw.Out(hw.Unsigned(8)),
		Sclk: hw.Out(hw.Bit{}), Mosi: hw.Out(hw.Bit{}), Cs: hw.Out(hw.Bit{}),
	}
}

func (c spi) Build(m *hw.Module, p spiPorts) {
	busy := hw.Reg(m, "busy", hw.Bit{}, hw.B(false))
	done := hw.Reg(m, "done", hw.Bit{}, hw.B(false))
	sclk := hw.Reg(m, "sclk", hw.Bit{}, hw.B(false))
	out := hw.Reg(m, "out", hw.Unsigned(8), hw.U(0))
	in := hw.Reg(m, "in", hw.Unsigned(8), hw.U(0))
	count := hw.Reg(m, "count", hw.Unsigned(3), hw.U(0))
	div := hw.Reg(m, "div", hw.AddressOf(c.Divide), hw.U(0))
	tick := div.Is(c.Divide - 1).Named("tick")

	done.Set(hw.B(false))
	m.When(busy, func() { div.Set(div.Inc()) })
	m.When(tick, func() {
		div.Set(div.Lit(0))
		sclk.Set(sclk.Not())
	})
	m.When(tick.And(sclk.Not()), func() {
		in.Set(hw.Cat(in.Trunc(7), p.Miso.UInt()))
	})
	m.When(tick.And(sclk), func() {
		out.Set(out.Shl(1))
		count.Set(count.Inc())
	})
	m.When(tick.And(sclk).And(count.Is(7)), func() {
		busy.Set(hw.B(false))
		done.Set(hw.B(true))
	})
	m.When(p.Start.And(busy.Not()), func() {
		busy.Set(hw.B(true))
		out.Set(p.Data)
		count.Set(count.Lit(0))
		div.Set(div.Lit(0))
		sclk.Set(hw.B(false))
	})
	p.Busy.Set(busy)
	p.Done.Set(done)
	p.Got.Set(in)
	p.Sclk.Set(sclk)
	p.Mosi.Set(out.Bit(7))
	p.Cs.Set(busy.Not())
}
