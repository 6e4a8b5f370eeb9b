package bench

import (
	"etch/designs/examples/protocol"
	"etch/hw"
)

// Protocol is the reliable link of examples/protocol on a noisy line: it goes round a
// ring of descriptors while a host writes packets to be sent and reads arrived packets.
type Protocol struct{}

// Memory of the link: descriptors, packets to send from sources, arrived packets.
const (
	linkWords = 256
	sources   = 64
	arrivals  = 128
)

func (Protocol) Ports() Ports { return ports() }

func (Protocol) Build(m *hw.Module, p Ports) {
	// Errors on the line and lost replies come from one random word: every bit of it has one use.
	random := noise(m, 64)
	seldom := func(at, bits int) hw.Bit { return random.Range(at+bits-1, at).Is(0) }
	link := hw.Inst(m, "link", protocol.Link{Words: linkWords, ClocksPerBit: 4, Tries: 4, Contents: ring()})

	// The link starts again as soon as it has ended.
	link.First.Set(hw.U(0))
	link.Start.Set(link.Busy.Not())
	link.LineIn.Set(link.LineOut.Xor(seldom(0, 12).Named("flip")))
	link.ReplyIn.Valid.Set(link.ReplyOut.Valid.AndNot(seldom(12, 4).Named("drop")))
	link.ReplyIn.Good.Set(link.ReplyOut.Good)
	link.ReplyIn.Number.Set(link.ReplyOut.Number)

	host := hw.Inst(m, "host", host{}, hostPorts{Begin: seldom(16, 6), Random: random.Range(63, 22)})
	hw.Set(link.Host, host.Bus)
	seen := hw.Mux(link.Host.Done, link.Host.Read, hw.U(0))
	fold(m, p, hw.Cat(link.LineOut, link.Busy, link.Lost, hw.Pack(link.ReplyOut), seen))
}

// ring is eight descriptors of packets of all sizes, the last one before the
// first.
func ring() []uint64 {
	var words []uint64
	for i, count := range []uint64{1, 15, 0, 4, 8, 15, 2, 6} {
		// Two words each: source and count, destination and the next descriptor.
		next := uint64(2 * (i + 1) % 16)
		words = append(words, sources+6*uint64(i)|count<<16, arrivals+16*uint64(i)|next<<16)
	}
	return words
}

// host writes a random word to the sources, or reads one of the arrivals,
// whenever it is told to begin and has nothing under way.
type host struct{}

type hostPorts struct {
	Begin  hw.Bit          `dir:"in"`
	Random hw.UInt         `dir:"in"` // chooses the access
	Bus    protocol.Access `dir:"out"`
}

func (host) Ports() hostPorts {
	return hostPorts{Random: hw.Unsigned(42), Bus: protocol.AccessOf(linkWords)}
}

func (host) Build(m *hw.Module, p hostPorts) {
	valid := hw.Reg(m, "valid", hw.Bit{}, hw.Low)
	write := hw.Reg(m, "write", hw.Bit{})
	addr := hw.Reg(m, "addr", hw.Like(p.Bus.Addr))
	data := hw.Reg(m, "data", hw.Unsigned(32))

	p.Bus.Valid.Set(valid)
	p.Bus.Write.Set(write)
	p.Bus.Addr.Set(addr)
	p.Bus.Data.Set(data)

	source := p.Random.Range(6, 1).Extend(8).Or(hw.U(sources))
	arrival := p.Random.Range(7, 1).Extend(8).Or(hw.U(arrivals))

	// An access stands until it is done; then the next one may begin.
	valid.SetIf(valid, p.Bus.Done.Not()).
		ElseWhen(p.Begin, func() {
			valid.Set(hw.High)
			write.Set(p.Random.Bit(0))
			addr.Set(hw.Mux(p.Random.Bit(0), source, arrival))
			data.Set(p.Random.Range(41, 10))
		})
}
