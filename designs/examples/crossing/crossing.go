// Package crossing brings data and a flag from one clock to another: clock
// domains are bundle ports, and crossing them needs a synchroniser.
package crossing

import (
	"etch/hw"
	"etch/hw/stream"
)

// Bridge takes samples on a fast clock to a slow side through a queue, and the
// slow side's enable back.
type Bridge struct {
	Width int `help:"bits of a sample" range:"1..2^20"`
	Depth int `help:"samples held" range:"2..2^20, a power of two"`
}

type BridgePorts struct {
	Fast    hw.Domain              `dir:"in"`
	Slow    hw.Domain              `dir:"in"`
	Samples stream.Stream[hw.UInt] `dir:"in"`  // on Fast; taken while the slow side is enabled
	Out     stream.Stream[hw.UInt] `dir:"out"` // on Slow
	Enable  hw.Bit                 `dir:"in"`  // on Slow
}

func (b Bridge) Ports() BridgePorts {
	sample := stream.Of(hw.Unsigned(b.Width))
	return BridgePorts{Samples: sample, Out: sample}
}

// Build describes the body. Leave out hw.Sync and Build reports the two clocks.
func (b Bridge) Build(m *hw.Module, p BridgePorts) {
	enabled := hw.Sync(m.On(p.Fast), "enabled", p.Enable, hw.Low)

	queue := hw.Inst(m, "queue", stream.AsyncQueue[hw.UInt]{Elem: hw.Unsigned(b.Width), Depth: b.Depth},
		stream.AsyncQueuePorts[hw.UInt]{Wr: p.Fast, Rd: p.Slow, Pop: p.Out})
	queue.Push.Send(p.Samples.Valid.And(enabled), p.Samples.Data)
	p.Samples.Ready.Set(queue.Push.Ready.And(enabled))

	m.On(p.Fast).Assert(p.Samples.Fire().Eq(queue.Push.Fire()), "a sample is lost or comes from nowhere")
}
