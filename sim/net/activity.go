package net

import "math/bits"

// Regions divide a net by when it has something to do: a region is nodes and the
// registers that take their values, which need not be computed in a cycle unless
// a word of state that they follow from has changed at the edge before.
//
// Which words change, and when, is told by samples of a run. A node's signature
// is the samples in which a word changed that it follows from. Along a path
// signatures only grow; nodes that are connected and have one signature are
// therefore a region of which no path leads out and in again, so that regions
// can be computed one after another.
type Regions struct {
	Of    []int32 // by node: its region, -1 for what is computed in every cycle
	Reg   []int32 // by register that has a next value: the region that writes it, or -1
	Count int
	Base  float64 // about how many instructions a cycle takes without regions
	Cost  float64 // and with them
}

// Costs of regions, in instructions.
const (
	gateCost  = 2.5 // to ask whether a region has something to do
	watchCost = 1.5 // to see whether a word has changed that something else writes
	keepCost  = 3.0 // to keep a value that something else needs
	// largeRegion is the cost from which on regions are not merged: asking is as
	// good as nothing then, and samples do not tell everything.
	largeRegion = 400
	mostBusy    = 2 // a region works in one of so many samples at most
)

// divider finds regions.
type divider struct {
	n       *Net
	words   int // of a signature
	samples int
	least   float64
	changed []uint64 // rows by register
	sig     []uint64 // rows by node
	hot     []bool   // by node: computed in every cycle
	up      []int32  // union-find over nodes, then registers
	live    []bool

	id      []int32 // by element of up: its region
	regions []part
}

// part is a region that is being formed.
type part struct {
	cost  float64
	sig   []uint64
	wide  bool // it computes what other regions, or what is no region, need
	dead  bool
	into  int32 // the region that took it up, itself when none did
	watch map[int32]bool
	keeps map[ID]bool
}

// Divide finds the regions of n; there are none when that would be too much work,
// or saves nothing. changed has a row of words words for each register: bit s
// tells whether it changed at the edge of sample s.
func (n *Net) Divide(changed []uint64, words, samples int) *Regions {
	return n.divide(changed, words, samples, 0)
}

// divide keeps the regions that save more than least instructions.
func (n *Net) divide(changed []uint64, words, samples int, least float64) *Regions {
	d := &divider{n: n, words: words, samples: samples, least: least, changed: append([]uint64(nil), changed...)}
	d.live = n.liveNodes()
	for range 2 { // registers that one region writes count as one
		d.sign()
		d.connect()
		d.share()
	}
	d.sign()
	d.connect()
	d.collect()
	d.merge()
	for range 6 {
		if !d.links() {
			return &Regions{}
		}
		if !d.drop() {
			return d.result()
		}
	}
	return &Regions{}
}

func (d *divider) row(rows []uint64, i int) []uint64 { return rows[i*d.words:][:d.words] }

func weight(row []uint64) int {
	k := 0
	for _, w := range row {
		k += bits.OnesCount64(w)
	}
	return k
}

func same(a, b []uint64) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// sign computes the signatures of nodes. What the net's Stop needs, what reads a
// memory that is written or a register of the Host, and what is nearly always busy is
// hot.
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
	early := make([]bool, len(n.N))
	if n.Stop >= 0 {
		early[n.Stop] = true
	}
	for i := len(n.N) - 1; i >= 0; i-- {
		if early[i] {
			n.Args(ID(i), func(x ID) { early[x] = true })
		}
	}
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
			d.hot[i] = hot || weight(row)*mostBusy > d.samples
		}
	}
}

// cold reports whether node x may be in a region.
func (d *divider) cold(x ID) bool {
	return x >= 0 && d.live[x] && !d.hot[x] && !d.n.N[x].Op.IsLeaf()
}

func (d *divider) find(x int32) int32 {
	for d.up[x] != x {
		d.up[x] = d.up[d.up[x]]
		x = d.up[x]
	}
	return x
}

func (d *divider) union(a, b int32) {
	if a, b = d.find(a), d.find(b); a != b {
		d.up[max(a, b)] = min(a, b)
	}
}

// connect joins connected nodes of one signature, and registers with their next
// values.
func (d *divider) connect() {
	n := d.n
	if d.up == nil {
		d.up = make([]int32, len(n.N)+len(n.Regs))
	}
	for i := range d.up {
		d.up[i] = int32(i)
	}
	for i := range n.N {
		if !d.cold(ID(i)) {
			continue
		}
		n.Args(ID(i), func(x ID) {
			if d.cold(x) && same(d.row(d.sig, i), d.row(d.sig, int(x))) {
				d.union(int32(i), int32(x))
			}
		})
	}
	for r := range n.Regs {
		if x := n.Regs[r].Next; d.cold(x) {
			d.union(int32(len(n.N)+r), int32(x))
		}
	}
}

// share gives the registers that one region writes the changes of all of them.
func (d *divider) share() {
	n := d.n
	of := map[int32]int{} // by region: the register that stands for all
	for r := range n.Regs {
		if !d.cold(n.Regs[r].Next) {
			continue
		}
		g := d.find(int32(len(n.N) + r))
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
			copy(d.row(d.changed, r), d.row(d.changed, of[d.find(int32(len(n.N)+r))]))
		}
	}
}
