package lanes

// Group is the state of as many instances as Layout.Lanes says.
type Group struct {
	l     *Layout
	lanes int
	words int
	state []uint64
	mems  []uint64
	parts *groupParts // in Mixed form, instead of state and mems
}

// NewGroup returns a group with all state 0.
func NewGroup(l *Layout, t Target) *Group {
	if l.mixed != nil {
		return newMixedGroup(l, t)
	}

	g := &Group{l: l, lanes: l.Lanes(t), words: t.Words}
	n := l.Slots * t.Words
	all := aligned(n + (l.memBytes(g.lanes)+7)/8)
	g.state, g.mems = all[:n:n], all[n:]

	// Constant tables are stored once for all instances.
	for i := range l.mems {
		if m := &l.mems[i]; m.table != nil && l.stored(m) {
			for k, v := range m.table {
				g.putElem(l.offset(m, g.lanes)+k*m.elem, m.elem, v)
			}
		}
	}
	return g
}

// Lanes returns the number of instances.
func (g *Group) Lanes() int { return g.lanes }

// Run runs up to cycles cycles, and returns how many a stop has left. With force it runs one
// cycle, whatever the stop condition.
func (p *Program) Run(w *Worker, g *Group, cycles int, force bool) (left int) {
	if p.l.mixed != nil {
		return p.runStages(w, g, cycles, force)
	}
	if p.code != nil {
		left, _ = p.call(w, g, cycles, force, false)
		return left
	}

	// Without machine code, a machine in Go executes the vector code.
	w.m.Words = p.t.Words
	if p.chain == nil {
		return w.m.Run(p.Program, g.state, w.scratchOf(p), g.mems, cycles, force)
	}
	left, missed := w.m.RunChain(p.chain, g.state, w.scratchOf(p), g.mems, cycles, force)
	w.Missed += uint64(missed)
	return left
}

// RunToMiss is Run for machine code with bodies, which also ends before a cycle without body;
// missed reports that.
func (p *Program) RunToMiss(w *Worker, g *Group, cycles int) (left int, missed bool) {
	return p.call(w, g, cycles, false, true)
}

// Stopped is the instances whose stop condition ended the last Run: bit l%64 of word l/64 is
// instance l.
func (p *Program) Stopped(w *Worker) []uint64 {
	if p.l.mixed != nil {
		return p.stages[p.stop].Stopped(w)
	}
	// The code leaves them in the first scratch vector: a bit per instance, or a mask per 16-bit
	// element.
	s := w.scratchOf(p)[:p.t.Words]
	if p.l.Form == Sliced {
		return s
	}

	out := make([]uint64, (4*p.t.Words+63)/64)
	for lane := range 4 * p.t.Words {
		out[lane/64] |= s[lane/4] >> (lane % 4 * 16) & 1 << (lane % 64)
	}
	return out
}

// AppendRaw appends word r of all instances in its form.
func (g *Group) AppendRaw(dst []uint64, r int) []uint64 {
	if g.parts == nil {
		return append(dst, g.slots(r)...)
	}
	g.homes(g.l.mixed.word[r], func(h *Group, _ int) { dst = h.AppendRaw(dst, r) })
	return dst
}

// slots is the vectors of word r.
func (g *Group) slots(r int) []uint64 {
	at := int(g.l.Reg[r]) * g.words
	return g.state[at:][:g.l.slots(g.l.width[r])*g.words]
}

// SetWord sets word r of one instance to v.
func (g *Group) SetWord(r, lane int, v uint64) {
	if g.parts != nil {
		h, k := g.home(g.l.mixed.word[r], lane)
		h.SetWord(r, k, v)
		return
	}
	if g.l.Form == Words {
		g.setElement(r, lane, v)
		return
	}
	// Sliced: bit k of the word is in vector k.
	s := g.slots(r)
	for k := range int(g.l.width[r]) {
		p := &s[k*g.words+lane/64]
		*p = *p&^(1<<(lane%64)) | v>>k&1<<(lane%64)
	}
}

// Word is word r of one instance.
func (g *Group) Word(r, lane int) (v uint64) {
	if g.parts != nil {
		h, k := g.home(g.l.mixed.word[r], lane)
		return h.Word(r, k)
	}
	if g.l.Form == Words {
		return g.element(r, lane)
	}
	s := g.slots(r)
	for k := range int(g.l.width[r]) {
		v |= s[k*g.words+lane/64] >> (lane % 64) & 1 << k
	}
	return v
}

// FillWord sets word r to v in all instances.
func (g *Group) FillWord(r int, v uint64) {
	if g.parts != nil {
		g.homes(g.l.mixed.word[r], func(h *Group, _ int) { h.FillWord(r, v) })
		return
	}
	if g.l.Form == Words {
		for lane := range g.lanes {
			g.setElement(r, lane, v)
		}
		return
	}

	// Sliced: vector k is bit k of v, for all instances.
	s := g.slots(r)
	for k := range int(g.l.width[r]) {
		for i := range g.words {
			s[k*g.words+i] = -(v >> k & 1)
		}
	}
}

// Fill sets the state words and memories of all instances.
func (g *Group) Fill(words []uint64, mems [][]uint64) {
	for r, v := range words {
		g.FillWord(r, v)
	}
	for m, rows := range mems {
		for row, v := range rows {
			for lane := range g.Lanes() {
				g.SetMem(m, row, lane, v)
			}
		}
	}
}

// Lane reads the state words and memories of an instance.
func (g *Group) Lane(lane int, words []uint64, mems [][]uint64) {
	for r := range words {
		words[r] = g.Word(r, lane)
	}
	for m, rows := range mems {
		for row := range rows {
			rows[row] = g.Mem(m, row, lane)
		}
	}
}

// SetLane sets the state words and memories of an instance.
func (g *Group) SetLane(lane int, words []uint64, mems [][]uint64) {
	for r, v := range words {
		g.SetWord(r, lane, v)
	}
	for m, rows := range mems {
		for row, v := range rows {
			g.SetMem(m, row, lane, v)
		}
	}
}

// CopyLane copies the state of instance k of another group, whose layout has the same words and
// memories.
func (g *Group) CopyLane(lane int, from *Group, k int) {
	for r := range g.l.Reg {
		g.SetWord(r, lane, from.Word(r, k))
	}
	for m := range g.l.mems {
		// Both groups have the same tables.
		if g.l.mems[m].table != nil {
			continue
		}
		for row := range g.l.mems[m].Words {
			g.SetMem(m, row, lane, from.Mem(m, row, k))
		}
	}
}
