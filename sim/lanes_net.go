package sim

import (
	"etch/sim/net"
)

// laneNet builds the net that lanes run for an event of the clocks that on marks;
// nil: no event, asynchronous resets take hold and the outputs are computed. Words
// of outputs that are not state are further state words of the net, behind those
// of the program, in the order of outs.
func (p *program) laneNet(on []byte, outs []laneOut) (*netlist, error) {
	b, err := p.netBuilder()
	if err != nil {
		return nil, err
	}
	if on != nil {
		if err := b.events(on); err != nil {
			return nil, err
		}
	} else {
		for _, i := range p.async {
			b.hold(&p.regs[i])
		}
	}
	for _, o := range outs {
		r := net.Reg{W: o.width, Q: net.None, Next: net.None}
		if on == nil {
			r.Next = b.at[o.slot]
		}
		b.n.Regs = append(b.n.Regs, r)
	}
	b.dropCovers()
	return &netlist{b.n.Compact(), b.roms}, nil
}

// laneOut is a word of an output of the top that is not state.
type laneOut struct {
	slot  uint32
	width uint8
}

// laneOuts lists the words of such outputs.
func (s *Sim) laneOuts() (outs []laneOut) {
	seen := map[uint32]bool{}
	for _, port := range s.top {
		if port.slot < s.p.leaves || seen[port.slot] {
			continue
		}
		seen[port.slot] = true
		for w := int(port.width); w > 0; w -= 64 {
			outs = append(outs, laneOut{port.slot + uint32((int(port.width)-w)/64), uint8(min(w, 64))})
		}
	}
	return outs
}

// hold has a register take its reset value while its asynchronous reset is high.
func (b *netBuilder) hold(r *register) {
	for k := range uint32(r.words) {
		at := b.reg(r.slot + k)
		if next := b.n.Mux(b.at[r.rst], b.at[r.reset+k], at.Q); next != at.Q {
			at.Next = next
		}
	}
}

// dropCovers takes out the counters of cover statements: lanes have none.
func (b *netBuilder) dropCovers() {
	keep := b.n.Writes[:0]
	for _, w := range b.n.Writes {
		if w.Mem != b.covers {
			keep = append(keep, w)
		}
	}
	b.n.Writes = keep
	b.n.Mems[b.covers].Words, b.n.Mems[b.covers].Depth, b.n.Mems[b.covers].W = 1, 0, 1
}
