package passes

import "etch/ir"

// demands is, for each node, the number of low bits that anything reads; 0 if nothing reads
// it.
type demands struct {
	*ranges
	low []int32
}

// findDemands propagates demands from uses to arguments, so users come first: it walks the
// order backwards. With keepNames every named value counts as read in full, since a user
// may look at it.
func findDemands(g *ranges, order []ir.ID, keepNames bool) *demands {
	d := &demands{ranges: g, low: make([]int32, g.m.Len())}
	m := g.m

	// References from outside of the logic need whole values.
	ir.EachRef(m, func(ref *ir.ID) { d.whole(*ref) })

	for i := len(order) - 1; i >= 0; i-- {
		id := order[i]
		if m.NameOf(id) != "" && (keepNames || d.low[id] == 0 || m.HasAttrs(id)) {
			d.whole(id)
		}
		if d.low[id] > 0 {
			d.arguments(id, m.Args(id))
		}
	}
	return d
}

func (d *demands) whole(id ir.ID) { d.low[id] = d.m.Node(id).Width }

// need records that n low bits of a node are read.
func (d *demands) need(id ir.ID, n int32) {
	d.low[id] = max(d.low[id], min(n, d.m.Node(id).Width))
}

// compute is the number of bits that an operation has to compute: those that are read, as
// far as extension does not restore them.
func (d *demands) compute(id ir.ID) int {
	n, _ := d.fits(id)
	return min(n, int(d.low[id]))
}

// arguments records the demands of node id on its arguments. In sums and products, bit i
// depends only on bits up to i of the operands; a shift right, a division or a comparison
// needs whole operands.
func (d *demands) arguments(id ir.ID, args []ir.ID) {
	m := d.m
	n := int32(d.compute(id))
	switch m.Op(id) {
	case ir.Not, ir.And, ir.Or, ir.Xor, ir.Add, ir.Sub, ir.Mul, ir.MulS:
		for _, a := range args {
			d.need(a, n)
		}

	case ir.Wire:
		d.need(args[0], d.low[id])
	case ir.Mux, ir.Case:
		d.whole(args[0])
		for _, a := range args[1:] {
			d.need(a, n)
		}

	case ir.Shl:
		d.need(args[0], n)
		d.whole(args[1])

	case ir.Slice:
		d.need(args[0], m.Node(id).Aux+d.low[id])
	case ir.ZExt, ir.SExt:
		d.need(args[0], d.low[id])

	case ir.Cat:
		// From the top part down: a part is read as far as the bits read reach above its lowest bit.
		below := m.Node(id).Width
		for _, a := range args {
			below -= m.Node(a).Width
			if d.low[id] > below {
				d.need(a, d.low[id]-below)
			}
		}

	default:
		for _, a := range args {
			d.whole(a)
		}
	}
}
