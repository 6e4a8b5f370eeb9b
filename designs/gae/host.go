package gae

import (
	"etch/designs/gae/model"
	"etch/hw"
	"etch/hw/axi"
	"etch/hw/stream"
)

// Accelerator is the whole system behind an AXI4-Lite port: a [Core] whose
// registers are words of the bus.
type Accelerator struct{ model.System }

// AcceleratorPorts are the ports of [Accelerator].
type AcceleratorPorts struct {
	Host  axi.Lite                `hw:"s_axi"`
	Steps stream.Stream[Incoming] // steps at one a cycle, beside those written to registers
	Done  hw.Bit                  // the last start is finished: an interrupt
}

// Ports gives the shapes and directions.
func (a Accelerator) Ports() AcceleratorPorts {
	return AcceleratorPorts{
		Host:  hw.In(axi.LiteOf(model.HostBits)),
		Steps: hw.In(stream.Of(incomingOf())),
		Done:  hw.Out(hw.Bit{}),
	}
}

// Build describes the body.
func (a Accelerator) Build(m *hw.Module, p AcceleratorPorts) {
	bus := hw.Inst(m, "bus", axi.Bridge{AddressBits: model.HostBits}, axi.BridgePorts{Host: p.Host})
	core := hw.Inst(m, "core", Core{a.System}, CorePorts{Request: bus.Request, Reply: bus.Reply, Steps: p.Steps})
	p.Done.Set(core.Done)
}

// TwoClocks is [Accelerator] with the core on a clock of its own.
type TwoClocks struct{ model.System }

// TwoClocksPorts are the ports of [TwoClocks].
type TwoClocksPorts struct {
	Core hw.Domain // the core's clock and reset; the rest is on the implicit ones
	AcceleratorPorts
}

// Ports gives the shapes and directions.
func (a TwoClocks) Ports() TwoClocksPorts {
	return TwoClocksPorts{Core: hw.In(hw.Domain{}), AcceleratorPorts: Accelerator{a.System}.Ports()}
}

// Build describes the body: what crosses goes through queues.
func (a TwoClocks) Build(m *hw.Module, p TwoClocksPorts) {
	host := m.Domain()
	bus := hw.Inst(m, "bus", axi.Bridge{AddressBits: model.HostBits}, axi.BridgePorts{Host: p.Host})
	core := hw.Inst(m.On(p.Core), "core", Core{a.System})
	cross(m, "requests", axi.RequestOf(model.HostBits), host, p.Core, bus.Request, core.Request)
	cross(m, "steps", incomingOf(), host, p.Core, p.Steps, core.Steps)
	cross(m, "replies", axi.ReplyOf(), p.Core, host, core.Reply, bus.Reply)
	p.Done.Set(hw.Sync(m, "done", core.Done, hw.B(false)))
}

// cross joins a stream of one clock with one of another.
func cross[T any](m *hw.Module, name string, elem T, from, to hw.Domain, x, y stream.Stream[T]) {
	hw.Inst(m, name, stream.AsyncQueue[T]{Elem: elem, Depth: 8}, stream.AsyncQueuePorts[T]{Wr: from, Rd: to, Push: x, Pop: y})
}
