package testbench

import (
	"fmt"

	"etch/hw"
	"etch/ir/bits"
)

// Drive makes the test one more driver of the wire of a pad of the top, with a number, until
// [Bench.Release]. If the design drives another value meanwhile, the test fails with the line
// that does. Set does not take pads.
func (b *Bench) Drive(pad hw.Signal, v int) {
	p := b.port(pad)
	if p == nil {
		b.t.Helper()
		b.t.Fatal(b.noPort("Drive", pad))
	}
	if v < p.lo || v > p.hi {
		b.t.Helper()
		b.t.Fatal(p.misfit("Drive", v))
	}
	if why := b.drivePad(p, bits.FromInt(p.sig.Width(), int64(v))); why != "" {
		b.t.Helper()
		b.t.Fatal(why)
	}
}

// DriveBits is Drive for pads of any width; v has the pad's width.
func (b *Bench) DriveBits(pad hw.Signal, v bits.Value) {
	why := ""
	if p := b.port(pad); p == nil {
		why = b.noPort("DriveBits", pad)
	} else {
		why = b.drivePad(p, v)
	}
	if why != "" {
		b.t.Helper()
		b.t.Fatal(why)
	}
}

// drivePad drives a pad; why is the reason if it fails.
func (b *Bench) drivePad(p *port, v bits.Value) (why string) {
	if err := b.Sim.Drive(p.sig, v); err != nil {
		return fmt.Sprintf("Drive: %v", err)
	}
	return ""
}

// Release ends the test's driving of a pad: from then on the design drives the wire, or its
// pull.
func (b *Bench) Release(pad hw.Signal) {
	why := ""
	if p := b.port(pad); p == nil {
		why = b.noPort("Release", pad)
	} else if err := b.Sim.Release(p.sig); err != nil {
		why = fmt.Sprintf("Release: %v", err)
	}
	if why != "" {
		b.t.Helper()
		b.t.Fatal(why)
	}
}
