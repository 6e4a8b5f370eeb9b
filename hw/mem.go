package hw

import (
	"etch/ir"
	"etch/ir/bits"
)

// Under says what a synchronous read gives when the word it reads is written at
// the same clock edge. Every synchronous port says it; there is no default.
type Under = ir.Under

// The read-under-write behaviours. Simulation gives the old word for Undefined;
// synthesis may give anything, which is what most block RAMs do best.
const (
	Old       = ir.Old
	New       = ir.New
	Undefined = ir.Undefined
)

// Memory is an array of elements with any number of read and write ports.
type Memory[T any] struct {
	m    *Module
	mem  *memory
	elem T
}

// memory is what the builder keeps of a memory.
type memory struct {
	b      *body
	at     int // index in b.m.Mems
	name   string
	addr   int // bits of an address
	writes []*writePort
	reads  []readFields // parallel to ir().Reads
}

// readFields are the targets of a synchronous read port.
type readFields struct{ addr, en int32 }

func (r *memory) ir() *ir.Memory { return &r.b.m.Mems[r.at] }

// MemOption is an option of [Mem].
type MemOption func(*Module, *ir.Memory)

// Contents gives a memory its first words at power-up; the rest are 0.
func Contents(words ...uint64) MemOption {
	return func(m *Module, mem *ir.Memory) {
		vs := make([]bits.Value, len(words))
		for i, w := range words {
			if mem.Width < 64 && w>>mem.Width != 0 {
				m.Errorf("literal", "Mem %s: word %d is %d and does not fit %s", mem.Name, i, w, plural(mem.Width, "bit"))
				return
			}
			vs[i] = bits.New(mem.Width, w)
		}
		contents(m, mem, vs)
	}
}

// ContentsBits is [Contents] for words of any width; each must have the width of
// an element.
func ContentsBits(words ...bits.Value) MemOption {
	return func(m *Module, mem *ir.Memory) {
		for i, w := range words {
			if w.Width() != mem.Width {
				m.Errorf("width", "Mem %s: word %d has %s, an element %d", mem.Name, i, plural(w.Width(), "bit"), mem.Width)
				return
			}
		}
		contents(m, mem, words)
	}
}

func contents(m *Module, mem *ir.Memory, words []bits.Value) {
	if len(words) > mem.Depth {
		m.Errorf("range", "Mem %s: %d words of contents for %d elements", mem.Name, len(words), mem.Depth)
		return
	}
	mem.Init = append([]bits.Value{}, words...)
}

// Style says what a memory should be made of: "block" for block RAM, "logic" for
// registers and LUTs. Without it the synthesis tool decides.
func Style(style string) MemOption {
	return func(m *Module, mem *ir.Memory) {
		if style != "block" && style != "logic" {
			m.Errorf("param", "Style: %q is neither block nor logic", style)
			return
		}
		mem.Style = style
	}
}

// maxMemory bounds the bits of a memory.
const maxMemory = 1 << 33

// Mem is a memory of depth elements; writes belong to m's clock.
func Mem[T any](m *Module, name string, depth int, elem T, opts ...MemOption) *Memory[T] {
	b := m.b
	name = join(m.prefix, name)
	b.claim(name, false)
	width := WidthOf(elem)
	if depth < 1 || width < 1 || depth > maxMemory/max(width, 1) {
		m.Errorf("range", "Mem %s: %d elements of %d bits", name, depth, width)
		depth, width = 1, max(width, 1)
	}
	var typ ir.Type
	if ss := scalars(mapRef(&elem)); len(ss) == 1 {
		typ = ss[0].typ()
	}
	b.m.Mems = append(b.m.Mems, ir.Memory{Name: name, Depth: depth, Width: width, Type: b.m.AddType(typ), Pos: b.d.pos()})
	mem := &memory{b: b, at: len(b.m.Mems) - 1, name: name, addr: AddressOf(depth).Width()}
	b.mems = append(b.mems, mem)
	for _, o := range opts {
		o(m, mem.ir())
	}
	return &Memory[T]{m, mem, Like(elem)}
}

// address checks an address.
func (r *memory) address(what string, a UInt) (ir.ID, bool) {
	xs := [1]sig{a.sig}
	if a.x != nil && a.x.is == literal && a.x.width == 0 {
		xs[0] = litLike(what, Unsigned(r.addr).sig, a.sig)
	}
	if r.b.resolve(what, xs[:], false) {
		return ir.None, false
	}
	if w := xs[0].Width(); w != r.addr {
		r.b.d.report(newDiag("width", origin(xs[0]), "%s: %s holds %s and needs %s of address, %s has %d",
			what, r.name, plural(r.ir().Depth, "element"), plural(r.addr, "bit"), describe(xs[0]), w))
		return ir.None, false
	}
	return xs[0].id, true
}

