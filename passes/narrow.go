package passes

import "etch/ir"

// Narrow computes operations at fewer bits if the result is the same. One reason is that
// nothing reads the top bits (of logic, sums, products, multiplexers and left shifts). The
// other is that the operands are extended values, so that the top bits of the result are
// zeros or copies of the sign. Comparisons of extended values compare the values before
// extension.
//
// It needs a verified module and works best after [Fold]. It keeps ports, registers,
// memories, instances, statements and names. Without keepNames a named value may lose top
// bits that nothing reads; with it, it keeps its width.
func Narrow(m *ir.Module, keepNames bool) Count {
	return toFixpoint(m, func(m *ir.Module) Count {
		// Ranges go forward, demands backward, then the nodes are rewritten, arguments
		// first.
		order := argumentOrder(m)
		n := &narrower{rebuilder: newRebuilder(m), demands: findDemands(findRanges(m, order), order, keepNames)}
		// References from tables need whole values, which are made on demand.
		n.part = make([]ir.ID, m.Len())
		n.late = func(id ir.ID) ir.ID {
			n.begin(id)
			return n.fetch(id, m.Width(id))
		}
		for _, id := range order {
			n.begin(id)
			n.rewrite(id)
		}
		return n.finish()
	})
}

// narrower keeps, for each old node, a new one with its low bits: at least those that are
// read, or those from which extension gives the rest.
type narrower struct {
	*rebuilder
	*demands
	part []ir.ID
}

// fetch returns the low k bits of old node id.
func (n *narrower) fetch(id ir.ID, k int) ir.ID {
	whole := k == n.old.Width(id)
	// A whole value is made once,
	if whole && n.to[id] != ir.None {
		return n.to[id]
	}

	// by extension of the part, as its range allows.
	_, ext := n.fits(id)
	v := n.resize(ext, n.part[id], k)
	if whole {
		n.to[id] = v
	}
	return v
}

// rewrite makes the part of node id that is needed: k low bits.
func (n *narrower) rewrite(id ir.ID) {
	m, args := n.old, n.old.Args(id)
	info := m.Op(id).Info()

	// A node that nothing reads is dropped.
	if n.low[id] == 0 && !info.Leaf {
		n.count.dead(m.Op(id))
		return
	}

	// Wiring is narrowed by narrowing its operands.
	k := n.compute(id)
	switch o := m.Op(id); {
	case o == ir.Const && m.NameOf(id) == "" && k > 0:
		n.settle(id, n.konst(m.ConstOf(id).Trunc(k)))
	case info.Leaf:
		n.copy(id, nil)
		n.part[id] = n.to[id]

	case o == ir.Wire:
		v := n.fetch(args[0], k)
		n.given(id, n.arms(id, []ir.ID{v})[0])
		n.settle(id, v)
	case o == ir.ZExt, o == ir.SExt:
		n.settle(id, n.resize(o, n.fetch(args[0], min(k, m.Width(args[0]))), k))
	case o == ir.Slice:
		at := int(m.Node(id).Aux)
		n.settle(id, n.slice(n.fetch(args[0], at+k), at, k))
	case o == ir.Cat:
		n.settle(id, n.lowParts(args, m.Width(id), k))
	default:
		n.operation(id, k)
	}
}

// lowParts is the low k bits of a concatenation of w bits.
func (n *narrower) lowParts(args []ir.ID, w, k int) ir.ID {
	// From the top part down: a part is needed if some of its bits lie below k.
	var parts []ir.ID
	below := w
	for _, a := range args {
		below -= n.old.Width(a)
		if k > below {
			parts = append(parts, n.fetch(a, min(n.old.Width(a), k-below)))
		}
	}
	return n.cat(parts)
}

// settle records that v is the low bits of old node id. A named node is made as wide as it
// is read and takes the name; an unnamed one passes its type to v if v is new and as wide.
func (n *narrower) settle(id, v ir.ID) {
	n.part[id] = v
	old := n.old.Node(id)
	if n.old.NameOf(id) != "" {
		n.assign(id, n.fetch(id, int(n.low[id])))
	} else if nv := n.m.Node(v); v >= n.mark && nv.Width == old.Width && nv.Op != ir.Const {
		nv.Type = old.Type
	}
}

// narrowed settles an operation made at fewer bits and counts it.
func (n *narrower) narrowed(id, v ir.ID, bits int) {
	n.count[Narrowed]++
	n.count[NarrowedBits] += bits
	n.settle(id, v)
}
