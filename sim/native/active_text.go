package native

import (
	"etch/sim/native/internal/schedule"
	"etch/sim/net"
)

// activeText writes the code of a partition.
type activeText struct {
	*cycles
	p      *active
	a      activeWriter
	s      schedule.Scheduler
	places schedule.Allocator
	pool   []uint8
	colds  []coldPart

	scratch int32 // words in use
}

// coldPart is a part to be written behind all others.
type coldPart struct {
	k        int
	in, back label
}

// rarePart is the share of cycles below which a part is put aside, out of the way of the
// instruction fetch.
const rarePart = 0.3

// text writes the code of all parts, and returns it with the number of scratch words in use.
func (p *active) text(w *cycles, a activeWriter) (text []byte, scratch int32, err error) {
	l := &p.layout
	t := &activeText{cycles: w, p: p, a: a, pool: here.registers(inParts), scratch: l.values}
	w.enter()
	a.openList(l)
	top := w.newLabel()
	w.entry(top)

	// A cycle runs the groups in order. Stop is known after the first ones.
	k := 0
	for g := range l.groups {
		if g == p.early {
			t.stop()
		}
		k = t.groupFrom(k, g)
	}
	if p.early == l.groups {
		t.stop()
	}
	a.commit(l)
	w.count(true, top)
	w.bind(w.exit)
	w.leave()

	// The effects of rare changes, then the parts put aside, each with its own.
	a.late()
	for _, c := range t.colds {
		w.bind(c.in)
		t.part(c.k)
		w.jump(c.back)
		a.late()
	}
	text, err = w.text()
	return text, t.scratch, err
}

// groupFrom writes a group, whose first part is number k, and returns the number behind its last.
func (t *activeText) groupFrom(k int, g int32) int {
	l := &t.p.layout
	end := t.newLabel()
	t.a.openGroup(l, g, end)
	for ; k < len(t.p.group) && t.p.group[k].group == g; k++ {
		if t.p.r.Parts[k].Share < rarePart {
			c := coldPart{k, t.newLabel(), t.newLabel()}
			t.a.ifFlag(l, t.p.group[k], true, c.in)
			t.entry(c.back)
			t.colds = append(t.colds, c)
			continue
		}
		skip := t.newLabel()
		t.a.ifFlag(l, t.p.group[k], false, skip)
		t.part(k)
		t.bind(skip)
	}
	t.a.closeGroup(l, g)
	t.bind(end)
	return k
}

// part writes the code of a part, as that of a net of its own.
func (t *activeText) part(k int) {
	sub := t.p.s.Of(int32(k))
	c := schedule.Prepare(&t.s, sub.Net, net.Assume{}, t.p.layout.values)
	c.Allocate(&t.places, t.pool)
	t.scratch = max(t.scratch, c.Scratch)

	e := &effects{w: t.a, layout: &t.p.layout, words: t.p.changes(&sub)}
	for _, readers := range sub.Stores {
		e.stores = append(e.stores, t.p.flags(readers))
	}
	t.effects = e
	t.body(c)
	t.effects = nil
}

// stop leaves the code before the cycle if Stop is not 0.
func (t *activeText) stop() {
	n, p := t.p.r.Net, t.p
	x := n.Stop
	switch {
	case x < 0:
	case n.N[x].Op == net.Leaf:
		t.a.stopIf(&n.Regs[n.N[x].Imm], t.exit)
	default:
		t.a.stopIf(&net.Reg{Slot: uint32(-(p.layout.kept + p.number[x] + 1)), W: n.N[x].W}, t.exit)
	}
}