// Read is the element at addr now, before any write of this cycle; past the end
// it is zero.
func (r *Memory[T]) Read(addr UInt) T {
	b := r.mem.b
	a, ok := r.mem.address("Read", addr)
	if !ok {
		return walk(r.elem, func(_ leafKind, s *sig) { *s = poisonOf(b, s.Width()) })
	}
	mem := r.mem.ir()
	id := b.m.Add(ir.Node{Op: ir.MemRead, Type: mem.Type, Width: int32(mem.Width), Pos: b.d.pos(), Aux: int32(r.mem.at)}, a)
	return Unpack(r.elem, UInt{sig{b: b, id: id}})
}

// ReadPort is a synchronous read port.
type ReadPort[T any] struct {
	// Data is the element read at the last clock edge at which Read was in force.
	Data T
	mem  *memory
	port readFields
}

// ReadPort makes a synchronous read port on m's clock; under says what it gives
// when its element is written at the same edge.
func (r *Memory[T]) ReadPort(m *Module, name string, under Under) *ReadPort[T] {
	b := r.mem.b
	mem := r.mem.ir()
	clk := m.clock()
	at := len(mem.Reads)
	id := b.m.Add(ir.Node{Op: ir.MemOut, Type: mem.Type, Width: int32(mem.Width), Pos: b.d.pos(), Aux: int32(r.mem.at), Aux2: int32(at)})
	b.give(id, join(r.mem.name, name))
	mem.Reads = append(mem.Reads, ir.ReadPort{Name: name, Node: id, Clk: clk.id, Under: under, Pos: b.d.pos()})
	port := readFields{addr: b.portField(r.mem.addr, false), en: b.portField(1, true)}
	r.mem.reads = append(r.mem.reads, port)
	return &ReadPort[T]{Data: Unpack(r.elem, UInt{sig{b: b, id: id}}), mem: r.mem, port: port}
}

// Read reads addr at the coming clock edge, where the enclosing conditions hold;
// elsewhere Data keeps its value. It returns Data, which has the element from
// the next cycle on.
func (r *ReadPort[T]) Read(addr UInt) T {
	if a, ok := r.mem.address("Read", addr); ok {
		r.mem.b.drive(r.port.en, r.port.addr, a)
	}
	return r.Data
}

// SyncRead is a synchronous read port with one use: the element at addr, one
// cycle later, read where the enclosing conditions hold.
func (r *Memory[T]) SyncRead(name string, addr UInt, under Under) T {
	return r.ReadPort(r.m, name, under).Read(addr)
}

// portField makes a target for a field of a memory port.
func (b *body) portField(width int, enable bool) int32 {
	id := b.m.Add(ir.Node{Op: ir.Wire, Width: int32(width), Pos: b.d.pos()}, ir.None)
	t := target{kind: portTarget, id: id}
	if enable {
		t.cur = value0(b.low())
	}
	return b.addTarget(t) - 1
}

func (b *body) low() ir.ID  { return b.constant(bits.Zero(1), ir.TypeID(ir.Bool)) }
func (b *body) high() ir.ID { return b.constant(bits.Ones(1), ir.TypeID(ir.Bool)) }

