package net

import "slices"

// PartNet is one part as a net of its own. Its state words are registers of the whole net, and
// values kept by parts.
type PartNet struct {
	Net    *Net
	Words  []PartWord // parallel to Net.Regs
	Stores [][]int32  // parallel to Net.Writes: the parts that read the memory
	Odds   []float64  // by node that is a bit: the share of the part's runs in which it is 1
}

// PartWord is a state word that a part reads or writes.
type PartWord struct {
	Reg     int32   // register of the whole net, or -1
	Kept    ID      // node of the whole net whose value this word keeps, or None
	Readers []int32 // of a word that the part writes: the parts that read it, in ascending order
	// Deferred: a part that comes later reads the register, or a view lies over it, so that it must
	// keep its value until the end of the cycle.
	Deferred bool
	Often    float64 // of the cycles in which the part runs: the share in which the word changes
	Always   bool    // a kept value whose readers are to run whenever the part does
}

// Sections makes the nets of parts, one after the other.
type Sections struct {
	r    *Partition
	a    *Activity
	kept []bool

	ofReg, ofNode, ofMem lists  // parts that each wakes
	seen                 lists  // by register: the parts that read it
	viewed               []bool // by register: a view may read it, unseen by its part's schedule
	next                 lists  // by node: registers that take its value

	at    []ID    // by node: its number in the present net
	stamp []int32 // by node: the part for which at holds, plus one
	word  []int32 // by register: its number in the present net
	known []int32 // by register: like stamp
}

// Sections prepares for nets of the parts.
func (r *Partition) Sections() *Sections {
	n := r.Net
	s := &Sections{r: r, a: r.samples, kept: r.kept, at: make([]ID, len(n.N)), stamp: make([]int32, len(n.N)),
		word: make([]int32, len(n.Regs)), known: make([]int32, len(n.Regs))}
	// Readers by register, by kept node, and by memory.
	over := n.over()
	s.viewed = make([]bool, len(n.Regs))
	for _, regs := range over {
		for _, g := range regs {
			s.viewed[g] = true
		}
	}
	s.seen = distinct(listsOf(len(n.Regs), func(f func(of, x int32)) {
		r.reads(func(x ID, part int32) {
			if n.N[x].Op == Leaf {
				f(int32(n.N[x].Imm), part)
			}
			// A view reads all registers below it.
			if n.N[x].Op == Read && r.Of[x] == part {
				for _, g := range over[int32(n.N[x].Imm)] {
					f(g, part)
				}
			}
		})
	}))
	s.ofReg = listsOf(len(n.Regs), func(f func(of, x int32)) {
		for g := range int32(len(n.Regs)) {
			for _, part := range s.seen.of(g) {
				if r.wakes(part) {
					f(g, part)
				}
			}
		}
	})
	s.ofNode = r.readers
	s.ofMem = distinct(listsOf(len(n.Mems), func(f func(of, x int32)) {
		for k := range r.Parts {
			for _, x := range r.Parts[k].Nodes {
				if n.N[x].Op == Read && r.wakes(int32(k)) {
					f(int32(n.N[x].Imm), int32(k))
				}
			}
		}
	}))

	// A node may be the next value of several registers, each a word of its own.
	s.next = listsOf(len(n.N), func(f func(of, x int32)) {
		for i := range n.Regs {
			if x := n.Regs[i].Next; x >= 0 {
				f(int32(x), int32(i))
			}
		}
	})
	return s
}

// reads calls f for every node that a part uses, and for every Read that it computes, with the
// part, in the order of the parts.
func (r *Partition) reads(f func(x ID, part int32)) {
	n := r.Net

	// The order is by part, so that distinct finds a part's repetitions side by side.
	for k := range r.Parts {
		s := &r.Parts[k]
		for _, x := range s.Nodes {
			n.Args(x, func(y ID) { f(y, int32(k)) })
			if n.N[x].Op == Read {
				f(x, int32(k)) // for the registers below a view
			}
		}
		for _, w := range s.Writes {
			n.Writes[w].Each(func(y ID) { f(y, int32(k)) })
			if n.journal(&n.Writes[w]) && n.Entry >= 0 {
				f(n.Entry, int32(k))
			}
		}
		if s.Enable >= 0 {
			f(s.Enable, int32(k))
		}
	}
}

