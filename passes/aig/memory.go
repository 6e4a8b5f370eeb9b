package aig

import (
	"fmt"

	"etch/ir"
	"etch/ir/bits"
)

// memory makes the leaves of a memory: its words, unless they are constant, and its read
// data.
func (b *blaster) memory(mem *ir.Memory) error {
	if model := b.model(mem); model.Kind != Expanded {
		b.modelled(mem, model)
		return nil
	}

	// Constant words need no registers, only gates.
	constant := Constant(mem)
	if mem.Depth > b.o.MaxMemory/mem.Width && !constant {
		return fmt.Errorf("aig: memory %s has %d words of %d bits; at most %d bits are expanded to registers", mem.Name, mem.Depth, mem.Width, b.o.MaxMemory)
	}
	if mem.Depth > b.o.MaxNodes/mem.Width {
		return fmt.Errorf("aig: memory %s has %d words of %d bits; at most %d bits are expanded to gates", mem.Name, mem.Depth, mem.Width, b.o.MaxNodes)
	}

	// A state per word.
	first, rows := -1, []Word(nil)
	for a := range mem.Depth {
		if constant {
			rows = append(rows, wordOf(mem.Word(a)))
			continue
		}
		s := State{Name: mem.Name, Row: a, Kind: MemoryWord, Q: b.leaves(mem.Width), Pos: b.at(mem.Pos)}
		if mem.Init != nil {
			s.Init = wordOf(mem.Word(a))
		} else {
			s.Init = b.leaves(mem.Width)
		}
		if at := b.add(s); a == 0 {
			first = at
		}
		rows = append(rows, s.Q)
	}

	b.rows, b.fixed, b.views = append(b.rows, first), append(b.fixed, rows), append(b.views, nil)
	b.readData(mem)
	return nil
}

// readData makes the leaves of synchronous read ports.
func (b *blaster) readData(mem *ir.Memory) {
	var reads []int
	for _, r := range mem.Reads {
		reads = append(reads, b.add(State{Name: mem.Name + "." + r.Name, Row: -1, Kind: ReadData, Q: b.leaves(mem.Width), Init: b.leaves(mem.Width), Pos: b.at(r.Pos)}))
	}
	b.reads = append(b.reads, reads)
}

// Constant reports whether the contents of a memory are known and never change.
func Constant(mem *ir.Memory) bool { return len(mem.Writes) == 0 && mem.Init != nil }

// read is the word of a memory at an address, before the writes of this step.
func (b *blaster) read(mem int, addr Word) Word {
	if v := b.views[mem]; v != nil {
		return b.look(v, addr)
	}
	return b.g.pick(b.fixed[mem], addr, b.m.Mems[mem].Width)
}

// edge makes the next words and read data of a memory. Of several writes the last port
// wins. A read of kind New sees the writes of its own clock.
func (b *blaster) edge(i int) error {
	mem := &b.m.Mems[i]
	if v := b.views[i]; v != nil {
		if err := b.changes(v, mem); err != nil {
			return err
		}
	} else if err := b.writes(i); err != nil {
		return err
	}
	for j := range mem.Reads {
		if err := b.readPort(i, j); err != nil {
			return err
		}
	}
	return nil
}

// writes makes the next words of an expanded memory.
func (b *blaster) writes(i int) error {
	mem := &b.m.Mems[i]
	// A word keeps its value unless a port writes it.
	if b.rows[i] >= 0 {
		for a := range mem.Depth {
			b.c.States[b.rows[i]+a].Next = b.c.States[b.rows[i]+a].Q
		}
	}
	for _, w := range mem.Writes {
		if err := b.write(i, &w); err != nil {
			return err
		}
	}
	return nil
}

func (b *blaster) write(i int, w *ir.WritePort) error {
	mem := &b.m.Mems[i]
	tick, err := b.clock(w.Clk, "memory "+mem.Name)
	if err != nil {
		return err
	}
	en, addr := b.g.And(tick, b.on(w.En)), b.word[w.Addr]
	// Each word compares the address with its own.
	for a := range mem.Depth {
		s := &b.c.States[b.rows[i]+a]
		s.Next = b.merge(b.g.And(en, b.g.equalNumber(addr, a)), w, s.Next)
	}
	return nil
}

// merge is old with the data of a write port in it, if hit; with a mask, lane by lane.
func (b *blaster) merge(hit Lit, w *ir.WritePort, old Word) Word {
	data := b.word[w.Data]
	if w.Mask == ir.None {
		return b.g.MuxWord(hit, data, old)
	}

	// Each bit of the mask covers a lane; lanes have equal widths.
	mask := b.word[w.Mask]
	lane := len(data) / len(mask)
	z := make(Word, len(old))
	for k := range z {
		z[k] = b.g.Mux(b.g.And(hit, mask[k/lane]), data[k], old[k])
	}
	return z
}

func (b *blaster) readPort(i, j int) error {
	mem := &b.m.Mems[i]
	r := &mem.Reads[j]
	s := &b.c.States[b.reads[i][j]]
	tick, err := b.clock(r.Clk, "memory "+mem.Name)
	if err != nil {
		return err
	}
	addr := b.word[r.Addr]
	data := b.read(i, addr)
	// A read of kind New forwards the data of writes to its address.
	for k := range mem.Writes {
		w := &mem.Writes[k]
		if r.Under == ir.New && b.sameClock(w.Clk, r.Clk) {
			same := b.g.And(b.inside(addr, mem.Depth), b.sameNumber(addr, b.word[w.Addr]))
			data = b.merge(b.g.And(b.on(w.En), same), w, data)
		}
	}
	s.Next = b.g.MuxWord(b.g.And(tick, b.on(r.En)), data, s.Q)
	return nil
}

// sameClock reports whether two clock nodes are the same edge of the same clock.
func (b *blaster) sameClock(x, y ir.ID) bool {
	from, falling := b.m.Source(x)
	other, too := b.m.Source(y)
	return from == other && falling == too
}

// sameNumber is high if two words, of any widths, are the same number.
func (b *blaster) sameNumber(x, y Word) Lit {
	w := max(len(x), len(y))
	return b.g.EqualWords(extend(x, w, False), extend(y, w, False))
}

// inside is high if addr is below depth.
func (b *blaster) inside(addr Word, depth int) Lit {
	w := max(len(addr), ir.CountWidth(depth))
	return b.g.lessWord(extend(addr, w, False), wordOf(bits.New(w, uint64(depth))))
}
