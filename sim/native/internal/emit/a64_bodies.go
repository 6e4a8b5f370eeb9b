package emit

import (
	"unsafe"

	"etch/sim/choose"
	"etch/sim/native/arm64"
	"etch/sim/net"
)

// compareTo sets the flags by r - v. It uses the second temporary for values that are no
// immediate.
func (e *a64) compareTo(r arm64.Reg, v uint64) {
	if arm64.FitsArith(v) {
		e.CmpI(arm64.X, r, v)
		return
	}
	e.MovRI(a64B, v)
	e.Cmp(arm64.X, r, a64B)
}

func (e *a64) compareFar(p place, k *choose.Check) {
	e.fetch(p, 8)
	e.MovRI(a64B, k.Addr)
	e.MemX(wordLoads[k.Far], a64A, a64A, a64B, true)
	e.compareTo(a64A, k.Want)
}

// guard needs no branch: x ^ want is 0 if the guard holds, and the flag collects the bits.
func (e *a64) guard(x net.ID, _ uint8, want uint64) {
	r := e.register(x, a64A)
	switch {
	case want == 0:
	case arm64.FitsLogic(arm64.X, want):
		e.RRI(arm64.EOR, arm64.X, a64B, r, want)
		r = a64B
	default:
		e.MovRI(a64B, want)
		e.RRR(arm64.EOR, arm64.X, a64B, r, a64B)
		r = a64B
	}

	e.RRR(arm64.ORR, arm64.X, a64Flag, a64Flag, r)
}

func (e *a64) setFlag(v uint32) { e.MovRI(a64Flag, uint64(v)) }

func (e *a64) Flagged(l Label) { e.Cbnz(arm64.X, a64Flag, e.leads(l)) }

func (e *a64) Increment(p *uint64) {
	e.MovRI(a64B, uint64(uintptr(unsafe.Pointer(p))))
	e.Mem(arm64.LDR, a64A, a64B, 0)
	e.RRI(arm64.ADD, arm64.X, a64A, a64A, 1)
	e.Mem(arm64.STR, a64A, a64B, 0)
}

// KeepState copies the registers to the sample ring at one miss in EveryAt, unless the ring is full.
// It is written only where a cycle is a miss.
func (e *a64) KeepState(k *Ring) {
	const words, left = a64C, arm64.R5 // no values are in registers here

	// Count down to the next sample.
	done := e.NewLabel()
	e.MovRI(words, uint64(uintptr(unsafe.Pointer(unsafe.SliceData(k.Words)))))
	e.Mem(arm64.LDR, a64A, words, 8*UntilAt)
	e.RRI(arm64.SUBS, arm64.X, a64A, a64A, 1)
	e.Mem(arm64.STR, a64A, words, 8*UntilAt)
	e.BCond(arm64.NE, done)

	// Restart the countdown, then give up if the ring is full.
	e.Mem(arm64.LDR, a64A, words, 8*EveryAt)
	e.Mem(arm64.STR, a64A, words, 8*UntilAt)
	e.Mem(arm64.LDR, a64A, words, 8*RingAt)
	e.compareTo(a64A, uint64(k.Entries))
	e.BCond(arm64.CS, done)

	// Take the next entry: its address is words + index × entry size + header.
	e.RRI(arm64.ADD, arm64.X, a64B, a64A, 1)
	e.Mem(arm64.STR, a64B, words, 8*RingAt)
	e.MovRI(a64B, uint64(8*k.Entry))
	e.Madd(arm64.X, words, a64A, a64B, words)
	e.RRI(arm64.ADD, arm64.X, words, words, 8*RingFirst)

	// Copy the state words. A class also keeps the distance to the instance's memories.
	e.add(a64D, e.bases[ofState], 8*int64(k.Lo))
	e.MovRI(left, uint64(k.Hi-k.Lo))
	loop := e.NewLabel()
	e.Bind(loop)
	e.MemPost(arm64.LDR, a64A, a64D, 8)
	e.MemPost(arm64.STR, a64A, words, 8)
	e.RRI(arm64.SUBS, arm64.X, left, left, 1)
	e.BCond(arm64.NE, loop)

	if k.Class {
		e.RRR(arm64.SUB, arm64.X, a64A, a64Mem, a64Whole)
		e.Mem(arm64.STR, a64A, words, 0)
	}

	// The base registers were used for the copy.
	e.Bind(done)
	e.known = a64Known{}
}

func (e *a64) EnterClass(c *Class) {
	// Scratch words lie below the whole state, while the state's base moves from instance to
	// instance.
	e.bases = a64Bases{ofState: a64State, ofWhole: a64Whole, ofMemory: a64State}
	e.Mov(arm64.X, a64Whole, a64State)
	e.scratchBase(a64Whole)
	e.add(a64Behind, a64Whole, 8*int64(c.Stride)*int64(c.Count))
}

func (e *a64) Whole() { e.Mov(arm64.X, a64State, a64Whole) }

func (e *a64) firstInstance() {
	e.bases[ofMemory] = a64Mem
	e.Mov(arm64.X, a64Mem, a64Whole)
	e.known = a64Known{}
}

func (e *a64) nextInstance(c *Class) {
	e.move(a64State, 8*int64(c.Stride))
	e.move(a64Mem, 8*int64(c.MemMove))
	e.known = a64Known{}
	e.Cmp(arm64.X, a64State, a64Behind)
}

// move adds a positive distance to a base.
func (e *a64) move(r arm64.Reg, by int64) {
	if by >= 1<<24 {
		e.MovRI(a64B, uint64(by))
		e.RRR(arm64.ADD, arm64.X, r, r, a64B)
		return
	}
	e.add(r, r, by)
}
