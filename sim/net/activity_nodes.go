package net

import (
	"math/bits"
	"slices"
)

// State gives the values of a net's state words and memories to an evaluation.
type State interface {
	// Reg is the value of register r.
	Reg(r int) uint64
	// Mem is a word of memory m; addr is below its Words.
	Mem(m int32, addr uint64) uint64
}

// compute is the value of node i. v holds the values of the nodes before it. It knows no tables.
func (n *Net) compute(i ID, v []uint64, s State) uint64 {
	nd := &n.N[i]
	switch nd.Op {
	case Const:
		return nd.Imm
	case Leaf:
		return s.Reg(int(nd.Imm))
	// The frequent operations without the generic call.
	case And:
		return v[nd.A] & v[nd.B]
	case Or:
		return v[nd.A] | v[nd.B]
	case Mux:
		if v[nd.A] != 0 {
			return v[nd.B]
		}
		return v[nd.C]
	case Slice:
		return v[nd.A] >> nd.Imm & Mask(nd.W)
	case Eq:
		return truth(v[nd.A] == v[nd.B])
	// A memory reads 0 past its end.
	case Read:
		if a := v[nd.A]; a < uint64(n.Mems[nd.Imm].Words) {
			return s.Mem(int32(nd.Imm), a)
		}
		return 0
	// The operands are the bits of the address in the table.
	case Lut:
		at := 0
		for k, x := range n.Pool[nd.A : nd.A+nd.B] {
			at |= int(v[x]) << k
		}
		return nd.Imm >> at & 1
	}
	return n.evaluate(nd, v)
}

// evaluate is the value of any other node.
func (n *Net) evaluate(nd *Node, v []uint64) uint64 {
	a, b, c := v[nd.A], uint64(0), uint64(0)
	if nd.B >= 0 {
		b = v[nd.B]
	}
	if nd.C >= 0 {
		c = v[nd.C]
	}
	return Eval(nd.Op, nd.W, nd.Imm, a, b, c)
}

// Activity is samples of a net's activity. A sample is a pair of successive cycles. A node is
// active in it if an argument differs between the two, so that the node had to be computed; it
// changes if its own value differs.
type Activity struct {
	n       *Net
	samples int
	words   int      // per row
	active  []uint64 // by node: a row of bits, one per sample
	changed []uint64
	truth   []uint64 // in a sample: the node is not 0
	live    []bool

	v      []uint64 // values of all nodes at the last state
	users  lists    // by node: the live nodes that take its value
	given  []uint64 // a bit for each live leaf and read, which may change though no argument does
	woken  []uint64 // a bit for each node whose argument has changed
	over   []over   // by memory: its words, if it lies over registers
	known  bool     // v belongs to a state
	paired bool     // to that of the cycle before
	count  int
}

// NewActivity makes room for a number of samples, a multiple of 64.
func (n *Net) NewActivity(samples int) *Activity {
	k := len(n.N)
	a := &Activity{n: n, samples: samples, words: samples / 64, live: n.liveWith(n.On), v: make([]uint64, k)}
	a.active, a.changed, a.truth = make([]uint64, k*a.words), make([]uint64, k*a.words), make([]uint64, k*a.words)

	// The way from a change to the nodes that it wakes.
	a.given, a.woken, a.over = make([]uint64, (k+63)/64), make([]uint64, (k+63)/64), make([]over, len(n.Mems))
	a.users = listsOf(k, func(f func(of, x int32)) {
		for i := range n.N {
			if a.live[i] {
				n.Args(ID(i), func(x ID) { f(int32(x), int32(i)) })
			}
		}
	})
	for i := range n.N {
		nd := &n.N[i]
		if a.live[i] && (nd.Op == Leaf || nd.Op == Read) {
			a.given[i/64] |= 1 << (i % 64)
		}
		if nd.Op == Read && n.Mems[nd.Imm].Step > 0 {
			a.over[nd.Imm].words = make([]uint64, n.Mems[nd.Imm].Depth)
		}
	}
	return a
}

// over is the words of a memory at the last state, and whether one was another at the state before.
type over struct {
	words   []uint64
	differs bool
}

// Samples is the number of samples taken so far.
func (a *Activity) Samples() int { return a.count }

// Full reports whether there is no room for more.
func (a *Activity) Full() bool { return a.count == a.samples }

// Gap says that the next state does not follow the last one.
func (a *Activity) Gap() { a.paired = false }

// activeRow and changedRow are the samples of node x.
func (a *Activity) activeRow(x ID) []uint64  { return a.active[int(x)*a.words:][:a.words] }
func (a *Activity) changedRow(x ID) []uint64 { return a.changed[int(x)*a.words:][:a.words] }

func (a *Activity) truthRow(x ID) []uint64 { return a.truth[int(x)*a.words:][:a.words] }

// extended is the samples for a net that has more nodes behind those of a's net. Nothing is known of
// them.
func (a *Activity) extended(n *Net) *Activity {
	b := *a
	b.n = n
	more := make([]uint64, (len(n.N)-len(a.n.N))*a.words)
	b.active, b.changed, b.truth = append(slices.Clip(a.active), more...), append(slices.Clip(a.changed), more...), append(slices.Clip(a.truth), more...)
	return &b
}

// odds is the share of the samples in row in which node x is not 0. It is never 0 or 1, since there
// are few samples.
func (a *Activity) odds(x ID, row []uint64) float64 {
	held, all := 0.5, 1.0
	for i, w := range a.truth[int(x)*a.words:][:a.words] {
		held += float64(bits.OnesCount64(w & row[i]))
		all += float64(bits.OnesCount64(row[i]))
	}
	return held / all
}

// share is the part of the samples that a row has.
func (a *Activity) share(row []uint64) float64 {
	return float64(weight(row)) / float64(max(1, a.count))
}

// Summary is shares of a net's work in an average cycle of the samples.
type Summary struct {
	Nodes   int     // live operations
	Active  float64 // share of their cost that had to be computed
	Changed float64 // share of their values that changed
}

// Summary sums the samples up.
func (a *Activity) Summary() (s Summary) {
	all, active, changed := 0.0, 0.0, 0.0
	for i := range a.n.N {
		if !a.live[i] || a.n.N[i].Op.IsLeaf() {
			continue
		}
		cost := float64(a.n.N[i].Cost())
		s.Nodes++
		all += cost
		active += cost * a.share(a.activeRow(ID(i)))
		changed += a.share(a.changedRow(ID(i)))
	}
	s.Active, s.Changed = active/max(all, 1), changed/float64(max(s.Nodes, 1))
	return s
}

// fill sets the bits of all samples in a row.
func (a *Activity) fill(row []uint64) {
	for s := range a.count {
		row[s/64] |= 1 << (s % 64)
	}
}

// either is the number of samples in at least one of two rows.
func either(a, b []uint64) (k int) {
	for i, w := range a {
		k += bits.OnesCount64(w | b[i])
	}
	return k
}
