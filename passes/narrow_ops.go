package passes

import "etch/ir"

// operation rewrites an operation of which k bits are needed.
func (n *narrower) operation(id ir.ID, k int) {
	m, args := n.old, n.old.Args(id)
	w := m.Width(id)
	switch o := m.Op(id); o {
	case ir.Not, ir.And, ir.Or, ir.Xor, ir.Add, ir.Sub:
		n.sized(id, args, k, 0, len(args))
	case ir.Mux, ir.Case:
		n.sized(id, args, k, 1, len(args))
	case ir.Shl:
		n.sized(id, args, k, 0, 1)
	case ir.Mul, ir.MulS:
		n.product(id, args, k)
	case ir.Shr, ir.ShrS:
		n.shift(id, args, w)
	// Unsigned division of small numbers. A divisor of 0 gives all ones in the full width,
	// so it must be excluded for Div.
	case ir.Div, ir.Rem:
		e := int(max(n.zeros[args[0]], n.zeros[args[1]]))
		if e == w || o == ir.Div && !n.nonZero(args[1]) {
			n.plain(id, args)
			return
		}
		n.narrowed(id, n.node(o, e, n.fetch(args[0], e), n.fetch(args[1], e)), w-e)
	case ir.Eq, ir.Lt, ir.LtS:
		n.compare(id, args)
	default:
		n.plain(id, args)
	}
}

// plain copies an operation with whole arguments.
func (n *narrower) plain(id ir.ID, args []ir.ID) {
	whole := make([]ir.ID, len(args))
	for i, a := range args {
		whole[i] = n.fetch(a, n.old.Width(a))
	}
	n.copy(id, whole)
	n.part[id] = n.to[id]
}

// sized makes an operation at k bits. Its arguments from first up to last have the width of
// the result, the others keep theirs.
func (n *narrower) sized(id ir.ID, args []ir.ID, k, first, last int) {
	w := n.old.Width(id)
	if k == w {
		n.plain(id, args)
		return
	}

	list := make([]ir.ID, len(args))
	for i, a := range args {
		width := n.old.Width(a)
		if i >= first && i < last {
			width = k
		}
		list[i] = n.fetch(a, width)
	}

	// A Case keeps its keys, and every choice the lines of its arms.
	var v ir.ID
	if n.old.Op(id) == ir.Case {
		v = n.m.AddCase(k, n.old.Node(id).Pos, n.old.KeysOf(id), list...)
	} else {
		v = n.node(n.old.Op(id), k, list...)
	}

	if n.old.Arms(id) > 0 {
		n.setArms(v, n.arms(id, list))
	}
	n.narrowed(id, v, w-k)
}

// product makes a product at k bits from the bits of the operands that matter. The sum of
// their widths stays at k or more, as the op requires, since the range of the result is no
// wider than that sum.
func (n *narrower) product(id ir.ID, args []ir.ID, k int) {
	// Unsigned operands are bounded by zeros, signed ones by signs.
	bound := n.zeros
	if n.old.Op(id) == ir.MulS {
		bound = n.signs
	}

	// saved counts the bits dropped from result and operands.
	x, y := args[0], args[1]
	wx, wy := min(k, int(bound[x])), min(k, int(bound[y]))
	saved := n.old.Width(id) - k + n.old.Width(x) - wx + n.old.Width(y) - wy
	if saved == 0 {
		n.plain(id, args)
		return
	}
	n.narrowed(id, n.node(n.old.Op(id), k, n.fetch(x, wx), n.fetch(y, wy)), saved)
}

// shift makes a right shift at the width of the range of its operand. An arithmetic shift
// of a number that is never negative becomes a logical one.
func (n *narrower) shift(id ir.ID, args []ir.ID, w int) {
	x := args[0]
	o, e := ir.Shr, int(n.zeros[x])
	if n.old.Op(id) == ir.ShrS && !n.nonneg(x) {
		o, e = ir.ShrS, int(n.signs[x])
	}
	if e == w {
		n.plain(id, args)
		return
	}
	amount := n.fetch(args[1], n.old.Width(args[1]))
	n.narrowed(id, n.node(o, e, n.fetch(x, e), amount), w-e)
}

// compare compares the low bits of two values that have a common extension.
func (n *narrower) compare(id ir.ID, args []ir.ID) {
	x, y := args[0], args[1]
	o, w := n.old.Op(id), n.old.Width(x)
	// By zeros or by the sign, whichever leaves fewer bits.
	zero, sign := int(max(n.zeros[x], n.zeros[y])), int(max(n.signs[x], n.signs[y]))
	k := min(zero, sign)
	if o == ir.LtS && zero < w && zero <= sign {
		o = ir.Lt // neither is negative
	}
	if k == w {
		n.plain(id, args)
		return
	}
	n.narrowed(id, n.node(o, 1, n.fetch(x, k), n.fetch(y, k)), w-k)
}

// nonZero reports whether an old node is a constant other than 0.
func (n *narrower) nonZero(id ir.ID) bool {
	id = n.old.Unwired(id)
	return n.old.Op(id) == ir.Const && !n.old.ConstOf(id).IsZero()
}
