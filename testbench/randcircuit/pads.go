package randcircuit

import (
	"fmt"

	"etch/ir"
	"etch/ir/bits"
)

// Nets with several drivers. Of the drivers of one net, here and in the instances that share it,
// one drives at a time, selected by a value. A net with a pull may have no driver at times.
// Modules below the top may have one pad, padName, which they drive while the input penName is
// high.
const (
	padName = "pad"
	penName = "pen"
)

// pad adds a pad to a module below the top, and the input that enables its driver.
func (g *gen) pad() {
	w := g.width()
	g.pen = g.m.AddInput(penName, 1, 0, g.pos())
	g.padNet = g.m.AddPad(padName, w, g.typ(w), g.pos())
}

// drivePad adds the drivers of the module's own pad. Their values depend on inputs and state,
// never on the pad.
func (g *gen) drivePad() {
	net := &g.m.Nets[g.m.Node(g.padNet).Aux]
	w := g.m.Width(g.padNet)
	n := 1 + g.IntN(2)
	for _, en := range g.turns(n, g.pen) {
		net.Drivers = append(net.Drivers, ir.Driver{Value: g.still(w), En: en, Pos: g.pos()})
	}
}

// still returns a value that does not depend on a net within the cycle.
func (g *gen) still(w int) ir.ID {
	// An open latch shows its data, which may depend on the net.
	if len(g.m.Regs) > 0 && g.IntN(2) == 0 {
		if r := &g.m.Regs[g.IntN(len(g.m.Regs))]; r.Kind != ir.Latch {
			return g.fit(r.Node, w)
		}
	}
	if len(g.data) > 0 && g.IntN(4) != 0 {
		return g.fit(g.data[g.IntN(len(g.data))], w)
	}
	return g.konst(w)
}

// turns makes n enables, one of which is high at a time while all is high; all may be None.
func (g *gen) turns(n int, all ir.ID) (list []ir.ID) {
	one := func(op ir.Op, args ...ir.ID) ir.ID {
		return g.m.Add(ir.Node{Op: op, Width: 1, Pos: g.pos()}, args...)
	}

	// One value selects the driver; the last enable takes all that is left, so that one is always
	// high.
	sel := g.still(3)
	rest := all
	for i := range n {
		en := rest
		if i < n-1 {
			here := one(ir.Eq, sel, g.m.Const(bits.New(3, uint64(i)), 0))
			not := one(ir.Not, here)
			if en = here; rest != ir.None {
				en, not = one(ir.And, rest, here), one(ir.And, rest, not)
			}
			rest = not
		}

		if en == ir.None {
			en = g.m.Const(bits.New(1, 1), 0)
		}
		list = append(list, en)
	}
	return list
}

// net adds a net with drivers here and in instances of a module with a pad, if there is one.
func (g *gen) net() {
	// Any module with a pad, or none: then all drivers are here.
	var child *ir.Module
	for _, m := range g.d.Modules {
		if m.PortIndex(padName) >= 0 && g.IntN(2) == 0 {
			child = m
		}
	}
	w, shared := g.width(), 0
	if child != nil {
		w, shared = child.Ports[child.PortIndex(padName)].Width, 1+g.IntN(2)
	}

	// At least one driver is here; with a child, others are in its instances.
	own := 1 + g.IntN(3)
	all := ir.None

	// With a pull, all drivers may rest at once.
	pull := ir.PullNone
	if g.c.Pulls && g.IntN(2) == 0 {
		pull = ir.Pull(1 + g.IntN(2))
		all = g.fit(g.still(1), 1)
	}
	turns := g.turns(own+shared, all)
	var drivers []ir.Driver
	for i := range own {
		drivers = append(drivers, ir.Driver{Value: g.pick(w), En: turns[i], Pos: g.pos()})
	}
	id := g.m.AddNet(fmt.Sprintf("net%d", len(g.m.Nets)), w, g.typ(w), g.pos())
	net := &g.m.Nets[len(g.m.Nets)-1]
	net.Drivers, net.Pull = drivers, pull

	// Outputs of the instances may depend on the net, and so on each other's inputs: none of
	// them is used before all instances are connected.
	var outs []ir.ID
	for i := range shared {
		at := g.m.AddInst(fmt.Sprintf("u%d", len(g.m.Insts)), child, g.pos())
		g.connect(at, func(p *ir.Port) ir.ID {
			switch p.Name {
			case padName:
				return id
			case penName:
				return turns[own+i]
			}
			return ir.None
		}, func(out ir.ID) { outs = append(outs, out) })
	}
	g.keep(id)
	for _, out := range outs {
		g.keep(out)
	}
}

// attributes gives text, numbers and names of tools to registers, nodes, memories, instances and
// the module.
func (g *gen) attributes() {
	some := func() []ir.Attr {
		all := []ir.Attr{{Name: "keep", Value: "1"}, {Name: "mark_debug", Value: `"true"`}, {Name: "note", Value: `"a \"b\" \\c // d"`}, {Name: "weight", Value: "-7"}}
		first := g.IntN(len(all))
		return all[first : first+1+g.IntN(len(all)-first)]
	}

	// Some of each kind of object, so that every place of an attribute in the writers is met.
	for i := range g.m.Regs {
		if g.IntN(6) == 0 && g.m.Regs[i].Kind != ir.Latch {
			g.m.SetAttrs(g.m.Regs[i].Node, some())
		}
	}
	for _, id := range g.all {
		if g.m.Op(id) != ir.Input && g.m.Op(id) != ir.Const && g.m.NameOf(id) != "" && g.IntN(12) == 0 {
			g.m.SetAttrs(id, some())
		}
	}
	for i := range g.m.Mems {
		if g.IntN(4) == 0 {
			g.m.Mems[i].Attrs = some()
		}
	}
	for i := range g.m.Insts {
		if g.IntN(4) == 0 {
			g.m.Insts[i].Attrs = some()
		}
	}
	if g.IntN(4) == 0 {
		g.m.Attrs = some()
	}
}
