package lanes

import (
	"etch/ir/bits"
	"etch/sim"
	"etch/sim/internal/drive"
)

// group is the group of a lane, and its index there.
func (l *grouped) group(lane int) (*group, int) {
	k := l.layout.Lanes(l.target)
	return l.groups[lane/k], lane % k
}

// wordOf is the number of a slot in the layout.
func (l *grouped) wordOf(slot uint32) int { return int(slot - l.m.P.Inputs.Lo) }

// put implements engine.
func (l *grouped) put(sig sim.Signal, lane int, words []uint64) {
	g, at := l.group(lane)
	l.eachWord(sig, words, func(r int, v uint64) { g.SetWord(r, at, v) })
	g.stale = true
}

// fill implements engine.
func (l *grouped) fill(sig sim.Signal, words []uint64) {
	for _, g := range l.groups {
		l.eachWord(sig, words, g.FillWord)
		g.stale = true
	}
}

// eachWord calls f for the words of a leaf and their values. Missing upper words are 0.
func (l *grouped) eachWord(sig sim.Signal, words []uint64, f func(r int, v uint64)) {
	for k := range bits.WordCount(int(sig.Width())) {
		var v uint64
		if k < len(words) {
			v = words[k]
		}
		f(l.wordOf(slotOf(sig))+k, v)
	}
}

// putSlice implements engine.
func (l *grouped) putSlice(sig sim.Signal, v []uint64) {
	for _, g := range l.groups {
		g.SetWords(l.wordOf(slotOf(sig)), v[g.first:min(len(v), g.first+g.Lanes())])
		g.stale = true
	}
}

// number is the number of a signal's first word in the layout, if it has one: inputs, state, and
// outputs of the top have. It brings them up to date.
func (l *grouped) number(sig sim.Signal, g *group) (int, bool) {
	p := l.m.P
	switch {
	case p.Inputs.Has(slotOf(sig)), p.State.Has(slotOf(sig)):
		l.settle(l.worker[0], g)
		return l.wordOf(slotOf(sig)), true
	}

	at, ok := l.outAt[slotOf(sig)]
	if ok {
		l.refresh(l.worker[0], g)
	}
	return at, ok
}

// get implements engine.
func (l *grouped) get(sig sim.Signal, lane int) uint64 {
	g, at := l.group(lane)
	if r, ok := l.number(sig, g); ok {
		return g.Word(r, at)
	}
	return word(l.at(g, at), sig)
}

// getBits implements engine.
func (l *grouped) getBits(sig sim.Signal, lane int) bits.Value {
	g, at := l.group(lane)
	r, ok := l.number(sig, g)
	if !ok {
		return l.at(g, at).Value(placeOf(sig))
	}

	words := make([]uint64, bits.WordCount(int(sig.Width())))
	for k := range words {
		words[k] = g.Word(r+k, at)
	}
	return bits.FromWords(int(sig.Width()), words)
}

// getSlice implements engine.
func (l *grouped) getSlice(sig sim.Signal, dst []uint64) {
	for _, g := range l.groups {
		to := dst[g.first:min(len(dst), g.first+g.Lanes())]
		if r, ok := l.number(sig, g); ok {
			g.Words(r, to)
			continue
		}
		for at := range to {
			to[at] = word(l.at(g, at), sig)
		}
	}
}

// readMem implements engine.
func (l *grouped) readMem(mem, addr, lane int) bits.Value {
	m := &l.m.P.Mems[mem]
	g, at := l.group(lane)
	words := make([]uint64, m.Words)
	for i := range words {
		words[i] = g.Mem(mem, addr*m.Words+i, at)
	}
	return bits.FromWords(m.Width, words)
}

// writeMem implements engine.
func (l *grouped) writeMem(mem, addr, lane int, v bits.Value) error {
	words := make([]uint64, l.m.P.Mems[mem].Words)
	v.CopyTo(words)
	g, at := l.group(lane)
	for i, w := range words {
		g.SetMem(mem, addr*len(words)+i, at, w)
	}
	g.stale = true
	return nil
}

// state implements engine: the shared simulator takes the state from the group.
func (l *grouped) state(lane int) *drive.Stepper { return l.at(l.group(lane)) }

// at loads a lane into the interpreter and returns it.
func (l *grouped) at(g *group, lane int) *drive.Stepper {
	l.load(g, lane)
	return l.m
}

// words is the inputs and state of the interpreter.
func (l *grouped) words() []uint64 { return l.m.St.V[l.m.P.Inputs.Lo:l.m.P.State.Hi] }

// load copies a lane into the interpreter.
func (l *grouped) load(g *group, lane int) {
	g.Lane(lane, l.words(), l.m.St.Mems)
	l.m.Touch()
}

// store copies the interpreter's state back to a lane.
func (l *grouped) store(g *group, lane int) {
	g.SetLane(lane, l.words(), l.m.St.Mems)
	g.stale = true
}

// coverage implements engine.
func (l *grouped) coverage(lane int) []sim.CoverPoint {
	// The shared simulator lists the cover statements in the order of their counters.
	g, at := l.group(lane)
	all := l.one.Coverage()
	for i := range all {
		all[i].Count = g.Word(l.coverAt(i), at)
	}
	return all
}

// coverAt is the number of a cover statement's counter in the layout.
func (l *grouped) coverAt(cover int) int { return l.wordOf(l.m.P.State.Hi) + cover }
