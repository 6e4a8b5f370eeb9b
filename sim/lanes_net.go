package sim

import (
	"etch/sim/net"
)

// laneNet builds the net that lanes run for an event of the clocks marked in on. With on nil
// there is no event: asynchronous resets act and the outputs are computed. The state words of
// the program are followed by the counters of cover statements and by the words of outs, in
// order.
func laneNet(p *program, on []byte, outs []laneOut) (*netlist, error) {
	b, err := newNetBuilder(p)
	if err != nil {
		return nil, err
	}

	if on != nil {
		if err := b.events(on); err != nil {
			return nil, err
		}
	} else {
		b.holdAll()
	}

	// Outputs are registers too, so that one event leaves them in words that the host can read.
	b.countCovers()
	for _, o := range outs {
		r := net.Reg{W: o.width, Q: net.None, Next: net.None}
		if on == nil {
			r.Next = b.at[o.slot]
		}
		b.n.Regs = append(b.n.Regs, r)
	}
	b.n.CompactInPlace()
	return &netlist{b.n, b.roms}, nil
}

// laneOut is a word of an output of the top that is not state.
type laneOut struct {
	slot  uint32
	width uint8
}

// holdAll gives registers their reset values while their asynchronous resets are high, and the
// values that open latches pass on.
func (b *netBuilder) holdAll() {
	b.end = make([]net.ID, len(b.n.Regs))
	for i := range b.end {
		b.end[i] = net.None
	}

	post := b.afterEdge()
	for _, i := range b.p.async {
		r := &b.p.regs[i]
		for k := range r.words {
			if len(b.p.levels) > 0 {
				post.latch[int(r.slot-b.p.inputs.lo)+int(k)] = r
			}
		}
	}

	for _, i := range b.p.async {
		r := &b.p.regs[i]
		for k := range uint32(r.words) {
			at := b.reg(r.slot + k)
			next, ok := post.held(r, k)
			if !ok { // behind another one: it needs a second pass
				next = b.n.Mux(b.at[r.rst], b.n.Slice(b.at[r.reset+k], 0, at.W), at.Q)
			}
			if next != at.Q {
				at.Next = next
			}
		}
	}
}

// coverBits is the width of a lane's counter of a cover statement.
const coverBits = 40

// countCovers turns the counters of cover statements into state words, behind the program's. In
// a memory they would take rows of 64 bits in each lane.
func (b *netBuilder) countCovers() {
	n, first := b.n, len(b.n.Regs)
	for range b.p.covers {
		n.Regs = append(n.Regs, net.Reg{W: coverBits, Q: net.None, Next: net.None})
	}

	// A write to the counters becomes an increment of its register.
	keep := n.Writes[:0]
	for _, w := range n.Writes {
		if w.Mem != b.covers {
			keep = append(keep, w)
			continue
		}
		k, _ := n.IsConst(w.Addr)
		q := n.Leaf(first + int(k))
		n.Regs[first+int(k)].Next = n.Add(q, w.En, coverBits)
	}

	n.Writes = keep
	n.Mems[b.covers].Words, n.Mems[b.covers].Depth, n.Mems[b.covers].W = 1, 0, 1
}
