package yosys

import "etch/ir"

// moments works out what nodes are at the moments of an edge of an input clock, see
// made.go.
type moments struct {
	l       *lowering
	regs    map[ir.ID]*madeEdges // by Reg node
	writes  map[portKey]*madeEdges
	edges   map[ir.ID]event   // by clock node
	origins map[ir.ID]*origin // by made clock
	lasts   map[nodeEvent]int
	values  map[nodeMoment]ir.ID
}

// event is an edge of an input clock; that of a clock that never moves has no net.
type event struct {
	net    bit
	rising bool
}

// portKey is a write port of a memory.
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

// busy marks what is being worked out.
const busy = -9

// findEdges notes what the clock nodes are.
func (w *moments) findEdges() {
	l := w.l
	w.edges, w.lasts, w.values = map[ir.ID]event{}, map[nodeEvent]int{}, map[nodeMoment]ir.ID{}
	for b := firstNet; int(b) < l.nets; b++ {
		if !l.clocks[b] {
			continue
		}
		clk := l.drv[b].node
		w.edges[clk] = event{b, true}
		if id, ok := l.inverse[clk]; ok {
			w.edges[id] = event{b, false}
		}
	}
}

// edgeOf is the edge that a clock node is.
func (w *moments) edgeOf(clk ir.ID) event { return w.edges[clk] }

