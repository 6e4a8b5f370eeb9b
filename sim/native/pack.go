package native

import "etch/sim/net"

// Repetition: registers that lie side by side and take isomorphic next values are
// computed eight at a time, in vectors of 32-bit lanes. A packed register lives,
// while code runs, in a lane of a copy of the state ([packs]): code copies packed
// registers in when it is called and back when it returns.
//
//	runs      registers of one width in neighbouring slots      (pack.go)
//	block     eight of a run, matched into one graph of vectors  (pack_match.go)
//	segment   blocks in a row with equal graphs: one loop        (pack_segment.go)
//
// What a lane needs from elsewhere, at the edge of an array or from other state,
// is an ordinary output of the net that is left: plain code computes it and puts
// it in a cell, before the segments run. They come last in the cycle, readers
// before writers, so that plain code sees packed registers as they were.

const laneCount = 8

// packs is the packed part of a net.
type packs struct {
	home  []int32   // by register: its lane, -1 when it is not packed
	regs  []laneRun // what is copied in and out
	lanes int32     // in all
	segs  []segment // in the order in which they run
	cells []net.ID  // by cell: its value, None for one that is never read
	fixed []bool    // the cell holds a constant: it is set once
	outs  []int32   // by output of the net that is left, from first on: its cell
	first int       // outputs that the net had anyway
	words int32     // scratch words that all of it takes
	base  int32     // bytes from the state to lane 0; cells, then shadows follow
	slow  bool      // some segment writes to a shadow
}

// laneRun is registers of neighbouring slots in neighbouring lanes.
type laneRun struct{ reg, n int32 }

// reg names the first of a run of n registers, so that its home and slot are the
// run's.

// least is what packing must save, in instructions a cycle, to be done.
const least = 40

// packer finds what to pack.
type packer struct {
	n      *net.Net
	home   []int32
	bad    []bool // by register: packing it does not pay
	lanes  int32
	runs   []laneRun
	nodes  []vnode // of the block that is built
	of     []lanes // what they are of
	opts   []choice
	patch  []patch
	from   int32 // home lane of the block's first register
	saves  float32
	blocks []block
	segs   []segment
}

// findPacks returns the packed part of n and the net that is left; nil when there
// is nothing that pays.
func findPacks(n *net.Net) (*packs, *net.Net) {
	p := &packer{n: n, bad: make([]bool, len(n.Regs))}
	for r := range n.Regs {
		g := &n.Regs[r]
		p.bad[r] = g.W > 32 || g.Next < 0
	}
	for range 4 {
		p.findRuns()
		if len(p.runs) == 0 {
			return nil, n
		}
		if p.matchAll() {
			p.segs = segments(p.blocks)
			if p.fits() {
				break
			}
		}
		p.segs = nil
	}
	if p.segs == nil || p.saves < least {
		return nil, n
	}
	k := &packs{home: p.home, regs: p.runs, lanes: p.lanes, segs: order(p.segs)}
	return k, k.rest(n)
}

// findRuns lays out the registers that are candidates: runs of at least half a
// vector, each with room around it for loads that stick out.
func (p *packer) findRuns() {
	n := p.n
	p.home = filled(p.home, len(n.Regs))
	p.runs, p.lanes = p.runs[:0], laneCount
	for r := 0; r < len(n.Regs); {
		end := r
		for end < len(n.Regs) && !p.bad[end] && n.Regs[end].W == n.Regs[r].W && n.Regs[end].Slot == n.Regs[r].Slot+uint32(end-r) {
			end++
		}
		if end-r >= laneCount {
			p.runs = append(p.runs, laneRun{int32(r), int32(end - r)})
			for i := r; i < end; i++ {
				p.home[i] = p.lanes + int32(i-r)
			}
			p.lanes += int32(end-r+laneCount-1)&^(laneCount-1) + laneCount
		}
		r = max(end, r+1)
	}
}

// matchAll builds the blocks of all runs. It reports whether all pay: the
// registers of those that do not are candidates no more.
func (p *packer) matchAll() bool {
	ok := true
	p.blocks, p.saves = p.blocks[:0], 0
	for _, run := range p.runs {
		for at := int32(0); at < run.n; {
			k := p.cut(run.reg+at, min(run.n-at, laneCount))
			b, gain := p.block(run.reg+at, k)
			p.blocks = append(p.blocks, b)
			p.saves += gain
			if gain <= 0 {
				ok = false
				for i := range k {
					p.bad[run.reg+at+i] = true
				}
			}
			at += k
		}
	}
	return ok
}

// fits takes out segments that want more vector registers than there are.
func (p *packer) fits() bool {
	ok := true
	for i := range p.segs {
		if s := &p.segs[i]; !s.fits() {
			ok = false
			for r, h := range p.home {
				if h >= s.at && h < s.at+s.lanes() {
					p.bad[r] = true
				}
			}
		}
	}
	return ok
}

// rest is n without the next values of packed registers, but with what the
// segments need from it.
func (k *packs) rest(n *net.Net) *net.Net {
	m := *n
	m.Regs = append([]net.Reg(nil), n.Regs...)
	for r, h := range k.home {
		if h >= 0 {
			m.Regs[r].Next = net.None
		}
	}
	k.first = len(n.Outs)
	m.Outs = append([]net.Out(nil), n.Outs...)
	k.layCells(n)
	for i, x := range k.cells {
		if x >= 0 && !k.fixed[i] {
			m.Outs = append(m.Outs, net.Out{Node: x})
			k.outs = append(k.outs, int32(i))
		}
	}
	return m.Compact()
}

// place gives the packed part its scratch words, of which taken are in use, and
// returns how many are then.
func (k *packs) place(taken int32) int32 {
	bytes := 4 * (k.lanes + int32(len(k.cells)) + 2*laneCount)
	if k.slow {
		bytes += 4 * k.lanes
	}
	k.words = (bytes + 63) &^ 63 / 8
	taken = (taken + 7) &^ 7
	k.base = -8 * (taken + k.words)
	return taken + k.words
}

// laneAt is where a lane is, in bytes from the state.
func (k *packs) laneAt(lane int32) int32 { return k.base + 4*lane }

// cellAt is where a cell is.
func (k *packs) cellAt(cell int32) int32 { return k.base + 4*(k.lanes+laneCount+cell) }

// shadow is how far behind a lane its shadow is, in bytes.
func (k *packs) shadow() int32 { return 4 * (k.lanes + int32(len(k.cells)) + 2*laneCount) }
