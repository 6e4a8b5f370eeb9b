package native

import (
	"slices"

	"etch/sim/net"
)

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
	home   []int32   // by register: its lane, -1 when it is not packed
	runs   []laneRun // what is copied in and out
	of     []int32   // by lane / laneCount: the run
	bytes  int32     // of all lanes
	segs   []segment // in the order in which they run
	cells  []net.ID  // by cell: its value, None for one that is never read
	fixed  []bool    // the cell holds a constant: it is set once
	consts []uint64  // this one
	outs   []int32   // by output of the net that is left, from first on: its cell
	first  int       // outputs that the net had anyway
	base   int32     // bytes from the state to lanes; cells, then shadows follow
	slow   bool      // some segment writes to a shadow
	share  float32   // of all work that it saves, about
}

// laneRun is registers of neighbouring slots in neighbouring lanes.
type laneRun struct {
	reg, n int32 // registers from reg on
	lane   int32 // of the first one
	size   int32 // bytes in which a lane is stored
	at     int32 // bytes from the first run
}

// narrowFrom is from how many bytes of lanes on they are stored in 8 or 16 bits
// where that is enough: it takes instructions, but the cache holds more.
const narrowFrom = 16 << 10

// least is what packing must save, in instructions a cycle, to be done.
const least = 40