// wakes reports whether a part must run if a value that it reads changes.
func (r *Partition) wakes(part int32) bool { return r.Parts[part].Enable < 0 }

// over lists the registers below each memory that is a view of registers.
func (n *Net) over() map[int32][]int32 {
	var views map[int32][]int32
	var at map[int32]int32

	// A view is read and never written: its words are registers with next values of their own.
	read := map[int32]bool{}
	for i := range n.N {
		if n.N[i].Op == Read {
			read[int32(n.N[i].Imm)] = true
		}
	}
	for i := range n.Writes {
		read[n.Writes[i].Mem] = false
	}

	// Its words lie Step slots apart among the slots of the registers. The index of registers by slot
	// is made for the first view, since most nets have none.
	for i := range n.Mems {
		m := &n.Mems[i]
		if m.Step == 0 || !read[int32(i)] {
			continue
		}
		if at == nil {
			views, at = map[int32][]int32{}, map[int32]int32{}
			for r := range n.Regs {
				at[n.Regs[r].Slot] = int32(r)
			}
		}
		for k := m.Lowest; k < m.Depth; k++ {
			if r, ok := at[int32(m.At+uint32(k)*m.Step)]; ok {
				views[int32(i)] = append(views[int32(i)], r)
			}
		}
	}
	return views
}

// Covering lists the parts that read or write the word at slot as a word of a memory over registers.
func (s *Sections) Covering(slot int32) (parts []int32) {
	n := s.r.Net
	for i := range n.Writes {
		w := &n.Writes[i]
		m := &n.Mems[w.Mem]
		if m.Step == 0 {
			continue
		}
		if k := (slot - int32(m.At)) / int32(m.Step); k >= int32(m.Lowest) && k < int32(m.Depth) && int32(m.At)+k*int32(m.Step) == slot {
			parts = append(append(parts, s.r.Unit[i]), s.ofMem.of(w.Mem)...)
		}
	}
	slices.Sort(parts)
	return slices.Compact(parts)
}

// distinct drops repeated neighbours from lists.
func distinct(l lists) lists {
	// Lists of readers are in the order of the parts, so that repetitions are neighbours.
	m := lists{at: make([]int32, len(l.at))}
	for i := range int32(len(l.at) - 2) {
		for k, x := range l.of(i) {
			if k == 0 || x != l.of(i)[k-1] {
				m.all = append(m.all, x)
			}
		}
		m.at[i+1] = int32(len(m.all))
	}
	m.at[len(m.at)-1] = int32(len(m.all))
	return m
}

// Of is part k as a net of its own. Values that pass between parts become words.
func (s *Sections) Of(k int32) PartNet {
	r, n := s.r, s.r.Net
	part := &r.Parts[k]
	p := PartNet{Net: NewSized(8, 0)}
	m := p.Net
	m.Mems = n.Mems

	// Operations, in the order of the whole net. The kept ones and next values become words.
	see := func(x ID) ID { return s.see(&p, x, k) }
	for _, x := range part.Nodes {
		nd := n.N[x]
		if nd.Op.Pooled() {
			from := len(m.Pool)
			for _, y := range n.Pool[nd.A : nd.A+nd.B] {
				m.Pool = append(m.Pool, see(y))
			}
			nd.A = ID(from)
		} else {
			nd.A = see(nd.A)
			nd.B, nd.C = see(nd.B), see(nd.C)
		}
		m.N = append(m.N, nd)
		s.at[x], s.stamp[x] = ID(len(m.N)-1), k+1
		s.guess(&p, x, k)
	}

	// Words that the part writes. A register is deferred if a later part reads it, which must see
	// its value of the present cycle, or if a view that parts read lies over it: no schedule knows
	// that reading the view reads the register.
	for _, x := range part.Nodes {
		if s.kept[x] {
			m.Regs = append(m.Regs, Reg{Slot: noSlot, W: n.N[x].W, Q: None, Next: s.at[x]})
			p.Words = append(p.Words, PartWord{Reg: -1, Kept: x, Readers: s.ofNode.of(int32(x)), Often: s.often(k, x), Always: r.always[x]})
		}
		for _, g := range s.next.of(int32(x)) {
			w := s.register(&p, g, k)
			m.Regs[w].Next = s.at[x]
			p.Words[w].Readers, p.Words[w].Deferred = s.ofReg.of(g), s.Deferred(g)
			if q := n.Regs[g].Q; q >= 0 {
				p.Words[w].Often = s.often(k, q)
			}
		}
	}

	// Writes. Nothing reads a journal.
	for _, w := range part.Writes {
		m.Writes = append(m.Writes, n.Writes[w].Map(see))
		p.Stores = append(p.Stores, s.ofMem.of(n.Writes[w].Mem))
		if n.journal(&n.Writes[w]) && n.Entry >= 0 {
			m.Entry = see(n.Entry)
		}
	}
	return p
}