// last is the last moment at which a node may change, -1 when the event leaves it.
func (w *moments) last(id ir.ID, ev event) int {
	key := nodeEvent{id, ev}
	if k, ok := w.lasts[key]; ok {
		if k == busy {
			w.l.fail(w.l.reading, "its clock follows from itself")
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
	m := w.l.m
	if k := w.l.levelOf(id); k != nil {
		if k.net == ev.net {
			return 0
		}
		return -1
	}
	last := -1
	need := func(list ...ir.ID) {
		for _, x := range list {
			if x != ir.None {
				last = max(last, w.last(x, ev))
			}
		}
	}
	n := m.Node(id)
	switch n.Op {
	case ir.Reg:
		r := &m.Regs[n.Aux]
		switch e := w.regs[id]; {
		case m.IsLatch(r):
			need(r.Rst, r.Reset)
			return last
		case e != nil:
			if k := w.last(e.clk, ev); k >= 0 {
				last = k + 1
			}
		case w.edgeOf(r.Clk) == ev:
			last = 1
		}
		if r.Async {
			need(r.Rst)
		}
	case ir.MemOut:
		if w.edgeOf(m.Mems[n.Aux].Reads[n.Aux2].Clk) == ev {
			last = 1
		}
	case ir.MemRead:
		need(m.Args(id)...)
		for i := range m.Mems[n.Aux].Writes {
			last = max(last, w.writeMoment(portKey{n.Aux, i}, ev))
		}
	case ir.InstOut:
		w.l.r.dissolve("*")
		w.l.fail(w.l.reading, "what it takes with a made clock comes out of instance %s; flatten the design", m.Insts[n.Aux].Name)
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
	if w.edgeOf(w.l.m.Mems[key.mem].Writes[key.port].Clk) == ev {
		return 1
	}
	return -1
}

// end is what a register is when an event is over.
func (w *moments) end(id ir.ID, net bit, rising bool) ir.ID {
	ev := event{net, rising}
	return w.at(id, w.last(id, ev), ev)
}

// at is what a node is at moment k of an event.
func (w *moments) at(id ir.ID, k int, ev event) ir.ID {
	if k = min(k, w.last(id, ev)); k < 0 || w.l.r.failed > 0 {
		return id
	}
	key := nodeMoment{nodeEvent{id, ev}, k}
	if x, ok := w.values[key]; ok {
		if x == busy {
			w.l.fail(w.l.reading, "it goes round in a loop of latches")
			return id
		}
		return x
	}
	w.values[key] = busy
	x := w.value(id, k, ev)
	w.values[key] = x
	return x
}

func (w *moments) value(id ir.ID, k int, ev event) ir.ID {
	l, m := w.l, w.l.m
	if l.levelOf(id) != nil {
		return l.not(id)
	}
	switch n := *m.Node(id); n.Op {
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
	x := m.Add(*m.Node(id), args...)
	m.SetName(x, "")
	return x
}

// register is what a register is at moment k.
func (w *moments) register(id ir.ID, k int, ev event) ir.ID {
	l := w.l
	r := *l.regOf(id)
	if l.m.IsLatch(&r) {
		return l.mux(w.at(r.Rst, k, ev), w.at(r.Reset, k, ev), w.at(id, k-1, ev))
	}
	now := w.at(id, k-1, ev)
	if e := w.regs[id]; e != nil {
		if fire, ok := w.fires(e.clk, k-1, ev); ok {
			next := w.at(r.Next, k-1, ev)
			if r.Rst != ir.None {
				next = l.mux(w.at(r.Rst, k-1, ev), r.Reset, next)
			}
			now = l.mux(fire, next, now)
		}
	} else if k == 1 && w.edgeOf(r.Clk) == ev {
		now = r.Next
		if r.Rst != ir.None {
			now = l.mux(r.Rst, r.Reset, now)
		}
	}
	if r.Async && (now != id || w.at(r.Rst, k, ev) != r.Rst) {
		now = l.mux(w.at(r.Rst, k, ev), r.Reset, now)
	}
	return now
}

// fires is whether a made clock rises at moment k; false when it cannot.
func (w *moments) fires(clk ir.ID, k int, ev event) (ir.ID, bool) {
	now, before := w.at(clk, k, ev), w.at(clk, k-1, ev)
	if now == before {
		return ir.None, false
	}
	return w.l.and(now, w.l.not(before)), true
}

// readPort is what a read port on an input clock has at moment k ≥ 1.
func (w *moments) readPort(p *ir.ReadPort, mem int32, k int, ev event) ir.ID {
	id := p.Node
	if k < 1 {
		return id
	}
	written := 0
	if p.Under == ir.New {
		written = 1
	}
	en, addr := p.En, p.Addr
	word := w.word(mem, addr, written, ev)
	if en == ir.None {
		return word
	}
	return w.l.mux(en, word, id)
}

// word is a word of a memory at moment k, with what was written before that.
func (w *moments) word(mem int32, addr ir.ID, k int, ev event) ir.ID {
	l := w.l
	depth, width := l.m.Mems[mem].Depth, l.m.Mems[mem].Width
	x := l.m.Add(ir.Node{Op: ir.MemRead, Width: int32(width), Pos: l.pos, Aux: mem}, addr)
	for i := range l.m.Mems[mem].Writes {
		key := portKey{mem, i}
		for at := range min(k, w.writeMoment(key, ev)) {
			if p, ok := w.writeAt(key, l.m.Mems[mem].Writes[i], at, ev); ok {
				x = l.written(p, addr, depth, x)
			}
		}
	}
	return x
}

// written is a word at an address that was old, behind a write port.
func (l *lowering) written(p ir.WritePort, addr ir.ID, depth int, old ir.ID) ir.ID {
	n := max(l.width(addr), l.width(p.Addr), ir.CountWidth(depth)) + 1
	a, b := l.resize(addr, n, false), l.resize(p.Addr, n, false)
	hit := l.both(p.En, l.and(l.eq(a, b), l.lt(a, l.konst(n, uint64(depth)), false)))
	if p.Mask == ir.None {
		return l.mux(hit, p.Data, old)
	}
	width := l.width(old)
	mask := l.and(l.spread(p.Mask, width), l.resize(hit, width, true))
	return l.or(l.and(mask, p.Data), l.and(l.not(mask), old))
}

// writeAt is a write port with what it takes at moment k; false when its clock
// cannot have risen then.
func (w *moments) writeAt(key portKey, p ir.WritePort, k int, ev event) (ir.WritePort, bool) {
	e := w.writes[key]
	if e == nil {
		return p, k == 0 && w.edgeOf(p.Clk) == ev
	}
	fire, ok := w.fires(e.clk, k, ev)
	if !ok {
		return p, false
	}
	if p.En != ir.None {
		fire = w.l.and(fire, w.at(p.En, k, ev))
	}
	p.En, p.Addr, p.Data = fire, w.at(p.Addr, k, ev), w.at(p.Data, k, ev)
	if p.Mask != ir.None {
		p.Mask = w.at(p.Mask, k, ev)
	}
	return p, true
}

// spread gives every bit of a word its bit of a mask of lanes.
func (l *lowering) spread(mask ir.ID, width int) ir.ID {
	lanes := l.width(mask)
	parts := make([]ir.ID, lanes)
	for i := range parts {
		parts[i] = l.resize(l.bit(mask, i), width/lanes, true)
	}
	return l.cat(parts...)
}
