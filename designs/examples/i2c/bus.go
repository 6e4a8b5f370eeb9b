// Package i2c shows pads: two masters and a memory on one two-wire bus.
//
// No chip drives a wire of an I²C bus high. A chip that sends a 0 pulls its wire low, a chip that
// sends a 1 lets it go, and a resistor pulls it up: the wire is the AND of all bits that are sent at
// once. Everything else follows from that: a receiver acknowledges by a 0 while the sender sends a 1;
// a master whose 1 reads as 0 knows that another one is sending, and gives up the bus; a chip that
// needs time holds the clock low.
package i2c

import "etch/hw"

// Bus is the two wires.
type Bus struct {
	SDA hw.Pad[hw.Bit] // data: changes while the clock is low, is read while it is high
	SCL hw.Pad[hw.Bit] // clock
}

// pads are the shapes of a chip's end of the bus.
func pads() Bus {
	return Bus{SDA: hw.InOut(hw.Bit{}), SCL: hw.InOut(hw.Bit{})}
}

// line is a chip's view of a wire: its value, and its edges.
type line struct{ High, Rise, Fall hw.Bit }

// watch reads a wire, two cycles late, since it changes at any time.
func watch(m *hw.Module, name string, wire hw.Pad[hw.Bit]) line {
	now := hw.Sync(m, name, wire.Value(), hw.B(true))
	before := hw.Delay(m, name+"_before", now, 1, hw.B(true))
	hw.Unused(m, before) // not every chip looks for edges of both wires

	return line{High: now, Rise: now.And(before.Not()), Fall: before.And(now.Not())}
}

// Board is two masters and a memory on a bus with its resistors. The bus is a port too, so that chips
// outside may take part.
type Board struct {
	Quarter int `help:"clock cycles in a quarter of a bit" range:"5..2^16"`
	Words   int `help:"bytes of the memory" range:"2..64"`
}

type BoardPorts struct {
	Bus
	Host [2]Host // the requests to the masters
}

func (b Board) Ports() BoardPorts {
	return BoardPorts{
		Bus:  Bus{SDA: hw.InOut(hw.Bit{}, hw.PullUp), SCL: hw.InOut(hw.Bit{}, hw.PullUp)},
		Host: [2]Host{host(), host()},
	}
}

func (b Board) Build(m *hw.Module, p BoardPorts) {
	for i := range p.Host {
		hw.Inst(m, hw.Name("master", i), Master{Quarter: b.Quarter}, MasterPorts{Bus: p.Bus, Host: p.Host[i]})
	}
	hw.Inst(m, "memory", Memory{Words: b.Words}, MemoryPorts{Bus: p.Bus})
}
