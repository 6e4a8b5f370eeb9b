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
	nodes int32
	wide  bool // it computes what other regions, or what is no region, need
	dead  bool
	into  int32 // the region that took it up, itself when none did
	watch map[int32]bool
	keeps map[ID]bool
}

// Divide finds the regions of n; there are none when that would be too much work,
// or saves nothing. changed has a row of words words for each
// register: bit s tells whether it changed at the edge of sample s.
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
// memory that is written, and what is nearly always busy is hot.
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

// collect numbers the regions.
func (d *divider) collect() {
	n := d.n
	d.id = make([]int32, len(d.up))
	for i := range d.id {
		d.id[i] = -1
	}
	for i := range n.N {
		if !d.cold(ID(i)) {
			continue
		}
		g := d.find(int32(i))
		if d.id[g] < 0 {
			d.id[g] = int32(len(d.regions))
			d.regions = append(d.regions, part{into: d.id[g], sig: append([]uint64(nil), d.row(d.sig, i)...)})
		}
		p := &d.regions[d.id[g]]
		p.cost += float64(n.N[i].Cost())
		p.nodes++
	}
	for i := range n.N { // what leaves its region
		n.Args(ID(i), func(x ID) {
			if d.live[i] && d.cold(x) && (!d.cold(ID(i)) || d.find(int32(x)) != d.find(int32(i))) {
				d.regions[d.id[d.find(int32(x))]].wide = true
				if d.cold(ID(i)) {
					d.regions[d.id[d.find(int32(i))]].wide = true
				}
			}
		})
	}
}

// at is the region of element e of up, -1 if it has none.
func (d *divider) at(e int32) int32 {
	k := d.id[d.find(e)]
	for k >= 0 && d.regions[k].into != k {
		k = d.regions[k].into
	}
	if k < 0 || d.regions[k].dead {
		return -1
	}
	return k
}

func (d *divider) ofNode(x ID) int32 {
	if !d.cold(x) {
		return -1
	}
	return d.at(int32(x))
}

func (d *divider) ofReg(r int) int32 {
	if !d.cold(d.n.Regs[r].Next) {
		return -1
	}
	return d.at(int32(len(d.n.N) + r))
}

func (d *divider) busy(p *part) float64 { return float64(weight(p.sig)) / float64(d.samples) }

// merge joins regions that pass values to each other through registers alone,
// where that costs less than asking each of them.
func (d *divider) merge() {
	n := d.n
	type pair struct{ a, b int32 }
	var pairs []pair
	seen := map[pair]bool{}
	for i := range n.N {
		g := d.ofNode(ID(i))
		if g < 0 || d.regions[g].wide {
			continue
		}
		n.Args(ID(i), func(x ID) {
			if nd := &n.N[x]; nd.Op == Leaf {
				h := d.ofReg(int(nd.Imm))
				if p := (pair{min(g, h), max(g, h)}); h >= 0 && h != g && !d.regions[h].wide && !seen[p] {
					seen[p] = true
					pairs = append(pairs, p)
				}
			}
		})
	}
	for g := 1; g < len(d.regions); g++ { // and neighbours
		if !d.regions[g-1].wide && !d.regions[g].wide {
			pairs = append(pairs, pair{int32(g - 1), int32(g)})
		}
	}
	for _, p := range pairs {
		d.join(p.a, p.b)
	}
}

// join merges two regions if that pays.
func (d *divider) join(a, b int32) {
	for d.regions[a].into != a {
		a = d.regions[a].into
	}
	for d.regions[b].into != b {
		b = d.regions[b].into
	}
	if a == b {
		return
	}
	p, q := &d.regions[a], &d.regions[b]
	if p.cost+q.cost > largeRegion {
		return
	}
	both := make([]uint64, d.words)
	for k := range both {
		both[k] = p.sig[k] | q.sig[k]
	}
	apart := d.busy(p)*p.cost + d.busy(q)*q.cost + gateCost + watchCost
	if float64(weight(both))/float64(d.samples)*(p.cost+q.cost) > apart {
		return
	}
	p.sig, p.cost, p.nodes = both, p.cost+q.cost, p.nodes+q.nodes
	q.into = a
}

