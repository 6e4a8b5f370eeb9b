package emit

import (
	"etch/sim/native/amd64"
	"etch/sim/native/internal/schedule"
	"etch/sim/native/vector"
)

// x86PackBases are the registers of the bases. Stores have a base of their own for the reason
// that the state has two.
var x86PackBases = []amd64.Reg{
	packState: stateR, packTo: amd64.RDX, packElement1: amd64.RSI, packElement2: amd64.RDI, packElement4: amd64.R8,
	packCell: amd64.R9, packPool: amd64.R10,
}

// packCount counts the rounds of a loop.
const packCount = amd64.R11

// x86Packs writes packs for amd64 with AVX2.
type x86Packs struct {
	*x86
	at amd64.Label // label of the constants
}

func (e *x86Packs) pieces(spill vector.Place) *vector.Writer {
	return vector.OnAMD64(&e.Asm, x86PackBases, vector.Place{Base: packPool}, spill)
}

func (e *x86Packs) enterPacks(bits int32) {
	e.Enter()
	e.MovMR(amd64.S64, e.scratch(stores, flagWord), amd64.RDX)
	e.TestRI(amd64.S32, amd64.RDX, bits)
}

func (e *x86Packs) testPacks(bits int32) {
	e.TestMI(amd64.S32, e.scratch(loads, flagWord), bits)
}

func (e *x86Packs) idle(l Label) {
	e.compare(scratchWord(cyclesWord), 64, 0)
	e.jumpIf(equal, l)
}

func (e *x86Packs) leavePacks(constants []byte) {
	e.Vzeroupper()
	e.Leave()
	e.Align(32)
	e.Bind(e.at)
	e.Code = append(e.Code, constants...)
}

func (e *x86Packs) unlessCell(at int32, l Label) {
	e.MI(amd64.CMP, amd64.S32, amd64.At(stateR, at), 0)
	e.Jcc(amd64.E, amd64.Label(l))
}

func (e *x86Packs) aimPool() { e.LeaLabel(x86PackBases[packPool], e.at) }

func (e *x86Packs) aim(base uint8, at int32) {
	e.Lea(amd64.S64, x86PackBases[base], amd64.At(stateR, at))
}

func (e *x86Packs) advance(base uint8, by int32) {
	e.RI(amd64.ADD, amd64.S64, x86PackBases[base], by)
}

func (e *x86Packs) repeat(n int, aligned bool) Label {
	e.MovRI(packCount, uint64(n))
	if aligned {
		e.Align(32)
	}
	top := e.Declare()
	e.Entry(top)
	return top
}

func (e *x86Packs) again(l Label) {
	e.Dec(amd64.S32, packCount)
	e.Jcc(amd64.NE, amd64.Label(l))
}

func (e *x86Packs) elementOfWord(word, element, size int32) {
	e.MovRM(amd64.S32, tmpA, amd64.At(x86PackBases[packCell], word))
	e.MovMR(intSize(size), amd64.At(x86PackBases[packTo], element), tmpA)
}

func (e *x86Packs) wordOfElement(word, element, size int32) {
	e.loadElement(tmpA, amd64.At(x86PackBases[packTo], element), size)
	e.MovMR(amd64.S64, amd64.At(x86PackBases[packCell], word), tmpA)
}

// intSize is the operand size for a number of bytes.
func intSize(bytes int32) amd64.Size { return amd64.Size(schedule.Trailing(uint64(bytes))) }

// loadElement loads an element or a cell stored in size bytes.
func (e *x86) loadElement(dst amd64.Reg, m amd64.Mem, size int32) {
	e.MovRM(intSize(size), dst, m)
}
