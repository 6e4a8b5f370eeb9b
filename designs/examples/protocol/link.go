package protocol

import (
	"fmt"

	"etch/designs/examples/uart"
	"etch/hw"
)

// Link is both ends of the link with a memory. The line and the replies go
// outside and come back from there, so that they can be disturbed.
type Link struct {
	Words        int // of memory, 32 bits each, at least 16
	ClocksPerBit int // at least 4
	Tries        int // frames for a packet
	Contents     []uint64
}

// LinkPorts are the ports of [Link].
type LinkPorts struct {
	Host     Access // the outside's access to the memory
	Start    hw.Bit // begin with the descriptor at First, unless Busy
	First    hw.UInt
	Busy     hw.Bit // a chain is being sent
	Lost     hw.Bit // high for one cycle when a packet is given up
	LineOut  hw.Bit
	LineIn   hw.Bit
	ReplyOut Reply
	ReplyIn  Reply
}

// Validate checks the parameters that are not those of a part.
func (l Link) Validate() error {
	if l.Words < packetWords || l.Words > 1<<16 {
		return fmt.Errorf("Words = %d, want %d to 65536", l.Words, packetWords)
	}
	return nil
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

// Ports gives the shapes and directions.
func (l Link) Ports() LinkPorts {
	return LinkPorts{
		Host:  hw.In(AccessOf(l.Words)),
		Start: hw.In(hw.Bit{}), First: hw.In(hw.AddressOf(l.Words)),
		Busy: hw.Out(hw.Bit{}), Lost: hw.Out(hw.Bit{}),
		LineOut: hw.Out(hw.Bit{}), LineIn: hw.In(hw.Bit{}),
		ReplyOut: hw.Out(reply), ReplyIn: hw.In(reply),
	}
}

// Build connects the machines.
func (l Link) Build(m *hw.Module, p LinkPorts) {
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