// noSlot is the slot of a kept value: it is no word of the state.
const noSlot = -1

// Deferred reports whether a part that comes later reads a register, or a view lies over it, so that
// it must keep its value until the end of the cycle.
func (s *Sections) Deferred(g int32) bool {
	readers := s.seen.of(g) // in ascending order
	k := len(readers)
	return k > 0 && (s.viewed[g] || readers[k-1] > s.r.Of[s.r.Net.Regs[g].Next])
}

// Viewed reports whether a view lies over a register: a memory whose words are registers.
func (s *Sections) Viewed(g int32) bool { return s.viewed[g] }

// Nexts lists the registers that take the value of node x.
func (s *Sections) Nexts(x ID) []int32 { return s.next.of(int32(x)) }

// often is the share of the runs of part k in which node x changes.
func (s *Sections) often(k int32, x ID) float64 {
	share := s.r.Parts[k].Share
	if share == 0 {
		return 0
	}
	return s.a.share(s.a.changedRow(x)) / share
}

// see is node x of the whole net in the net of part k: computed there, or a word.
func (s *Sections) see(p *PartNet, x ID, k int32) ID {
	if x < 0 {
		return None
	}
	if s.stamp[x] == k+1 {
		return s.at[x]
	}

	// A foreign node appears at its first use: constants are repeated, state words become leaves,
	// and values of other parts become words that keep them.
	n, m := s.r.Net, p.Net
	nd := &n.N[x]
	switch {
	case nd.Op == Const:
		m.N = append(m.N, *nd)
		s.at[x] = ID(len(m.N) - 1)
	case nd.Op == Leaf:
		s.at[x] = m.Leaf(s.register(p, int32(nd.Imm), k))
	default:
		m.Regs = append(m.Regs, Reg{Slot: noSlot, W: nd.W, Q: None, Next: None})
		p.Words = append(p.Words, PartWord{Reg: -1, Kept: x})
		s.at[x] = m.Leaf(len(m.Regs) - 1)
	}
	s.stamp[x] = k + 1
	s.guess(p, x, k)
	return s.at[x]
}

// guess sets the odds of node x of the whole net, which has got a place in the net of part k.
func (s *Sections) guess(p *PartNet, x ID, k int32) {
	for len(p.Odds) < len(p.Net.N) {
		p.Odds = append(p.Odds, 0)
	}
	if s.r.Net.N[x].W == 1 {
		p.Odds[s.at[x]] = s.a.odds(x, s.r.Parts[k].active)
	}
}

// register is the number of a register of the whole net in the net of part k.
func (s *Sections) register(p *PartNet, g, k int32) int {
	if s.known[g] != k+1 {
		r := s.r.Net.Regs[g]
		s.word[g], s.known[g] = int32(len(p.Net.Regs)), k+1
		p.Net.Regs = append(p.Net.Regs, Reg{Slot: r.Slot, W: r.W, Q: None, Next: None, Host: r.Host})
		p.Words = append(p.Words, PartWord{Reg: g, Kept: None})
	}
	return int(s.word[g])
}

// Readers lists the parts that read a register of the whole net.
func (s *Sections) Readers(reg int32) []int32 { return s.seen.of(reg) }