// links finds what each region has to watch, and to keep for others; false when
// that is too much.
func (d *divider) links() bool {
	n := d.n
	for i := range d.regions {
		d.regions[i].watch, d.regions[i].keeps = map[int32]bool{}, map[ID]bool{}
	}
	keep := func(x ID, by int32) {
		if g := d.ofNode(x); g >= 0 && g != by {
			d.regions[g].keeps[x] = true
		}
	}
	for i := range n.N {
		if !d.live[i] || n.N[i].Op.IsLeaf() {
			continue
		}
		g := d.ofNode(ID(i))
		n.Args(ID(i), func(x ID) {
			keep(x, g)
		})
	}
	all, ok := n.supports(d.ofNode, len(d.regions))
	if !ok {
		return false
	}
	for _, r := range all {
		for _, reg := range r.regs {
			if d.n.Regs[reg].Next >= 0 && d.ofReg(int(reg)) != r.region {
				d.regions[r.region].watch[reg] = true
			}
		}
	}
	for r := range n.Regs {
		if x := n.Regs[r].Next; x >= 0 {
			keep(x, d.ofReg(r))
		}
	}
	for i := range n.Writes {
		w := &n.Writes[i]
		for _, x := range [4]ID{w.En, w.Addr, w.Data, w.Mask} {
			if x >= 0 {
				keep(x, -1)
			}
		}
	}
	for i := range n.Outs {
		keep(n.Outs[i].Node, -1)
	}
	return true
}

// gain is what a region saves in a cycle.
func (d *divider) gain(p *part) float64 {
	return (1-d.busy(p))*p.cost - gateCost - watchCost*float64(len(p.watch)) - keepCost*float64(len(p.keeps))
}

// drop gives up the regions that save nothing, and reports whether there were any.
func (d *divider) drop() bool {
	any := false
	for i := range d.regions {
		if p := &d.regions[i]; p.into == int32(i) && !p.dead && d.gain(p) <= d.least {
			p.dead, any = true, true
		}
	}
	return any
}

func (d *divider) result() *Regions {
	n := d.n
	r := &Regions{Of: make([]int32, len(n.N)), Reg: make([]int32, len(n.Regs))}
	number := make([]int32, len(d.regions))
	for i := range n.N {
		if d.live[i] {
			r.Base += float64(n.N[i].Cost())
		}
	}
	r.Base += float64(len(n.Regs))
	r.Cost = r.Base
	for i := range d.regions {
		p := &d.regions[i]
		if number[i] = -1; p.into == int32(i) && !p.dead {
			number[i] = int32(r.Count)
			r.Count++
			r.Cost -= d.gain(p)
		}
	}
	of := func(g int32) int32 {
		if g < 0 {
			return -1
		}
		return number[g]
	}
	for i := range n.N {
		r.Of[i] = of(d.ofNode(ID(i)))
	}
	for i := range n.Regs {
		if r.Reg[i] = -1; n.Regs[i].Next >= 0 {
			r.Reg[i] = of(d.ofReg(i))
		}
	}
	return r
}

// support is the registers that the nodes of a region follow from.
type support struct {
	region int32
	regs   []int32 // ascending
}

// mostWatched bounds all supports together.
const mostWatched = 1 << 22

// supports lists what every region follows from, also by way of nodes that are
// in none or in another region; not ok when that is too much.
func (n *Net) supports(of func(ID) int32, count int) (all []support, ok bool) {
	region, need := make([]int32, len(n.N)), make([]bool, len(n.N))
	for i := len(n.N) - 1; i >= 0; i-- {
		region[i] = of(ID(i))
		if region[i] >= 0 || need[i] {
			n.Args(ID(i), func(x ID) { need[x] = need[x] || need[i] || of(x) != region[i] })
		}
	}
	var s sets
	follows := make([][]int32, len(n.N))
	by := make([][]int32, count)
	total := 0
	for i := range n.N {
		nd, g := &n.N[i], region[i]
		if nd.Op == Leaf {
			follows[i] = []int32{int32(nd.Imm)}
			continue
		}
		if need[i] {
			n.Args(ID(i), func(x ID) { follows[i] = s.union(follows[i], follows[x]) })
			total += len(follows[i])
		}
		if g >= 0 {
			n.Args(ID(i), func(x ID) {
				if region[x] != g {
					by[g] = s.union(by[g], follows[x])
				}
			})
		}
		if total > mostWatched {
			return nil, false
		}
	}
	for g := range by {
		if len(by[g]) > 0 {
			all = append(all, support{int32(g), by[g]})
		}
	}
	return all, true
}

// sets makes unions of ascending lists.
type sets struct{ scratch []int32 }

// union is a list of what is in a or b; it may be one of them.
func (s *sets) union(a, b []int32) []int32 {
	if len(a) == 0 {
		return b
	}
	s.scratch = s.scratch[:0]
	i, new := 0, false
	for _, x := range b {
		for i < len(a) && a[i] < x {
			s.scratch = append(s.scratch, a[i])
			i++
		}
		if i < len(a) && a[i] == x {
			i++
		} else {
			new = true
		}
		s.scratch = append(s.scratch, x)
	}
	if !new {
		return a
	}
	return append(append([]int32(nil), s.scratch...), a[i:]...)
}
