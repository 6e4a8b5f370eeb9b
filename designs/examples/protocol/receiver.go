package protocol

import "etch/hw"

// Receiver checks frames and delivers their words to memory.
type Receiver struct {
	Words int // of memory
	Gap   int `help:"cycles without a byte after which a frame is over" range:"1..2^24"`
}

type ReceiverPorts struct {
	Valid  hw.Bit  `dir:"in"` // Data is the next byte
	Data   hw.UInt `dir:"in"`
	Broken hw.Bit  `dir:"in"` // the next byte is lost
	Bus    Access  `dir:"out"`
	Reply  Reply   `dir:"out"`
}

func (r Receiver) Ports() ReceiverPorts {
	return ReceiverPorts{Data: hw.Unsigned(8), Bus: AccessOf(r.Words), Reply: reply}
}

type receiverPhase string

const (
	hunt    receiverPhase = "hunt" // for a Sync
	head    receiverPhase = "head"
	body    receiverPhase = "body"
	high    receiverPhase = "high" // byte of the CRC
	low     receiverPhase = "low"
	deliver receiverPhase = "deliver"
	respond receiverPhase = "respond"
)

func (r Receiver) Build(m *hw.Module, p ReceiverPorts) {
	state := hw.Reg(m, "state", hw.EnumOf(hunt, head, body, high, low, deliver, respond), hw.Val(hunt))
	buffer := hw.Mem(m, "buffer", packetWords, hw.Unsigned(32))
	end := hw.Reg(m, "end", hw.AddressOf(packetWords))       // place of the last word
	index := hw.Reg(m, "index", hw.AddressOf(4*packetWords)) // of the byte to come
	part := hw.Reg(m, "part", hw.Unsigned(24))               // bytes of a word, the last one at the top
	seq := hw.Reg(m, "number", number)
	last := hw.Reg(m, "last", number, hw.U(3)) // number of the frame delivered last
	crc := hw.Reg(m, "crc", hw.Unsigned(16))
	good := hw.Reg(m, "good", hw.Bit{})
	next := hw.Reg(m, "next", hw.AddressOf(packetWords)) // word to deliver
	to := hw.Reg(m, "to", hw.AddressOf(r.Words))
	gap := hw.Reg(m, "gap", hw.UpTo(r.Gap))

	hw.Unused(m, p.Bus.Read) // the receiver only writes

	// part holds the three bytes before this one.
	place := index.Range(5, 2)
	whole := hw.Cat(p.Data, part).Named("whole")
	p.Reply.Valid.Set(state.Is(respond))
	p.Reply.Good.Set(good)
	p.Reply.Number.Set(seq)
	p.Bus.Valid.Set(state.Is(deliver))
	p.Bus.Write.Set(hw.High)
	p.Bus.Addr.Set(to)
	p.Bus.Data.Set(buffer.Read(next))

	// The states follow the frame byte by byte; the words wait in the buffer until the CRC has
	// been seen to be right.
	for phase := range state.Cases() {
		switch phase {
		case hunt:
			crc.Set(hw.U(crcStart))
			index.Set(hw.U(0))
			state.GotoIf(p.Valid.And(p.Data.Is(Sync)), head)
		case head:
			m.When(p.Valid, func() {
				crc.Set(crcStep(crc, p.Data))
				seq.Set(p.Data.Range(7, 6))
				end.Set(p.Data.Trunc(4))
				state.Goto(body)
			})
		case body:
			m.When(p.Valid, func() {
				crc.Set(crcStep(crc, p.Data))
				part.Set(whole.Range(31, 8))
				index.Set(index.Inc())
				m.When(index.Trunc(2).Is(3), func() {
					buffer.Write(place, whole)
					to.SetIf(place.Is(0), whole.Trunc(to.Width()))
					state.GotoIf(place.Eq(end), high)
				})
			})
		case high:
			next.Set(hw.U(1))
			m.When(p.Valid, func() {
				good.Set(p.Data.Eq(crc.Range(15, 8)))
				state.Goto(low)
			})
		case low:
			ok := good.And(p.Data.Eq(crc.Trunc(8))).Named("ok")
			m.When(p.Valid, func() {
				good.Set(ok)
				// A frame that was delivered before is acknowledged only, and so is one of no words.
				state.GotoIf(ok.And(seq.Ne(last), end.Any()), deliver).
					Else(func() { state.Goto(respond) })
			})
		case deliver:
			m.When(p.Bus.Done, func() {
				next.Set(next.Inc())
				to.Set(to.Inc())
				state.GotoIf(next.Eq(end), respond)
			})
		case respond:
			last.SetIf(good, seq)
			state.Goto(hunt)
		}
	}

	// After the states, whose transitions it overrides.
	r.watch(m, p, state, gap)

	p.Bus.check(m)
	m.Assert(hw.Rose(m, state.Is(deliver)).Implies(good), "a damaged frame is delivered")
	m.Assert(hw.Past(m, p.Reply.Valid).Implies(p.Reply.Valid.Not()), "a frame is answered twice")
}

// watch gives a frame up whose next byte is broken or does not come.
func (r Receiver) watch(m *hw.Module, p ReceiverPorts, state hw.Enum[receiverPhase], gap hw.UInt) {
	inside := state.Is(head, body, high, low).Named("inside")
	gap.SetIf(inside.Not().Or(p.Valid), hw.U(r.Gap)).
		Else(func() { gap.Set(gap.Dec()) })
	state.GotoIf(inside.And(p.Broken.Or(gap.Is(0).AndNot(p.Valid))), hunt)
}
