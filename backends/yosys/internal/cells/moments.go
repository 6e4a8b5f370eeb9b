package cells

import (
	"etch/ir"
	rows "etch/ir/moments"
)

// moments evaluates nodes at the moments of an edge of an input clock, see
// made.go and package ir/moments.
type moments struct {
	l       *lowering
	rows    *rows.Rows
	regs    map[ir.ID]*madeEdges // by Reg node
	writes  map[portKey]*madeEdges
	edges   map[ir.ID]event   // by clock node
	origins map[ir.ID]*origin // by made clock
}

// event is an edge of an input clock; that of a clock that never moves has no net.
type event struct {
	net    bit
	rising bool
}

func (ev event) edge() rows.Event { return rows.Event{Clock: int32(ev.net), Rising: ev.rising} }

// portKey is a write port of a memory.
type portKey struct {
	mem  int32
	port int
}

// findEdges notes the edge of each clock node.
func (w *moments) findEdges() {
	l := w.l
	w.edges, w.rows = map[ir.ID]event{}, rows.New(l.m, w, false)
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
func (w *moments) last(id ir.ID, ev event) int { return w.rows.Last(id, ev.edge()) }

// at returns the value of a node at moment k of an event.
func (w *moments) at(id ir.ID, k int, ev event) ir.ID { return w.rows.At(id, k, ev.edge()) }

// end returns the value of a register when an event is over.
func (w *moments) end(id ir.ID, net bit, rising bool) ir.ID {
	ev := event{net, rising}
	return w.at(id, w.last(id, ev), ev)
}

// fires is whether a made clock rises at moment k; false when it cannot.
func (w *moments) fires(clk ir.ID, k int, ev event) (ir.ID, bool) {
	return w.rows.Fires(clk, k, ev.edge())
}

// writeAt returns a write port with its inputs at moment k; false when its clock
// cannot have risen then.
func (w *moments) writeAt(key portKey, k int, ev event) (ir.WritePort, bool) {
	return w.rows.Write(rows.Port{Mem: key.mem, Port: key.port}, k, ev.edge())
}

// The reader's view of the netlist.
var _ rows.Netlist = (*moments)(nil)

// Level is that of an input clock, which has a node of its own.
func (w *moments) Level(id ir.ID) (int32, bool) {
	if k := w.l.levelOf(id); k != nil {
		return int32(k.net), true
	}
	return 0, false
}

// LevelAt is the inverse from moment 0 on.
func (w *moments) LevelAt(id ir.ID, _ int, _ rows.Event) ir.ID { return w.l.not(id) }

// Edge is edgeOf.
func (w *moments) Edge(clk ir.ID) rows.Event { return w.edgeOf(clk).edge() }

// MadeReg is the made clock of a register.
func (w *moments) MadeReg(id ir.ID) ir.ID { return w.regs[id].clock() }

// MadeWrite is the made clock of a write port.
func (w *moments) MadeWrite(p rows.Port) ir.ID { return w.writes[portKey{p.Mem, p.Port}].clock() }

func (e *madeEdges) clock() ir.ID {
	if e == nil {
		return ir.None
	}
	return e.clk
}

// Instance asks for a flat design.
func (w *moments) Instance(id ir.ID, _ rows.Event) int {
	w.l.r.dissolve("*")
	w.l.fail(w.l.reading, "what it takes with a made clock comes out of instance %s; flatten the design", w.l.m.Insts[w.l.m.Node(id).Aux].Name)
	return -1
}

// And, Not and Mux are the reader's.
func (w *moments) And(x, y ir.ID) ir.ID    { return w.l.and(x, y) }
func (w *moments) Not(x ir.ID) ir.ID       { return w.l.not(x) }
func (w *moments) Mux(c, x, y ir.ID) ir.ID { return w.l.mux(c, x, y) }

// Fold is node id with other arguments.
func (w *moments) Fold(id ir.ID, args []ir.ID) ir.ID {
	m := w.l.m
	x := m.Add(*m.Node(id), args...)
	m.SetName(x, "")
	return x
}

// Never is false: a clock that cannot rise has the same node before and after.
func (w *moments) Never(ir.ID) bool { return false }

// Pos is that of the cell at hand.
func (w *moments) Pos() ir.Pos { return w.l.pos }

// Circular is an error of the cell at hand.
func (w *moments) Circular(latches bool) {
	if latches {
		w.l.fail(w.l.reading, "it goes round in a loop of latches")
	} else {
		w.l.fail(w.l.reading, "its clock follows from itself")
	}
}

// Failed reports whether there is an error.
func (w *moments) Failed() bool { return w.l.r.failed > 0 }

// Written returns the word at an address after a write port; old is the word before.
func (w *moments) Written(p ir.WritePort, addr ir.ID, depth int, old ir.ID) ir.ID {
	l := w.l

	// One bit more, so that the depth fits.
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

// spread gives every bit of a word its bit of a mask of lanes.
func (l *lowering) spread(mask ir.ID, width int) ir.ID {
	lanes := l.width(mask)
	parts := make([]ir.ID, lanes)
	for i := range parts {
		parts[i] = l.resize(l.bit(mask, i), width/lanes, true)
	}
	return l.cat(parts...)
}
