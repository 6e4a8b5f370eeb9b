package testbench

import (
	"fmt"

	"etch/hw"
	"etch/ir/bits"
)

// Set drives an input with a number, a negative one only if its type is signed.
// One that does not fit, or a signal that is no input of the top, ends the test.
func (b *Bench) Set(sig hw.Signal, v int) {
	p := b.port(sig)
	if p == nil {
		b.t.Helper()
		b.t.Fatal(b.noPort("Set", sig))
	}
	if v < p.lo || v > p.hi || p.wide || p.driver != "" {
		if why := b.unusual(p, v); why != "" {
			b.t.Helper()
			b.t.Fatal(why)
		}
		return
	}
	if err := b.Sim.Set(p.sig, uint64(v)&p.mask); err != nil {
		b.t.Helper()
		b.t.Fatal(cannotSet(err))
	}
}

// unusual is Set for wide ports, and says what is wrong with other ones.
func (b *Bench) unusual(p *port, v int) (why string) {
	switch {
	case p.driver != "":
		return fmt.Sprintf("Set: %s is driven by %s", p.sig.Name(), p.driver)
	case !p.wide || v < 0 && !p.signed:
		return p.misfit("Set", v)
	}
	if err := b.Sim.SetBits(p.sig, bits.FromInt(p.sig.Width(), int64(v))); err != nil {
		return cannotSet(err)
	}
	return ""
}

// SetBits drives an input of any width with a value of that width.
func (b *Bench) SetBits(sig hw.Signal, v bits.Value) {
	if why := b.setBits("SetBits", sig, v); why != "" {
		b.t.Helper()
		b.t.Fatal(why)
	}
}

func (b *Bench) setBits(what string, sig hw.Signal, v bits.Value) (why string) {
	p := b.port(sig)
	if p == nil {
		return b.noPort(what, sig)
	}
	if p.driver != "" {
		return fmt.Sprintf("%s: %s is driven by %s", what, p.sig.Name(), p.driver)
	}
	if err := b.Sim.SetBits(p.sig, v); err != nil {
		return cannotSet(err)
	}
	return ""
}

func cannotSet(err error) string { return fmt.Sprintf("Set: %v", err) }
