package emit

import (
	"unsafe"

	"etch/sim/choose"
	"etch/sim/native/arm64"
	"etch/sim/net"
)

// compareState compares a register in the state with v. A loaded value stays in the first
// temporary, for comparisons with further values.
func (e *a64) compareState(q *net.Reg, v uint64) {
	p := e.stateWord(q.Slot)
	if e.known.tested != p || p == (a64At{}) {
		e.access(arm64.LDR, a64A, p)
		e.known.tested = p
	}
	e.compareTo(a64A, v)
}

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

func (e *a64) Unless(q *net.Reg, v int64, l Label) {
	e.compareState(q, uint64(v))
	e.BCond(arm64.NE, e.leads(l))
}

func (e *a64) AtLeast(q *net.Reg, v int64, l Label) {
	e.compareState(q, uint64(v))
	e.BCond(arm64.CS, e.leads(l))
}

func (e *a64) UnlessWord(k *choose.Check, shared bool, l Label) {
	e.access(arm64.LDR, a64A, e.memory(shared, k.At))
	if k.Far > 0 {
		e.MovRI(a64B, k.Addr)
		e.MemX(farLoads[k.Far], a64A, a64A, a64B, true)
	}
	e.compareTo(a64A, k.Want)
	e.BCond(arm64.NE, e.leads(l))
}

// guard collects in the flag register the bits in which x differs from the guarded value.
func (e *a64) guard(_ int32, x net.ID, want uint64) { // differs from want, or the guard would have been dropped
	if _, ok := e.n.IsConst(x); ok { // of another value
		e.MovRI(a64Flag, 1)
		return
	}

	// x ^ want is 0 if the guard holds. No branch is needed: the flag collects the bits.
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

func (e *a64) ClearFlag() { e.MovRI(a64Flag, 0) }

func (e *a64) Flagged(l Label) { e.Cbnz(arm64.X, a64Flag, e.leads(l)) }

func (e *a64) Increment(p *uint64) {
	e.MovRI(a64B, uint64(uintptr(unsafe.Pointer(p))))
	e.Mem(arm64.LDR, a64A, a64B, 0)
	e.RRI(arm64.ADD, arm64.X, a64A, a64A, 1)
	e.Mem(arm64.STR, a64A, a64B, 0)
}

// KeepState copies the state to the sample ring once every so many cycles, unless the ring is
// full.
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
	e.add(a64D, e.from.state, 8*int64(int32(k.Lo)))
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
	e.from = a64Bases{a64State, a64Whole, a64State}
	e.Mov(arm64.X, a64Whole, a64State)
	e.scratchBase(a64Whole)
	e.add(a64Behind, a64Whole, 8*int64(c.Stride)*int64(c.Count))
}

func (e *a64) Whole() { e.Mov(arm64.X, a64State, a64Whole) }

func (e *a64) First(c *Class) {
	e.from.mem = a64Mem
	e.Mov(arm64.X, a64Mem, a64Whole)
	e.known = a64Known{}
	e.nextBody(c)
}

// nextBody jumps to the body that the instance will run next.
func (e *a64) nextBody(c *Class) {
	e.access(arm64.LDR, a64A, e.stateWord(c.Next))
	e.BR(a64A)
	e.dead = true
}

// KeepNext stores label l as the instance's next body and goes to the next instance, or to done
// after the last one.
func (e *a64) KeepNext(c *Class, l, done Label) {
	e.Adr(a64A, arm64.Label(l))
	e.access(arm64.STR, a64A, e.stateWord(c.Next))

	e.move(a64State, 8*int64(c.Stride))
	e.move(a64Mem, 8*int64(c.MemMove))
	e.known = a64Known{}

	e.Cmp(arm64.X, a64State, a64Behind)
	e.BCond(arm64.EQ, e.leads(done))
	e.nextBody(c)
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

func (e *a64) KeepIn(word int32, l Label) {
	e.Adr(a64A, arm64.Label(l))
	e.access(arm64.STR, a64A, e.scratch(word))
}

func (e *a64) GoOn(word int32) {
	e.known = a64Known{}
	e.access(arm64.LDR, a64A, e.scratch(word))
	e.BR(a64A)
	e.dead = true
}
