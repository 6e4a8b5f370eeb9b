package native

import (
	"slices"

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
	colds  []coldParts

	scratch int32 // words in use
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

	// A cycle runs the groups in order. Stop is known after the first parts, which fill groups of their
	// own.
	k, stopped := 0, false
	stop := func() {
		if k == p.r.Early && !stopped {
			t.stop()
			stopped = true
		}
	}
	stop()
	for g := range l.Groups {
		k = t.groupFrom(k, g)
		stop()
		k = t.enabledFrom(k)
	}

	// Deferred registers are written last, when no part of this cycle reads them any more.
	a.Commit(l)
	w.Count(true, top)
	w.Define(w.Exit)
	w.Leave()

	// The effects of rare changes, then the parts put aside, each with its own.
	t.late()
	for _, c := range t.colds {
		t.cold(c)
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
	l, parts := &t.p.layout, t.p.r.Parts
	last := k
	for last < len(parts) && t.p.group[last].Group == g && parts[last].Enable < 0 {
		last++
	}

	// Parts that run in every cycle divide the group. One test of all its flags skips the parts between
	// two of them, if they are not few, and the end of a group that has none of them.
	busy := func(s net.Section) bool { return s.Busy }
	end, whole := t.Declare(), !slices.ContainsFunc(parts[k:last], busy)
	if whole {
		t.a.OpenGroup(l, g, end)
	}
	for k < last {
		if parts[k].Busy {
			t.part(k)
			k++
			continue
		}
		n, skip := slices.IndexFunc(parts[k:last], busy), t.Declare()
		if n < 0 {
			n = last - k
		}
		if !whole && n >= fewFlags {
			t.a.OpenGroup(l, g, skip)
		}
		for ; n > 0; n-- {
			t.flagged(k)
			k++
		}
		t.Define(skip)
	}
	t.a.CloseGroup(l, g)
	t.Define(end)
	return k
}

// fewFlags is the number of parts from which a test of their group's flags pays.
const fewFlags = 3

// flagged writes a part and the test of its flag. A rare part is a jump away, and jumps back behind
// itself; an ordinary one is skipped.
func (t *activeText) flagged(k int) {
	l := &t.p.layout
	if t.p.r.Parts[k].Share < t.p.pol.Parts.Rare {
		c := t.putAside(k, 1)
		t.a.IfFlag(l, t.p.group[k], true, c.in)
		t.Entry(c.back)
		return
	}
	skip := t.Declare()
	t.a.IfFlag(l, t.p.group[k], false, skip)
	t.part(k)
	t.Define(skip)
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
	n := t.p.r.Net
	x := n.Stop
	switch {
	case x < 0:
	case n.N[x].Op == net.Leaf:
		t.a.IfCell(wordOfState(n.Regs[n.N[x].Imm].Slot), true, t.Exit)
	default:
		t.a.IfCell(t.p.cells.kept[x], true, t.Exit)
	}
}
