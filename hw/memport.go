package hw

import (
	"etch/ir"
	"etch/ir/bits"
)

// ReadPort is a synchronous read port.
type ReadPort[T any] struct {
	// Data is the element read at the last clock edge at which Read was in force.
	Data T
	mem  *memory
	port readFields
}

// readFields are the targets of a synchronous read port.
type readFields struct {
	addr, en int32
	gate     ir.ID // clock enable, None for none
}

// ReadPort makes a synchronous read port on m's clock; under says which value it gives
// when its element is written at the same edge.
func (r *Memory[T]) ReadPort(m *Module, name string, under Under) *ReadPort[T] {
	b := r.mem.b
	if !r.mem.usable("ReadPort", m) {
		return &ReadPort[T]{Data: poisoned(poisonOf(b, 1), r.elem)}
	}

	mem, clk, pos := r.mem.ir(), m.clock(), b.d.pos()
	at := len(mem.Reads)
	id := b.emit(ir.Node{Op: ir.MemOut, Type: mem.Type, Width: int32(mem.Width), Pos: pos, Aux: int32(r.mem.at), Aux2: int32(at)})

	// The port's address and enable are targets like wires; finish reads their drivers.
	b.give(id, join(r.mem.name, name), claimed, pos)
	mem.Reads = append(mem.Reads, ir.ReadPort{Name: name, Node: id, Clk: clk, Under: under, Pos: pos})
	port := readFields{addr: b.portField(r.mem.addr, ir.None), en: b.portField(1, b.low()), gate: m.gate}
	r.mem.reads = append(r.mem.reads, port)

	return &ReadPort[T]{Data: Unpack(r.elem, UInt{sig{b: b, id: id}}), mem: r.mem, port: port}
}

// Read reads addr at the coming clock edge, where the enclosing conditions hold;
// elsewhere Data keeps its value. Of several uses of one port that hold together
// the last one counts. It returns Data, which has the element from the next
// cycle on.
func (r *ReadPort[T]) Read(addr UInt) T {
	if r.mem == nil || !r.mem.usable("Read", nil) {
		return r.Data // the mistake is reported
	}
	a, ok := r.mem.address("Read", addr)

	// After a mistake the port is driven all the same, or it would be reported as unused.
	if !ok {
		a = r.mem.b.filler(shapeOf(r.mem.addr, ir.Type{}))
	}
	r.mem.b.drive(r.port.en, []field{{r.port.addr, a}})
	return r.Data
}

// SyncRead is a synchronous read port with one use: the element at addr, one cycle later,
// read while the enclosing conditions hold.
func (r *Memory[T]) SyncRead(name string, addr UInt, under Under) T {
	return r.ReadPort(r.m, name, under).Read(addr)
}

// portField makes a target for a field of a memory port. It holds start until something
// drives it.
func (b *body) portField(width int, start ir.ID) int32 {
	id := b.undriven(b.d.pos(), 0, width)
	return b.addTarget(target{kind: portTarget, id: id, cur: value{id: start}}).index()
}

// field is a target of a memory port with its driver.
type field struct {
	at int32
	v  ir.ID
}

// drive uses a port in the present block: it sets the enable high and each field to its
// value.
func (b *body) drive(en int32, fields []field) {
	b.flush()
	pos := b.d.pos()
	b.put(en, value{id: b.high(), pos: pos}, pos, false)
	for _, f := range fields {
		b.put(f.at, value{id: f.v, pos: pos}, pos, false)
	}
}

// writePort is one write port under construction.
type writePort struct {
	name  string
	clk   ir.ID
	pos   ir.Pos
	addr  int32
	data  int32
	en    int32
	mask  int32 // target of the mask, -1 for none
	lanes int
	gate  ir.ID // clock enable, None for none
}

// idle reports whether nothing uses the port on this path yet.
func (w *writePort) idle(b *body) bool { return b.isConst(b.targets.at(w.en).cur.id, 0) }

