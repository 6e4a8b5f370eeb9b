package moments

import "etch/ir"

// Event is an edge of an input clock. Clock is the front end's number for it; 0 is none.
type Event struct {
	Clock  int32
	Rising bool
}

// Port is a write port of a memory.
type Port struct {
	Mem  int32
	Port int
}

// Netlist is the part of the work that differs between front ends.
type Netlist interface {
	// Level reports the input clock whose level node id is; ok is false if it is none.
	Level(id ir.ID) (clock int32, ok bool)
	// LevelAt is that node at moment k of an edge of its clock.
	LevelAt(id ir.ID, k int, ev Event) ir.ID
	// Edge is the edge on which clock node clk acts, the zero Event for a computed clock.
	Edge(clk ir.ID) Event
	// MadeReg and MadeWrite are the computed clocks of a register and of a write port, None
	// if their clock is an input.
	MadeReg(id ir.ID) ir.ID
	MadeWrite(p Port) ir.ID
	// Instance is Rows.Last of an output of an instance.
	Instance(id ir.ID, ev Event) int

	// And, Not and Mux make nodes; Fold makes node id with other arguments.
	And(x, y ir.ID) ir.ID
	Not(x ir.ID) ir.ID
	Mux(c, x, y ir.ID) ir.ID
	Fold(id ir.ID, args []ir.ID) ir.ID
	// Written is the word at addr after write port p, if it was old before.
	Written(p ir.WritePort, addr ir.ID, depth int, old ir.ID) ir.ID
	// Never reports whether a bit is known to be 0.
	Never(bit ir.ID) bool
	// Pos is the position for new nodes.
	Pos() ir.Pos

	// Circular notes the error that a clock depends on itself, or on a loop of latches.
	// Failed reports whether any error was noted.
	Circular(latches bool)
	Failed() bool
}

// Rows caches the moments of the edges of a module, computed on demand.
type Rows struct {
	m *ir.Module
	n Netlist
	// take is the moment at which state of the input clock itself samples its inputs: 0, or
	// -1 if those have no levels of the clock.
	take int

	lasts  map[nodeEvent]int
	values map[nodeMoment]ir.ID
}

type nodeEvent struct {
	id ir.ID
	ev Event
}

type nodeMoment struct {
	nodeEvent
	k int
}

// busy marks a node whose computation is under way: meeting it again is a loop.
const busy = -9

// New makes the rows of a module. With levels, state of an input clock samples its inputs
// after the level of that clock has changed, as in Verilog. Without levels it samples the
// values before the edge, and everything at moment -1 is left as it is.
func New(m *ir.Module, n Netlist, levels bool) *Rows {
	r := &Rows{m: m, n: n}
	if !levels {
		r.take = -1
	}
	r.Reset()
	return r
}

// Reset drops the cache, after clocks have changed.
func (r *Rows) Reset() { r.lasts, r.values = map[nodeEvent]int{}, map[nodeMoment]ir.ID{} }

// Last is the last moment at which a node may change, -1 if the event leaves it alone.
func (r *Rows) Last(id ir.ID, ev Event) int {
	key := nodeEvent{id, ev}
	if k, ok := r.lasts[key]; ok {
		if k == busy {
			r.n.Circular(false)
			return -1
		}
		return k
	}
	r.lasts[key] = busy
	k := r.lastOf(id, ev)
	r.lasts[key] = k
	return k
}

