package pack

import (
	"etch/sim/choose"
	"etch/sim/native/internal/schedule"
	"etch/sim/net"
)

// ElementCount is the number of elements of a vector.
const ElementCount = 8

// Packs is the packed part of a net.
type Packs struct {
	Home   []int32      // by register of the remaining net: its element, or -1
	Runs   []ElementRun // registers copied in and out
	of     []int32      // by element / ElementCount: its run
	Bytes  int32        // size of all elements
	Segs   []Segment    // in execution order
	Cells  []net.ID     // by cell: its value; None if it is never read
	Fixed  []bool       // by cell: it holds a constant, set once
	Consts []uint64     // by fixed cell: that constant
	Outs   []int32      // by output of the remaining net from first on: its cell
	First  int          // outputs of the net before packing
	Base   int32        // bytes from the state to the elements; cells follow, then shadows
	slow   bool         // some segment writes to shadows
	Share  float32      // estimated share of the net's work that packing saves
}

// ElementRun is registers of neighbouring slots that live in neighbouring elements.
type ElementRun struct {
	reg, N  int32 // registers from reg on
	Slot    int32 // of the first register
	Element int32 // of the first register
	Size    int32 // bytes per stored element
	at      int32 // bytes from the first run's elements
}

// packer finds what to pack.
type packer struct {
	pol      *choose.Packs
	n        *net.Net
	home     []int32
	bad      []bool // by register: packing it does not pay
	elements int32
	runs     []ElementRun
	runOf    []int32
	saves    float32
	blocks   []block
	shapes   []shape
	whole    int32   // a block that the next ones of its run are compared with first; -1 for none
	patches  []Patch // of all blocks

	// State of the block being matched:
	shape
	of    []elements // nodes by element of its vectors
	from  int32      // home element of its first register
	first int        // of its patches
}

func newPacker(n *net.Net, pol *choose.Packs) *packer {
	p := &packer{pol: pol, n: n, bad: make([]bool, len(n.Regs))}
	for r := range n.Regs {
		g := &n.Regs[r]
		p.bad[r] = g.W > 32 || g.Next < 0 || g.Host
	}
	return p
}

// Find returns the packed part of n and the net that is left; nil if packing does not pay.
func Find(n *net.Net, pol *choose.Packs) (*Packs, *net.Net) {
	// Blocks that do not pay drop their registers, which may spoil others: repeat.
	p := newPacker(n, pol)
	for round := range pol.Rounds {
		p.findRuns()
		if len(p.runs) == 0 {
			return nil, n
		}
		if p.matchAll() || round == pol.Rounds-1 {
			break
		}
	}

	if p.saves < pol.Least {
		return nil, n
	}

	share := p.saves / p.work()
	if share < pol.Most && luts(n) >= pol.ManyLuts {
		return nil, n
	}

	k := &Packs{Runs: p.runs, of: p.runOf, Segs: order(p.segments()), Share: share}
	k.layRuns(pol.NarrowFrom <= 4*p.elements, n)
	return k, k.rest(n, p.home)
}

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
func (p *packer) work() float32 {
	n, sum := p.n, float32(1)
	for i := range n.N {
		sum += p.pol.Scalar * n.N[i].Cost()
	}
	for i := range n.Regs {
		if n.Regs[i].Next >= 0 {
			sum += p.pol.Store
		}
	}
	return sum
}

// findRuns lays out the candidate registers: runs of at least one vector, each with a vector of
// room behind it for loads that overhang.
func (p *packer) findRuns() {
	n := p.n
	p.home = schedule.Filled(p.home, len(n.Regs))
	p.runs, p.runOf, p.elements = p.runs[:0], p.runOf[:0], 0
	for r := 0; r < len(n.Regs); {
		// The longest run from r on: equal widths in neighbouring slots.
		end := r
		for end < len(n.Regs) && !p.bad[end] && n.Regs[end].W == n.Regs[r].W && n.Regs[end].Slot == n.Regs[r].Slot+int32(end-r) {
			end++
		}

		if end-r >= ElementCount {
			p.runs = append(p.runs, ElementRun{reg: int32(r), N: int32(end - r), Slot: n.Regs[r].Slot, Element: p.elements})
			for i := r; i < end; i++ {
				p.home[i] = p.elements + int32(i-r)
			}
			p.elements += int32(end-r+ElementCount-1)&^(ElementCount-1) + ElementCount
			for len(p.runOf) < int(p.elements)/ElementCount {
				p.runOf = append(p.runOf, int32(len(p.runs)-1))
			}
		}
		r = max(end, r+1)
	}
}

// layRuns assigns addresses to the runs, each with a vector of room on both sides for loads that
// overhang.
func (k *Packs) layRuns(narrow bool, n *net.Net) {
	for i := range k.Runs {
		r := &k.Runs[i]
		r.Size = 4
		if w := n.Regs[r.reg].W; narrow && w <= 8 {
			r.Size = 1
		} else if narrow && w <= 16 {
			r.Size = 2
		}

		// Runs begin at cache lines.
		r.at = (k.Bytes + r.Size*ElementCount + 63) &^ 63
		k.Bytes = r.at + r.Size*((r.N+ElementCount-1)&^(ElementCount-1)+ElementCount)
	}
}

// Place assigns scratch words to the packed part, behind the taken ones, and returns the new
// number of words in use. Elements start at a multiple of 64 bytes.
func (k *Packs) Place(taken int32) int32 {
	bytes := k.Shadow()

	// Shadows are a second copy of all elements.
	if k.slow {
		bytes += k.Bytes
	}
	words := (bytes + 63) &^ 63 / 8
	taken = (taken + 7) &^ 7
	k.Base = -8 * (taken + words)
	return taken + words + k.spillBytes()/8
}

// Spills is the number of vectors for which there is room while a block is computed: all of the
// largest graph, and temporaries.
func (k *Packs) Spills() int32 {
	most := 0
	for i := range k.Segs {
		most = max(most, len(k.Segs[i].Nodes))
	}
	return int32(most) + 4
}

// spillBytes is the size of that room.
func (k *Packs) spillBytes() int32 { return (4*ElementCount*k.Spills() + 63) &^ 63 }

// SpillAt is the offset of the room for spilled vectors from the state, in bytes. The room is
// below the elements, so that it makes no address of plain code longer.
func (k *Packs) SpillAt() int32 { return k.Base - k.spillBytes() }

// Run is the run of registers that an element belongs to.
func (k *Packs) Run(element int32) *ElementRun { return &k.Runs[k.of[element/ElementCount]] }

// RunOf is the run of register r, or nil if r is not packed. k may be nil.
func (k *Packs) RunOf(r int) *ElementRun {
	if k == nil || k.Home[r] < 0 {
		return nil
	}
	return k.Run(k.Home[r])
}

// ElementAt is the offset of an element of a run from the state, in bytes. The element may be just outside
// of the run.
func (k *Packs) ElementAt(r *ElementRun, element int32) int32 {
	return k.Base + r.at + r.Size*(element-r.Element)
}

// CellAt is the offset of a cell from the state, in bytes.
func (k *Packs) CellAt(cell int32) int32 { return k.Base + k.Bytes + 4*(ElementCount+cell) }

// Shadow is the distance from an element to its shadow, in bytes.
func (k *Packs) Shadow() int32 { return (k.Bytes + 4*(int32(len(k.Cells))+2*ElementCount) + 63) &^ 63 }