func (r *memory) newWritePort(m *Module, name string, lanes int) *writePort {
	b := r.b
	w := &writePort{name: name, clk: m.clock(), pos: b.d.pos(), mask: -1, gate: m.gate}
	w.addr, w.data, w.en = b.portField(r.addr, ir.None), b.portField(r.ir().Width, ir.None), b.portField(1, b.low())
	w.masked(b, lanes)
	r.writes = append(r.writes, w)
	return w
}

// masked gives a port a mask of lanes bits, if it has none yet. Earlier uses of the port
// keep all lanes.
func (w *writePort) masked(b *body, lanes int) {
	if lanes > 0 && w.mask < 0 {
		w.lanes = lanes
		w.mask = b.portField(lanes, b.constant(bits.Ones(lanes), 0))
	}
}

// Write stores v at addr at the clock edge, where the enclosing conditions hold;
// past the end it does nothing. Writes in exclusive branches share one port;
// a write that may happen together with another gets a port of its own, and
// where both store at one address the later one in the text wins.
func (r *Memory[T]) Write(addr UInt, v T) { r.write("Write", nil, addr, v, nil) }

// WriteMask is Write for the lanes whose bit in mask is high; the element is cut
// into as many equal lanes as mask has bits, lane 0 at the bottom.
func (r *Memory[T]) WriteMask(addr UInt, v T, mask UInt) { r.write("WriteMask", nil, addr, v, &mask) }

// WritePort is an explicit write port, made by [Memory.WritePort]. If two ports store at one address,
// the one made later wins.
type WritePort[T any] struct {
	r    *Memory[T]
	port *writePort
}

// WritePort makes a write port on m's clock. Its writes must exclude each other.
func (r *Memory[T]) WritePort(m *Module, name string) *WritePort[T] {
	if !r.mem.usable("WritePort", m) {
		return &WritePort[T]{r, nil}
	}
	return &WritePort[T]{r, r.mem.newWritePort(m, name, 0)}
}

// Write stores v at addr, where the enclosing conditions hold.
func (w *WritePort[T]) Write(addr UInt, v T) {
	if w.port != nil {
		w.r.write("Write", w.port, addr, v, nil)
	}
}

// WriteMask is Write for the lanes whose bit in mask is high.
func (w *WritePort[T]) WriteMask(addr UInt, v T, mask UInt) {
	if w.port != nil {
		w.r.write("WriteMask", w.port, addr, v, &mask)
	}
}

// write checks the operands, picks the port (an explicit one, or a free implicit one) and
// drives its fields in the present block.
func (r *Memory[T]) write(what string, port *writePort, addr UInt, v T, mask *UInt) {
	mem, b := r.mem, r.mem.b
	if !mem.usable(what, nil) {
		return
	}

	// All operands are looked at before the write is given up, so that each reports its mistakes.
	a, ok := mem.address(what, addr)
	data := r.packed(what, v)
	m, lanes, good := mem.lanes(what, mask)
	if !ok || !good || !data.isLive() {
		return
	}

	b.flush()

	// A write on an explicit port must be the only one there; any other write takes a free port.
	w := port
	switch {
	case w == nil:
		w = mem.freePort(r.m, lanes)
	case !w.idle(b):
		note := Note{b.d.src.At(b.targets.at(w.en).setAt), "the other write is here"}
		b.d.report(newDiag("port", []Note{note}, "%s: port %s of %s may be in use by another write at the same time", what, w.name, mem.name))
	}

	if w.masked(b, lanes); lanes > 0 && lanes != w.lanes {
		b.d.report(newDiag("width", origin(mask.sig), "%s: a mask of %s, and port %s of %s has masks of %d", what, plural(lanes, "bit"), w.name, mem.name, w.lanes))
		return
	}

	// A write of whole elements on a port with a mask enables all lanes.
	fields := []field{{w.addr, a}, {w.data, data.id}}
	switch {
	case lanes > 0:
		fields = append(fields, field{w.mask, m})
	case w.lanes > 0:
		fields = append(fields, field{w.mask, b.constant(bits.Ones(w.lanes), 0)})
	}
	b.drive(w.en, fields)
}

