package choose

import (
	"math/bits"

	"etch/sim/net"
)

// ControlRegisters marks the narrow registers from which a short path leads to the select of a
// mux or the enable of a memory write.
func ControlRegisters(n *net.Net, pol *Policy) []bool {
	is := make([]bool, len(n.Regs))

	// reach is the remaining path length per node, spread backwards with a worklist.
	reach := make([]uint8, len(n.N))
	var stack []net.ID
	push := func(x net.ID, d uint8) {
		if x >= 0 && reach[x] < d {
			reach[x] = d
			stack = append(stack, x)
		}
	}

	// Paths end at selects and at enables of writes, and are followed back from there.
	for i := range n.N {
		if n.N[i].Op == net.Mux {
			push(n.N[i].A, pol.Control.Reach)
		}
	}
	for i := range n.Writes {
		if w := &n.Writes[i]; !n.Mems[w.Mem].Journal {
			push(w.En, pol.Control.Reach)
		}
	}

	for len(stack) > 0 {
		x := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		nd, d := &n.N[x], reach[x]
		switch {
		// A register ends the path; look-ups, reads and counts hide single bits and end it too.
		case nd.Op == net.Leaf:
			is[nd.Imm] = n.Regs[nd.Imm].W <= pol.Control.Width
		case d > 1 && !nd.Op.Pooled() && nd.Op != net.Read && nd.Op != net.Pop:
			n.Args(x, func(y net.ID) { push(y, d-1) })
		}
	}
	return is
}

// Snapshot is the values of all registers at the start of a cycle.
type Snapshot []uint64

// bitPlan evaluates the cost of a cycle for a set of registers assumed constant, over up to 64
// snapshots at once. Each node has one bit per snapshot for "known" and one for "needed". A
// known node has the value it has in the snapshot, so only the known bits must be propagated,
// not values.
type bitPlan struct {
	pol         *Control
	n           *net.Net
	nonzero     []uint64 // by node: snapshots in which its value is not 0
	ones        []uint64 // by node: snapshots in which its value is all ones
	known, live []uint64
	same        []uint64 // by register: snapshots in which its next value equals its value
	all         uint64
	count       int
	stable      []uint64 // by node: snapshots in which it reads a memory word that does not change
	cost        []float32
}

func newBitPlan(pol *Control, n *net.Net, snaps []Snapshot, mem *contents) *bitPlan {
	k := len(n.N)
	b := &bitPlan{pol: pol, n: n, nonzero: make([]uint64, k), ones: make([]uint64, k), known: make([]uint64, k), live: make([]uint64, k),
		same: make([]uint64, len(n.Regs)), stable: make([]uint64, k), cost: make([]float32, k), count: len(snaps)}
	for i := range n.N {
		b.cost[i] = n.N[i].Cost()
	}

	// Simulate one cycle per snapshot and keep the bits that later propagation needs.
	v := make([]uint64, k)
	for s, snap := range snaps {
		bit := uint64(1) << s
		b.all |= bit
		for i := range n.N {
			// Reads take the word from the present memory if it has been stable.
			x := nodeValue(n, v, snap, i)
			if nd := &n.N[i]; nd.Op == net.Read {
				if w, ok := mem.stable(int32(nd.Imm), v[nd.A]); ok && w <= MaxKnown {
					x = w
					b.stable[i] |= bit
				}
			}
			v[i] = x
			if x != 0 {
				b.nonzero[i] |= bit
				if x == net.Mask(n.N[i].W) {
					b.ones[i] |= bit
				}
			}
		}

		// In this snapshot the register keeps its value.
		for r := range n.Regs {
			if d := n.Regs[r].Next; d >= 0 && v[d] == snap[r] {
				b.same[r] |= bit
			}
		}
	}
	return b
}

// nodeValue is the value of node i in a snapshot. Values that are never known are 0.
func nodeValue(n *net.Net, v []uint64, snap Snapshot, i int) uint64 {
	nd := &n.N[i]

	// The frequent operations first, without the generic call.
	switch nd.Op {
	case net.Const:
		return nd.Imm
	case net.Leaf:
		return snap[nd.Imm]
	case net.Mux:
		if v[nd.A] != 0 {
			return v[nd.B]
		}
		return v[nd.C]
	case net.And:
		return v[nd.A] & v[nd.B]
	case net.Eq:
		if v[nd.A] == v[nd.B] {
			return 1
		}
		return 0
	}

	if !nd.Op.IsPure() {
		return 0
	}
	var a, b, c uint64
	if nd.A >= 0 {
		a = v[nd.A]
	}
	if nd.B >= 0 {
		b = v[nd.B]
	}
	if nd.C >= 0 {
		c = v[nd.C]
	}
	return net.Eval(nd.Op, nd.W, nd.Imm, a, b, c)
}

