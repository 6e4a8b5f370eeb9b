package native

import (
	"unsafe"

	"etch/sim/net"
)

// An accumulator is a register that only adds to itself: its next value is a sum of itself and
// of something else, or itself, and nothing but that sum reads it. Counters of coverage are such
// registers. The order of additions does not matter, and the sum is not needed before the end of
// a call. So where a body adds constants, its code counts how often it runs, and the additions
// of all its cycles are made at once after the call.

// accumulators tells by register whether it is an accumulator.
func accumulators(n *net.Net) []bool {
	uses := n.Uses()
	is := make([]bool, len(n.Regs))
	for i := range n.Regs {
		// All uses of the register must stand in its own sum.
		r := &n.Regs[i]
		if r.Next >= 0 && r.Q >= 0 && r.Next != r.Q {
			k, ok := summed(n, uses, r.Next, r.Q)
			is[i] = ok && k == uses[r.Q]
		}
	}
	return is
}

// summed reports whether node x is q or a sum of q and something else, on every way through
// muxes, and counts the uses of q in it. A node that others use too is no such sum.
func summed(n *net.Net, uses []int32, x, q net.ID) (count int32, ok bool) {
	if x == q {
		return 1, true
	}
	nd := &n.N[x]
	if uses[x] != 1 {
		return 0, false
	}

	switch nd.Op {
	case net.Add:
		// Only one operand can contain q, if all uses of q are found.
		if k, ok := summed(n, uses, nd.A, q); ok {
			return k, true
		}
		return summed(n, uses, nd.B, q)
	case net.Mux:
		a, one := summed(n, uses, nd.B, q)
		b, other := summed(n, uses, nd.C, q)
		return a + b, one && other
	}
	return 0, false
}

// addition is a constant that a body adds to an accumulator in each of its cycles.
type addition struct {
	slot    int32 // of the register
	k, mask uint64
}

// owe takes the constant additions to accumulators out of a leaf's net. It returns the net
// itself if these are few.
func (g *grower) owe(n *net.Net) (rest *net.Net, adds []addition) {
	var regs []net.Reg
	for r, is := range g.sums {
		at := &n.Regs[r]
		if !is || at.Next < 0 || n.N[at.Next].Op != net.Add {
			continue
		}

		// Constants stand behind other operands.
		sum := &n.N[at.Next]
		if k, ok := n.IsConst(sum.B); ok && sum.A == at.Q {
			if adds == nil {
				regs = append(regs, n.Regs...)
			}
			regs[r].Next = net.None
			adds = append(adds, addition{at.Slot, k, net.Mask(at.W)})
		}
	}
	if len(adds) < g.Pol.LeastOwed {
		return n, nil
	}

	// The nodes of the sums are dead now.
	less := *n
	less.Regs = regs
	return &less, adds
}

// owed is the additions that wait for the end of a call.
type owed struct {
	counts []uint64 // by leaf: the cycles that its code has run
	adds   [][]addition
}

// leaf keeps a leaf's additions and returns its number, which indexes counts.
func (p *owed) leaf(adds []addition) (number int) {
	p.adds = append(p.adds, adds)
	return len(p.adds) - 1
}

// leaves is the number of leaves with additions below a tree.
func (t *tree) leaves() int {
	switch {
	case t.yes != nil:
		return t.yes.leaves() + t.no.leaves()
	case t.adds != nil:
		return 1
	}
	return 0
}

// pay makes all additions that wait.
func (p *owed) pay(base unsafe.Pointer) {
	for i, cycles := range p.counts {
		if cycles == 0 {
			continue
		}
		p.counts[i] = 0
		for _, a := range p.adds[i] {
			word := (*uint64)(unsafe.Add(base, 8*int(a.slot)))
			*word = (*word + cycles*a.k) & a.mask
		}
	}
}
