package native

import "etch/sim/net"

// Packs use repetition: registers in neighbouring slots with isomorphic next values are computed
// eight at a time, in vectors of 32-bit lanes. While code runs, a packed register lives in a
// lane of a copy of the state ([packs]). Code copies packed registers in when it is called and
// back when it returns.
//
//	runs      registers of one width in neighbouring slots      (pack.go)
//	block     eight of a run                                     (pack_block.go)
//	shape     the graph of vectors that a block is matched into  (pack_match.go),
//	          or found to be like another one                    (pack_again.go)
//	segment   blocks in a row of one shape: one loop             (pack_segment.go)
//
// A value that only some lanes need, at the edge of an array or from other state, is an ordinary
// output of the net that is left. Plain code computes it and stores it in a cell, before the
// segments run. Segments come last in the cycle, readers before writers, so plain code sees
// packed registers with their old values.

const laneCount = 8

// packs is the packed part of a net.
type packs struct {
	home   []int32   // by register of the remaining net: its lane, or -1
	runs   []laneRun // registers copied in and out
	of     []int32   // by lane / laneCount: its run
	bytes  int32     // size of all lanes
	segs   []segment // in execution order
	cells  []net.ID  // by cell: its value; None if it is never read
	fixed  []bool    // by cell: it holds a constant, set once
	consts []uint64  // by fixed cell: that constant
	outs   []int32   // by output of the remaining net from first on: its cell
	first  int       // outputs of the net before packing
	base   int32     // bytes from the state to the lanes; cells follow, then shadows
	slow   bool      // some segment writes to shadows
	share  float32   // estimated share of the net's work that packing saves
}

// laneRun is registers of neighbouring slots that live in neighbouring lanes.
type laneRun struct {
	reg, n int32  // registers from reg on
	slot   uint32 // of the first register
	lane   int32  // of the first register
	size   int32  // bytes per stored lane
	at     int32  // bytes from the first run's lanes
}

// narrowFrom is the size of all lanes, in bytes, from which lanes of 8 or 16 bits are stored
// narrow. Widening takes instructions, but the lanes stay in the cache.
const narrowFrom = 16 << 10

// least is the smallest saving, in instructions a cycle, for which packs are made.
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
	whole   int32   // a block that the next ones of its run are compared with first; -1 for none
	patches []patch // of all blocks
	segs    []segment

	// State of the block being matched:
	shape
	of    []lanes // nodes by lane of its vectors
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

// findPacks returns the packed part of n and the net that is left; nil if packing does not pay.
func findPacks(n *net.Net, narrow int32) (*packs, *net.Net) {
	// Blocks that do not pay, or do not fit in registers, drop their registers, which may spoil
	// others: repeat.
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

// mostWork is the share of work that packs must save to be made of a net with many look-ups.
const mostWork = 0.5

// manyLuts is the number of look-ups from which mostWork applies: banks of look-ups save more,
// and values that read packed registers cannot be in banks.
const manyLuts = 32

// luts counts the look-ups of n.
func luts(n *net.Net) int {
	k := 0
	for i := range n.N {
		if n.N[i].Op.Pooled() {
			k++
		}
	}
	return k
}

// work estimates the instructions per cycle of plain code.
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

// findRuns lays out the candidate registers: runs of at least one vector, each with a vector of
// room behind it for loads that overhang.
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

// fits drops segments that need more vector registers than there are, and reports whether there
// were none.
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

// layRuns assigns addresses to the runs, each with a vector of room on both sides for loads that
// overhang.
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

// place assigns scratch words to the packed part, behind the taken ones, and returns the new
// number of words in use. Lanes start at a multiple of 64 bytes.
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

// run is the run of a lane.
func (k *packs) run(lane int32) *laneRun { return &k.runs[k.of[lane/laneCount]] }

// runOf is the run of register r, or nil if r is not packed. k may be nil.
func (k *packs) runOf(r int) *laneRun {
	if k == nil || k.home[r] < 0 {
		return nil
	}
	return k.run(k.home[r])
}

// laneAt is the offset of a lane of a run from the state, in bytes. The lane may be just outside
// of the run.
func (k *packs) laneAt(r *laneRun, lane int32) int32 { return k.base + r.at + r.size*(lane-r.lane) }

// cellAt is the offset of a cell from the state, in bytes.
func (k *packs) cellAt(cell int32) int32 { return k.base + k.bytes + 4*(laneCount+cell) }

// shadow is the distance from a lane to its shadow, in bytes.
func (k *packs) shadow() int32 { return (k.bytes + 4*(int32(len(k.cells))+2*laneCount) + 63) &^ 63 }
