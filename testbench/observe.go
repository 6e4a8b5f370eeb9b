package testbench

import (
	"fmt"

	"etch/hw"
	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
)

// Get reads a port as a number, signed if its type is. It ends the test if the value is too
// large for an int: use GetBits for such ports.
func (b *Bench) Get(sig hw.Signal) int {
	p := b.port(sig)
	if p == nil {
		b.t.Helper()
		b.t.Fatal(b.noPort("Get", sig))
	}

	// A number beyond an int is no zero: the test ends with a hint.
	n, ok := p.number(b.word(p))
	if !ok || p.wide {
		b.t.Helper()
		b.t.Fatal(p.tooLarge("Get"))
	}
	return n
}

// word reads the low word of a port. A recorder records every read, for the Verilog to be
// compared at the same moment.
func (b *Bench) word(p *port) uint64 {
	if b.recorder != nil {
		b.recorder.Look()
	}
	return b.Sim.Get(p.sig)
}

// tooLarge is the message for a value that no int holds.
func (p *port) tooLarge(what string) string {
	if p.wide {
		return fmt.Sprintf("%s: %s has %d bits; %sBits takes any width", what, p.sig.Name(), p.sig.Width(), what)
	}
	return fmt.Sprintf("%s: the value of %s is too large for an int; %sBits takes any", what, p.sig.Name(), what)
}

// GetBits reads a port of any width.
func (b *Bench) GetBits(sig hw.Signal) bits.Value {
	p := b.port(sig)
	if p == nil {
		b.t.Helper()
		b.t.Fatal(b.noPort("GetBits", sig))
	}
	return b.bits(p)
}

// bits reads a port of any width.
func (b *Bench) bits(p *port) bits.Value {
	if b.recorder != nil {
		b.recorder.Look()
	}
	return b.Sim.GetBits(p.sig)
}

// High reports whether a port is not zero.
func (b *Bench) High(sig hw.Signal) bool {
	p := b.port(sig)
	if p == nil {
		b.t.Helper()
		b.t.Fatal(b.noPort("High", sig))
	}
	return b.high(p)
}

// high reports whether a port is not zero.
func (b *Bench) high(p *port) bool {
	if p.wide {
		return !b.bits(p).IsZero()
	}
	return b.word(p) != 0
}

// Expect fails the test unless a port has the value want. A value that the port can never have
// fails it too.
func (b *Bench) Expect(sig hw.Signal, want int) {
	p := b.port(sig)
	if p == nil {
		b.t.Helper()
		b.t.Fatal(b.noPort("Expect", sig))
	}
	if p.wide {
		b.t.Helper()
		b.t.Fatal(p.tooLarge("Expect"))
	}
	if got, ok := p.number(b.word(p)); got != want || !ok {
		b.t.Helper()
		b.t.Error(b.differs(p, want))
		b.why(p.sig)
	}
}

// differs is the message for a narrow port that does not have the value want.
func (b *Bench) differs(p *port, want int) string {
	if want < p.lo || want > p.hi {
		return p.misfit("Expect", want)
	}
	return b.wrong(p, b.Sim.GetBits(p.sig), bits.FromInt(p.sig.Width(), int64(want)))
}

// wrong is the message for a port with another value than the test wants.
func (b *Bench) wrong(p *port, got, want bits.Value) string {
	return fmt.Sprintf("cycle %d: %s = %s, want %s", b.Sim.Cycles(), p.sig.Name(), show(p.sig, got), show(p.sig, want))
}

// ExpectBits checks a port of any width against a value of that width.
func (b *Bench) ExpectBits(sig hw.Signal, want bits.Value) {
	if fatal, wrong := b.expectBits("ExpectBits", sig, want); fatal != "" {
		b.t.Helper()
		b.t.Fatal(fatal)
	} else if wrong != "" {
		b.t.Helper()
		b.t.Error(wrong)
		b.why(b.port(sig).sig)
	}
}

// expectBits compares a port with a value; fatal is a mistake of the test, wrong a difference.
func (b *Bench) expectBits(what string, sig hw.Signal, want bits.Value) (fatal, wrong string) {
	p := b.port(sig)

	// Mistakes of the test before differences of the design.
	switch {
	case p == nil:
		return b.noPort(what, sig), ""
	case want.Width() != p.sig.Width():
		return fmt.Sprintf("%s: %v is not of %d bits as %s is", what, want, p.sig.Width(), p.sig.Name()), ""
	}
	if got := b.bits(p); !got.Equal(want) {
		return "", b.wrong(p, got, want)
	}
	return "", ""
}

// Signal finds a signal of any instance by its path, as in "seconds.count", for the methods of
// Sim. It ends the test if there is none.
func (b *Bench) Signal(path string) sim.Signal {
	s, err := b.Sim.Signal(path)
	if err != nil {
		b.t.Helper()
		b.t.Fatal(err)
	}
	return s
}

// Peek reads a signal of any instance by its path, signed if its type is.
func (b *Bench) Peek(path string) int {
	s, err := b.Sim.Signal(path)
	if err != nil {
		b.t.Helper()
		b.t.Fatal(err)
	}

	// A look through the simulator settles values; the recording must know.
	if b.recorder != nil {
		b.recorder.Look()
	}
	p := newPort(s)
	n, ok := p.number(b.Sim.Get(s))
	if !ok || p.wide {
		b.t.Helper()
		b.t.Fatalf("Peek: %s = %s is too large for an int; Sim.GetBits reads it", path, b.Sim.GetBits(s))
	}
	return n
}

// direction returns the port of a handle, or the reason if it is no port of the top of that
// direction.
func (b *Bench) direction(what string, sig hw.Signal, dir ir.Dir) (*port, string) {
	p := b.port(sig)
	if p == nil {
		return nil, b.noPort(what, sig)
	}

	// The netlist has the direction, by the port's index.
	_, i, _ := hw.PortOf(sig)
	if got := b.Design.Top.Ports[i].Dir; got != dir {
		return nil, fmt.Sprintf("%s: %s is an %s of %s, not an %s", what, p.sig.Name(), got, b.Design.Top.Name, dir)
	}
	return p, ""
}
