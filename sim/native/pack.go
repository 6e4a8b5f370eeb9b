package native

import "etch/sim/net"

// Repetition: registers that lie side by side and take isomorphic next values are
// computed eight at a time, in vectors of 32-bit lanes. A packed register lives,
// while code runs, in a lane of a copy of the state ([packs]): code copies packed
// registers in when it is called and back when it returns.
//
//	runs      registers of one width in neighbouring slots      (pack.go)
//	block     eight of a run                                     (pack_block.go)
//	shape     the graph of vectors that a block is matched into  (pack_match.go),
//	          or found to be like another one                    (pack_again.go)
//	segment   blocks in a row of one shape: one loop             (pack_segment.go)
//
// What a lane needs from elsewhere, at the edge of an array or from other state,
// is an ordinary output of the net that is left: plain code computes it and puts
// it in a cell, before the segments run. They come last in the cycle, readers
// before writers, so that plain code sees packed registers as they were.

const laneCount = 8

// packs is the packed part of a net.
type packs struct {
	home   []int32   // by register of the net that is left: its lane, -1 when it is not packed
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
	reg, n int32  // registers from reg on
	slot   uint32 // of the first one
	lane   int32  // likewise
	size   int32  // bytes in which a lane is stored
	at     int32  // bytes from the first run
}

// narrowFrom is from how many bytes of lanes on they are stored in 8 or 16 bits
// where that is enough: it takes instructions, but the cache holds more.
const narrowFrom = 16 << 10

// least is what packing must save, in instructions a cycle, to be done.
const least = 40

// packer finds what to pack.
type packer struct {
	n       *net.Net
	narrow  int32 // see narrowFrom
	home    []int32
	bad     []bool // by register: packing it does not pay
	lanes   int32
	runs    []laneRun
	runOf   []int32
	saves   float32
	blocks  []block
	shapes  []shape
	whole   int32   // a block of the run that all lanes of the next ones may be like, -1
	patches []patch // of all blocks
	segs    []segment

	// of the block that is matched
	shape
	of    []lanes // of its vectors
	from  int32   // home lane of its first register
	first int     // of its patches
}

func newPacker(n *net.Net, narrow int32) *packer {
	p := &packer{n: n, narrow: narrow, bad: make([]bool, len(n.Regs))}
	for r := range n.Regs {
		g := &n.Regs[r]
		p.bad[r] = g.W > 32 || g.Next < 0 || g.Host
	}
	return p
}

// findPacks returns the packed part of n and the net that is left; nil when there
// is nothing that pays.
func findPacks(n *net.Net, narrow int32) (*packs, *net.Net) {
	p := newPacker(n, narrow)
	for round := range 4 {
		p.findRuns()
		if len(p.runs) == 0 {
			return nil, n
		}
		ok := p.matchAll()
		p.segs = p.segments()
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
	k := &packs{runs: p.runs, of: p.runOf, segs: order(p.segs), share: share}
	k.layRuns(p.narrow <= 4*p.lanes, n)
	return k, k.rest(n, p.home)
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
			p.runs = append(p.runs, laneRun{reg: int32(r), n: int32(end - r), slot: n.Regs[r].Slot, lane: p.lanes})
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
