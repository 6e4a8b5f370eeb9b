package net

// simplifyMux: constant selects, equal arms, nested muxes with one select, and muxes that are
// logic.
func (n *Net) simplifyMux(nd *Node) ID {
	s, b, c := nd.A, nd.B, nd.C
	if v, ok := n.IsConst(s); ok {
		if v != 0 {
			return b
		}
		return c
	}
	if b == c {
		return b
	}

	// The select becomes one bit without inversion, so that muxes share it.
	x := n.N[s]
	switch {
	case x.W > 1:
		return n.Mux(n.Ne(s, n.Const(0)), b, c)
	case x.Op == Not:
		return n.Mux(x.A, c, b)
	case x.Op == Ne: // schedulers look for selects on equality
		return n.Mux(n.Eq(x.A, x.B), c, b)
	}

	// An inner mux with the same select is decided.
	if y := n.N[b]; y.Op == Mux && y.A == s {
		return n.Mux(s, y.B, c)
	}
	if y := n.N[c]; y.Op == Mux && y.A == s {
		return n.Mux(s, b, y.C)
	}

	// A mux of bits is logic: the constants give the select itself, and an arm that equals the
	// select is known to be 1 where it is chosen, or 0.
	vb, cb := n.IsConst(b)
	vc, cc := n.IsConst(c)
	if cb && cc && vb == 1 && vc == 0 {
		return s
	}
	if cb && cc && vb == 0 && vc == 1 {
		return n.Not(s, 1)
	}
	if nd.W == 1 && b == s {
		return n.Or(s, c)
	}
	if nd.W == 1 && c == s {
		return n.And(s, b)
	}
	return None
}

// simplifySlice moves a slice towards the bits it takes.
func (n *Net) simplifySlice(nd *Node) ID {
	x := n.N[nd.A]
	lo, w := uint8(nd.Imm), nd.W
	if lo == 0 && w >= x.W {
		return nd.A
	}
	if lo >= x.W {
		return n.Const(0)
	}

	// Each rule passes the slice below one operation, so that it ends at the bits' origin and
	// operations on bits that nobody takes die.
	switch x.Op {
	case Slice:
		return n.Slice(x.A, lo+uint8(x.Imm), w)
	// A slice on one side of the seam forgets the other side. A slice across it becomes a Cat of
	// two.
	case Cat:
		at := uint8(x.Imm)
		switch {
		case lo >= at:
			return n.Slice(x.A, lo-at, w)
		case lo+w <= at:
			return n.Slice(x.B, lo, w)
		}
		return n.Cat(n.Slice(x.A, 0, lo+w-at), n.Slice(x.B, lo, at-lo), at-lo)
	// The slice lies within the number, across its sign, or among the copies of the sign.
	case SExt:
		from := uint8(x.Imm)
		switch {
		case lo+w <= from:
			return n.Slice(x.A, lo, w)
		case lo < from:
			return n.SExt(n.Slice(x.A, lo, from-lo), from-lo, w)
		}
		return n.SExt(n.Slice(x.A, from-1, 1), 1, w)
	// Two operations in place of one pay only where the second slice folds to a constant.
	case And, Or, Xor:
		if _, ok := n.IsConst(x.B); ok { // taking bits becomes cheaper
			return n.Make(x.Op, 0, n.Slice(x.A, lo, w), n.Slice(x.B, lo, w), None, 0)
		}
	// The complement of bits above x.A is 1, but a slice of x.A would give 0 there: stay within
	// its width.
	case Not:
		if lo+w <= n.Width(x.A) {
			return n.Not(n.Slice(x.A, lo, w), w)
		}
	case Add, Sub, Mul:
		if lo == 0 { // the low part only depends on low parts
			return n.Make(x.Op, w, n.Slice(x.A, 0, w), n.Slice(x.B, 0, w), None, 0)
		}
	}
	return None
}

// simplifyCat: neighbouring slices join, and concatenations nest to the right.
func (n *Net) simplifyCat(nd *Node) ID {
	at := uint8(nd.Imm)
	hi, lo := nd.A, nd.B
	if v, ok := n.IsConst(hi); ok && v == 0 {
		return lo
	}
	if at == 0 {
		return hi
	}

	// The normal form nests to the right with the highest piece outermost. Only the seam between
	// hi and the top piece of lo can hold a pair that joins.
	x, y := n.N[hi], n.N[lo]
	if r := n.repeated(hi, lo, at); r >= 0 {
		return r
	}
	switch {
	case x.Op == Slice && y.Op == Slice && x.A == y.A && y.W == at && x.Imm == y.Imm+uint64(at):
		return n.Slice(x.A, uint8(y.Imm), x.W+at) // neighbours
	case x.Op == Slice && x.A == lo && y.W == at+x.W && x.Imm == uint64(at):
		return lo
	case x.Op == Cat: // nest to the right
		return n.Cat(x.A, n.Cat(x.B, lo, at), uint8(x.Imm)+at)
	case y.Op == Cat:
		// z is the top piece of lo, of zw bits: it meets hi at the seam.
		z, zw := n.N[y.A], at-uint8(y.Imm)
		if x.Op == Slice && z.Op == Slice && x.A == z.A && z.W == zw && x.Imm == z.Imm+uint64(zw) {
			return n.Cat(n.Slice(x.A, uint8(z.Imm), x.W+zw), y.B, uint8(y.Imm))
		}
		if x.Op == Const && z.Op == Const {
			return n.Cat(n.Const(x.Imm<<zw|z.Imm), y.B, uint8(y.Imm))
		}
	}
	return None
}

// repeated recognises copies of a sign bit above the value whose sign it is, as a sign
// extension.
func (n *Net) repeated(hi, lo ID, at uint8) ID {
	// Copies come one at a time, each by a Cat of its own. The cases differ in how lo shows that
	// its top bit is hi.
	x, y := n.N[hi], n.N[lo]
	switch {
	case x.W != 1:
	case hi == lo && at == 1:
		return n.SExt(lo, 1, 2)
	case y.Op == SExt && y.A == hi && y.Imm == 1 && y.W == at:
		return n.SExt(hi, 1, at+1)
	case x.Op == Slice && x.A == lo && uint8(x.Imm)+1 == at && y.W == at:
		return n.SExt(lo, at, at+1)
	case x.Op == Slice && y.Op == Slice && x.A == y.A && y.W == at && uint8(x.Imm) == uint8(y.Imm)+at-1:
		return n.SExt(lo, at, at+1)
	case y.Op == SExt && y.W == at && n.isTop(hi, y.A, uint8(y.Imm)):
		return n.SExt(y.A, uint8(y.Imm), at+1)
	case y.Op == Cat && y.A == hi && at == uint8(y.Imm)+1:
		return n.Cat(n.SExt(hi, 1, 2), y.B, uint8(y.Imm))
	case y.Op == Cat && n.N[y.A].Op == SExt && n.N[y.A].A == hi && n.N[y.A].Imm == 1 && at == uint8(y.Imm)+n.N[y.A].W:
		return n.Cat(n.SExt(hi, 1, n.N[y.A].W+1), y.B, uint8(y.Imm))
	}
	return None
}

// isTop reports whether bit is the top bit of x, which has w bits.
func (n *Net) isTop(bit, x ID, w uint8) bool {
	b, y := n.N[bit], n.N[x]
	if b.Op != Slice || b.W != 1 {
		return false
	}
	return b.A == x && uint8(b.Imm) == w-1 || y.Op == Slice && b.A == y.A && b.Imm == y.Imm+uint64(w)-1
}
