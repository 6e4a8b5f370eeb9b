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

// Evaluate computes the values of all nodes into v, which has one element per node. It knows no
// tables.
func (n *Net) Evaluate(v []uint64, s State) {
	for i := range n.N {
		nd := &n.N[i]
		switch nd.Op {
		case Const:
			v[i] = nd.Imm
		case Leaf:
			v[i] = s.Reg(int(nd.Imm))
		// The frequent operations without the generic call.
		case And:
			v[i] = v[nd.A] & v[nd.B]
		case Or:
			v[i] = v[nd.A] | v[nd.B]
		case Mux:
			v[i] = v[nd.C]
			if v[nd.A] != 0 {
				v[i] = v[nd.B]
			}
		case Slice:
			v[i] = v[nd.A] >> nd.Imm & Mask(nd.W)
		case Eq:
			v[i] = truth(v[nd.A] == v[nd.B])
		// A memory reads 0 past its end.
		case Read:
			v[i] = 0
			if a := v[nd.A]; a < uint64(n.Mems[nd.Imm].Words) {
				v[i] = s.Mem(int32(nd.Imm), a)
			}
		// The operands are the bits of the address in the table.
		case Lut:
			at := 0
			for k, x := range n.Pool[nd.A : nd.A+nd.B] {
				at |= int(v[x]) << k
			}
			v[i] = nd.Imm >> at & 1
		default:
			v[i] = n.evaluate(nd, v)
		}
	}
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

	now, before []uint64 // values of all nodes
	over        []over   // by memory: its words, if it lies over registers
	paired      bool     // before belongs to the cycle before
	count       int
}

// NewActivity makes room for a number of samples, a multiple of 64.
func (n *Net) NewActivity(samples int) *Activity {
	k := len(n.N)
	a := &Activity{n: n, samples: samples, words: samples / 64, live: n.liveNodes(), now: make([]uint64, k), before: make([]uint64, k)}
	a.active, a.changed, a.truth = make([]uint64, k*a.words), make([]uint64, k*a.words), make([]uint64, k*a.words)
	a.over = make([]over, len(n.Mems))
	for i := range n.N {
		if nd := &n.N[i]; nd.Op == Read && n.Mems[nd.Imm].Step > 0 {
			m := &a.over[nd.Imm]
			m.now, m.before = make([]uint64, n.Mems[nd.Imm].Depth), make([]uint64, n.Mems[nd.Imm].Depth)
		}
	}
	return a
}

// over is the words of a memory in two successive cycles.
type over struct{ now, before []uint64 }

// differs reports whether a word has changed.
func (o *over) differs() bool { return !slices.Equal(o.now, o.before) }

// Samples is the number of samples taken so far.
func (a *Activity) Samples() int { return a.count }

// Full reports whether there is no room for more.
func (a *Activity) Full() bool { return a.count == a.samples }

// Gap says that the next state does not follow the last one.
func (a *Activity) Gap() { a.paired = false }

// Take evaluates the state at the start of a cycle, and makes a sample of it and the state of
// the cycle before.
func (a *Activity) Take(s State) {
	a.n.Evaluate(a.now, s)
	for m := range a.over {
		o := &a.over[m]
		o.now, o.before = o.before, o.now
		for k := a.n.Mems[m].Lowest; k < len(o.now); k++ {
			o.now[k] = s.Mem(int32(m), uint64(k))
		}
	}

	// A sample needs the cycle before: the first state, and the first after a gap, give none.
	if a.paired && !a.Full() {
		a.compare()
		a.count++
	}
	a.now, a.before, a.paired = a.before, a.now, true
}

// compare fills the bit of the present sample in all rows.
func (a *Activity) compare() {
	n, w, bit := a.n, a.count/64, uint64(1)<<(a.count%64)
	differs := func(x ID) bool { return a.now[x] != a.before[x] }
	for i := range n.N {
		nd := &n.N[i]
		if !a.live[i] || nd.Op == Const {
			continue
		}

		if a.now[i] != 0 {
			a.truth[i*a.words+w] |= bit
		}

		// A read is active if its memory gave another word, whatever the address did.
		changed := differs(ID(i))
		if changed {
			a.changed[i*a.words+w] |= bit
		}
		active := changed
		switch {
		case active || nd.Op == Leaf:
		// A word of a vector that changes wakes all readers of the vector.
		case nd.Op == Read:
			active = differs(nd.A) || a.over[nd.Imm].differs()
		case nd.Op == Lut:
			for _, x := range n.Pool[nd.A : nd.A+nd.B] {
				active = active || differs(x)
			}
		default:
			active = differs(nd.A) || nd.B >= 0 && differs(nd.B) || nd.C >= 0 && differs(nd.C)
		}

		// Leaf nodes are given, not computed: they are active exactly if they change.
		if active {
			a.active[i*a.words+w] |= bit
		}
	}
}

// activeRow and changedRow are the samples of node x.
func (a *Activity) activeRow(x ID) []uint64  { return a.active[int(x)*a.words:][:a.words] }
func (a *Activity) changedRow(x ID) []uint64 { return a.changed[int(x)*a.words:][:a.words] }

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

// either is the number of samples in at least one of two rows.
func either(a, b []uint64) (k int) {
	for i, w := range a {
		k += bits.OnesCount64(w | b[i])
	}
	return k
}
