package nets

import (
	"fmt"

	"etch/sim/internal/program"
	"etch/sim/net"
)

// ForLanes builds the net that lanes run for an event of the clocks marked in on. With on nil
// there is no event: asynchronous resets act and the outputs are computed. The state words of
// the program are followed by the counters of cover statements and by the words of outs, in
// order.
func ForLanes(p *program.Program, on []byte, outs []LaneOut) (*Netlist, error) {
	if len(p.Boxes) > 0 {
		return nil, fmt.Errorf("sim: the design has black boxes that a Model runs")
	}
	b, err := NewBuilder(p)
	if err != nil {
		return nil, err
	}

	if on != nil {
		if err := b.Events(on); err != nil {
			return nil, err
		}
	} else {
		b.holdAll()
	}

	// Outputs are registers too, so that one event leaves them in words that the host can read.
	b.countCovers()
	for _, o := range outs {
		r := net.Reg{W: o.Width, Q: net.None, Next: net.None}

		// Only the net without an event computes them.
		if on == nil {
			r.Next = b.At[o.Slot]
		}
		b.N.Regs = append(b.N.Regs, r)
	}
	b.N.CompactInPlace()
	return &Netlist{b.N, b.Roms}, nil
}

// LaneOut is a word of an output of the top that is not state.
type LaneOut struct {
	Slot  uint32
	Width uint8
}

// holdAll gives registers their reset values while their asynchronous resets are high, and the
// values that open latches pass on.
func (b *Builder) holdAll() {
	b.end = make([]net.ID, len(b.N.Regs))
	for i := range b.end {
		b.end[i] = net.None
	}

	post := b.afterEdge()
	for _, i := range b.p.Async {
		r := &b.p.Regs[i]
		for k := range r.Words {
			if len(b.p.Levels) > 0 {
				post.latch[int(r.Slot-b.p.Inputs.Lo)+int(k)] = r
			}
		}
	}

	for _, i := range b.p.Async {
		r := &b.p.Regs[i]
		for k := range uint32(r.Words) {
			at := b.reg(r.Slot + k)
			next, ok := post.held(r, k)
			if !ok { // behind another one: it needs a second pass
				next = b.N.Mux(b.At[r.Rst], b.N.Slice(b.At[r.Reset+k], 0, at.W), at.Q)
			}
			if next != at.Q {
				at.Next = next
			}
		}
	}
}

// CoverBits is the width of a lane's counter of a cover statement.
const CoverBits = 40

// countCovers turns the counters of cover statements into state words, behind the program's. In
// a memory they would take rows of 64 bits in each lane.
func (b *Builder) countCovers() {
	n, first := b.N, len(b.N.Regs)
	for range b.p.Covers {
		n.Regs = append(n.Regs, net.Reg{W: CoverBits, Q: net.None, Next: net.None})
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
		n.Regs[first+int(k)].Next = n.Add(q, w.En, CoverBits)
	}

	n.Writes = keep

	// The emptied memory stays, so that the numbers of the others do.
	n.Mems[b.covers].Words, n.Mems[b.covers].Depth, n.Mems[b.covers].W = 1, 0, 1
}
