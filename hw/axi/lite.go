// Package axi is the AXI4-Lite bus: its bundle of signals, and a bridge that makes
// a slave of anything that takes one request after the other.
//
//	type TimerPorts struct {
//		Host axi.Lite `hw:"s_axi"` // s_axi_awaddr, s_axi_awvalid, …
//	}
//
//	bus := hw.Inst(m, "bus", axi.Bridge{AddressBits: 8}, axi.BridgePorts{Host: p.Host})
//	// bus.Request and bus.Reply are streams; they may cross to another clock
//	// through stream.AsyncQueue.
//
// Signals have the names of the standard (ARM IHI 0022, part B), which synthesis
// tools recognise as a bus. Data has 32 bits.
//
// The package imports hw and hw/stream only.
package axi

import (
	"etch/hw"
	"etch/hw/stream"
)

// DataBits is the width of data.
const DataBits = 32

// The responses.
const (
	Okay        = 0 // done
	SlaveError  = 2 // not done
	DecodeError = 3 // nothing is at that address
)

// Lite is an AXI4-Lite bus. Seen from the slave it is an input, and the signals that the slave
// drives are flipped.
type Lite struct {
	AWAddr  hw.UInt `hw:"awaddr"`
	AWProt  hw.UInt `hw:"awprot"`
	AWValid hw.Bit  `hw:"awvalid"`
	AWReady hw.Bit  `hw:"awready"`
	WData   hw.UInt `hw:"wdata"`
	WStrb   hw.UInt `hw:"wstrb"` // a bit per byte of data
	WValid  hw.Bit  `hw:"wvalid"`
	WReady  hw.Bit  `hw:"wready"`
	BResp   hw.UInt `hw:"bresp"`
	BValid  hw.Bit  `hw:"bvalid"`
	BReady  hw.Bit  `hw:"bready"`
	ARAddr  hw.UInt `hw:"araddr"`
	ARProt  hw.UInt `hw:"arprot"`
	ARValid hw.Bit  `hw:"arvalid"`
	ARReady hw.Bit  `hw:"arready"`
	RData   hw.UInt `hw:"rdata"`
	RResp   hw.UInt `hw:"rresp"`
	RValid  hw.Bit  `hw:"rvalid"`
	RReady  hw.Bit  `hw:"rready"`
}

// LiteOf is the shape of a bus with byte addresses of addressBits bits.
func LiteOf(addressBits int) Lite {
	address, response, one := hw.Unsigned(addressBits), hw.Flip(hw.Unsigned(2)), hw.Flip(hw.Bit{})
	return Lite{
		AWAddr: address, AWProt: hw.Unsigned(3), AWReady: one,
		WData: hw.Unsigned(DataBits), WStrb: hw.Unsigned(DataBits / 8), WReady: one,
		BResp: response, BValid: one,
		ARAddr: address, ARProt: hw.Unsigned(3), ARReady: one,
		RData: hw.Flip(hw.Unsigned(DataBits)), RResp: response, RValid: one,
	}
}

// Request is a read or write of a word.
type Request struct {
	Write hw.Bit
	Word  hw.UInt // its number: the byte address divided by four
	Data  hw.UInt // to write; 0 of a read
}

// Reply answers a read.
type Reply struct {
	Data  hw.UInt
	Error hw.Bit // nothing is at that address
}

// RequestOf is the shape of a request on a bus with byte addresses of so many
// bits.
func RequestOf(addressBits int) Request {
	return Request{Word: hw.Unsigned(addressBits - 2), Data: hw.Unsigned(DataBits)}
}

// ReplyOf is the shape of a reply.
func ReplyOf() Reply { return Reply{Data: hw.Unsigned(DataBits)} }

// Bridge turns the accesses of a bus into a stream of requests, one at a time. A write goes before
// a read that arrives with it; a read that is waiting already goes before a write. A write is
// answered when it has been taken from Request. It must cover a whole word: a partial write, and
// any address that is not a multiple of four, is not passed on and answered with SlaveError. A
// read waits for its Reply.
type Bridge struct {
	AddressBits int `help:"bits of a byte address" range:"3..64"`
}

type BridgePorts struct {
	Host    Lite                   `dir:"in" hw:"s_axi"`
	Request stream.Stream[Request] `dir:"out"`
	Reply   stream.Stream[Reply]   `dir:"in"`
}

func (b Bridge) Ports() BridgePorts {
	return BridgePorts{
		Host:    LiteOf(b.AddressBits),
		Request: stream.Of(RequestOf(b.AddressBits)),
		Reply:   stream.Of(ReplyOf()),
	}
}