// lastOf computes Last. A computed clock that may change at k moves its registers at k+1;
// logic changes with its operands.
func (r *Rows) lastOf(id ir.ID, ev Event) int {
	// An edge changes the level of its own clock at moment 0, and that of no other.
	if clock, ok := r.n.Level(id); ok {
		if clock == ev.Clock {
			return 0
		}
		return -1
	}

	m, last := r.m, -1
	need := func(list ...ir.ID) {
		for _, x := range list {
			if x != ir.None {
				last = max(last, r.Last(x, ev))
			}
		}
	}

	switch n := m.Node(id); n.Op {
	case ir.Reg:
		g := &m.Regs[n.Aux]
		// A latch follows its operands; other registers have one kind of clock.
		switch made := r.n.MadeReg(id); {
		case g.Kind == ir.Latch:
			need(g.Rst, g.Reset)
			return last

		case made != ir.None:
			if k := r.Last(made, ev); k >= 0 {
				last = k + 1
			}
		case r.n.Edge(g.Clk) == ev:
			last = 1
		}

		// An asynchronous reset acts at once.
		if g.Async {
			need(g.Rst)
		}

	case ir.MemOut:
		if r.n.Edge(m.Mems[n.Aux].Reads[n.Aux2].Clk) == ev {
			last = 1
		}

	case ir.MemRead:
		need(m.Args(id)...)
		// The words of a memory change with each of its writes.
		for i := range m.Mems[n.Aux].Writes {
			last = max(last, r.lastWrite(Port{n.Aux, i}, ev))
		}

	case ir.InstOut:
		return r.n.Instance(id, ev)
	default:
		need(m.Args(id)...)
	}

	return last
}

// lastWrite is the last moment at which a write port may change its memory, -1 for none.
func (r *Rows) lastWrite(p Port, ev Event) int {
	if made := r.n.MadeWrite(p); made != ir.None {
		if k := r.Last(made, ev); k >= 0 {
			return k + 1
		}
		return -1
	}
	if r.n.Edge(r.m.Mems[p.Mem].Writes[p.Port].Clk) == ev {
		return 1
	}
	return -1
}

// At is the node for the value of id at moment k of an event, k from -1 on.
func (r *Rows) At(id ir.ID, k int, ev Event) ir.ID {
	if k < 0 && r.take < 0 {
		return id // without evaluating its operands, which might report errors
	}

	// After its last change a node keeps its value.
	last := r.Last(id, ev)
	if k = min(k, last); last < 0 || r.n.Failed() {
		return id
	}

	key := nodeMoment{nodeEvent{id, ev}, k}
	if x, ok := r.values[key]; ok {
		if x == busy {
			r.n.Circular(true)
			return id
		}
		return x
	}
	r.values[key] = busy
	x := r.value(id, k, ev)
	r.values[key] = x
	return x
}

// maybe is At of an optional node.
func (r *Rows) maybe(id ir.ID, k int, ev Event) ir.ID {
	if id == ir.None {
		return id
	}
	return r.At(id, k, ev)
}

// value builds the node for id at moment k: state by its own rules, logic from its operands
// at that moment.
func (r *Rows) value(id ir.ID, k int, ev Event) ir.ID {
	if _, ok := r.n.Level(id); ok {
		return r.n.LevelAt(id, k, ev)
	}
	m := r.m
	switch n := *m.Node(id); n.Op {
	case ir.Reg:
		return r.register(id, k, ev)
	case ir.MemOut:
		return r.readPort(&m.Mems[n.Aux].Reads[n.Aux2], n.Aux, k, ev)
	case ir.MemRead:
		addr := r.At(m.Args(id)[0], k, ev)
		return r.word(n.Aux, addr, k, ev)
	}

	// Operands that have not changed leave the node as it is.
	args := append([]ir.ID(nil), m.Args(id)...)
	same := true
	for i, a := range args {
		args[i] = r.At(a, k, ev)
		same = same && args[i] == a
	}
	if same {
		return id
	}
	return r.n.Fold(id, args)
}

