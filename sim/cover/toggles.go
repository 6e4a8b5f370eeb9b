package cover

import (
	"fmt"

	"etch/ir"
	"etch/ir/bits"
)

// signal is a register or port of a module by its name.
type signal struct{ module, name string }

// toggle is a signal whose bits are watched, by its own registers or by the registers of equal
// signals in its instances.
type toggle struct {
	mod  *ir.Module
	id   ir.ID
	pos  ir.Pos
	name string
	by   watch
	same []tap // in place of by, one an instance; nil: by
}

// watch is the registers that watch a signal. If the signal begins with a known value, they are left,
// the bits that have left it, and back, those that have returned to it since. Else they are prev, the
// value at the edge before, and rose and fell, the bits that have done so; begun is high once there
// was an edge before.
type watch struct {
	begin      bits.Value
	left, back ir.ID

	prev, rose, fell, begun ir.ID
}

// tap is the toggle that an instance's port takes its value from.
type tap struct {
	path   string
	toggle int
}

// watches adds watches to one module.
type watches struct {
	*counters
	extent
	begin map[signal]bits.Value
	begun map[ir.ID]ir.ID // by clock
	of    map[ir.ID]int   // by node: its number among the design's toggles
	n     int
}

// watch adds the watches of registers and ports that are not settled. Clocks and pads are left out.
// A register is watched at the edges of its clock, a port at the edges of its module's clock. A
// port that has the value of a watched signal in each instance has no registers of its own.
func (in *instrumenter) watch(all []*watches, kinds Kinds) {
	settled := kinds.settled
	at := map[*ir.Module]*watches{}
	for _, w := range all {
		at[w.m], w.begin = w, kinds.begin
		for i := range w.regs {
			r := w.m.Regs[i]
			if r.Kind != ir.Latch && !settled[signal{w.m.Name, w.m.NameOf(r.Node)}] {
				in.own(w, r.Node, r.Clk, w.m.Node(r.Node).Pos, w.m.NameOf(r.Node))
			}
		}
	}

	// Outputs before inputs, which may take their values from them.
	for _, dir := range []ir.Dir{ir.Out, ir.In} {
		for _, w := range all {
			for i := range w.ports {
				p := w.m.Ports[i]
				if p.Dir == dir && p.Node != ir.None && w.m.TypeOf(p.Type).Kind != ir.Clock && !settled[signal{w.m.Name, p.Name}] {
					in.port(w, at, p)
				}
			}
		}
	}
}

// port adds the watch of a port.
func (in *instrumenter) port(w *watches, at map[*ir.Module]*watches, p ir.Port) {
	t := toggle{mod: w.m, id: p.Node, pos: p.Pos, name: p.Name}

	// A port that has a watched node for its value shares that watch, and is the same signal if it has
	// the same name.
	if k, ok := w.of[p.Node]; ok {
		if in.toggles[k].name != p.Name {
			t.by = in.toggles[k].by
			in.toggles = append(in.toggles, t)
		}
		return
	}

	// A driver is watched at the port's edges only if there is one clock.
	if in.one {
		t.same = in.sources(w.m, at, p.Node)
	}
	if t.same == nil {
		in.own(w, p.Node, w.clk, p.Pos, p.Name)
		return
	}
	in.toggles = append(in.toggles, t)
}

// sources are the toggles that a node of a module has its value from, one for each instance; nil if
// one has none.
func (in *instrumenter) sources(m *ir.Module, at map[*ir.Module]*watches, id ir.ID) (list []tap) {
	for _, path := range in.instances[m] {
		from, of := path, id
		// Through ports, up and down the hierarchy, to a watched signal.
		for {
			w := at[from.mod]
			if w == nil {
				return nil
			}
			if k, ok := w.of[of]; ok {
				list = append(list, tap{from.path, k})
				break
			}
			var ok bool
			if from, of, ok = from.driver(of); !ok {
				return nil
			}
		}
	}
	return list
}

// instance is an instance in the hierarchy, of which a module has one for each path.
type instance struct {
	mod  *ir.Module
	path string
	up   *instance // nil of the top
	at   int       // number among the instances of up
	down []*instance
}

// driver is the node of which a node has its value, in the same instance or the next.
func (p *instance) driver(id ir.ID) (_ *instance, _ ir.ID, ok bool) {
	n := p.mod.Node(id)
	switch n.Op {
	case ir.Wire:
		return p, p.mod.Args(id)[0], true
	case ir.Input:
		if p.up != nil {
			return p.up, p.up.mod.Insts[p.at].Conns[n.Aux], true
		}
	case ir.InstOut:
		below := p.down[n.Aux]
		return below, below.mod.Ports[n.Aux2].Node, true
	}
	return nil, ir.None, false
}

// own adds a watch with registers of its own.
func (in *instrumenter) own(w *watches, id, clk ir.ID, pos ir.Pos, name string) {
	var v watch
	if begin, ok := w.begin[signal{w.m.Name, name}]; ok && begin.Width() > 0 {
		v = w.leaves(id, clk, begin)
	} else {
		v = w.moves(id, clk)
	}

	w.of[id] = len(in.toggles)
	in.toggles = append(in.toggles, toggle{mod: w.m, id: id, pos: pos, name: name, by: v})
}

// leaves is the watch of a signal that begins with a value: left collects the bits that differ from
// it, and back the bits that differed and are equal again.
func (w *watches) leaves(id, clk ir.ID, begin bits.Value) watch {
	width := w.m.Width(id)
	v := watch{begin: begin, left: w.register("left", width, clk), back: w.register("back", width, clk)}

	// The difference from 0 is the signal itself.
	other := id
	if !begin.IsZero() {
		other = w.op(ir.Xor, width, id, w.m.Const(begin, 0))
	}

	// A bit is back if it had left by the edge before and has its first value now.
	w.next(v.left, w.op(ir.Or, width, v.left, other))
	w.next(v.back, w.op(ir.Or, width, v.back, w.op(ir.And, width, v.left, w.op(ir.Not, width, other))))
	return v
}

// moves is the watch of any signal. rose takes the bits that were low and are high, once there was
// an edge before.
func (w *watches) moves(id, clk ir.ID) watch {
	width := w.m.Width(id)
	v := watch{begun: w.begins(clk), prev: w.register("prev", width, clk), rose: w.register("rose", width, clk), fell: w.register("fell", width, clk)}
	w.next(v.prev, id)
	w.next(v.rose, w.gather(v.rose, v.begun, id, v.prev))
	w.next(v.fell, w.gather(v.fell, v.begun, v.prev, id))
	return v
}

// op adds an operation.
func (w *watches) op(op ir.Op, width int, args ...ir.ID) ir.ID {
	return w.m.Add(ir.Node{Op: op, Width: int32(width)}, args...)
}

// gather is seen with the bits that x has and y has not, if begun is high.
func (w *watches) gather(seen, begun, x, y ir.ID) ir.ID {
	width := w.m.Width(seen)
	more := w.op(ir.Or, width, seen, w.op(ir.And, width, x, w.op(ir.Not, width, y)))
	return w.op(ir.Mux, width, begun, more, seen)
}

// begins is a bit that is low until the first edge of a clock.
func (w *watches) begins(clk ir.ID) ir.ID {
	id, ok := w.begun[clk]
	if !ok {
		id = w.register("begun", 1, clk)
		w.next(id, w.one())
		w.begun[clk] = id
	}
	return id
}

// register adds a register with a name of its own.
func (w *watches) register(role string, width int, clk ir.ID) ir.ID {
	w.n++
	return w.state(fmt.Sprintf("etch_cover_%s_%d", role, w.n), width, clk)
}
