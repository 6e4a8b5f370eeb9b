package aig

import (
	"fmt"

	"etch/ir"
	"etch/ir/bits"
)

// states makes the leaves of registers and memories.
func (b *blaster) states() error {
	m := b.m
	for i := range m.Regs {
		r := &m.Regs[i]
		w := m.Width(r.Node)
		s := State{Name: m.NameOf(r.Node), Row: -1, Q: b.leaves(w), Pos: b.at(m.Node(r.Node).Pos)}
		if r.Init != ir.None {
			s.Init = wordOf(m.ConstOf(r.Init))
		} else {
			s.Init = b.leaves(w)
		}
		b.regs = append(b.regs, b.add(s))
	}
	for i := range m.Mems {
		if err := b.memory(&m.Mems[i]); err != nil {
			return err
		}
	}
	return nil
}

func (b *blaster) add(s State) int {
	b.c.States = append(b.c.States, s)
	return len(b.c.States) - 1
}

// memory makes the leaves of a memory: its words, unless they never change and
// are known, and its read data.
func (b *blaster) memory(mem *ir.Memory) error {
	constant := len(mem.Writes) == 0 && mem.Init != nil
	if mem.Depth > b.o.MaxMemory/mem.Width && !constant {
		return fmt.Errorf("aig: memory %s has %d words of %d bits; at most %d bits are expanded to registers", mem.Name, mem.Depth, mem.Width, b.o.MaxMemory)
	}
	if mem.Depth > b.o.MaxNodes/mem.Width {
		return fmt.Errorf("aig: memory %s has %d words of %d bits; at most %d bits are expanded to gates", mem.Name, mem.Depth, mem.Width, b.o.MaxNodes)
	}
	first, rows := -1, []Word(nil)
	for a := range mem.Depth {
		if constant {
			rows = append(rows, wordOf(contents(mem, a)))
			continue
		}
		s := State{Name: mem.Name, Row: a, Kind: MemoryWord, Q: b.leaves(mem.Width), Pos: b.at(mem.Pos)}
		if mem.Init != nil {
			s.Init = wordOf(contents(mem, a))
		} else {
			s.Init = b.leaves(mem.Width)
		}
		if at := b.add(s); a == 0 {
			first = at
		}
		rows = append(rows, s.Q)
	}
	b.rows, b.fixed = append(b.rows, first), append(b.fixed, rows)
	var reads []int
	for _, r := range mem.Reads {
		reads = append(reads, b.add(State{Name: mem.Name + "." + r.Name, Row: -1, Kind: ReadData, Q: b.leaves(mem.Width), Init: b.leaves(mem.Width), Pos: b.at(r.Pos)}))
	}
	b.reads = append(b.reads, reads)
	return nil
}

// contents is word a of a memory at power-up.
func contents(mem *ir.Memory, a int) bits.Value {
	if a < len(mem.Init) {
		return mem.Init[a]
	}
	return bits.Zero(mem.Width)
}

// read is the word of a memory at an address, before the writes of this step.
func (b *blaster) read(mem int, addr Word) Word {
	return b.g.pick(b.fixed[mem], addr, b.m.Mems[mem].Width)
}

// nexts makes what state becomes at the edge.
func (b *blaster) nexts() error {
	for i := range b.m.Regs {
		if err := b.register(i); err != nil {
			return err
		}
	}
	for i := range b.m.Mems {
		if err := b.edge(i); err != nil {
			return err
		}
	}
	return nil
}

func (b *blaster) register(i int) error {
	m, r := b.m, &b.m.Regs[i]
	s := &b.c.States[b.regs[i]]
	tick, err := b.clock(r.Clk, "register "+s.Name)
	if err != nil {
		return err
	}
	next := b.word[r.Next]
	if r.Rst != ir.None && !r.Async {
		next = b.g.MuxWord(b.word[r.Rst][0], wordOf(m.ConstOf(r.Reset)), next)
	}
	next = b.g.MuxWord(tick, next, s.Q)
	if r.Async {
		next = b.g.MuxWord(b.word[r.Rst][0], wordOf(m.ConstOf(r.Reset)), next)
	}
	s.Next = next
	return nil
}

// on is a one-bit signal, True when there is none.
func (b *blaster) on(id ir.ID) Lit {
	if id == ir.None {
		return True
	}
	return b.word[id][0]
}

