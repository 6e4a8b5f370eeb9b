package emit

import (
	"fmt"

	"etch/sim/native/cpu"
	"etch/sim/native/internal/pack"
	"etch/sim/native/internal/schedule"
	"etch/sim/native/vector"
)

// Packed is Plain with packs: a call fills the elements when it begins and writes them back when it
// ends, unless they are kept.
func Packed(t Target, c *schedule.Code, k *pack.Packs, f cpu.Features) ([]byte, error) {
	e := newPackCode(t.packs(f), k)
	filled := e.Declare()
	e.packs = k
	e.m.enterPacks(IsKept)
	e.jumpIf(notEqual, filled)

	// Entry: fill the elements and the constant cells.
	e.eachVector(e.pull, e.m.elementOfWord)
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

	// Exit: write the elements back.
	e.Define(e.Exit)
	kept := e.Declare()
	e.m.testPacks(KeepOn)
	e.jumpIf(notEqual, kept)
	e.eachVector(e.push, e.m.wordOfElement)
	e.Define(kept)
	e.m.leavePacks(e.pool.Data())
	if room := int(k.Spills()); e.spilled > room {
		panic(fmt.Sprintf("native: %d vectors to spill, room for %d", e.spilled, room))
	}
	return e.Text()
}

// eachVector writes code over the registers of all runs, eight at a time and the rest singly.
// packCell is at their words of the state, packTo at their elements.
func (e *packCode) eachVector(vector func(size int32), one func(word, element, size int32)) {
	for i := range e.k.Runs {
		r := &e.k.Runs[i]
		e.m.aim(packCell, 8*r.Slot)
		e.m.aim(packTo, e.k.ElementAt(r, r.Element))

		if k := r.N / pack.ElementCount; k > 0 {
			top := e.m.repeat(int(k), true)
			vector(r.Size)
			e.m.advance(packCell, 8*pack.ElementCount)
			e.m.advance(packTo, r.Size*pack.ElementCount)
			e.m.again(top)
		}

		for j := range r.N % pack.ElementCount {
			one(8*j, r.Size*j, r.Size)
		}
	}
}

// pull copies eight words of the state to elements.
func (e *packCode) pull(size int32) {
	c := e.startPiece()
	low, high := c.At(c.Place(words(0))), c.At(c.Place(words(4)))
	e.storeElements(c.Do(vector.Narrow64, 0, low, high), elementsTo(0), size)
	e.endPiece()
}

// push copies elements to eight words of the state.
func (e *packCode) push(size int32) {
	c := e.startPiece()
	v := e.loadElements(elementsTo(0), size)
	c.Store(c.Do(vector.Widen32, 0, v), c.Place(words(0)))
	c.Store(c.Do(vector.Widen32, 1, v), c.Place(words(4)))
	e.endPiece()
}

// words is the place of word i of the state, from packCell on; elementsTo is at bytes from packTo.
func words(i int32) vector.Place       { return vector.Place{Base: packCell, At: 8 * i} }
func elementsTo(at int32) vector.Place { return vector.Place{Base: packTo, At: at} }
