package verilog

import "etch/ir"

// A register whose parts are set under separate conditions arrives as a concatenation. In
// it, a part that is not set is that part of the register:
//
//	{en[1] ? d[15:8] : r[15:8], en[0] ? d[7:0] : r[7:0]}
//
// It is written as its designer wrote it, one assignment per part:
//
//	if (en[1]) r[15:8] <= d[15:8];
//	if (en[0]) r[7:0] <= d[7:0];

// maxPieces is the largest number of parts for which a register is written so.
const maxPieces = 16

// appendItems appends the assignments of a register: one item, or one for each part.
func (p *choices) appendItems(items []item, r *ir.Register) []item {
	whole := item{target: r.Node, value: r.Next, keep: r.Node, pos: r.SetAt}
	if r.Kind == ir.Latch {
		whole.value = r.Reset
		return append(items, whole)
	}

	// Only a concatenation without other uses is split.
	cat := p.v(r.Next)
	parts := p.m.Args(cat)
	if p.m.Op(cat) != ir.Cat || len(parts) > maxPieces || p.fanout[cat] != 1 || p.is(cat, named|folded) {
		return append(items, whole)
	}

	// At least one part must leave the register as it is somewhere.
	keeps, found := make([]ir.ID, len(parts)), false
	for i, lo := len(parts)-1, 0; i >= 0; i-- {
		w := p.m.Width(parts[i])
		keeps[i] = p.keptBits(parts[i], r.Node, lane{lo, w}, maxTree)
		found = found || keeps[i] != ir.None && p.inTree(parts[i])
		lo += w
	}

	if !found {
		return append(items, whole)
	}

	// An item per part, lowest first.
	p.marks[cat] |= tree
	for i, lo := len(parts)-1, 0; i >= 0; i-- {
		bits := lane{lo, p.m.Width(parts[i])}
		items = append(items, item{target: r.Node, bits: bits, value: parts[i], keep: keeps[i], pos: r.SetAt})
		lo += bits.width
	}
	return items
}

// itemsOf is the items of a register, in a list that is valid until the next call.
func (p *choices) itemsOf(r *ir.Register) []item {
	p.itemBuf = p.appendItems(p.itemBuf[:0], r)
	return p.itemBuf
}

// keptBits finds, at the leaves of a tree of choices, the node that selects the given bits
// of a register; None if there is none.
func (p *choices) keptBits(id, reg ir.ID, bits lane, depth int) ir.ID {
	id = p.v(id)
	if p.isSlice(id) && p.m.Width(id) == bits.width {
		if x, lo := p.part(id); x == reg && lo == bits.lo {
			return id
		}
	}
	if depth == 0 || !p.inTree(id) {
		return ir.None
	}

	// The first operand is a condition and no leaf.
	for _, a := range p.m.Args(id)[1:] {
		if k := p.keptBits(a, reg, bits, depth-1); k != ir.None {
			return k
		}
	}
	return ir.None
}
