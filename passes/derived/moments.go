package derived

import (
	"etch/ir"
	"etch/ir/bits"
)

// An edge of an input clock is a row of moments, as in Verilog:
//
//	-1  all is as it was
//	 0  the level of the clock has changed, and the logic that reads it
//	 1  what the clock moves has moved, and what a computed clock moves that rose at 0
//	 2  what a computed clock moves that rose at 1; and so on
//
// Logic is settled at each of them. A register whose clock rose between moments
// k-2 and k-1 has at k what its input was at k-1. (Package yosys, which has the
// same rows, works on its cells before there is a netlist.)
type moments struct {
	r      *resolver
	regs   map[ir.ID]*made
	writes map[portKey]*made
	clks   map[ir.ID]event // what plain clock nodes are
	lasts  map[nodeEvent]int
	values map[nodeMoment]ir.ID
	pos    ir.Pos // of what is being placed
	what   string
}

// event is an edge of an input clock.
type event struct {
	root   ir.ID
	rising bool
}

type portKey struct {
	mem  int32
	port int
}

type nodeEvent struct {
	id ir.ID
	ev event
}

type nodeMoment struct {
	nodeEvent
	k int
}

// busy marks a node that is being worked out.
const busy = -9

// eventOf is the edge that a plain clock node is.
func (w *moments) eventOf(clk ir.ID) event {
	m := w.r.m
	switch {
	case m.Op(clk) == ir.Input:
		return event{clk, true}
	case m.Op(clk) == ir.Not:
		return event{m.Args(clk)[0], false}
	}
	return event{}
}

// last is the last moment at which a node may change, -1 when the event leaves it.
func (w *moments) last(id ir.ID, ev event) int {
	key := nodeEvent{id, ev}
	if k, ok := w.lasts[key]; ok {
		if k == busy {
			w.r.fail(w.pos, nil, "the clock of %s follows from itself", w.what)
			return -1
		}
		return k
	}
	w.lasts[key] = busy
	k := w.lastOf(id, ev)
	w.lasts[key] = k
	return k
}

func (w *moments) lastOf(id ir.ID, ev event) int {
	m := w.r.m
	last := -1
	need := func(list ...ir.ID) {
		for _, x := range list {
			if x != ir.None {
				last = max(last, w.last(x, ev))
			}
		}
	}
	switch n := m.Node(id); n.Op {
	case ir.Input:
		if id == ev.root {
			return 0
		}
	case ir.Reg:
		g := &m.Regs[n.Aux]
		switch e := w.regs[id]; {
		case m.IsLatch(g):
			need(g.Rst, g.Reset)
			return last
		case e != nil:
			if k := w.last(e.clk, ev); k >= 0 {
				last = k + 1
			}
		case w.eventOf(g.Clk) == ev:
			last = 1
		}
		if g.Async {
			need(g.Rst)
		}
	case ir.MemOut:
		if w.eventOf(m.Mems[n.Aux].Reads[n.Aux2].Clk) == ev {
			last = 1
		}
	case ir.MemRead:
		need(m.Args(id)...)
		for i := range m.Mems[n.Aux].Writes {
			last = max(last, w.writeMoment(portKey{n.Aux, i}, ev))
		}
	case ir.InstOut:
		in := &m.Insts[n.Aux]
		for j := range in.Mod.Ports {
			if in.Mod.Ports[j].Dir == ir.In && in.Conns[j] != ir.None && w.last(in.Conns[j], ev) >= 0 {
				w.r.fail(w.pos, ErrBlackBox, "%s follows from instance %s of black box %s within an edge of %s: give it a body", w.what, in.Name, in.Mod.Name, m.NameOf(ev.root))
				return -1
			}
		}
	default:
		need(m.Args(id)...)
	}
	return last
}

// writeMoment is the last moment at which a write port may write, -1 for none.
func (w *moments) writeMoment(key portKey, ev event) int {
	if e := w.writes[key]; e != nil {
		if k := w.last(e.clk, ev); k >= 0 {
			return k + 1
		}
		return -1
	}
	if w.eventOf(w.r.m.Mems[key.mem].Writes[key.port].Clk) == ev {
		return 1
	}
	return -1
}

// at is what a node is at moment k of an event, from -1 on.
func (w *moments) at(id ir.ID, k int, ev event) ir.ID {
	last := w.last(id, ev)
	if last < 0 || len(w.r.errs) > 0 {
		return id
	}
	key := nodeMoment{nodeEvent{id, ev}, min(k, last)}
	if x, ok := w.values[key]; ok {
		if x == busy {
			w.r.fail(w.pos, nil, "the clock of %s goes round in a loop of latches", w.what)
			return id
		}
		return x
	}
	w.values[key] = busy
	x := w.value(id, key.k, ev)
	w.values[key] = x
	return x
}