// packer finds what to pack.
type packer struct {
	n      *net.Net
	narrow int32 // see narrowFrom
	home   []int32
	bad    []bool // by register: packing it does not pay
	lanes  int32
	runs   []laneRun
	runOf  []int32
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
func findPacks(n *net.Net, narrow int32) (*packs, *net.Net) {
	p := &packer{n: n, narrow: narrow, bad: make([]bool, len(n.Regs))}
	for r := range n.Regs {
		g := &n.Regs[r]
		p.bad[r] = g.W > 32 || g.Next < 0 || g.Host
	}
	for round := range 4 {
		p.findRuns()
		if len(p.runs) == 0 {
			return nil, n
		}
		ok := p.matchAll()
		p.segs = segments(p.blocks)
		if p.fits() && (ok || round == 3) {
			break
		}
		p.segs = nil
	}
	if p.segs == nil || p.saves < least {
		return nil, n
	}
	share := p.saves / work(n)
	if share < mostWork && luts(n) >= manyLuts {
		return nil, n
	}
	k := &packs{home: p.home, runs: p.runs, of: p.runOf, segs: order(p.segs), share: share}
	k.layRuns(p.narrow <= 4*p.lanes, n)
	return k, k.rest(n)
}

// mostWork is the share of work that packs have to save for code to be made of
// them before anything else is tried.
const mostWork = 0.5

// manyLuts is how many look-ups a net may have to be packed for less: banks of
// look-ups save more, and are not made of what reads packed registers.
const manyLuts = 32

func luts(n *net.Net) int {
	k := 0
	for i := range n.N {
		if n.N[i].Op.Pooled() {
			k++
		}
	}
	return k
}

// work is about how many instructions plain code of n takes in a cycle.
func work(n *net.Net) float32 {
	sum := float32(1)
	for i := range n.N {
		sum += 0.7 * n.N[i].Cost()
	}
	for i := range n.Regs {
		if n.Regs[i].Next >= 0 {
			sum += 1.5
		}
	}
	return sum
}

// findRuns lays out the registers that are candidates: runs of at least half a
// vector, each with room around it for loads that stick out.
func (p *packer) findRuns() {
	n := p.n
	p.home = filled(p.home, len(n.Regs))
	p.runs, p.runOf, p.lanes = p.runs[:0], p.runOf[:0], 0
	for r := 0; r < len(n.Regs); {
		end := r
		for end < len(n.Regs) && !p.bad[end] && n.Regs[end].W == n.Regs[r].W && n.Regs[end].Slot == n.Regs[r].Slot+uint32(end-r) {
			end++
		}
		if end-r >= laneCount {
			p.runs = append(p.runs, laneRun{reg: int32(r), n: int32(end - r), lane: p.lanes})
			for i := r; i < end; i++ {
				p.home[i] = p.lanes + int32(i-r)
			}
			p.lanes += int32(end-r+laneCount-1)&^(laneCount-1) + laneCount
			for len(p.runOf) < int(p.lanes)/laneCount {
				p.runOf = append(p.runOf, int32(len(p.runs)-1))
			}
		}
		r = max(end, r+1)
	}
}

// matchAll builds the blocks of all runs. It reports whether all are to stay: the
// registers of those that do not pay and that no other block loads are candidates
// no more.
func (p *packer) matchAll() bool {
	p.blocks, p.saves = p.blocks[:0], 0
	loaded := make([]bool, p.lanes+2*laneCount) // by lane, from one vector before the first on
	var poor []laneRun
	for _, run := range p.runs {
		for at := int32(0); at < run.n; {
			k := p.cut(run.reg+at, min(run.n-at, laneCount))
			b, gain := p.block(run.reg+at, k)
			p.blocks = append(p.blocks, b)
			p.saves += gain
			if gain <= 0 {
				poor = append(poor, laneRun{reg: run.reg + at, n: k})
			} else {
				for i := range b.nodes {
					if v := &b.nodes[i]; v.k == vLoad {
						for j := range k {
							loaded[b.at+v.base+j+laneCount] = true
						}
					}
				}
			}
			at += k
		}
	}
	ok := true
	for _, run := range poor {
		used := false
		for i := range run.n {
			used = used || loaded[p.home[run.reg]+i+laneCount]
		}
		for i := range run.n {
			p.bad[run.reg+i] = p.bad[run.reg+i] || !used
		}
		ok = ok && used
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
				if h >= s.at && h < s.at+s.size {
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
			k.outs = append(k.outs, int32(i))
		}
	}
	slices.SortStableFunc(k.outs, func(a, b int32) int { return int(k.cells[a] - k.cells[b]) }) // a value's cells one after another
	for _, i := range k.outs {
		m.Outs = append(m.Outs, net.Out{Node: k.cells[i]})
	}
	return m.Compact()
}

// layRuns places the runs, each with a vector of room on both sides for loads
// that stick out.
func (k *packs) layRuns(narrow bool, n *net.Net) {
	for i := range k.runs {
		r := &k.runs[i]
		r.size = 4
		if w := n.Regs[r.reg].W; narrow && w <= 8 {
			r.size = 1
		} else if narrow && w <= 16 {
			r.size = 2
		}
		r.at = (k.bytes + r.size*laneCount + 63) &^ 63
		k.bytes = r.at + r.size*((r.n+laneCount-1)&^(laneCount-1)+laneCount)
	}
}

// place gives the packed part its scratch words, of which taken are in use, and
// returns how many are then.
func (k *packs) place(taken int32) int32 {
	bytes := k.shadow()
	if k.slow {
		bytes += k.bytes
	}
	words := (bytes + 63) &^ 63 / 8
	taken = (taken + 7) &^ 7
	k.base = -8 * (taken + words)
	return taken + words
}

// run is the run that a register's lane is in.
func (k *packs) run(lane int32) *laneRun { return &k.runs[k.of[lane/laneCount]] }

// runOf is the run of register r, nil when it is not packed; k may be nil.
func (k *packs) runOf(r int) *laneRun {
	if k == nil || k.home[r] < 0 {
		return nil
	}
	return k.run(k.home[r])
}

// laneAt is where a lane of a run is, in bytes from the state; it may be one
// just outside.
func (k *packs) laneAt(r *laneRun, lane int32) int32 { return k.base + r.at + r.size*(lane-r.lane) }

// cellAt is where a cell is.
func (k *packs) cellAt(cell int32) int32 { return k.base + k.bytes + 4*(laneCount+cell) }

// shadow is how far behind a lane its shadow is, in bytes.
func (k *packs) shadow() int32 { return (k.bytes + 4*(int32(len(k.cells))+2*laneCount) + 63) &^ 63 }