// drive puts a port to use here: enable high, and each further field its value.
func (b *body) drive(en int32, fieldsAndValues ...any) {
	b.flush()
	pos := b.d.pos()
	b.put(en, value0(b.high()), pos, false)
	for i := 0; i < len(fieldsAndValues); i += 2 {
		b.put(fieldsAndValues[i].(int32), value0(fieldsAndValues[i+1].(ir.ID)), pos, false)
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
	mask  int32 // -1: none
	lanes int
}

// idle reports whether nothing uses the port on this path yet.
func (w *writePort) idle(b *body) bool { return b.targets[w.en].cur.id == b.low() }

func (r *memory) newWritePort(m *Module, name string) *writePort {
	b := r.b
	w := &writePort{name: name, clk: m.clock().id, pos: b.d.pos(), mask: -1}
	w.addr, w.data, w.en = b.portField(r.addr, false), b.portField(r.ir().Width, false), b.portField(1, true)
	r.writes = append(r.writes, w)
	return w
}

// Write stores v at addr at the clock edge, where the enclosing conditions hold;
// past the end it does nothing. Writes in exclusive branches share one port;
// a write that may happen together with another gets a port of its own, and
// where both store at one address the later one in the text wins.
func (r *Memory[T]) Write(addr UInt, v T) { r.write("Write", nil, addr, v, UInt{}) }

// WriteMask is Write for the lanes whose bit in mask is high; the element is cut
// into as many equal lanes as mask has bits, lane 0 at the bottom.
func (r *Memory[T]) WriteMask(addr UInt, v T, mask UInt) { r.write("WriteMask", nil, addr, v, mask) }

// WritePort is a write port made on purpose.
type WritePort[T any] struct {
	r    *Memory[T]
	port *writePort
}

// WritePort makes a write port on m's clock. Its writes must exclude each other.
func (r *Memory[T]) WritePort(m *Module, name string) *WritePort[T] {
	return &WritePort[T]{r, r.mem.newWritePort(m, name)}
}

// Write stores v at addr, where the enclosing conditions hold.
func (w *WritePort[T]) Write(addr UInt, v T) { w.r.write("Write", w.port, addr, v, UInt{}) }

// WriteMask is Write for the lanes whose bit in mask is high.
func (w *WritePort[T]) WriteMask(addr UInt, v T, mask UInt) {
	w.r.write("WriteMask", w.port, addr, v, mask)
}

func (r *Memory[T]) write(what string, port *writePort, addr UInt, v T, mask UInt) {
	b := r.mem.b
	a, ok := r.mem.address(what, addr)
	data := r.packed(what, v)
	if !ok || !data.isLive() {
		b.meet(data)
		return
	}
	b.flush()
	lanes := 0
	if mask.b != nil || mask.x != nil {
		xs := [1]sig{mask.sig}
		if b.resolve(what, xs[:], false) {
			return
		}
		mask.sig, lanes = xs[0], xs[0].Width()
		if w := r.mem.ir().Width; w%lanes != 0 {
			b.d.report(newDiag("width", origin(mask.sig), "%s: a mask of %s for an element of %d", what, plural(lanes, "bit"), w))
			return
		}
	}
	w := port
	if w == nil {
		w = r.freePort(lanes)
	} else if !w.idle(b) {
		note := Note{b.d.src.At(b.targets[w.en].setAt), "the other write is here"}
		b.d.report(newDiag("port", []Note{note}, "%s: port %s of %s may be in use by another write at the same time", what, w.name, r.mem.name))
	}
	fields := []any{w.addr, a, w.data, data.id}
	switch {
	case lanes > 0 && w.mask < 0:
		w.lanes, w.mask = lanes, b.portField(lanes, false)
		fallthrough
	case lanes > 0 && lanes == w.lanes:
		fields = append(fields, w.mask, mask.id)
	case w.lanes > 0 && lanes == 0:
		fields = append(fields, w.mask, b.constant(bits.Ones(w.lanes), 0))
	case lanes != w.lanes:
		b.d.report(newDiag("width", origin(mask.sig), "%s: port %s of %s has masks of %s", what, w.name, r.mem.name, plural(w.lanes, "bit")))
	}
	b.drive(w.en, fields...)
}

// freePort is the first implicit write port that nothing uses on this path.
func (r *Memory[T]) freePort(lanes int) *writePort {
	for _, w := range r.mem.writes {
		if w.name == "" && w.idle(r.mem.b) && w.clk == r.m.clock().id && w.lanes == lanes {
			return w
		}
	}
	return r.mem.newWritePort(r.m, "")
}

// packed is the word of an element; literals take the element's widths.
func (r *Memory[T]) packed(what string, v T) sig {
	b := r.mem.b
	ok := true
	full := combine(what, []T{v, r.elem}, func(_ leafKind, s []sig) sig {
		xs := [1]sig{s[0]}
		var enum *enumInfo
		if s[1].x != nil && s[1].x.enum != nil {
			enum = b.d.intern(s[1].x.enum)
		}
		if !b.operand(what, &xs[0], s[1].Width(), enum, true) {
			ok = false
		} else if w := xs[0].Width(); w != s[1].Width() {
			b.d.report(newDiag("width", origin(xs[0]), "%s: %s has %s, the element of %s has %d", what, describe(xs[0]), plural(w, "bit"), r.mem.name, s[1].Width()))
			ok = false
		}
		return xs[0]
	})
	if !ok {
		return poisonOf(b, 1)
	}
	return Pack(full).sig
}

// finish turns the write and read ports of a memory into netlist ports.
func (r *memory) finish() {
	b, mem := r.b, r.ir()
	field := func(lv int32) ir.ID { return b.targets[lv].cur.id }
	enable := func(lv int32) ir.ID {
		if id := field(lv); id != b.high() {
			return id
		}
		return ir.None
	}
	for i, f := range r.reads {
		p := &mem.Reads[i]
		if p.Addr, p.En = field(f.addr), enable(f.en); p.Addr == ir.None {
			b.d.report(Diag{Code: "undriven", Msg: "Mem: read port " + join(r.name, p.Name) + " is never used", Pos: b.d.src.At(p.Pos)})
		}
	}
	for _, w := range r.writes {
		if w.idle(b) {
			continue // never used
		}
		p := ir.WritePort{Name: w.name, Clk: w.clk, Addr: field(w.addr), Data: field(w.data), En: enable(w.en), Pos: w.pos}
		if w.mask >= 0 {
			p.Mask = field(w.mask)
		}
		mem.Writes = append(mem.Writes, p)
	}
}
