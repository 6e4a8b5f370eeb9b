package firrtl

import (
	"slices"
	"strconv"

	"etch/ir"
	"etch/ir/pads"
)

// FIRRTL's Analog can be attached, but neither read nor driven. So each driver of a net is
// an instance of a small black box, and so are its reader and its pull. The circuit holds
// the Verilog of the boxes, where firtool finds it. The reader recognises the boxes by
// their names and converts them back to nets.

// cell is a box of one kind and width.
type cell struct {
	kind  pads.CellKind
	width int
}

// netPlan is the instances for one net of a module.
type netPlan struct {
	drivers      []string // names of instances
	reader, pull string   // "" for none
}

// cellsOf lists the boxes that a design needs, by kind and width.
func cellsOf(d *ir.Design) []cell {
	var list []cell
	add := func(k pads.CellKind, width int) {
		if c := (cell{k, width}); !slices.Contains(list, c) {
			list = append(list, c)
		}
	}
	// A net needs a reader, and one box per driver and pull.
	for _, m := range reached(d) {
		if m.Extern != nil {
			continue
		}
		for i := range m.Nets {
			n := &m.Nets[i]
			width := m.Width(n.Node)
			add(pads.ReadCell, width)
			if len(n.Drivers) > 0 {
				add(pads.DriveCell, width)
			}
			if k, ok := pads.PullCell(n.Pull); ok {
				add(k, width)
			}
		}
	}

	// Sorted, so that the order of the modules does not matter.
	slices.SortFunc(list, func(a, b cell) int {
		if a.kind != b.kind {
			return int(a.kind) - int(b.kind)
		}
		return a.width - b.width
	})
	return list
}

// cells prints the boxes as external modules.
func (w *writer) cells() {
	for _, c := range w.cellList {
		w.blank()
		w.line(2, "extmodule "+id(w.cellNames[c])+" :")
		width := strconv.Itoa(c.width)
		for _, p := range c.kind.Ports() {
			switch bits := strconv.Itoa(p.WidthOf(c.width)); p.Dir {
			case ir.InOut:
				w.line(4, "output "+p.Name+" : Analog<"+width+">")
			default:
				w.line(4, p.Dir.String()+" "+p.Name+" : UInt<"+bits+">")
			}
		}
		w.line(4, "defname = "+c.kind.String())
		w.line(4, "parameter WIDTH = "+width)
	}
}

// bindNets names the instances for the module's nets.
func (p *module) bindNets() {
	p.nets = make([]netPlan, len(p.m.Nets))
	for i := range p.m.Nets {
		n := &p.m.Nets[i]
		plan, name := &p.nets[i], p.names[n.Node]
		for range n.Drivers {
			plan.drivers = append(plan.drivers, p.table.claim(name+"_driver"))
		}

		// A net that nothing reads needs no reader.
		if p.is(n.Node, live) {
			plan.reader = p.table.claim(name + "_reader")
		}
		if n.Pull != ir.PullNone {
			plan.pull = p.table.claim(name + "_pull")
		}
	}
}

// declareNets declares the nets that are not ports, and the boxes.
func (p *module) declareNets() {
	for i := range p.m.Nets {
		n := &p.m.Nets[i]
		width, plan := p.m.Width(n.Node), &p.nets[i]
		at := p.m.Node(n.Node).Pos

		// The net of a pad is the port itself.
		if p.m.PadOf(n.Node) < 0 {
			p.str("    wire " + id(p.names[n.Node]) + " : Analog<" + strconv.Itoa(width) + ">")
			p.end(at)
		}

		box := func(name string, k pads.CellKind, pos ir.Pos) {
			if name != "" {
				p.str("    inst " + id(name) + " of " + id(p.cellNames[cell{k, width}]))
				p.end(pos)
			}
		}

		for k, name := range plan.drivers {
			box(name, pads.DriveCell, n.Drivers[k].Pos)
		}
		box(plan.reader, pads.ReadCell, at)
		if k, ok := pads.PullCell(n.Pull); ok {
			box(plan.pull, k, at)
		}
	}
}

// connectNets prints the connections of drivers, and the attachments.
func (p *module) connectNets() {
	for i := range p.m.Nets {
		n := &p.m.Nets[i]
		plan := &p.nets[i]
		for k, d := range n.Drivers {
			p.settle(d.Value)
			p.settle(d.En)
			for _, c := range []struct {
				port string
				node ir.ID
			}{{pads.ValuePort, d.Value}, {pads.EnablePort, d.En}} {
				p.str("    connect " + id(plan.drivers[k]) + "." + c.port + ", ")
				p.operand(c.node, unsigned)
				p.endGiven(d.Pos, c.node)
			}
		}
		p.attach(n, plan)
	}
}

// attach attaches everything on a net to it: instances first, then boxes.
func (p *module) attach(n *ir.Net, plan *netPlan) {
	// attach joins two ends at a time: the net with each of the others.
	on := []string{id(p.names[n.Node])}
	for i := range p.m.Insts {
		inst := &p.m.Insts[i]
		for j, c := range inst.Conns {
			if inst.Mod.Ports[j].Dir == ir.InOut && c == n.Node {
				on = append(on, id(p.insts[i])+"."+id(p.portNames(inst.Mod)[j]))
			}
		}
	}
	for _, box := range append(slices.Clone(plan.drivers), plan.reader, plan.pull) {
		if box != "" {
			on = append(on, id(box)+"."+pads.PadPort)
		}
	}
	for _, other := range on[1:] {
		p.str("    attach(" + on[0] + ", " + other + ")")
		p.end(p.m.Node(n.Node).Pos)
	}
}
