package sim

import "etch/ir/bits"

// group is the group of a lane, and its index there.
func (l *groupedLanes) group(lane int) (*laneGroup, int) {
	k := l.layout.Lanes(l.target)
	return l.groups[lane/k], lane % k
}

// wordOf is the number of a slot in the layout.
func (l *groupedLanes) wordOf(slot uint32) int { return int(slot - l.one.p.Inputs.Lo) }

// put is the laneEngine's.
func (l *groupedLanes) put(sig Signal, lane int, words []uint64) {
	g, at := l.group(lane)
	l.eachWord(sig, words, func(r int, v uint64) { g.SetWord(r, at, v) })
	g.stale = true
}

// fill is the laneEngine's.
func (l *groupedLanes) fill(sig Signal, words []uint64) {
	for _, g := range l.groups {
		l.eachWord(sig, words, g.FillWord)
		g.stale = true
	}
}

// eachWord calls f for the words of a leaf and their values. Missing upper words are 0, as those
// of a number are.
func (l *groupedLanes) eachWord(sig Signal, words []uint64, f func(r int, v uint64)) {
	for k := range bits.WordCount(int(sig.width)) {
		var v uint64
		if k < len(words) {
			v = words[k]
		}
		f(l.wordOf(sig.slot)+k, v)
	}
}

// putSlice is the laneEngine's.
func (l *groupedLanes) putSlice(sig Signal, v []uint64) {
	for _, g := range l.groups {
		g.SetWords(l.wordOf(sig.slot), v[g.first:min(len(v), g.first+g.Lanes())])
		g.stale = true
	}
}

// number is the number of a signal's first word in the layout, if it has one: inputs, state, and
// outputs of the top have. It brings them up to date.
func (l *groupedLanes) number(sig Signal, g *laneGroup) (int, bool) {
	l.one.own(sig)
	p := l.one.p
	switch {
	case p.Inputs.Has(sig.slot), p.State.Has(sig.slot):
		l.settle(l.worker[0], g)
		return l.wordOf(sig.slot), true
	}

	at, ok := l.outAt[sig.slot]
	if ok {
		l.refresh(l.worker[0], g)
	}
	return at, ok
}

// get is the laneEngine's.
func (l *groupedLanes) get(sig Signal, lane int) uint64 {
	g, at := l.group(lane)
	if r, ok := l.number(sig, g); ok {
		return g.Word(r, at)
	}
	return l.at(g, at).Get(sig)
}

// getBits is the laneEngine's.
func (l *groupedLanes) getBits(sig Signal, lane int) bits.Value {
	g, at := l.group(lane)
	r, ok := l.number(sig, g)
	if !ok {
		return l.at(g, at).GetBits(sig)
	}

	words := make([]uint64, bits.WordCount(int(sig.width)))
	for k := range words {
		words[k] = g.Word(r+k, at)
	}
	return bits.FromWords(int(sig.width), words)
}

// getSlice is the laneEngine's.
func (l *groupedLanes) getSlice(sig Signal, dst []uint64) {
	for _, g := range l.groups {
		to := dst[g.first:min(len(dst), g.first+g.Lanes())]
		if r, ok := l.number(sig, g); ok {
			g.Words(r, to)
			continue
		}
		for at := range to {
			to[at] = l.at(g, at).Get(sig)
		}
	}
}

// readMem is the laneEngine's.
func (l *groupedLanes) readMem(mem, addr, lane int) bits.Value {
	m := &l.one.p.Mems[mem]
	g, at := l.group(lane)
	words := make([]uint64, m.Words)
	for i := range words {
		words[i] = g.Mem(mem, addr*m.Words+i, at)
	}
	return bits.FromWords(m.Width, words)
}

// writeMem is the laneEngine's.
func (l *groupedLanes) writeMem(mem, addr, lane int, v bits.Value) error {
	words := make([]uint64, l.one.p.Mems[mem].Words)
	v.CopyTo(words)
	g, at := l.group(lane)
	for i, w := range words {
		g.SetMem(mem, addr*len(words)+i, at, w)
	}
	g.stale = true
	return nil
}

// state is the laneEngine's: the shared simulator takes the state from the group.
func (l *groupedLanes) state(lane int) *Sim { return l.at(l.group(lane)) }

// at loads a lane into the interpreter and returns it.
func (l *groupedLanes) at(g *laneGroup, lane int) *Sim {
	l.load(g, lane)
	return l.one
}

// words is the inputs and state of the interpreter.
func (l *groupedLanes) words() []uint64 { return l.one.st.V[l.one.p.Inputs.Lo:l.one.p.State.Hi] }

// load copies a lane into the interpreter.
func (l *groupedLanes) load(g *laneGroup, lane int) {
	g.Lane(lane, l.words(), l.one.st.Mems)
	l.one.touch()
}

// store copies the interpreter's state back to a lane.
func (l *groupedLanes) store(g *laneGroup, lane int) {
	g.SetLane(lane, l.words(), l.one.st.Mems)
	g.stale = true
}

// coverage is the laneEngine's.
func (l *groupedLanes) coverage(lane int) []CoverPoint {
	g, at := l.group(lane)
	return coverage(l.one.p, func(cover int32) uint64 { return g.Word(l.coverAt(int(cover)), at) })
}

// coverAt is the number of a cover statement's counter in the layout.
func (l *groupedLanes) coverAt(cover int) int { return l.wordOf(l.one.p.State.Hi) + cover }
