package native

import (
	"etch/sim/native/internal/emit"
	"etch/sim/native/internal/schedule"
	"etch/sim/net"
)

// activeText writes the code of a partition.
type activeText struct {
	*emit.Cycles
	p      *active
	a      emit.ActiveWriter
	s      schedule.Scheduler
	places schedule.Allocator
	pool   []uint8
	colds  []coldPart

	scratch int32 // words in use
}

// coldPart is a part to be written behind all others.
type coldPart struct {
	k        int
	in, back emit.Label
}

// text writes the code of all parts, and returns it with the number of scratch words in use.
func (p *active) text(w *emit.Cycles, a emit.ActiveWriter) (text []byte, scratch int32, err error) {
	l := &p.layout

	// Each call begins with an empty list of deferred registers.
	t := &activeText{Cycles: w, p: p, a: a, pool: emit.Here.Registers(emit.InParts), scratch: l.Values}
	t.s.Costs, t.s.Crowd = &p.pol.Branches, p.r.Crowd
	w.Enter()
	a.OpenList(l)
	top := w.Declare()
	w.Entry(top)

	// A cycle runs the groups in order. Stop is known after the first ones.
	k := 0
	for g := range l.Groups {
		if g == p.early {
			t.stop()
		}
		k = t.groupFrom(k, g)
	}
	if p.early == l.Groups {
		t.stop()
	}

	// Deferred registers are written last, when no part of this cycle reads them any more.
	a.Commit(l)
	w.Count(true, top)
	w.Define(w.Exit)
	w.Leave()

	// The effects of rare changes, then the parts put aside, each with its own.
	t.late()
	for _, c := range t.colds {
		w.Define(c.in)
		t.enable(c.k, c.back)
		t.part(c.k)
		w.Jump(c.back)
		t.late()
	}
	text, err = w.Text()
	return text, t.scratch, err
}

// late writes the code that was put aside: rare arms of parts, then the effects of rare changes.
func (t *activeText) late() {
	t.Asides()
	t.a.Late()
}

// groupFrom writes a group, whose first part is number k, and returns the number behind its last.
func (t *activeText) groupFrom(k int, g int32) int {
	l := &t.p.layout
	end := t.Declare()
	t.a.OpenGroup(l, g, end)

	// A rare part is a jump away, and jumps back behind itself; an ordinary one is skipped.
	for ; k < len(t.p.group) && t.p.group[k].Group == g; k++ {
		if t.p.r.Parts[k].Share < t.p.pol.Parts.Rare {
			c := coldPart{k, t.Declare(), t.Declare()}
			t.a.IfFlag(l, t.p.group[k], true, c.in)
			t.Entry(c.back)
			t.colds = append(t.colds, c)
			continue
		}
		skip := t.Declare()
		t.a.IfFlag(l, t.p.group[k], false, skip)
		t.enable(k, skip)
		t.part(k)
		t.Define(skip)
	}
	t.a.CloseGroup(l, g)
	t.Define(end)
	return k
}

// enable skips a part whose enable is 0. Else the part is woken for the next cycle too, in which the
// enable may be 1 without a change.
func (t *activeText) enable(k int, skip emit.Label) {
	if x := t.p.r.Parts[k].Enable; x >= 0 {
		t.a.Enable(&t.p.layout, t.p.cellOf(x), t.p.group[k], skip)
	}
}

// part writes the code of a part, as that of a net of its own.
func (t *activeText) part(k int) {
	// The parts share scratch words for spills: no spilled value outlives its part.
	sub := t.p.s.Of(int32(k))
	t.s.Odds = sub.Odds
	c := schedule.Prepare(&t.s, sub.Net, net.Assume{}, t.p.layout.Values)
	c.Allocate(&t.places, t.pool)
	t.scratch = max(t.scratch, c.Scratch)

	// Writes of this part compare with the old value and set the flags of readers.
	words, cells, blocks := t.p.changes(&sub)
	e := &emit.Effects{W: t.a, Layout: &t.p.layout, Words: words, Cells: cells, Near: nearest(&sub, words, cells), Rare: t.p.pol.Parts.RareArm, Odds: sub.Odds}
	for _, readers := range sub.Stores {
		e.Stores = append(e.Stores, t.p.flags(readers))
	}
	t.Effects = e
	t.a.OpenPart(e.Near)
	t.a.Wake(&t.p.layout, t.p.woken(&sub), blocks)
	t.Body(c)
	t.Effects = nil
	t.a.ClosePart()
}

// stop leaves the code before the cycle if Stop is not 0.
func (t *activeText) stop() {
	x := t.p.r.Net.Stop
	switch {
	case x < 0:
	case t.p.r.Net.N[x].Op == net.Leaf:
		t.a.StopIf(wordOfState(t.p.r.Net.Regs[t.p.r.Net.N[x].Imm].Slot), t.Exit)
	default:
		t.a.StopIf(t.p.cells.kept[x], t.Exit)
	}
}
