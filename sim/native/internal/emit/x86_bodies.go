package emit

import (
	"unsafe"

	"etch/sim/choose"
	"etch/sim/native/amd64"
	"etch/sim/native/internal/schedule"
	"etch/sim/net"
)

// compareWord compares a memory word of w bits with v.
func (e *x86) compareWord(m amd64.Mem, w uint8, v uint64) {
	s := size(w)

	// An immediate is sign-extended, so other constants of 64 bits go through a register.
	if s == amd64.S64 && v != uint64(int64(int32(v))) {
		e.MovRI(tmpA, v)
		e.MR(amd64.CMP, s, m, tmpA)
		return
	}
	e.MI(amd64.CMP, s, m, int32(uint32(v)))
}

// compareRegister is compareWord for a machine register other than the second temporary.
func (e *x86) compareRegister(r amd64.Reg, w uint8, v uint64) {
	s := size(w)
	if s == amd64.S64 && v != uint64(int64(int32(v))) {
		e.MovRI(tmpC, v)
		e.RR(amd64.CMP, s, r, tmpC)
		return
	}
	e.RI(amd64.CMP, s, r, int32(uint32(v)))
}

func (e *x86) compareFar(p place, k *choose.Check) {
	e.MovRM(amd64.S64, tmpC, e.address(loads, p))
	m := amd64.At(tmpC, int32(k.Addr*uint64(k.Far)))
	if k.Far == 8 {
		e.compareWord(m, 64, k.Want)
		return
	}
	e.MI(amd64.CMP, amd64.Size(schedule.Trailing(uint64(k.Far))), m, int32(uint32(k.Want)))
}

// guard branches, since a guard is seldom broken.
func (e *x86) guard(x net.ID, w uint8, want uint64) {
	e.compareRegister(e.register(x, tmpA), w, want)
	skip := e.JccRel32(amd64.E)
	e.setFlag(1)
	e.Patch(skip, len(e.Code))
}

func (e *x86) setFlag(v uint32) { e.set(scratchWord(flagWord), 8, v) }

func (e *x86) Flagged(l Label) {
	e.compare(scratchWord(flagWord), 64, 0)
	e.jumpIf(notEqual, l)
}

func (e *x86) Increment(p *uint64) {
	// The counter is memory of the engine, at a fixed address.
	e.MovRI(tmpA, uint64(uintptr(unsafe.Pointer(p))))
	e.IncM(amd64.S64, amd64.At(tmpA, 0))
}

// KeepState copies the registers to the sample ring at one miss in EveryAt, unless the ring is full.
// It is written only where a cycle is a miss.
func (e *x86) KeepState(k *Ring) {
	// Count down to the next sample; a miss that is not kept costs this much.
	e.MovRI(tmpC, uint64(uintptr(unsafe.Pointer(unsafe.SliceData(k.Words)))))
	e.DecM(amd64.S64, amd64.At(tmpC, 8*UntilAt))
	skip := e.JccRel32(amd64.NE)

	// Restart the countdown, then give up if the ring is full.
	e.MovRM(amd64.S64, tmpA, amd64.At(tmpC, 8*EveryAt))
	e.MovMR(amd64.S64, amd64.At(tmpC, 8*UntilAt), tmpA)
	e.MovRM(amd64.S64, tmpA, amd64.At(tmpC, 8*RingAt))
	e.RI(amd64.CMP, amd64.S64, tmpA, int32(k.Entries))
	full := e.JccRel32(amd64.AE)

	// RDI is the next entry. A class also keeps the distance to the instance's memories.
	e.IncM(amd64.S64, amd64.At(tmpC, 8*RingAt))
	e.ImulRRI(amd64.S64, tmpA, tmpA, int32(8*k.Entry))
	e.Lea(amd64.S64, amd64.RDI, amd64.AtIndex(tmpC, tmpA, 1, 8*RingFirst))
	e.Lea(amd64.S64, amd64.RSI, amd64.At(stateR, 8*k.Lo))
	e.MovRI(amd64.RCX, uint64(k.Hi-k.Lo))
	e.RepMovsq()

	if k.Class {
		e.MovRR(amd64.S64, tmpA, instMem)
		e.RR(amd64.SUB, amd64.S64, tmpA, wholeBase)
		e.MovMR(amd64.S64, amd64.At(amd64.RDI, 0), tmpA)
	}

	// Both exits lead here: the sample was not due, or the ring is full.
	e.Patch(skip, len(e.Code))
	e.Patch(full, len(e.Code))
}

// Registers of code for classes: the base of the whole state, below which the scratch words lie,
// and the base of the instance's memories.
const (
	wholeBase = amd64.R15
	instMem   = amd64.R14
)

var (
	topBases   = x86Bases{ofState: {stateR, stateW}, ofWhole: {wholeBase, wholeBase}, ofMemory: {stateR, stateW}}
	classBases = x86Bases{ofState: {stateR, stateW}, ofWhole: {wholeBase, wholeBase}, ofMemory: {instMem, instMem}}
)

func (e *x86) EnterClass(c *Class) {
	// Scratch words lie below the whole state, while the state's base moves from instance to
	// instance.
	e.bases = topBases
	e.MovRR(amd64.S64, wholeBase, amd64.RDI)
	e.MovMR(amd64.S64, e.scratch(stores, cyclesWord), amd64.RSI)
	e.Lea(amd64.S64, tmpA, amd64.At(wholeBase, 8*c.Stride*int32(c.Count)))
	e.MovMR(amd64.S64, e.scratch(stores, endWord), tmpA)
}

func (e *x86) Whole() {
	e.MovRR(amd64.S64, stateW, wholeBase)
	e.MovRR(amd64.S64, stateR, wholeBase)
}

func (e *x86) firstInstance() {
	e.bases = classBases
	e.MovRR(amd64.S64, instMem, wholeBase)
}

func (e *x86) nextInstance(c *Class) {
	e.RI(amd64.ADD, amd64.S64, stateW, 8*c.Stride)
	e.RI(amd64.ADD, amd64.S64, instMem, 8*c.MemMove)
	e.MovRR(amd64.S64, stateR, stateW)
	e.RM(amd64.CMP, amd64.S64, stateW, e.scratch(loads, endWord))
}
