package net

import "math/bits"

// simplify returns a node with the same value as nd, or None. Each rule makes progress, so the
// recursion through Make ends.
func (n *Net) simplify(nd *Node) ID {
	// One function per family of ops. The rules may rely on Make: operands are simplified, in
	// canonical order, and not all constant.
	switch nd.Op {
	case Not:
		return n.simplifyNot(nd)
	case And, Or, Xor:
		return n.simplifyLogic(nd)
	case Add, Sub, Mul:
		return n.simplifyArith(nd)
	case Div, Rem:
		return n.simplifyDivision(nd)
	case Eq, Ne:
		return n.simplifyEqual(nd)
	case Lt, Le:
		return n.simplifyLess(nd)
	case Shl, Shr, ShrS:
		return n.simplifyShift(nd)
	case Mux:
		return n.simplifyMux(nd)
	case Slice:
		return n.simplifySlice(nd)
	case Cat:
		return n.simplifyCat(nd)
	case SExt:
		return n.simplifySExt(nd)
	case Parity, Pop:
		if n.Width(nd.A) == 1 {
			return nd.A
		}
	}
	return None
}

var opposite = [NumOps]Op{Eq: Ne, Ne: Eq, Lt: Le, Le: Lt, LtS: LeS, LeS: LtS}

// simplifyNot: double negation, and negated comparisons.
func (n *Net) simplifyNot(nd *Node) ID {
	x := &n.N[nd.A]
	switch {
	case x.Op == Not && x.W == nd.W && n.Width(x.A) <= nd.W:
		return x.A
	case nd.W == 1 && (x.Op == Eq || x.Op == Ne):
		return n.Make(opposite[x.Op], 1, x.A, x.B, None, x.Imm)
	case nd.W == 1 && x.Op.IsCompare():
		return n.Make(opposite[x.Op], 1, x.B, x.A, None, x.Imm)
	}
	return None
}

// inverse reports whether a and b are each other's complement over w bits.
func (n *Net) inverse(a, b ID, w uint8) bool {
	x, y := &n.N[a], &n.N[b]
	return x.Op == Not && x.A == b && x.W == w || y.Op == Not && y.A == a && y.W == w
}

// simplifyLogic: equal, constant and inverse operands. Constants are on the right (see Make).
func (n *Net) simplifyLogic(nd *Node) ID {
	a, b := nd.A, nd.B
	v, isConst := n.IsConst(b)

	// A narrower operand has zeros above its width. Whatever holds over wide bits holds for the
	// value.
	wide := max(n.Width(a), n.Width(b))
	switch nd.Op {
	case And:
		switch {
		case a == b:
			return a
		case isConst && v == 0:
			return b
		case isConst && v&Mask(n.Width(a)) == Mask(n.Width(a)):
			return a
		// A mask of low ones is a slice.
		case isConst && v&(v+1) == 0:
			return n.Slice(a, 0, uint8(bits.Len64(v)))
		case n.inverse(a, b, wide):
			return n.Const(0)
		}
	case Or:
		switch {
		case a == b || isConst && v == 0:
			return a
		case isConst && v&Mask(wide) == Mask(wide) && n.Width(b) == wide:
			return b
		case n.inverse(a, b, wide):
			return n.Const(Mask(wide))
		}
	// An Xor with ones is a Not, which muxes and comparisons take in.
	case Xor:
		switch {
		case a == b:
			return n.Const(0)
		case isConst && v == 0:
			return a
		case isConst && v == Mask(wide):
			return n.Not(a, wide)
		}
	}
	return None
}

// simplifyArith: neutral operands, powers of two, and operands wider than the result.
func (n *Net) simplifyArith(nd *Node) ID {
	a, b := nd.A, nd.B
	v, isConst := n.IsConst(b)
	fits := n.Width(a) <= nd.W
	switch nd.Op {
	case Add, Sub:
		switch {
		case isConst && v == 0 && fits:
			return a
		case isConst && v == 0:
			return n.Slice(a, 0, nd.W)
		case nd.Op == Sub && a == b:
			return n.Const(0)
		}
	case Mul:
		switch {
		case !isConst:
		case v == 0:
			return b
		case v == 1 && fits:
			return a
		case v&(v-1) == 0:
			return n.shiftLeft(a, bits.TrailingZeros64(v), nd.W)
		}
	}
	// Only the low bits of the operands matter.
	if n.Width(a) > nd.W || n.Width(b) > nd.W {
		return n.Make(nd.Op, nd.W, n.Slice(a, 0, nd.W), n.Slice(b, 0, nd.W), None, 0)
	}
	return None
}

// shiftLeft is a · 2^k mod 2^w.
func (n *Net) shiftLeft(a ID, k int, w uint8) ID {
	if k >= int(w) {
		return n.Const(0)
	}
	return n.Cat(n.Slice(a, 0, w-uint8(k)), n.Const(0), uint8(k))
}

