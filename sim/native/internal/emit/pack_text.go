package emit

import (
	"etch/sim/native/cpu"
	"etch/sim/native/internal/pack"
	"etch/sim/native/internal/schedule"
)

// Packed is plainText with packs: a call fills the lanes when it begins and writes them back
// when it ends, unless they are kept.
func Packed(t Target, c *schedule.Code, k *pack.Packs, f cpu.Features) ([]byte, error) {
	e := newPackCode(t.packs(f), k)
	filled := e.Declare()
	e.packs = k
	e.m.enterPacks(IsKept)
	e.jumpIf(notEqual, filled)

	// Entry: fill the lanes and the constant cells.
	for i := range k.Runs {
		e.m.pull(&k.Runs[i], k.Runs[i].Slot)
	}
	for i, x := range k.Cells {
		if x >= 0 && k.Fixed[i] {
			e.set(cell(k.CellAt(int32(i))), 4, uint32(k.Consts[i]))
		}
	}

	e.Define(filled)
	e.m.idle(e.Exit)

	// A cycle: plain code, then the segments.
	top := e.Declare()
	e.Entry(top)
	e.Body(c)
	e.segments()
	e.Count(true, top)

	// Exit: write the lanes back.
	e.Define(e.Exit)
	kept := e.Declare()
	e.m.testPacks(KeepOn)
	e.jumpIf(notEqual, kept)
	for i := range k.Runs {
		e.m.push(&k.Runs[i], k.Runs[i].Slot)
	}
	e.Define(kept)
	e.m.leavePacks(e.constants())
	return e.Text()
}

// constants lists the pool's constants by number.
func (e *packCode) constants() []uint32 {
	list := make([]uint32, len(e.known))
	for v, at := range e.known {
		list[at] = v
	}
	return list
}
