package emit

import (
	"encoding/binary"

	"etch/sim/native/arm64"
	"etch/sim/native/vector"
)

// a64PackBases are the registers of the bases.
var a64PackBases = []arm64.Reg{
	packState: a64State, packTo: arm64.R5, packElement1: arm64.R6, packElement2: arm64.R7, packElement4: arm64.R8,
	packCell: arm64.R9, packPool: arm64.R10,
}

// a64Count counts the rounds of a loop.
const a64Count = arm64.R11

// a64Packs writes packs for arm64.
type a64Packs struct {
	*a64
	pool Label
}

func (e *a64Packs) pieces(spill vector.Place) *vector.Writer {
	return vector.OnARM64(&e.Asm, a64PackBases, vector.Place{Base: packPool}, spill)
}

func (e *a64Packs) enterPacks(bits int32) {
	e.Mov(arm64.X, a64A, arm64.R2)
	e.Enter()
	e.access(arm64.STR, a64A, e.scratch(flagWord))
	e.TstI(arm64.X, a64A, uint64(bits))
}

func (e *a64Packs) idle(l Label) { e.Cbz(arm64.X, a64Left, e.leads(l)) }

func (e *a64Packs) testPacks(bits int32) {
	e.fetch(scratchWord(flagWord), 8)
	e.TstI(arm64.X, a64A, uint64(bits))
}

func (e *a64Packs) leavePacks(constants []byte) {
	e.Leave()
	e.Define(e.pool)
	for i := 0; i < len(constants); i += 4 {
		e.Word(binary.LittleEndian.Uint32(constants[i:]))
	}
}

func (e *a64Packs) unlessCell(at int32, l Label) {
	e.access(arm64.LDRW, a64A, a64At{a64State, int64(at)})
	e.Cbz(arm64.W, a64A, e.leads(l))
}

func (e *a64Packs) aimPool() { e.Adr(a64PackBases[packPool], arm64.Label(e.pool)) }

func (e *a64Packs) aim(base uint8, at int32) { e.add(a64PackBases[base], a64State, int64(at)) }

func (e *a64Packs) advance(base uint8, by int32) {
	e.add(a64PackBases[base], a64PackBases[base], int64(by))
}

func (e *a64Packs) repeat(n int, _ bool) Label {
	e.MovRI(a64Count, uint64(n))
	top := e.Declare()
	e.Entry(top)
	return top
}

func (e *a64Packs) again(l Label) {
	e.RRI(arm64.SUBS, arm64.X, a64Count, a64Count, 1)
	e.BCond(arm64.NE, e.leads(l))
}

func (e *a64Packs) elementOfWord(word, element, size int32) {
	e.access(arm64.LDR, a64A, a64At{a64PackBases[packCell], int64(word)})
	e.access(wordStores[size], a64A, a64At{a64PackBases[packTo], int64(element)})
}

func (e *a64Packs) wordOfElement(word, element, size int32) {
	e.access(wordLoads[size], a64A, a64At{a64PackBases[packTo], int64(element)})
	e.access(arm64.STR, a64A, a64At{a64PackBases[packCell], int64(word)})
}