// spread propagates known bits forwards when the marked registers are constants.
func (b *bitPlan) spread(known []bool) {
	n, k, v := b.n, b.known, b.nonzero
	for i := range n.N {
		nd := &n.N[i]
		b.live[i] = 0
		switch nd.Op {
		case net.Const:
			k[i] = b.all
		case net.Leaf:
			k[i] = 0
			if known[nd.Imm] {
				k[i] = b.all
			}

		// A known 0 decides AND and MUL, all ones decide OR, a known select decides a mux.
		case net.And, net.Mul:
			x, y := k[nd.A], k[nd.B]
			k[i] = x&y | x&^v[nd.A] | y&^v[nd.B]
		case net.Or:
			x, y := k[nd.A], k[nd.B]
			k[i] = x & y

			// Ones of a narrow operand leave the upper bits of the result open.
			if n.Width(nd.A) == nd.W {
				k[i] |= x & b.ones[nd.A]
			}
			if n.Width(nd.B) == nd.W {
				k[i] |= y & b.ones[nd.B]
			}
		case net.Mux:
			s := k[nd.A]
			k[i] = s & (v[nd.A]&k[nd.B] | ^v[nd.A]&k[nd.C])

		// Shifting a known 0 gives 0.
		case net.Shl, net.Shr, net.ShrS:
			k[i] = k[nd.A] & (k[nd.B] | ^v[nd.A])
		case net.Read:
			k[i] = k[nd.A] & b.stable[i]
		default:
			if !nd.Op.IsPure() {
				k[i] = 0
				break
			}

			// Any other op is known if all operands are.
			all := k[nd.A]
			if nd.B >= 0 {
				all &= k[nd.B]
			}
			if nd.C >= 0 {
				all &= k[nd.C]
			}
			k[i] = all
		}
	}
}

// holds is the subset of snapshots m in which known selects reduce node x to leaf q: the
// register keeps its value.
func (b *bitPlan) holds(x, q net.ID, m uint64, depth int) uint64 {
	if m == 0 || x == q {
		return m
	}
	nd := &b.n.N[x]
	if nd.Op != net.Mux || depth > b.pol.Holds {
		return 0
	}
	m &= b.known[nd.A]
	return b.holds(nd.B, q, m&b.nonzero[nd.A], depth+1) | b.holds(nd.C, q, m&^b.nonzero[nd.A], depth+1)
}

// eval is the mean cost of a cycle over the snapshots when the marked registers are constants.
func (b *bitPlan) eval(known []bool) float64 {
	b.spread(known)
	n, k, v, l := b.n, b.known, b.nonzero, b.live

	cost := 0.0
	need := func(x net.ID, m uint64) {
		if x >= 0 {
			l[x] |= m
		}
	}

	// Roots: the stop condition, register writes that are neither known nor no-ops, memory
	// writes that may happen.
	need(n.Stop, b.all)
	need(n.Entry, b.all)
	for r := range n.Regs {
		d := n.Regs[r].Next
		if d < 0 {
			continue
		}
		m := b.all

		// A known register that keeps its value needs no write.
		if known[r] {
			m &^= k[d] & b.same[r]
		}

		// A register that known selects hold needs none either.
		if q := n.Regs[r].Q; q >= 0 {
			m &^= b.holds(d, q, m, 0)
		}
		cost += b.pol.RegWrite * float64(bits.OnesCount64(m))
		l[d] |= m
	}

	for i := range n.Writes {
		w := &n.Writes[i]
		m := b.all
		switch {
		case w.En < 0:
		case n.Mems[w.Mem].Journal: // skipped where it does not happen
			m &= v[w.En]
		default:
			m &^= k[w.En] &^ v[w.En]
		}
		cost += b.pol.MemWrite * float64(bits.OnesCount64(m))
		need(w.En, m)
		need(w.Addr, m)
		need(w.Data, m)
		need(w.Mask, m)
	}

	// Backwards through the nodes, so that users come before operands: add the cost where a node
	// is needed and not known.
	for i := len(n.N) - 1; i >= 0; i-- {
		need := l[i] &^ k[i]
		if need == 0 || n.N[i].Op.IsLeaf() {
			continue
		}
		cost += float64(b.cost[i]) * float64(bits.OnesCount64(need&^b.demand(net.ID(i), need)))
	}
	return cost / float64(b.count)
}

// demand marks the operands of node i live in the snapshots that need it. It returns the
// snapshots in which the node is only an alias of one operand and costs nothing.
func (b *bitPlan) demand(i net.ID, need uint64) (alias uint64) {
	n, k, v, l := b.n, b.known, b.nonzero, b.live
	nd := &n.N[i]
	switch nd.Op {
	// A known select needs one arm only.
	case net.Mux:
		s := k[nd.A]
		l[nd.A] |= need &^ s
		l[nd.B] |= need & (^s | v[nd.A])
		l[nd.C] |= need & (^s | ^v[nd.A])
		return s
	// With a known operand of all ones, an And is the other operand.
	case net.And:
		l[nd.A] |= need
		l[nd.B] |= need
		return k[nd.A]&b.ones[nd.A] | k[nd.B]&b.ones[nd.B]

	// A known neutral operand makes the result an alias of the other one.
	case net.Or, net.Xor, net.Add, net.Cat:
		l[nd.A] |= need
		l[nd.B] |= need
		return k[nd.A]&^v[nd.A] | k[nd.B]&^v[nd.B]
	}
	n.Args(i, func(x net.ID) { l[x] |= need })
	return 0
}

// MaxKnown is the largest value treated as a constant; negative numbers have other meanings.
const MaxKnown = 1<<62 - 1
