package protocol

import (
	"etch/hw"
	"etch/hw/stream"
)

// Word is a word of a packet.
type Word struct {
	Data hw.UInt
	Last hw.Bit
}

// packetWords is the number of words in the largest packet.
const packetWords = 16

var word = Word{Data: hw.Unsigned(32)}

// Walker follows a chain of descriptors. Each becomes a packet: its target, then
// the words it describes.
type Walker struct {
	Words int // of memory
}

type WalkerPorts struct {
	Start  hw.Bit              `dir:"in"` // begin with the descriptor at First, unless Busy
	First  hw.UInt             `dir:"in"` // address
	Busy   hw.Bit              `dir:"out"`
	Bus    Access              `dir:"out"`
	Packet stream.Stream[Word] `dir:"out"`
}

func (w Walker) Ports() WalkerPorts {
	return WalkerPorts{First: hw.AddressOf(w.Words), Bus: AccessOf(w.Words), Packet: stream.Of(word)}
}

type walkerPhase string

const (
	resting    walkerPhase = "resting"
	source     walkerPhase = "source" // reading word 0 of the descriptor
	target     walkerPhase = "target" // reading word 1
	passTarget walkerPhase = "pass_target"
	fetch      walkerPhase = "fetch" // reading a word of the packet
	pass       walkerPhase = "pass"
)

func (w Walker) Build(m *hw.Module, p WalkerPorts) {
	addr := hw.Like(p.First)
	state := hw.Reg(m, "state", hw.EnumOf(resting, source, target, passTarget, fetch, pass), hw.Val(resting))
	at := hw.Reg(m, "at", addr)                          // the descriptor
	next := hw.Reg(m, "next", addr)                      // the one behind it
	from := hw.Reg(m, "from", addr)                      // the next word of the packet
	left := hw.Reg(m, "left", hw.AddressOf(packetWords)) // words to fetch
	last := hw.Reg(m, "last", hw.Bit{})                  // descriptor of the chain
	data := hw.Reg(m, "data", hw.Unsigned(32))           // to pass on

	address := func(x hw.UInt) hw.UInt { return x.Trunc(addr.Width()) }
	ended := left.Is(0).Named("ended")
	p.Busy.Set(state.IsNot(resting))
	p.Bus.Valid.Set(state.Is(source, target, fetch))
	p.Bus.Write.Set(hw.Low)
	p.Bus.Addr.Set(at)
	p.Bus.Data.Set(hw.U(0))
	p.Packet.Send(state.Is(passTarget, pass), Word{Data: data, Last: ended})

	// Read the two words of a descriptor, pass on the target, then fetch and pass on one word at a
	// time.
	for s := range state.Cases() {
		switch s {
		case resting:
			m.When(p.Start, func() {
				at.Set(p.First)
				state.Goto(source)
			})
		case source:
			m.When(p.Bus.Done, func() {
				from.Set(address(p.Bus.Read))
				left.Set(p.Bus.Read.Range(19, 16))
				last.Set(p.Bus.Read.Bit(31))
				state.Goto(target)
			})
		case target:
			p.Bus.Addr.Set(at.Inc())
			m.When(p.Bus.Done, func() {
				data.Set(p.Bus.Read.Trunc(16).Extend(32))
				next.Set(address(p.Bus.Read.Range(31, 16)))
				state.Goto(passTarget)
			})
		case fetch:
			p.Bus.Addr.Set(from)
			m.When(p.Bus.Done, func() {
				data.Set(p.Bus.Read)
				from.Set(from.Inc())
				left.Set(left.Dec())
				state.Goto(pass)
			})
		case passTarget, pass:
			state.GotoIf(p.Packet.Ready.And(ended.Not()), fetch).
				ElseWhen(p.Packet.Ready.And(last), func() { state.Goto(resting) }).
				ElseWhen(p.Packet.Ready, func() {
					at.Set(next)
					state.Goto(source)
				})
		}
	}

	p.Bus.check(m)
	stream.Check(m, "packet", p.Packet)
}
