package protocol

import (
	"etch/hw"
	"etch/hw/stream"
)

// Sync is the first byte of a frame.
const Sync = 0xa5

// Reply is the receiver's word about a frame. It has a wire of its own back to
// the sender and may get lost.
type Reply struct {
	Valid  hw.Bit
	Good   hw.Bit  // the frame is in memory; else it was damaged
	Number hw.UInt // of the frame, if Good
}

var (
	number = hw.Unsigned(2)
	reply  = Reply{Number: number}
)

// Sender sends packets as frames, one at a time, each until it is acknowledged:
// again after a bad reply, or after Timeout cycles without one.
type Sender struct {
	Timeout int `help:"cycles from the last byte" range:"1..2^24"`
	Tries   int `help:"frames that are sent for a packet before it is given up" range:"1..256"`
}

type SenderPorts struct {
	Packet stream.Stream[Word]    `dir:"in"`  // at most 16 words
	Bytes  stream.Stream[hw.UInt] `dir:"out"` // to the serialiser
	Reply  Reply                  `dir:"in"`
	Lost   hw.Bit                 `dir:"out"` // a packet was given up
}

func (s Sender) Ports() SenderPorts {
	return SenderPorts{Packet: stream.Of(word), Bytes: stream.Of(hw.Unsigned(8)), Reply: reply}
}

type senderPhase string

const (
	collect  senderPhase = "collect" // the words of a packet
	sendSync senderPhase = "send_sync"
	sendHead senderPhase = "send_head"
	sendBody senderPhase = "send_body"
	sendHigh senderPhase = "send_high" // of the CRC
	sendLow  senderPhase = "send_low"
	await    senderPhase = "await"
)

func (s Sender) Build(m *hw.Module, p SenderPorts) {
	state := hw.Reg(m, "state", hw.EnumOf(collect, sendSync, sendHead, sendBody, sendHigh, sendLow, await), hw.Val(collect))
	buffer := hw.Mem(m, "buffer", packetWords, hw.Unsigned(32))
	end := hw.Reg(m, "end", hw.AddressOf(packetWords), hw.U(0)) // place of the last word, or of the next one
	index := hw.Reg(m, "index", hw.AddressOf(4*packetWords))    // of the byte to send
	seq := hw.Reg(m, "number", number, hw.U(0))
	crc := hw.Reg(m, "crc", hw.Unsigned(16))
	tries := hw.Reg(m, "tries", hw.UpTo(s.Tries-1), hw.U(0)) // frames sent in vain
	timer := hw.Reg(m, "timer", hw.UpTo(s.Timeout))

	octet := hw.Wire(m, "octet", hw.Unsigned(8), hw.U(Sync))
	moved := p.Bytes.Ready.And(state.Is(sendSync, sendHead, sendBody, sendHigh, sendLow)).Named("moved")
	then := func(next senderPhase) { state.GotoIf(moved, next) }
	p.Packet.Ready.Set(state.Is(collect))
	p.Bytes.Send(state.Is(sendSync, sendHead, sendBody, sendHigh, sendLow), octet)
	p.Lost.Set(hw.Low)

	// Collect a packet, send its frame, wait for the reply; a frame without a good reply is sent
	// again, at most Tries times.
	for phase := range state.Cases() {
		switch phase {
		case collect:
			m.When(p.Packet.Valid, func() {
				buffer.Write(end, p.Packet.Data.Data)
				state.GotoIf(p.Packet.Data.Last, sendSync).
					Else(func() { end.Set(end.Inc()) })
			})
		case sendSync:
			crc.Set(hw.U(crcStart))
			index.Set(hw.U(0))
			then(sendHead)
		case sendHead:
			octet.Set(hw.Cat(seq, hw.Zeros(2), end))
			crc.SetIf(moved, crcStep(crc, octet))
			then(sendBody)
		case sendBody:
			octet.Set(byteOf(buffer.Read(index.Range(5, 2)), index.Trunc(2)))
			m.When(moved, func() {
				crc.Set(crcStep(crc, octet))
				index.Set(index.Inc())
				state.GotoIf(index.Eq(hw.Cat(end, hw.Ones(2))), sendHigh)
			})
		case sendHigh:
			octet.Set(crc.Range(15, 8))
			then(sendLow)
		case sendLow:
			octet.Set(crc.Trunc(8))
			timer.Set(hw.U(s.Timeout))
			then(await)
		case await:
			timer.Set(timer.Dec())
			// A good reply with another number belongs to an earlier frame.
			arrived := p.Reply.Valid.And(p.Reply.Good, p.Reply.Number.Eq(seq)).Named("arrived")
			failed := timer.Is(0).Or(p.Reply.Valid.AndNot(p.Reply.Good)).Named("failed")
			lost := failed.And(tries.Is(s.Tries-1), arrived.Not()).Named("given_up")
			p.Lost.Set(lost)
			m.When(arrived.Or(lost), func() {
				seq.Set(seq.Inc())
				tries.Set(hw.U(0))
				end.Set(hw.U(0))
				state.Goto(collect)
			}).ElseWhen(failed, func() {
				tries.Set(tries.Inc())
				state.Goto(sendSync)
			})
		}
	}

	stream.Check(m, "bytes", p.Bytes)
	m.Assert(tries.Le(hw.U(s.Tries-1)), "a packet is sent %d times in vain", tries)
	m.Assert(hw.Past(m, p.Lost).Implies(hw.Past(m, tries).Is(s.Tries-1).And(hw.Changed(m, seq))), "a packet is given up before its last frame")
}

// byteOf is byte i of a word, 0 being the lowest.
func byteOf(x, i hw.UInt) hw.UInt {
	bytes := hw.Unpack(hw.VecOf(4, hw.Unsigned(8)), x)
	return bytes.At(i)
}
