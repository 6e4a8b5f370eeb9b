package aig

import (
	"etch/ir"
)

// Model chooses how a memory is converted.
type Model struct {
	Kind  ModelKind
	Group int // memories of one group have the same depth, width and contents at the start
	Cells int // of [Cells]: how many, at most the depth
}

// ModelKind is a way to convert a memory to gates.
type ModelKind uint8

const (
	// Expanded memories are exact: a register for each word.
	Expanded ModelKind = iota
	// Shared memories have no words. All of a group have the same contents, and a word read
	// is a free value, the same at the same address within a step. This is sound as long as
	// no step makes the memories differ, see [Circuit].Unlike: if that and the rest are
	// proved, both hold; but a trace need not be real.
	Shared
	// Cells memories keep a few words, at free addresses that a group shares. This is exact
	// as long as only these are read, see [Circuit].Miss: a trace is real, a proof covers
	// only such runs.
	Cells
)

// Unlike is the condition that two memories of a group differ after a step.
type Unlike struct {
	A, B string
	Hit  Lit
}

// contentsOf is the part that memories of a group share.
type contentsOf struct {
	id      int
	members []*view
	addrs   []int  // of Cells: states
	looks   []look // of Shared: the words read in this step
}

// look is a word of a Shared memory in this step.
type look struct{ addr, data Word }

// view is a memory that is not expanded.
type view struct {
	mem   *ir.Memory
	of    *contentsOf
	model Model
	cells []int // states
}

func (b *blaster) model(mem *ir.Memory) Model {
	if b.o.Memory == nil || Constant(mem) {
		return Model{}
	}
	return b.o.Memory(mem)
}

// modelled makes the leaves of a memory that is not expanded.
func (b *blaster) modelled(mem *ir.Memory, model Model) {
	v := &view{mem: mem, model: model}
	// The first memory of a group makes what the group shares.
	for _, g := range b.group {
		if g.id == model.Group {
			v.of = g
		}
	}
	if v.of == nil {
		v.of = &contentsOf{id: model.Group}
		b.group = append(b.group, v.of)
		if model.Kind == Cells {
			b.addresses(v)
		}
	}

	v.of.members = append(v.of.members, v)
	if model.Kind == Cells {
		b.cells(v)
	}
	b.rows, b.fixed, b.views = append(b.rows, -1), append(b.fixed, nil), append(b.views, v)
	b.readData(mem)
}

// addresses makes the addresses of the words that a group keeps. They are free, constant
// during a run, and rising.
func (b *blaster) addresses(v *view) {
	w := ir.CountWidth(v.mem.Depth - 1)
	for i := range v.model.Cells {
		s := State{Name: v.mem.Name, Row: i, Kind: CellAddress, Q: b.leaves(w), Init: b.leaves(w), Pos: b.at(v.mem.Pos)}
		s.Next = s.Q
		v.of.addrs = append(v.of.addrs, b.add(s))
		// Addresses out of range or out of order count as a miss, so that they are
		// excluded.
		ordered := b.inside(s.Q, v.mem.Depth)
		if i > 0 {
			ordered = b.g.And(ordered, b.g.lessWord(b.c.States[v.of.addrs[i-1]].Q, s.Q))
		}
		b.c.Miss = b.g.Or(b.c.Miss, ordered.Not())
	}
}

// cells makes the words that a memory keeps.
func (b *blaster) cells(v *view) {
	for i, a := range v.of.addrs {
		s := State{Name: v.mem.Name, Row: i, Kind: Cell, Q: b.leaves(v.mem.Width), Pos: b.at(v.mem.Pos)}

		// Unknown contents are free leaves; given ones are looked up at the free address.
		if v.mem.Init == nil {
			s.Init = b.leaves(v.mem.Width)
		} else {
			s.Init = b.initial(v.mem, b.c.States[a].Init)
		}
		v.cells = append(v.cells, b.add(s))
	}
}

// initial is the word at an address at power-up; the address is symbolic.
func (b *blaster) initial(mem *ir.Memory, addr Word) Word {
	rows := make([]Word, len(mem.Init))
	for i := range rows {
		rows[i] = wordOf(mem.Init[i])
	}
	return b.g.pick(rows, addr, mem.Width)
}

// look is the word at an address, 0 past the end.
func (b *blaster) look(v *view, addr Word) Word {
	in := b.inside(addr, v.mem.Depth)
	var data Word
	if v.model.Kind == Cells {
		data = b.kept(v, addr, in)
	} else {
		data = b.outside(v, addr)
	}
	return b.g.MuxWord(in, data, make(Word, v.mem.Width))
}

// kept is the kept word at an address. If none is kept there, it is a miss.
func (b *blaster) kept(v *view, addr Word, in Lit) Word {
	data, hit := make(Word, v.mem.Width), False
	// At most one address matches, since they rise.
	for i, c := range v.cells {
		here := b.sameNumber(addr, b.c.States[v.of.addrs[i]].Q)
		data, hit = b.g.MuxWord(here, b.c.States[c].Q, data), b.g.Or(hit, here)
	}
	b.c.Miss = b.g.Or(b.c.Miss, b.g.And(in, hit.Not()))
	return data
}

// outside is a free word, except that it equals any word that this step has read at the
// same address.
func (b *blaster) outside(v *view, addr Word) Word {
	data := b.leaves(v.mem.Width)
	b.c.Outside = append(b.c.Outside, Signal{Name: v.mem.Name, Bits: data})

	// The latest read is outermost.
	for i := len(v.of.looks) - 1; i >= 0; i-- {
		l := v.of.looks[i]
		data = b.g.MuxWord(b.sameNumber(addr, l.addr), l.data, data)
	}
	v.of.looks = append(v.of.looks, look{addr, data})
	return data
}

// changes makes the next words that a memory keeps.
func (b *blaster) changes(v *view, mem *ir.Memory) error {
	for i, c := range v.cells {
		s := &b.c.States[c]
		next, err := b.written(mem, b.c.States[v.of.addrs[i]].Q, s.Q)
		if err != nil {
			return err
		}
		s.Next = next
	}
	return nil
}

// written is the word at an address after the writes of a step; later ports win.
func (b *blaster) written(mem *ir.Memory, addr, old Word) (Word, error) {
	for k := range mem.Writes {
		w := &mem.Writes[k]
		tick, err := b.clock(w.Clk, "memory "+mem.Name)
		if err != nil {
			return nil, err
		}
		hit := b.g.And(b.g.And(tick, b.on(w.En)), b.sameNumber(addr, b.word[w.Addr]))
		old = b.merge(hit, w, old)
	}
	return old, nil
}

// obligations makes the conditions that Shared memories must not meet: after the step, a
// word of one, at some address, differs from that of another in its group.
func (b *blaster) obligations() error {
	for _, g := range b.group {
		if len(g.members) < 2 || g.members[0].model.Kind != Shared {
			continue
		}

		// One free address stands for all.
		first := g.members[0]
		addr := b.leaves(ir.CountWidth(first.mem.Depth - 1))
		b.c.Outside = append(b.c.Outside, Signal{Name: first.mem.Name, Bits: addr})
		old := b.outside(first, addr)
		want, err := b.written(first.mem, addr, old)
		if err != nil {
			return err
		}
		for _, v := range g.members[1:] {
			got, err := b.written(v.mem, addr, old)
			if err != nil {
				return err
			}
			hit := b.g.And(b.inside(addr, first.mem.Depth), b.g.EqualWords(want, got).Not())
			b.c.Unlike = append(b.c.Unlike, Unlike{A: first.mem.Name, B: v.mem.Name, Hit: hit})
		}
	}
	return nil
}
