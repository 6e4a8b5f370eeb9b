package i2c

import "etch/hw"

// Master sends or fetches one byte at a time: start, address and direction,
// acknowledgement, the byte, acknowledgement, stop. It waits while the bus is busy,
// and begins again when it loses the bus to another master.
type Master struct {
	Quarter int `help:"clock cycles in a quarter of a bit" range:"5..2^16"`
}

// Host is the side of a master away from the bus: requests and their results.
type Host struct {
	Go      hw.Bit  // a transfer is wanted; Address, Read and Write stand still until Done
	Address hw.UInt // 7 bits
	Read    hw.Bit  // fetch a byte, else send Write
	Write   hw.UInt // 8 bits

	Done  hw.Bit  // high for the cycle in which a transfer ends
	Found hw.Bit  // then: somebody has answered to the address
	Data  hw.UInt // then: the byte that was fetched
	Lost  hw.Bit  // high for the cycle in which another master wins the bus
}

func host() Host {
	return Host{
		Go: hw.In(hw.Bit{}), Address: hw.In(hw.Unsigned(7)), Read: hw.In(hw.Bit{}), Write: hw.In(hw.Unsigned(8)),
		Done: hw.Out(hw.Bit{}), Found: hw.Out(hw.Bit{}), Data: hw.Out(hw.Unsigned(8)), Lost: hw.Out(hw.Bit{}),
	}
}

type MasterPorts struct {
	Bus
	Host
}

func (c Master) Ports() MasterPorts { return MasterPorts{Bus: pads(), Host: host()} }

type phase string

const (
	idle    phase = "idle"
	start   phase = "start"
	address phase = "address"
	answer  phase = "answer"
	data    phase = "data"
	thanks  phase = "thanks"
	stop    phase = "stop"
)

// Build spends four quarters on a bit. The clock is low in the first and the last, in which
// the data changes; a bit is read at the end of the third.
func (c Master) Build(m *hw.Module, p MasterPorts) {
	sda, scl := watch(m, "sda_in", p.SDA), watch(m, "scl_in", p.SCL)

	state := hw.Reg(m, "state", hw.EnumOf(idle, start, address, answer, data, thanks, stop), hw.Val(idle))
	quarter := hw.Reg(m, "quarter", hw.Unsigned(2), hw.U(0))
	timer := hw.Reg(m, "timer", hw.AddressOf(c.Quarter), hw.U(0)) // cycles left of this quarter
	index := hw.Reg(m, "index", hw.Unsigned(3), hw.U(0))          // of the bit on the wire
	shift := hw.Reg(m, "shift", hw.Unsigned(8), hw.U(0))          // bits to send, or received
	found := hw.Reg(m, "found", hw.Bit{}, hw.B(false))
	busy := hw.Reg(m, "busy", hw.Bit{}, hw.B(false)) // between a start and a stop, of anybody

	// A start is a fall of the data while the clock is high, a stop a rise, whoever makes them.
	m.When(scl.High.And(sda.Fall), func() { busy.Set(hw.B(true)) })
	m.When(scl.High.And(sda.Rise), func() { busy.Set(hw.B(false)) })

	// Quarters. Once the clock is let go, time stands still until it is high: a
	// chip that needs more time holds it low.
	held := quarter.Is(1).And(scl.High.Not()).And(state.Is(idle).Not()).Named("held")
	next := timer.Is(0).And(held.Not()).Named("next")
	sample := next.And(quarter.Is(2)).Named("sample")
	bitDone := next.And(quarter.Is(3)).Named("bit_done")
	m.When(next, func() {
		timer.Set(timer.Lit(c.Quarter - 1))
		quarter.Set(quarter.Inc())
	}).ElseWhen(timer.Is(0).Not(), func() { timer.Set(timer.Dec()) })

	// The wires are pulled by registers: they must not glitch.
	low, clockLow := hw.Reg(m, "sda_low", hw.Bit{}, hw.B(false)), hw.Reg(m, "scl_low", hw.Bit{}, hw.B(false))
	p.SDA.DriveLow(low)
	p.SCL.DriveLow(clockLow)
	low.Set(hw.B(false))
	clockLow.Set(quarter.Is(0).Or(quarter.Is(3)))

	// The states override these.
	p.Done.Set(hw.B(false))
	p.Lost.Set(hw.B(false))
	p.Found.Set(found)
	p.Data.Set(shift)

	// A bit is sent: another master's 0 in place of a 1 means that it has won.
	send := func(then phase) {
		bit := shift.Bit(7)
		low.Set(bit.Not())
		m.When(sample.And(bit).And(sda.High.Not()), func() {
			p.Lost.Set(hw.B(true))
			state.Goto(idle)
		}).ElseWhen(bitDone, func() {
			shift.Set(shift.Shl(1))
			index.Set(index.Inc())
			m.When(index.Is(7), func() { state.Goto(then) })
		})
	}

	for s := range state.Cases() {
		switch s {
		case idle:
			clockLow.Set(hw.B(false))
			quarter.Set(hw.U(0))
			timer.Set(timer.Lit(c.Quarter - 1))
			index.Set(hw.U(0))
			m.When(p.Go.And(busy.Not()).And(sda.High).And(scl.High), func() { state.Goto(start) })
		case start: // the data falls while the clock is high
			low.Set(quarter.Is(0).Not())
			clockLow.Set(quarter.Is(3))
			shift.Set(hw.Cat(p.Address, p.Read.UInt()))
			m.When(bitDone, func() { state.Goto(address) })
		case address:
			send(answer)
		case answer:
			m.When(sample, func() { found.Set(sda.High.Not()) })
			m.When(bitDone, func() {
				shift.Set(p.Write)
				state.Goto(stop)
				m.When(found, func() { state.Goto(data) })
			})
		case data:
			m.When(p.Read, func() {
				m.When(sample, func() { shift.Set(hw.Cat(shift.Trunc(7), sda.High.UInt())) })
				m.When(bitDone, func() {
					index.Set(index.Inc())
					m.When(index.Is(7), func() { state.Goto(thanks) })
				})
			}).Else(func() { send(thanks) })
		case thanks: // let go: the answer to a sent byte is not read, a fetched byte gets NACK
			m.When(bitDone, func() { state.Goto(stop) })
		case stop: // the data rises while the clock is high
			low.Set(quarter.Is(0).Or(quarter.Is(1)))
			clockLow.Set(quarter.Is(0))
			m.When(bitDone, func() {
				p.Done.Set(hw.B(true))
				state.Goto(idle)
			})
		}
	}
}