// edge makes the next words and read data of a memory. Of several writes the last
// port wins; a read that passes new data on sees the writes of its own clock.
func (b *blaster) edge(i int) error {
	mem := &b.m.Mems[i]
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
	for j := range mem.Reads {
		if err := b.readPort(i, j); err != nil {
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
	for a := range mem.Depth {
		s := &b.c.States[b.rows[i]+a]
		s.Next = b.merge(b.g.And(en, b.g.equalNumber(addr, a)), w, s.Next)
	}
	return nil
}

// merge is old with the data of a write port in it when hit.
func (b *blaster) merge(hit Lit, w *ir.WritePort, old Word) Word {
	data := b.word[w.Data]
	if w.Mask == ir.None {
		return b.g.MuxWord(hit, data, old)
	}
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

// sameClock reports whether two nodes are one clock of the top.
func (b *blaster) sameClock(x, y ir.ID) bool {
	for b.m.Op(x) == ir.Wire {
		x = b.m.Args(x)[0]
	}
	for b.m.Op(y) == ir.Wire {
		y = b.m.Args(y)[0]
	}
	return x == y
}

// sameNumber is high when two words of any widths are one number.
func (b *blaster) sameNumber(x, y Word) Lit {
	w := max(len(x), len(y))
	return b.g.EqualWords(extend(x, w, False), extend(y, w, False))
}

// inside is high when addr is below depth.
func (b *blaster) inside(addr Word, depth int) Lit {
	w := max(len(addr), ir.CountWidth(depth))
	return b.g.lessWord(extend(addr, w, False), wordOf(bits.New(w, uint64(depth))))
}

// afterEdge is about asynchronous resets that follow from state and inputs: one
// that comes with the edge, before inputs change, holds its register although it
// may be gone when the next step is looked at.
func (b *blaster) afterEdge() error {
	late := map[int]bool{} // states of such registers
	owner := map[int]int{} // by node of the graph: the state whose leaf it is
	for i := range b.c.States {
		for _, q := range b.c.States[i].Q {
			owner[q.Node()] = i
		}
	}
	for i := range b.m.Regs {
		if r := &b.m.Regs[i]; r.Async && b.mixed(b.word[r.Rst][0], owner) {
			late[b.regs[i]] = true
		}
	}
	if len(late) == 0 {
		return nil
	}
	a := &edgeReset{b: b, late: late, owner: owner, open: map[int]bool{}}
	for i := range b.m.Regs {
		if late[b.regs[i]] {
			if err := a.fix(i); err != nil {
				return err
			}
		}
	}
	return nil
}

// mixed reports whether a literal follows from state and from inputs.
func (b *blaster) mixed(l Lit, owner map[int]int) bool {
	states, inputs := false, false
	b.g.Cone(l, func(leaf int) {
		if _, ok := owner[leaf]; ok {
			states = true
		} else {
			inputs = true
		}
	})
	return states && inputs
}

// edgeReset computes resets as they are when the edge is over.
type edgeReset struct {
	b     *blaster
	late  map[int]bool
	owner map[int]int
	open  map[int]bool
}

// fix gives register i its state after the edge; those that its reset follows from
// come first.
func (a *edgeReset) fix(i int) error {
	b := a.b
	at := b.regs[i]
	if !a.late[at] {
		return nil
	}
	if a.open[at] {
		return fmt.Errorf("aig: the asynchronous reset of %s follows from itself", b.c.States[at].Name)
	}
	a.open[at] = true
	r := &b.m.Regs[i]
	rst := b.word[r.Rst][0]
	after := NewRebuilder(b.g, b.g)
	var err error
	b.g.Cone(rst, func(leaf int) {
		s, ok := a.owner[leaf]
		if !ok || err != nil {
			return
		}
		for k := range b.m.Regs {
			if b.regs[k] == s && a.late[s] {
				err = a.fix(k)
			}
		}
		for k, q := range b.c.States[s].Q {
			if q.Node() == leaf {
				after.Set(q, b.c.States[s].Next[k])
			}
		}
	})
	if err != nil {
		return err
	}
	s := &b.c.States[at]
	s.Next = b.g.MuxWord(after.Lit(rst), wordOf(b.m.ConstOf(r.Reset)), s.Next)
	delete(a.late, at)
	return nil
}
