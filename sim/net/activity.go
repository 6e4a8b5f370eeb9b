package net

import (
	"math/bits"
	"slices"

	"etch/ir/disjoint"
)

// Regions divide a net by activity. A region is nodes, with the registers that take their
// values, which need not be computed in a cycle unless a state word that they depend on changed
// at the previous edge.
//
// Samples of a run tell which words change, and when. The signature of a node is the set of
// samples in which a word changed that it depends on. Along a path signatures only grow. So
// connected nodes of one signature form a region that no path leaves and enters again, and
// regions can be computed one after the other.
type Regions struct {
	Of    []int32 // by node: its region, or -1 if it is computed in every cycle
	Reg   []int32 // by register with a next value: the region that writes it, or -1
	Count int
	Base  float64 // estimated instructions per cycle without regions
	Cost  float64 // and with regions
	costs *RegionCosts
}

// divider finds regions.
type divider struct {
	costs   *RegionCosts
	n       *Net
	words   int // per signature
	samples int
	least   float64                // instructions that a region must save
	changed []uint64               // by register: a row of samples
	sig     []uint64               // by node: its signature
	hot     []bool                 // by node: computed in every cycle
	joined  disjoint.Forest[int32] // of nodes, then registers
	live    []bool

	id      []int32 // by element of joined: its region
	regions []region
}

// region is a region under construction.
type region struct {
	cost  float64
	sig   []uint64
	wide  bool // it exchanges values with another region, or nodes outside of regions use its values
	dead  bool
	into  int32 // the region that absorbed it; itself if none did
	watch map[int32]bool
	keeps map[ID]bool
}

// Divide finds the regions of n; none if that takes too much work or saves nothing. changed has
// a row of words words per register: bit s says whether the register changed at the edge of
// sample s.
func (n *Net) Divide(changed []uint64, words, samples int, costs *RegionCosts) *Regions {
	return n.divide(changed, words, samples, 0, costs)
}

// divide keeps the regions that save more than least instructions.
func (n *Net) divide(changed []uint64, words, samples int, least float64, costs *RegionCosts) *Regions {
	d := &divider{costs: costs, n: n, words: words, samples: samples, least: least, changed: append([]uint64(nil), changed...)}
	d.live = n.liveNodes()

	// Registers that one region writes change together, which may make signatures equal: repeat.
	for range 2 {
		d.sign()
		d.connect()
		d.share()
	}

	d.sign()
	d.connect()
	d.collect()
	d.merge()

	// Dropping a region adds to the words that others must watch: repeat, a few times.
	for range 6 {
		if !d.links() {
			return &Regions{costs: d.costs}
		}
		if !d.drop() {
			return d.result()
		}
	}
	return &Regions{costs: d.costs}
}

func (d *divider) row(rows []uint64, i int) []uint64 { return rows[i*d.words:][:d.words] }

func weight(row []uint64) int {
	k := 0
	for _, w := range row {
		k += bits.OnesCount64(w)
	}
	return k
}

// sign computes the signatures of nodes. Hot nodes belong to no region: nodes that Stop needs,
// reads of written memories, values of Host registers, users of these, and nodes that are busy
// in most samples.
func (d *divider) sign() {
	n := d.n
	if d.sig == nil {
		d.sig, d.hot = make([]uint64, len(n.N)*d.words), make([]bool, len(n.N))
	}
	clear(d.sig)
	clear(d.hot)

	written := make([]bool, len(n.Mems))
	for i := range n.Writes {
		written[n.Writes[i].Mem] = true
	}

	// Nodes needed by Stop: arguments have smaller IDs, so one pass downwards suffices.
	early := make([]bool, len(n.N))
	if n.Stop >= 0 {
		early[n.Stop] = true
	}
	for i := len(n.N) - 1; i >= 0; i-- {
		if early[i] {
			n.Args(ID(i), func(x ID) { early[x] = true })
		}
	}

	// Signatures flow from leaves to users.
	for i := range n.N {
		nd, row := &n.N[i], d.row(d.sig, i)
		switch {
		case nd.Op == Leaf:
			copy(row, d.row(d.changed, int(nd.Imm)))
			d.hot[i] = n.Regs[nd.Imm].Host
		case nd.Op == Const:
		default:
			hot := early[i] || nd.Op == Read && written[nd.Imm] || nd.Op == Tables || nd.Op == TableWord
			n.Args(ID(i), func(x ID) {
				hot = hot || d.hot[x]
				for k, w := range d.row(d.sig, int(x)) {
					row[k] |= w
				}
			})
			d.hot[i] = hot || weight(row)*d.costs.BusyOneIn > d.samples
		}
	}
}

// cold reports whether node x may belong to a region.
func (d *divider) cold(x ID) bool {
	return x >= 0 && d.live[x] && !d.hot[x] && !d.n.N[x].Op.IsLeaf()
}

// connect unites connected nodes of one signature, and registers with their next values.
func (d *divider) connect() {
	n := d.n
	if d.joined == nil {
		d.joined = make(disjoint.Forest[int32], len(n.N)+len(n.Regs))
	}
	d.joined.Reset()

	// Edges between nodes of one signature. Equal signatures without an edge stay apart: merge
	// judges those pairs.
	for i := range n.N {
		if !d.cold(ID(i)) {
			continue
		}
		n.Args(ID(i), func(x ID) {
			if d.cold(x) && slices.Equal(d.row(d.sig, i), d.row(d.sig, int(x))) {
				d.joined.Join(int32(i), int32(x))
			}
		})
	}

	// A register goes with its next value, whatever its own changes.
	for r := range n.Regs {
		if x := n.Regs[r].Next; d.cold(x) {
			d.joined.Join(int32(len(n.N)+r), int32(x))
		}
	}
}

// share gives all registers that one region writes the union of their changes.
func (d *divider) share() {
	n := d.n
	of := map[int32]int{} // by region: the register that stands for all of them

	// Collect the union in the first register of the region, then copy it to the others.
	for r := range n.Regs {
		if !d.cold(n.Regs[r].Next) {
			continue
		}
		g := d.joined.Find(int32(len(n.N) + r))
		first, ok := of[g]
		if !ok {
			of[g] = r
			continue
		}
		for k, w := range d.row(d.changed, r) {
			d.row(d.changed, first)[k] |= w
		}
	}

	for r := range n.Regs {
		if d.cold(n.Regs[r].Next) {
			copy(d.row(d.changed, r), d.row(d.changed, of[d.joined.Find(int32(len(n.N)+r))]))
		}
	}
}
