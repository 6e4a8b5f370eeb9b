package passes

import "etch/ir"

// demands says how many low bits of each node anybody reads; 0 is nobody.
type demands struct {
	*ranges
	low []int32
}

// findDemands walks from uses to arguments. With keepNames every named value is
// read whole, since somebody may look at it.
func findDemands(g *ranges, order []ir.ID, keepNames bool) *demands {
	d := &demands{ranges: g, low: make([]int32, g.m.Len())}
	m := g.m
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

// need asks for n low bits of a node.
func (d *demands) need(id ir.ID, n int32) {
	d.low[id] = max(d.low[id], min(n, d.m.Node(id).Width))
}

// compute is how many bits an operation has to compute: those that are read, less
// those that extension gives back.
func (d *demands) compute(id ir.ID) int {
	n, _ := d.fits(id)
	return min(n, int(d.low[id]))
}

// arguments asks for what node id needs of its arguments.
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
