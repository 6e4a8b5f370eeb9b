package cover

import (
	"fmt"

	"etch/ir"
)

// toggle is a register or port of a module whose bits are watched: by prev, its value at the edge
// before, and by rose and fell, the bits that have done so.
type toggle struct {
	mod              *ir.Module
	id               ir.ID
	pos              ir.Pos
	name             string
	prev, rose, fell ir.ID
	begun            ir.ID // one bit: there was an edge before
}

// toggle adds the watches of registers and ports. Clocks and pads are left out. A register is watched
// at the edges of its clock, a port at those of the module's; what is both is watched once.
func (in *instrumenter) toggle(c *counters, own extent) {
	m := c.m
	w := &watches{counters: c, begun: map[ir.ID]ir.ID{}, of: map[ir.ID]int{}}
	for i := range own.regs {
		r := m.Regs[i]
		if !m.IsLatch(&r) {
			in.watch(w, r.Node, r.Clk, m.Node(r.Node).Pos, m.NameOf(r.Node))
		}
	}
	for i := range own.ports {
		p := m.Ports[i]
		if p.Dir != ir.InOut && p.Node != ir.None && m.TypeOf(p.Type).Kind != ir.Clock {
			in.watch(w, p.Node, c.clk, p.Pos, p.Name)
		}
	}
}

// watches are those of a module.
type watches struct {
	*counters
	begun map[ir.ID]ir.ID // by clock
	of    map[ir.ID]int   // by node: its number among the plan's
	n     int
}

// watch adds a watch of a node under a name, or only the name if there is one.
func (in *instrumenter) watch(w *watches, id, clk ir.ID, pos ir.Pos, name string) {
	if k, ok := w.of[id]; ok {
		t := in.toggles[k]
		t.pos, t.name = pos, name
		if name != in.toggles[k].name {
			in.toggles = append(in.toggles, t)
		}
		return
	}
	w.of[id] = len(in.toggles)

	// rose takes the bits that were low and are high, once there was an edge before.
	width := w.m.Width(id)
	t := toggle{mod: w.m, id: id, pos: pos, name: name, begun: w.begin(clk)}
	t.prev, t.rose, t.fell = w.register("prev", width, clk), w.register("rose", width, clk), w.register("fell", width, clk)
	w.next(t.prev, id)
	w.next(t.rose, w.gather(t.rose, t.begun, id, t.prev))
	w.next(t.fell, w.gather(t.fell, t.begun, t.prev, id))
	in.toggles = append(in.toggles, t)
}

// gather is seen with the bits that x has and y has not, if begun is high.
func (w *watches) gather(seen, begun, x, y ir.ID) ir.ID {
	width := w.m.Width(seen)
	add := func(op ir.Op, args ...ir.ID) ir.ID { return w.m.Add(ir.Node{Op: op, Width: int32(width)}, args...) }
	more := add(ir.Or, seen, add(ir.And, x, add(ir.Not, y)))
	return add(ir.Mux, begun, more, seen)
}

// begin is a bit that is low until the first edge of a clock.
func (w *watches) begin(clk ir.ID) ir.ID {
	id, ok := w.begun[clk]
	if !ok {
		id = w.register("begun", 1, clk)
		w.next(id, w.one())
		w.begun[clk] = id
	}
	return id
}

// register adds a register with a name of its own.
func (w *watches) register(what string, width int, clk ir.ID) ir.ID {
	w.n++
	return w.state(fmt.Sprintf("etch_cover_%s_%d", what, w.n), width, clk)
}
