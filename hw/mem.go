package hw

import (
	"etch/ir"
)

// Under is the value that a synchronous read gives when the word it reads is written at
// the same clock edge. Every synchronous port says it; there is no default.
type Under = ir.Under

// The read-under-write behaviours. Simulation gives the old word for Undefined;
// synthesis may give anything, which suits most block RAMs best.
const (
	Old       = ir.Old
	New       = ir.New
	Undefined = ir.Undefined
)

// Memory is an array of elements with any number of read and write ports.
type Memory[T any] struct {
	m    *Module
	mem  *memory
	elem T // shape
}

// memory is the builder's record of a memory.
type memory struct {
	b      *body
	at     int // index in b.m.Mems
	name   string
	addr   int // bits of an address, 0 for a memory that could not be made
	writes []*writePort
	reads  []readFields // parallel to ir().Reads
}

func (r *memory) ir() *ir.Memory { return &r.b.m.Mems[r.at] }

// maxMemory bounds the bits of a memory.
const maxMemory = 1 << 33

// Mem is a memory of depth elements of the form of elem; writes belong to m's
// clock.
func Mem[T any](m *Module, name string, depth int, elem T, opts ...MemOption) *Memory[T] {
	b := m.b
	name = join(m.prefix, name)
	mem := &memory{b: b, name: name}
	r := &Memory[T]{m, mem, Like(elem)}

	width, typ, ok := memForm(m, name, &r.elem)
	if m.finished("Mem " + name) {
		return r
	}
	if ok && (depth < 1 || int64(depth) > maxMemory/int64(width)) {
		m.Errorf("range", "Mem %s: %s of %s; want 1 to %d in all", name, plural(depth, "element"), plural(width, "bit"), int64(maxMemory))
		ok = false
	}

	// A memory that could not be made keeps its name and place, with one element, so that
	// no second mistake follows.
	if !ok {
		depth = 1
	}

	pos := b.d.pos()
	b.claim(name, claimed, pos, ir.None)
	b.m.Mems = append(b.m.Mems, ir.Memory{Name: name, Depth: depth, Width: width, Type: b.m.AddType(typ), Attrs: m.attrs, Pos: pos})
	mem.at = len(b.m.Mems) - 1
	if !ok {
		return r
	}
	mem.addr = ir.CountWidth(depth - 1)

	b.mems = append(b.mems, mem)
	for _, o := range opts {
		o(m, mem.ir())
	}
	return r
}

// memForm is the width of an element and, for a scalar, its display type.
func memForm[T any](m *Module, name string, elem *T) (width int, typ ir.Type, ok bool) {
	p := planOf[T]()
	if p.err != nil {
		m.Errorf("bundle", "Mem %s: %v", name, p.err)
		return 1, typ, false
	}

	ok = true

	// Every mistaken scalar is reported; the widths of the sound ones add up.
	p.named(ptr(elem), "", func(path string, k leafKind, s *sig) {
		f := form{what: "Mem " + name, path: flat(path)}
		if ok = m.b.formOf(k, *s, true, &f) && ok; ok {
			width += f.width
			typ = m.b.m.TypeOf(f.typ)
		}
	})

	// A bundle has no display type: memories show its bits.
	if ok && width == 0 {
		m.Errorf("shape", "Mem %s: an element of no bits", name)
		ok = false
	}
	if !p.leaf {
		typ = ir.Type{}
	}
	return max(width, 1), typ, ok
}

// usable reports whether the memory could be made and belongs to module m, which is still
// open.
func (r *memory) usable(what string, m *Module) bool {
	switch {
	case r.b.done:
		r.b.d.report(newDiag("module", nil, "%s: %s belongs to %s", what, r.name, r.b.where()))
	case m != nil && m.b != r.b:
		r.b.d.report(newDiag("module", nil, "%s: %s belongs to %s, not to %s", what, r.name, r.b.where(), m.b.m.Name))
	default:
		return r.addr > 0
	}
	return false
}

// address checks the width of an address. A literal takes the memory's address width.
func (r *memory) address(what string, a UInt) (ir.ID, bool) {
	xs := [1]sig{a.sig}
	if a.isUnsized() {
		xs[0] = litLike(what, shapeOf(r.addr, ir.Type{Kind: ir.UInt}), a.sig)
	}
	if r.b.resolve(what, xs[:], false) {
		return ir.None, false
	}

	if w := xs[0].Width(); w != r.addr {
		notes := append(origin(xs[0]), Note{r.b.d.src.At(r.ir().Pos), "the memory " + r.name})
		r.b.d.report(newDiag("width", notes, "%s: %s holds %s and takes %s of address, %s has %d",
			what, r.name, plural(r.ir().Depth, "element"), plural(r.addr, "bit"), describe(xs[0]), w))
		return ir.None, false
	}
	return xs[0].id, true
}

// Read is the element at addr now, before any write of this cycle; past the end
// it is zero.
func (r *Memory[T]) Read(addr UInt) T {
	b := r.mem.b
	if !r.mem.usable("Read", nil) {
		return poisoned(poisonOf(b, 1), r.elem)
	}

	a, ok := r.mem.address("Read", addr)
	if !ok {
		return poisoned(poisonOf(b, 1), r.elem)
	}

	mem := r.mem.ir()
	id := b.emit(ir.Node{Op: ir.MemRead, Type: mem.Type, Width: int32(mem.Width), Pos: b.d.pos(), Aux: int32(r.mem.at)}, a)
	return Unpack(r.elem, UInt{sig{b: b, id: id}})
}