// simplifyDivision: division by a power of two is a slice.
func (n *Net) simplifyDivision(nd *Node) ID {
	v, isConst := n.IsConst(nd.B)
	if !isConst || v == 0 || v&(v-1) != 0 {
		return None
	}

	// The quotient is the bits from k on, the remainder the bits below.
	k := uint8(bits.TrailingZeros64(v))
	switch {
	case nd.Op == Rem && k == 0:
		return n.Const(0)
	case nd.Op == Rem:
		return n.Slice(nd.A, 0, k)
	case k >= n.Width(nd.A):
		return n.Const(0)
	}
	return n.Slice(nd.A, k, n.Width(nd.A)-k)
}

// simplifyEqual: equality with constants, above all of bits.
func (n *Net) simplifyEqual(nd *Node) ID {
	a, b := nd.A, nd.B
	if a == b {
		return n.Const(truth(nd.Op == Eq))
	}

	// Constants are on the right (see Make).
	v, isConst := n.IsConst(b)
	if !isConst {
		return None
	}
	x := n.N[a]

	// Comparisons of one bit are the bit or its complement; tests for 0 look through operations
	// that give 0 exactly where their operands are 0.
	switch {
	case v > Mask(x.W):
		return n.Const(truth(nd.Op == Ne))
	case x.W == 1 && (v == 1) == (nd.Op == Eq):
		return a
	case x.W == 1:
		return n.Not(a, 1)
	case x.Op == Cat && v == 0: // no shift is needed to test for 0
		return n.Make(nd.Op, 1, n.Or(x.A, x.B), b, None, 0)
	case x.Op == SExt && n.Width(x.A) == 1 && x.Imm == 1 && v == 0:
		return n.Make(nd.Op, 1, x.A, b, None, 0)
	}
	return None
}

// simplifyLess: unsigned comparisons decided by widths or by 0 and 1.
func (n *Net) simplifyLess(nd *Node) ID {
	va, ca := n.IsConst(nd.A)
	vb, cb := n.IsConst(nd.B)

	// Width decides first: a constant above the other side's range settles the order. The tests
	// for 0 and 1 become equalities, which Prop.Force follows backwards.
	switch {
	case nd.A == nd.B:
		return n.Const(truth(nd.Op == Le))
	case cb && vb > Mask(n.Width(nd.A)):
		return n.Const(1)
	case ca && va > Mask(n.Width(nd.B)):
		return n.Const(0)
	case nd.Op == Lt && cb && vb == 0:
		return n.Const(0)
	case nd.Op == Lt && ca && va == 0:
		return n.Ne(nd.B, nd.A)
	case nd.Op == Lt && cb && vb == 1:
		return n.Eq(nd.A, n.Const(0))
	case nd.Op == Le && ca && va == 0:
		return n.Const(1)
	case nd.Op == Le && cb && vb == 0:
		return n.Eq(nd.A, nd.B)
	case nd.Op == Le && cb && vb == Mask(n.Width(nd.A)):
		return n.Const(1)
	}
	return None
}

// simplifyShift: shifts by constants are slices and concatenations.
func (n *Net) simplifyShift(nd *Node) ID {
	if v, ok := n.IsConst(nd.A); ok && v == 0 {
		return nd.A
	}
	v, ok := n.IsConst(nd.B)
	if !ok {
		return None
	}

	// The amount is known: left shifts are a Cat with zeros, right shifts a Slice, and arithmetic
	// ones the sign extension of a Slice.
	wa := n.Width(nd.A)
	switch {
	case nd.Op == Shl:
		return n.shiftLeft(nd.A, int(min(v, 64)), nd.W)
	case nd.Op == Shr && v >= uint64(wa):
		return n.Const(0)
	case nd.Op == Shr:
		return n.Slice(nd.A, uint8(v), wa-uint8(v))
	case wa < uint8(nd.Imm): // the sign bit is 0
		return n.Slice(n.Make(Shr, 0, nd.A, nd.B, None, 0), 0, nd.W)
	}

	// From the width on, every amount leaves copies of the sign: the same as an amount of one less
	// than the width.
	v = min(v, nd.Imm-1)
	return n.SExt(n.Slice(nd.A, uint8(v), uint8(nd.Imm-v)), uint8(nd.Imm-v), nd.W)
}

// simplifySExt: extensions of a 0 sign, and nested extensions.
func (n *Net) simplifySExt(nd *Node) ID {
	x := &n.N[nd.A]
	switch {
	case x.W < uint8(nd.Imm): // the sign bit is 0
		return n.Slice(nd.A, 0, nd.W)
	case nd.W <= uint8(nd.Imm):
		return n.Slice(nd.A, 0, nd.W)
	case x.Op == SExt && x.W == uint8(nd.Imm):
		return n.SExt(x.A, uint8(x.Imm), nd.W)
	}
	return None
}
