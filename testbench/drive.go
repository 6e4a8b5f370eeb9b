package testbench

import (
	"fmt"

	"etch/hw"
	"etch/ir/bits"
)

// Set drives an input with a number, a negative one only if its type is signed. It ends the test
// if the number does not fit, or if the signal is no input of the top.
func (b *Bench) Set(sig hw.Signal, v int) {
	p := b.port(sig)
	if p == nil {
		b.t.Helper()
		b.t.Fatal(b.noPort("Set", sig))
	}

	// The quick path is for numbers in a word and ports without a driver; b.t.Helper costs more
	// than the set, so it is called only before a failure.
	if v < p.lo || v > p.hi || p.slow {
		if why := b.setSlow(p, v); why != "" {
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

// setSlow is Set for all other ports; why is the reason if it fails.
func (b *Bench) setSlow(p *port, v int) (why string) {
	if v < p.lo || v > p.hi {
		// Over 64 bits every int fits, but for a negative one in an unsigned port.
		if !p.wide || v < 0 && !p.signed {
			return p.misfit("Set", v)
		}
	}
	return b.setPort("Set", p, bits.FromInt(p.sig.Width(), int64(v)))
}

// setPort drives a port for the test or a thread, not for an agent.
func (b *Bench) setPort(what string, p *port, v bits.Value) (why string) {
	// Order: another driver, another thread, then the simulator's own checks.
	if p.driver != "" {
		return fmt.Sprintf("%s: %s is driven by %s", what, p.sig.Name(), p.driver)
	}
	if len(b.threads) > 0 {
		if why := b.claimSet(what, p, v); why != "" {
			return why
		}
	}
	if err := b.Sim.SetBits(p.sig, v); err != nil {
		return cannotSet(err)
	}

	// An asynchronous reset takes effect at once, like in the emitted Verilog.
	if p.pulse {
		b.settle()
	}
	return ""
}

// settle applies asynchronous resets that are high now. The simulator would do so at the next
// read; a test should not depend on whether there is one.
func (b *Bench) settle() {
	if b.recorder != nil {
		b.recorder.Look()
	}
	b.Sim.Get(b.ports[0].sig)
}

// SetBits drives an input of any width with a value of that width.
func (b *Bench) SetBits(sig hw.Signal, v bits.Value) {
	if why := b.setBits("SetBits", sig, v); why != "" {
		b.t.Helper()
		b.t.Fatal(why)
	}
}

// setBits is SetBits with the error as a result.
func (b *Bench) setBits(what string, sig hw.Signal, v bits.Value) (why string) {
	p := b.port(sig)
	if p == nil {
		return b.noPort(what, sig)
	}
	return b.setPort(what, p, v)
}

// cannotSet is the message of a failed set.
func cannotSet(err error) string { return fmt.Sprintf("Set: %v", err) }
