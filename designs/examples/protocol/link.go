package protocol

import (
	"etch/designs/examples/uart"
	"etch/hw"
)

// Link is both ends of the link with a memory. The line and the replies go
// outside and come back from there, so that they can be disturbed.
type Link struct {
	Words        int      `help:"words of memory, 32 bits each" range:"16..65536"`
	ClocksPerBit int      `help:"clock cycles that a bit stays on the line" range:"4..500000"`
	Tries        int      `help:"frames that are sent for a packet before it is given up" range:"1..256"`
	Contents     []uint64 `help:"the first words of memory" range:"0..4294967295"`
}

type LinkPorts struct {
	Host     Access  `dir:"in"` // the outside's access to the memory
	Start    hw.Bit  `dir:"in"` // begin with the descriptor at First, unless Busy
	First    hw.UInt `dir:"in"`
	Busy     hw.Bit  `dir:"out"` // a chain is being sent
	Lost     hw.Bit  `dir:"out"` // high for one cycle when a packet is given up
	LineOut  hw.Bit  `dir:"out"`
	LineIn   hw.Bit  `dir:"in"`
	ReplyOut Reply   `dir:"out"`
	ReplyIn  Reply   `dir:"in"`
}

// Cycles that the ends wait for each other: half again as long as a byte takes
// within a frame, and for a reply until the largest packet is surely in memory.
func (l Link) gap() int     { return 15 * l.ClocksPerBit }
func (l Link) timeout() int { return 30*l.ClocksPerBit + packetWords*3*(latency+4) }

// Settings of the bus.
const (
	latency  = 2
	patience = 40
)

func (l Link) Ports() LinkPorts {
	return LinkPorts{
		Host:     AccessOf(l.Words),
		First:    hw.AddressOf(l.Words),
		ReplyOut: reply,
		ReplyIn:  reply,
	}
}

// Build connects the machines.
func (l Link) Build(m *hw.Module, p LinkPorts) {
	// Receiver, walker and host share the bus, in this order of priority: bytes arrive on the line
	// whether or not the receiver has delivered the last frame.
	bus := hw.Inst(m, "bus", Bus{Words: l.Words, Masters: 3, Latency: latency, Patience: patience, Contents: l.Contents})
	walker := hw.Inst(m, "walker", Walker{Words: l.Words}, WalkerPorts{Start: p.Start, First: p.First, Busy: p.Busy})
	sender := hw.Inst(m, "sender", Sender{Timeout: l.timeout(), Tries: l.Tries}, SenderPorts{Reply: p.ReplyIn, Lost: p.Lost})
	tx := hw.Inst(m, "tx", uart.Tx{ClocksPerBit: l.ClocksPerBit}, uart.TxPorts{Line: p.LineOut})
	rx := hw.Inst(m, "rx", Rx{ClocksPerBit: l.ClocksPerBit}, RxPorts{Line: p.LineIn})
	receiver := hw.Inst(m, "receiver", Receiver{Words: l.Words, Gap: l.gap()}, ReceiverPorts{
		Valid: rx.Valid, Data: rx.Data, Broken: rx.Broken, Reply: p.ReplyOut,
	})

	hw.Set(sender.Packet, walker.Packet)
	hw.Set(tx.Bytes, sender.Bytes)
	for i, master := range []Access{receiver.Bus, walker.Bus, p.Host} {
		hw.Set(bus.Master[i], master)
	}
}
