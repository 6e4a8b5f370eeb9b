package derived

import (
	"etch/ir"
	"etch/ir/bits"
	"etch/ir/moments"
)

// placing is the state of the placement of computed clocks at edges of input clocks, on the
// rows of package ir/moments.
type placing struct {
	r      *resolver
	rows   *moments.Rows
	regs   map[ir.ID]*made
	writes map[moments.Port]*made
	pos    ir.Pos // of the item being placed
	what   string
}

// event is an edge of an input clock.
type event struct {
	root   ir.ID
	rising bool
}

func (ev event) edge() moments.Event { return moments.Event{Clock: int32(ev.root), Rising: ev.rising} }

func (w *placing) last(id ir.ID, ev event) int { return w.rows.Last(id, ev.edge()) }

func (w *placing) at(id ir.ID, k int, ev event) ir.ID { return w.rows.At(id, k, ev.edge()) }

func (w *placing) maybe(id ir.ID, k int, ev event) ir.ID {
	if id == ir.None {
		return id
	}
	return w.at(id, k, ev)
}

func (w *placing) fires(clk ir.ID, k int, ev event) (ir.ID, bool) {
	return w.rows.Fires(clk, k, ev.edge())
}

// eventOf is the edge that a plain clock node stands for, zero for others.
func (w *placing) eventOf(clk ir.ID) event {
	m := w.r.m
	switch {
	case m.Op(clk) == ir.Input:
		return event{clk, true}
	case m.Op(clk) == ir.Not:
		return event{m.Args(clk)[0], false}
	}
	return event{}
}

// The resolver implements the netlist of the rows.
var _ moments.Netlist = (*resolver)(nil)

// Level reports inputs as levels of themselves, clocks or not.
func (r *resolver) Level(id ir.ID) (int32, bool) { return int32(id), r.m.Op(id) == ir.Input }

// LevelAt is a constant: low before a rising edge and high after it.
func (r *resolver) LevelAt(_ ir.ID, k int, ev moments.Event) ir.ID {
	return r.bit(ev.Rising == (k >= 0))
}

// Edge is eventOf for the rows.
func (r *resolver) Edge(clk ir.ID) moments.Event { return r.w.eventOf(clk).edge() }

// MadeReg is the computed clock of a register.
func (r *resolver) MadeReg(id ir.ID) ir.ID { return clockOf(r.w.regs[id]) }

// MadeWrite is the computed clock of a write port.
func (r *resolver) MadeWrite(p moments.Port) ir.ID { return clockOf(r.w.writes[p]) }

func clockOf(e *made) ir.ID {
	if e == nil {
		return ir.None
	}
	return e.clk
}

// Instance reports an error for a black box that depends on the edge: its timing is
// unknown.
func (r *resolver) Instance(id ir.ID, ev moments.Event) int {
	m, w := r.m, &r.w
	in := &m.Insts[m.Node(id).Aux]
	for j := range in.Mod.Ports {
		if in.Mod.Ports[j].Dir == ir.In && in.Conns[j] != ir.None && w.rows.Last(in.Conns[j], ev) >= 0 {
			r.fail(w.pos, ErrBlackBox, "%s follows from instance %s of black box %s within an edge of %s: give it a body", w.what, in.Name, in.Mod.Name, m.NameOf(ir.ID(ev.Clock)))
			return -1
		}
	}
	return -1
}

// And, Not, Mux and Fold fold constants.
func (r *resolver) And(x, y ir.ID) ir.ID              { return r.and(x, y) }
func (r *resolver) Not(x ir.ID) ir.ID                 { return r.not(x) }
func (r *resolver) Mux(c, x, y ir.ID) ir.ID           { return r.mux(c, x, y) }
func (r *resolver) Fold(id ir.ID, args []ir.ID) ir.ID { return r.fold(id, args) }

// Never reports whether a bit is a constant 0.
func (r *resolver) Never(bit ir.ID) bool {
	v, ok := r.constant(bit)
	return ok && v.IsZero()
}

// Pos is the position of the item being placed.
func (r *resolver) Pos() ir.Pos { return r.w.pos }

// Circular reports an error of the item being placed.
func (r *resolver) Circular(latches bool) {
	if latches {
		r.fail(r.w.pos, nil, "the clock of %s goes round in a loop of latches", r.w.what)
	} else {
		r.fail(r.w.pos, nil, "the clock of %s follows from itself", r.w.what)
	}
}

// Failed reports whether there is an error.
func (r *resolver) Failed() bool { return len(r.errs) > 0 }

// Written is the word at addr after a write port acted, if it was old before: chosen by
// comparison of the addresses, lane by lane under a mask.
func (r *resolver) Written(p ir.WritePort, addr ir.ID, depth int, old ir.ID) ir.ID {
	m := r.m
	// One bit more than the depth needs, for the comparison with it.
	n := max(m.Width(addr), m.Width(p.Addr), ir.CountWidth(depth)) + 1
	a, b := r.resize(addr, n, ir.ZExt), r.resize(p.Addr, n, ir.ZExt)
	end := m.Const(bits.New(n, uint64(depth)), 0)
	hit := r.and(r.add(ir.Eq, 1, a, b), r.add(ir.Lt, 1, a, end))
	if p.En != ir.None {
		hit = r.and(p.En, hit)
	}

	// Without a mask the whole word is chosen,
	if p.Mask == ir.None {
		return r.mux(hit, p.Data, old)
	}

	// else each bit of the mask is repeated over its lane.
	width, lanes := m.Width(old), m.Width(p.Mask)
	parts := make([]ir.ID, lanes)
	for i := range parts {
		bit := m.Add(ir.Node{Op: ir.Slice, Width: 1, Aux: int32(lanes - 1 - i)}, p.Mask)
		parts[i] = r.resize(bit, width/lanes, ir.SExt)
	}
	mask := parts[0]
	if lanes > 1 {
		mask = r.add(ir.Cat, width, parts...)
	}
	mask = r.add(ir.And, width, mask, r.resize(hit, width, ir.SExt))
	return r.add(ir.Or, width, r.add(ir.And, width, mask, p.Data), r.add(ir.And, width, r.add(ir.Not, width, mask), old))
}