type phase string

const (
	idle    phase = "idle"
	answer  phase = "answer"  // a write's response is offered
	reading phase = "reading" // a read waits for its data
	refuse  phase = "refuse"  // a read's error is offered
)

func (b Bridge) Build(m *hw.Module, p BridgePorts) {
	host := p.Host
	hw.Unused(m, host.AWProt, host.ARProt) // every access is served alike

	state := hw.Reg(m, "state", hw.EnumOf(idle, answer, reading, refuse), hw.Val(idle))
	failed := hw.Reg(m, "failed", hw.Bit{}, hw.Low)
	waiting := hw.Reg(m, "waiting", hw.Bit{}, hw.Low) // a read has been offered to Request

	// Choose one access. A waiting read blocks writes because the request that was offered must
	// not change.
	resting := state.Is(idle)
	write := resting.And(host.AWValid, host.WValid).AndNot(waiting).Named("write")
	read := resting.And(host.ARValid).AndNot(write).Named("read")

	sound := host.WStrb.All().AndNot(host.AWAddr.Range(1, 0).Any())
	aligned := host.ARAddr.Range(1, 0).Any().Not()
	asked := hw.Mux(write, sound, read.And(aligned))
	address := hw.Mux(write, host.AWAddr, host.ARAddr)
	data := hw.Mux(write, host.WData, host.WData.Lit(0)) // an offer stands: a write may come while a read waits
	p.Request.Send(asked, Request{Write: write, Word: address.Range(b.AddressBits-1, 2), Data: data})

	// An unsound access is taken at once, since nothing is asked of Request for it.
	taken := p.Request.Ready.Or(asked.Not())
	waiting.Set(read.AndNot(taken))
	host.AWReady.Set(write.And(taken))
	host.WReady.Set(write.And(taken))
	host.ARReady.Set(read.And(taken))

	host.BValid.Set(state.Is(answer))
	host.BResp.Set(hw.Mux(failed, hw.U(SlaveError).Extend(2), hw.U(Okay).Extend(2)))

	// A reply passes straight to the host's read channel.
	replied := state.Is(reading).And(p.Reply.Valid)
	p.Reply.Ready.Set(state.Is(reading).And(host.RReady))
	host.RValid.Set(replied.Or(state.Is(refuse)))
	host.RData.Set(hw.Mux(replied, p.Reply.Data.Data, p.Reply.Data.Data.Lit(0)))
	host.RResp.Set(hw.Mux(replied, hw.Mux(p.Reply.Data.Error, hw.U(DecodeError).Extend(2), hw.U(Okay).Extend(2)), hw.U(SlaveError).Extend(2)))

	for s := range state.Cases() {
		switch s {
		case idle:
			failed.Set(sound.Not())
			state.GotoIf(write.And(taken), answer).
				ElseWhen(read.And(taken), func() {
					state.Goto(reading)
					state.GotoIf(aligned.Not(), refuse)
				})
		case answer:
			state.GotoIf(host.BReady, idle)
		case reading:
			state.GotoIf(replied.And(host.RReady), idle)
		case refuse:
			state.GotoIf(host.RReady, idle)
		}
	}
	b.check(m, p, state, waiting)
}

// check asserts the rules of the bus for the slave, provided that Request and Reply keep theirs.
func (b Bridge) check(m *hw.Module, p BridgePorts, state hw.Enum[phase], waiting hw.Bit) {
	host := p.Host
	stuck := hw.Past(m, host.BValid.AndNot(host.BReady))
	m.Assert(stuck.Implies(host.BValid.And(hw.Stable(m, host.BResp))), "a write's response was taken back")
	m.Assert(host.AWReady.Eq(host.WReady), "an address is taken without its data")
	m.Assert(host.AWReady.Implies(host.AWValid.And(host.WValid)), "a write is taken that is not offered")
	m.Assert(host.ARReady.And(host.AWReady).Not(), "a read and a write are taken at once")
	m.Assert(host.BValid.And(host.RValid).Not(), "a read and a write are answered at once")

	refused := hw.Past(m, state.Is(refuse).AndNot(host.RReady))
	m.Assert(refused.Implies(host.RValid.And(hw.Stable(m, host.RResp))), "a read's refusal was taken back")
	m.Assert(waiting.Implies(state.Is(idle)), "a read waits for its request in another state")
	m.Assert(waiting.And(host.ARValid).Implies(p.Request.Data.Write.Not()), "a write goes before a read that is offered already")
}
