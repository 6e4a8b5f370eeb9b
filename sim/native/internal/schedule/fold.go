package schedule

import "etch/sim/net"

// usage counts the uses of a node.
type usage struct {
	all   int32
	tests int32 // conditions of branches and muxes
	luts  int32 // operands of look-ups
}

// FoldTests marks comparisons that only conditions use, and tests of state bits: the flags carry
// their results, so they need no register. A comparison used more than once is repeated if its
// operands are state.
func (c *Code) FoldTests() {
	n := c.N
	c.Fold = make([]bool, len(n.N))
	uses := c.usage()

	// A folded comparison is computed at each test, and its operands must live until the last one. So
	// it is repeated only where they are in the state anyway. A signed comparison also extends the
	// signs of its operands, which is not worth repeating.
	for i := range n.N {
		u, nd := &uses[i], &n.N[i]
		if u.all == 0 {
			continue
		}
		switch {
		case nd.Op == net.LtS || nd.Op == net.LeS:
			c.Fold[i] = u.tests == 1 && u.all == 1
		case nd.Op.IsCompare():
			c.Fold[i] = u.tests == u.all && (u.all == 1 || c.onState(net.ID(i)))
		case nd.Op == net.Slice && nd.W == 1 && n.N[nd.A].Op == net.Leaf:
			c.Fold[i] = u.tests == u.all || u.luts == u.all
		}
	}

	// Folded nodes are no longer evaluated where they stood.
	c.foldShifts(uses)
	kept := c.Out[:0]
	for _, in := range c.Out {
		if in.K != KEval || !c.Fold[in.A] {
			kept = append(kept, in)
		}
	}
	c.Out = kept
}

// usage counts the uses of all nodes.
func (c *Code) usage() []usage {
	n := c.N
	uses := make([]usage, len(n.N))
	var buf [3]net.ID
	for _, in := range c.Out {
		operands := c.operands(in, &buf)
		for _, x := range operands {
			if x >= 0 {
				uses[x].all++
			}
		}

		// Uses as a condition, and as an operand of a look-up, count again by themselves.
		switch {
		case in.K == KIf || in.K == KBranch || in.K == KStop:
			uses[in.A].tests++
		case in.K == KEval && n.N[in.A].Op == net.Mux:
			uses[operands[0]].tests++
		case in.K == KEval && n.N[in.A].Op == net.Lut:
			for _, x := range operands {
				uses[x].luts++
			}
		}
	}
	return uses
}

// onState reports whether the operands of node x are state or constants.
func (c *Code) onState(x net.ID) bool {
	var buf [3]net.ID
	for _, y := range args(c.N, x, &buf) {
		if !c.N.N[y].Op.IsLeaf() {
			return false
		}
	}
	return true
}

// foldShifts marks slices that are only part of a rotation, or of a left shift that drops bits,
// of a whole machine word: one instruction does both. uses counts the uses of every node.
func (c *Code) foldShifts(uses []usage) {
	n := c.N
	for i := range n.N {
		nd := &n.N[i]
		if nd.Op != net.Cat || nd.W != 32 && nd.W != 64 || uses[i].all == 0 {
			continue
		}

		// The high part must be the low bits of its operand, of the width that a shift by at leaves.
		at := uint8(nd.Imm)
		hi, lo := &n.N[nd.A], &n.N[nd.B]
		if hi.Op != net.Slice || hi.Imm != 0 || hi.W != nd.W-at || uses[nd.A].all != 1 {
			continue
		}

		// A constant below makes it a left shift and an OR. The bits that the shift drops below make
		// it a rotation.
		switch {
		case lo.Op == net.Const:
			c.Fold[nd.A] = true
		case lo.Op == net.Slice && lo.A == hi.A && lo.Imm == uint64(hi.W) && lo.W == at && n.N[lo.A].W == nd.W && uses[nd.B].all == 1:
			c.Fold[nd.A], c.Fold[nd.B] = true, true
		}
	}
}