// register is the value of a register at moment k. It keeps its value of moment k-1 unless
// its clock rose then, or it is a latch or in asynchronous reset.
func (r *Rows) register(id ir.ID, k int, ev Event) ir.ID {
	if k < 0 {
		return id
	}
	g := r.m.Regs[r.m.Node(id).Aux]
	if g.Kind == ir.Latch {
		return r.n.Mux(r.At(g.Rst, k, ev), r.At(g.Reset, k, ev), r.At(id, k-1, ev))
	}

	// The sampled value, with a synchronous reset.
	taken := func(at int) ir.ID {
		next := r.At(g.Next, at, ev)
		if g.Rst != ir.None {
			next = r.n.Mux(r.At(g.Rst, at, ev), g.Reset, next)
		}
		return next
	}

	// An edge moves the registers of its own clock at moment 1; a computed clock moves them a moment
	// after it rose.
	now := r.At(id, k-1, ev)
	if made := r.n.MadeReg(id); made != ir.None {
		if fire, ok := r.Fires(made, k-1, ev); ok {
			now = r.n.Mux(fire, taken(k-1), now)
		}
	} else if k == 1 && r.n.Edge(g.Clk) == ev {
		now = taken(r.take)
	}

	// An asynchronous reset acts at any moment.
	if g.Async && (now != id || r.At(g.Rst, k, ev) != g.Rst) {
		now = r.n.Mux(r.At(g.Rst, k, ev), g.Reset, now)
	}
	return now
}

// Fires is the condition that a computed clock rises at moment k; ok is false if it cannot.
func (r *Rows) Fires(clk ir.ID, k int, ev Event) (ir.ID, bool) {
	if k < 0 {
		return ir.None, false
	}

	// A rise is low before and high now.
	now, before := r.At(clk, k, ev), r.At(clk, k-1, ev)
	if now == before {
		return ir.None, false
	}
	fire := r.n.And(now, r.n.Not(before))
	return fire, !r.n.Never(fire)
}

// readPort is the value of a read port on an input clock at moment k. It takes its word at
// moment 1.
func (r *Rows) readPort(p *ir.ReadPort, mem int32, k int, ev Event) ir.ID {
	if k < 1 {
		return p.Node
	}

	// A port that gives new words sees the writes of moment 0.
	written := 0
	if p.Under == ir.New {
		written = 1
	}
	word := r.word(mem, r.At(p.Addr, r.take, ev), written, ev)
	if p.En == ir.None {
		return word
	}
	return r.n.Mux(r.At(p.En, r.take, ev), word, p.Node)
}

// word is a word of a memory at moment k, after all writes before that.
func (r *Rows) word(mem int32, addr ir.ID, k int, ev Event) ir.ID {
	depth, width := r.m.Mems[mem].Depth, r.m.Mems[mem].Width
	x := r.m.Add(ir.Node{Op: ir.MemRead, Width: int32(width), Pos: r.n.Pos(), Aux: mem}, addr)

	// Later ports, and later moments of a port, lie over earlier ones.
	for i := range r.m.Mems[mem].Writes {
		port := Port{mem, i}
		for at := range max(0, min(k, r.lastWrite(port, ev))) {
			if p, ok := r.Write(port, at, ev); ok {
				x = r.n.Written(p, addr, depth, x)
			}
		}
	}
	return x
}

// Write is a write port with its operands at moment k; ok is false if its clock cannot have
// risen then.
func (r *Rows) Write(port Port, k int, ev Event) (ir.WritePort, bool) {
	p, at := r.m.Mems[port.Mem].Writes[port.Port], k

	// With a computed clock, the port is enabled while that clock rises.
	if made := r.n.MadeWrite(port); made != ir.None {
		fire, ok := r.Fires(made, k, ev)
		if !ok {
			return p, false
		}
		if p.En != ir.None {
			fire = r.n.And(fire, r.At(p.En, k, ev))
		}
		p.En = fire
	} else {
		if k != 0 || r.n.Edge(p.Clk) != ev {
			return p, false
		}
		at = r.take
		p.En = r.maybe(p.En, at, ev)
	}

	p.Addr, p.Data, p.Mask = r.At(p.Addr, at, ev), r.At(p.Data, at, ev), r.maybe(p.Mask, at, ev)
	return p, true
}
