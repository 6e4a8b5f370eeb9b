package testbench

import (
	"fmt"
	"math"

	"etch/hw"
	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/sim/why"
)

// port is a port of the top, with the properties that Set and Get need at once.
type port struct {
	sig    sim.Signal
	lo, hi int    // the range of its values, as far as an int reaches
	mask   uint64 // the bits of the low word
	shift  uint8  // 64 - width of a signed port that is narrower
	signed bool
	wide   bool   // over 64 bits
	pulse  bool   // an asynchronous reset, which works without an edge
	slow   bool   // Set has to do more than store a word
	last   *mover // the test or thread that set it last, nil before there were threads
	driver string // the agent that drives it, "" if there is none
}

// newPort computes the properties of a port.
func newPort(sig sim.Signal) port {
	k := sig.Type().Kind
	p := port{sig: sig, signed: k.Signed(), wide: sig.Width() > 64, pulse: k == ir.AsyncReset}
	// Over 64 bits, and where a value acts at once, Set takes the slow way.
	p.slow = p.wide || p.pulse
	w := min(sig.Width(), 64)
	p.mask = ^uint64(0) >> (64 - w)

	// The range of ints that the port takes, for the quick check of Set.
	switch {
	case p.signed:
		p.shift = uint8(64 - w)
		p.lo, p.hi = math.MinInt>>p.shift, math.MaxInt>>p.shift
	case w < 63:
		p.hi = 1<<w - 1
	default:
		p.hi = math.MaxInt
	}
	return p
}

// port returns the top's port behind a handle, nil for any other signal. The handle escapes, so a
// call of Set or Get with a struct's field takes 24 bytes for it; a variable of type hw.Signal takes
// them once. RATIONALE.md has what it costs.
func (b *Bench) port(sig hw.Signal) *port {
	if sig == nil {
		return nil
	}
	if m, i, ok := hw.PortOf(sig); ok && m == b.Design.Top {
		return &b.ports[i]
	}
	return nil
}

// noPort is the message for a handle that is no port: it says which signal it is instead.
func (b *Bench) noPort(what string, sig hw.Signal) string {
	top := b.Design.Top
	if sig == nil {
		return what + ": the signal is nil"
	}

	// The handle is live or not, a port or not, of this design or another: each has its own hint.
	m, id, ok := hw.NodeOf(sig)
	if !ok {
		return fmt.Sprintf("%s: the %T is no signal but a shape, a literal or a field that was left empty; the ports are in the struct that New returned", what, sig)
	}

	name := m.NameOf(id)
	if _, i, ok := hw.PortOf(sig); ok {
		name = m.Ports[i].Name
	}

	if m == top {
		return fmt.Sprintf("%s: %s is a signal inside %s and not a port; Peek reads it by its path", what, name, top.Name)
	}
	return fmt.Sprintf("%s: %s belongs to another %s and not to the bench's own %s", what, name, m.Name, top.Name)
}

// number returns the value of a narrow port in its type; ok is false if it is too large for an
// int.
func (p *port) number(v uint64) (n int, ok bool) {
	if p.signed {
		return int(int64(v<<p.shift) >> p.shift), true
	}
	return int(v), int64(v) >= 0
}

// kind returns the type of a port in words.
func (p *port) kind() string {
	w, t := p.sig.Width(), p.sig.Type()
	switch {
	case t.Kind == ir.EnumKind:
		return fmt.Sprintf("one of %v", t.Enum.Names)
	case w == 1 && !p.signed:
		return "a single bit"
	case p.signed:
		return fmt.Sprintf("signed, %d bits", w)
	}
	return fmt.Sprintf("unsigned, %d bits", w)
}

// misfit is the message for a number that is no value of the port.
func (p *port) misfit(what string, v int) string {
	if p.lo <= v && v <= p.hi || p.wide {
		return fmt.Sprintf("%s: %s cannot be %d: it is %s", what, p.sig.Name(), v, p.kind())
	}
	return fmt.Sprintf("%s: %s cannot be %d: it is %s, %d to %d", what, p.sig.Name(), v, p.kind(), p.lo, p.hi)
}

// show prints a value in the notation of the signal's type.
func show(sig sim.Signal, v bits.Value) string { return why.Show(sig.Type(), v) }
