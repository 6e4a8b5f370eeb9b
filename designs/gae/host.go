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

type AcceleratorPorts struct {
	Host  axi.Lite                `dir:"in" hw:"s_axi"`
	Steps stream.Stream[Incoming] `dir:"in"` // steps at one a cycle, beside steps written to registers
	// Results leave at one a cycle after a [model.Send], beside results read from registers.
	Results stream.Stream[Outgoing] `dir:"out"`
	Done    hw.Bit                  `dir:"out"` // the last start is finished: an interrupt at its rising edge
}

func (a Accelerator) Ports() AcceleratorPorts {
	return AcceleratorPorts{
		Host:    axi.LiteOf(model.HostBits),
		Steps:   stream.Of(incomingOf()),
		Results: stream.Of(outgoingOf(a.System)),
	}
}

func (a Accelerator) Build(m *hw.Module, p AcceleratorPorts) {
	bus := hw.Inst(m, "bus", axi.Bridge{AddressBits: model.HostBits}, axi.BridgePorts{Host: p.Host})
	core := hw.Inst(m, "core", Core{a.System}, CorePorts{Request: bus.Request, Reply: bus.Reply, Steps: p.Steps})
	hw.Unused(m, core.Busy) // the host reads it as a register
	hw.Set(p.Results, core.Results)
	p.Done.Set(core.Done)

	waits := hw.Past(m, p.Host.RValid.AndNot(p.Host.RReady))
	m.When(waits, func() {
		m.Assert(p.Host.RValid, "the answer to a read was taken back")
		m.Assert(hw.Stable(m, hw.Cat(p.Host.RData, p.Host.RResp)), "the answer to a read changed")
	})
}

// TwoClocks is [Accelerator] with the core on a clock of its own.
type TwoClocks struct{ model.System }

type TwoClocksPorts struct {
	Core hw.Domain `dir:"in"` // the core's clock and reset; the rest is on the implicit ones
	AcceleratorPorts
}

func (a TwoClocks) Ports() TwoClocksPorts {
	return TwoClocksPorts{AcceleratorPorts: Accelerator{a.System}.Ports()}
}

// Build describes the body: everything that crosses goes through queues. A request knows how
// many steps were sent before it; where it matters it waits for them, and the
// steps after it wait for it.
func (a TwoClocks) Build(m *hw.Module, p TwoClocksPorts) {
	host, there := m.Domain(), m.On(p.Core)
	bus := hw.Inst(m, "bus", axi.Bridge{AddressBits: model.HostBits}, axi.BridgePorts{Host: p.Host})
	core := hw.Inst(there, "core", Core{a.System})

	steps := cross(m, "steps", incomingOf(), host, p.Core, p.Steps)
	taken := hw.Reg(there, "taken", hw.Unsigned(tagBits), hw.U(0))
	sent := hw.Reg(m, "sent", hw.Unsigned(tagBits), hw.U(0))
	sent.SetIf(p.Steps.Fire(), sent.Inc())
	taken.SetIf(steps.Fire(), taken.Inc())

	// A request carries the number of steps that the host sent before it. Commands that depend on
	// steps wait until the core has taken that many.
	withTag := stream.Map(bus.Request, func(r axi.Request) tagged { return tagged{r, sent} })
	next := cross(m, "requests", taggedOf(), host, p.Core, withTag)
	fence := next.Valid.And(fenced(next.Data.Request))
	turn := next.Data.Sent.Eq(taken) // the request comes before the next step
	core.Steps.Send(steps.Valid.AndNot(fence.And(turn)), steps.Data)
	steps.Ready.Set(core.Steps.Fire())
	stray := hw.Delay(there, "stray", core.Steps.Valid.AndNot(core.Steps.Ready), 1, hw.Low) // a step of no vector
	goes := hw.AnyOf(turn, stray, fence.Not())
	core.Request.Send(next.Valid.And(goes), next.Data.Request)
	next.Ready.Set(core.Request.Ready.And(goes))

	hw.Set(bus.Reply, cross(m, "replies", axi.ReplyOf(), p.Core, host, core.Reply))
	hw.Set(p.Results, cross(m, "results", outgoingOf(a.System), p.Core, host, core.Results))
	p.Done.Set(hw.Sync(m, "done", core.Done, hw.Low))
}

// tagged is a request with the number of steps sent before it, modulo 32, which is
// more than are ever on their way.
type tagged struct {
	axi.Request
	Sent hw.UInt
}

const tagBits = 5

func taggedOf() tagged { return tagged{axi.RequestOf(model.HostBits), hw.Unsigned(tagBits)} }

// fenced tells the requests that must not overtake steps.
func fenced(r axi.Request) hw.Bit {
	var is []hw.Bit
	for _, at := range []model.Register{model.Start, model.Settle, model.Clear} {
		is = append(is, r.Word.Is(int(at)))
	}
	return r.Write.And(hw.AnyOf(is...))
}

// queueDepth is how many elements a crossing holds.
const queueDepth = 8

// cross is a stream of one clock on another.
func cross[T any](m *hw.Module, name string, elem T, from, to hw.Domain, x stream.Stream[T]) stream.Stream[T] {
	return hw.Inst(m, name, stream.AsyncQueue[T]{Elem: elem, Depth: queueDepth}, stream.AsyncQueuePorts[T]{Wr: from, Rd: to, Push: x}).Pop
}