// lanes checks a mask and returns its node and the number of lanes, 0 without a mask. The
// lanes must divide the element.
func (r *memory) lanes(what string, mask *UInt) (id ir.ID, lanes int, ok bool) {
	if mask == nil {
		return ir.None, 0, true
	}

	b, xs := r.b, [1]sig{mask.sig}
	if b.resolve(what, xs[:], false) {
		return ir.None, 0, false
	}

	lanes = xs[0].Width()
	if w := r.ir().Width; w%lanes != 0 {
		b.d.report(newDiag("width", origin(xs[0]), "%s: a mask of %s for an element of %d", what, plural(lanes, "bit"), w))
		return ir.None, 0, false
	}
	return xs[0].id, lanes, true
}

// freePort returns an implicit write port that nothing uses on this path and that comes
// after those in use, so that the later write wins. A write of whole elements counts as one
// with all lanes, and shares a port with masked ones. Two different numbers of lanes do not
// mix.
func (r *memory) freePort(m *Module, lanes int) *writePort {
	var free *writePort
	for _, w := range r.writes {
		switch {
		case w.name != "":
		// A port in use: a later write must be on a port behind it.
		case !w.idle(r.b):
			free = nil
		case free == nil && w.clk == m.clock() && w.gate == m.gate && (w.lanes == lanes || w.lanes == 0 || lanes == 0):
			free = w
		}
	}

	if free == nil {
		free = r.newWritePort(m, "", lanes)
	}
	return free
}

// packed is the word of an element. Unsized literals take the widths of the element.
func (r *Memory[T]) packed(what string, v T) sig {
	b, ok := r.mem.b, true
	full := combine(what, []T{v, r.elem}, func(_ leafKind, s []sig) sig {
		// The element gives an unsized literal its width; any other width must equal its own.
		x, elem := s[:1], s[1]
		if x[0].isUnsized() {
			x[0] = litLike(what, elem, x[0])
		}
		switch w := elem.Width(); {
		case !b.operand(what, &x[0], w, b.enumInfoOf(elem)):
			ok = false
		case x[0].Width() != w:
			b.d.report(newDiag("width", origin(x[0]), "%s: %s has %s, the element of %s has %d", what, describe(x[0]), plural(x[0].Width(), "bit"), r.mem.name, w))
			ok = false
		}
		return x[0]
	})

	if !ok {
		return poisonOf(b, 1)
	}
	return Pack(full).sig
}

// finish turns the write and read ports of a memory into netlist ports.
func (r *memory) finish() {
	b, mem := r.b, r.ir()

	driver := func(at int32) ir.ID { return b.targets.at(at).cur.id }

	// An enable that is always high is left out.
	enable := func(at int32, gate ir.ID) ir.ID {
		if id := b.allowed(driver(at), gate); !b.isConst(id, 1) {
			return id
		}
		return ir.None
	}

	for i, f := range r.reads {
		p := &mem.Reads[i]
		if p.Addr, p.En = driver(f.addr), enable(f.en, f.gate); p.Addr == ir.None && !b.blind {
			b.d.report(Diag{Code: "undriven", Msg: "read port " + p.Name + " of " + r.name + " is never used", Pos: b.d.src.At(p.Pos)})
		}
	}

	for _, w := range r.writes {
		if w.idle(b) {
			continue // never used
		}
		p := ir.WritePort{Name: w.name, Clk: w.clk, Addr: driver(w.addr), Data: driver(w.data), En: enable(w.en, w.gate), Pos: w.pos}
		if w.mask >= 0 {
			p.Mask = driver(w.mask)
		}
		mem.Writes = append(mem.Writes, p)
	}
}