func (w *moments) value(id ir.ID, k int, ev event) ir.ID {
	r, m := w.r, w.r.m
	switch n := *m.Node(id); n.Op {
	case ir.Input:
		return r.bit(ev.rising == (k >= 0))
	case ir.Reg:
		return w.register(id, k, ev)
	case ir.MemOut:
		return w.readPort(&m.Mems[n.Aux].Reads[n.Aux2], n.Aux, k, ev)
	case ir.MemRead:
		addr := w.at(m.Args(id)[0], k, ev)
		return w.word(n.Aux, addr, k, ev)
	}
	args := append([]ir.ID(nil), m.Args(id)...)
	same := true
	for i, a := range args {
		args[i] = w.at(a, k, ev)
		same = same && args[i] == a
	}
	if same {
		return id
	}
	return r.fold(id, args)
}

// register is what a register is at moment k.
func (w *moments) register(id ir.ID, k int, ev event) ir.ID {
	r := w.r
	if k < 0 {
		return id
	}
	g := r.m.Regs[r.m.Node(id).Aux]
	if r.m.IsLatch(&g) {
		return r.mux(w.at(g.Rst, k, ev), w.at(g.Reset, k, ev), w.at(id, k-1, ev))
	}
	now := w.at(id, k-1, ev)
	if e := w.regs[id]; e != nil {
		if fire, ok := w.fires(e.clk, k-1, ev); ok {
			next := w.at(g.Next, k-1, ev)
			if g.Rst != ir.None {
				next = r.mux(w.at(g.Rst, k-1, ev), g.Reset, next)
			}
			now = r.mux(fire, next, now)
		}
	} else if k == 1 && w.eventOf(g.Clk) == ev {
		now = w.at(g.Next, 0, ev)
		if g.Rst != ir.None {
			now = r.mux(w.at(g.Rst, 0, ev), g.Reset, now)
		}
	}
	if g.Async && (now != id || w.at(g.Rst, k, ev) != g.Rst) {
		now = r.mux(w.at(g.Rst, k, ev), g.Reset, now)
	}
	return now
}

// fires is whether a computed clock rises at moment k ≥ 0; false when it cannot.
func (w *moments) fires(clk ir.ID, k int, ev event) (ir.ID, bool) {
	if k < 0 {
		return ir.None, false
	}
	r := w.r
	now, before := w.at(clk, k, ev), w.at(clk, k-1, ev)
	if now == before {
		return ir.None, false
	}
	fire := r.and(now, r.not(before))
	if v, ok := r.constant(fire); ok && v.IsZero() {
		return ir.None, false
	}
	return fire, true
}

// readPort is what a read port on an input clock has at moment k.
func (w *moments) readPort(p *ir.ReadPort, mem int32, k int, ev event) ir.ID {
	if k < 1 {
		return p.Node
	}
	written := 0
	if p.Under == ir.New {
		written = 1
	}
	word := w.word(mem, w.at(p.Addr, 0, ev), written, ev)
	if p.En == ir.None {
		return word
	}
	return w.r.mux(w.at(p.En, 0, ev), word, p.Node)
}

// word is a word of a memory at moment k, with what was written before that.
func (w *moments) word(mem int32, addr ir.ID, k int, ev event) ir.ID {
	m := w.r.m
	depth, width := m.Mems[mem].Depth, m.Mems[mem].Width
	x := m.Add(ir.Node{Op: ir.MemRead, Width: int32(width), Pos: w.pos, Aux: mem}, addr)
	for i := range m.Mems[mem].Writes {
		key := portKey{mem, i}
		for at := range max(0, min(k, w.writeMoment(key, ev))) {
			if p, ok := w.writeAt(key, m.Mems[mem].Writes[i], at, ev); ok {
				x = w.r.written(p, addr, depth, x)
			}
		}
	}
	return x
}

// writeAt is a write port with what it takes at moment k; false when its clock
// cannot have risen then.
func (w *moments) writeAt(key portKey, p ir.WritePort, k int, ev event) (ir.WritePort, bool) {
	e := w.writes[key]
	if e == nil {
		if k != 0 || w.eventOf(p.Clk) != ev {
			return p, false
		}
		p.En = w.maybe(p.En, 0, ev)
	} else {
		fire, ok := w.fires(e.clk, k, ev)
		if !ok {
			return p, false
		}
		if p.En != ir.None {
			fire = w.r.and(fire, w.at(p.En, k, ev))
		}
		p.En = fire
	}
	p.Addr, p.Data, p.Mask = w.at(p.Addr, k, ev), w.at(p.Data, k, ev), w.maybe(p.Mask, k, ev)
	return p, true
}

func (w *moments) maybe(id ir.ID, k int, ev event) ir.ID {
	if id == ir.None {
		return id
	}
	return w.at(id, k, ev)
}

// written is a word at an address that was old, behind a write port.
func (r *resolver) written(p ir.WritePort, addr ir.ID, depth int, old ir.ID) ir.ID {
	m := r.m
	n := max(m.Width(addr), m.Width(p.Addr), ir.CountWidth(depth)) + 1
	a, b := r.resize(addr, n, ir.ZExt), r.resize(p.Addr, n, ir.ZExt)
	end := m.Const(bits.New(n, uint64(depth)), 0)
	hit := r.and(r.add(ir.Eq, 1, a, b), r.add(ir.Lt, 1, a, end))
	if p.En != ir.None {
		hit = r.and(p.En, hit)
	}
	if p.Mask == ir.None {
		return r.mux(hit, p.Data, old)
	}
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
