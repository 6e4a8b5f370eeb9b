package emit

import (
	"etch/sim/native/amd64"
	"etch/sim/native/internal/schedule"
	"etch/sim/net"
)

// lateCode is code put aside: the effects of a change that is rare.
type lateCode struct {
	in, back Label
	write    func()
}

func (e *x86) OpenGroup(p *ActiveLayout, group int32, l Label) {
	e.MI(amd64.CMP, amd64.S32, amd64.At(stateR, p.At(p.Now, group)), 0)
	e.Jcc(amd64.E, amd64.Label(l))
}

func (e *x86) CloseGroup(p *ActiveLayout, group int32) {
	e.MovMI(amd64.S32, amd64.At(stateW, p.At(p.Now, group)), 0)
}

func (e *x86) IfFlag(p *ActiveLayout, f Flag, want bool, l Label) {
	bit := schedule.Trailing(uint64(f.Mask))
	e.TestMI(amd64.S8, amd64.At(stateR, p.At(p.Now, f.Group)+int32(bit/8)), 1<<(bit%8))
	cc := amd64.NE
	if !want {
		cc = amd64.E
	}
	e.Jcc(cc, amd64.Label(l))
}

func (e *x86) StopIf(q *net.Reg, l Label) {
	e.MI(amd64.CMP, size(q.W), amd64.At(stateR, 8*int32(q.Slot)), 0)
	e.Jcc(amd64.NE, amd64.Label(l))
}

// activeCursor points behind the last entry of the list of deferred registers.
const activeCursor = amd64.R15

func (e *x86) OpenList(p *ActiveLayout) {
	e.Lea(amd64.S64, activeCursor, amd64.At(stateR, -8*(p.list+1)))
}

// changed compares the value with the word. The store and the flags of a change are put aside,
// unless changes are frequent: then they are made by arithmetic, without a branch to mispredict.
func (e *x86) changed(p *ActiveLayout, r int32, x net.ID, c *Change) {
	// Compare, with an immediate where the new value is a constant of 32 bits.
	s, slot := size(e.n.Regs[r].W), 8*int32(e.n.Regs[r].Slot)
	from := amd64.NoReg
	v, constant := e.n.IsConst(x)
	if constant = constant && v <= 1<<31-1; constant {
		e.MI(amd64.CMP, s, amd64.At(stateR, slot), int32(v))
	} else {
		from = e.register(x, tmpA)
		e.MR(amd64.CMP, s, amd64.At(stateR, slot), from)
	}
	put := func(to amd64.Mem) {
		if constant {
			e.MovMI(amd64.S64, to, int32(v))
		} else {
			e.MovMR(amd64.S64, to, from)
		}
	}

	// By arithmetic: store in any case. A deferred value goes behind the end of the list.
	if c.Often && len(c.Now)+len(c.Next) <= mostMasked {
		if c.Deferred {
			put(amd64.At(activeCursor, 0))
			e.MovMI(amd64.S64, amd64.At(activeCursor, 8), slot)
		} else {
			put(amd64.At(stateW, slot))
		}

		// Stores leave the flags of the comparison: tmpC becomes 1 if the value has changed.
		e.Setcc(amd64.NE, tmpC)
		e.MovZX(amd64.S8, tmpC, tmpC)

		// The end of the list moves by an entry of 16 bytes only if the value has changed; else the
		// next entry overwrites this one.
		if c.Deferred {
			e.MovRR(amd64.S32, tmpA, tmpC)
			e.ShiftI(amd64.SHL, amd64.S32, tmpA, 4)
			e.RR(amd64.ADD, amd64.S64, activeCursor, tmpA)
		}

		// Minus 1 is a mask of ones: it selects the flags to set.
		e.Neg(amd64.S32, tmpC)
		e.setFlags(p, c, func(m amd64.Mem, mask uint32) {
			e.MovRR(amd64.S32, tmpA, tmpC)
			e.RI(amd64.AND, amd64.S32, tmpA, int32(mask))
			e.MR(amd64.OR, amd64.S32, m, tmpA)
		})
		return
	}

	// By a branch: the usual path falls through, and the effects are written behind all parts
	// (Late).
	out := lateCode{in: e.Declare(), back: e.Declare()}
	e.Jcc(amd64.NE, amd64.Label(out.in))
	e.Bind(amd64.Label(out.back))
	out.write = func() {
		if c.Deferred {
			put(amd64.At(activeCursor, 0))
			e.MovMI(amd64.S64, amd64.At(activeCursor, 8), slot)
			e.RI(amd64.ADD, amd64.S64, activeCursor, 16)
		} else {
			put(amd64.At(stateW, slot))
		}
		e.setFlags(p, c, func(m amd64.Mem, mask uint32) { e.MI(amd64.OR, amd64.S32, m, int32(mask)) })
	}
	e.aside = append(e.aside, out)
}

// mostMasked is the largest number of double words of flags that are set by arithmetic.
const mostMasked = 4

// setFlags calls set for each double word of flags that a change sets.
func (e *x86) setFlags(p *ActiveLayout, c *Change, set func(m amd64.Mem, mask uint32)) {
	for _, f := range c.Now {
		set(amd64.At(stateW, p.At(p.Now, f.Group)), f.Mask)
	}
	for _, f := range c.Next {
		set(amd64.At(stateW, p.At(p.Next, f.Group)), f.Mask)
	}
}

// stored stores the word, merged by the mask, if it differs from the present one.
func (e *x86) stored(p *ActiveLayout, w *net.Write, flags []Flag) {
	mem := &e.n.Mems[w.Mem]
	if mem.Journal {
		e.memoryStore(w)
		return
	}

	// The word's address goes to tmpC and stays there until the store.
	whole := amd64.S64
	if mem.Far > 0 {
		whole = farSize(mem)
		e.Lea(amd64.S64, tmpC, e.farWord(mem, w.Addr))
	} else {
		e.Lea(amd64.S64, tmpC, e.word(stores, mem, w.Addr, tmpC))
	}
	m := amd64.At(tmpC, 0)

	// The bits that change: (word ^ data) & mask.
	e.load(w.Data, tmpA)
	e.RM(amd64.XOR, whole, tmpA, m)
	if w.Mask >= 0 {
		if v, ok := e.n.IsConst(w.Mask); ok && v != uint64(int64(int32(v))) {
			// A wide constant mask needs a third register. It is borrowed, because any other may
			// hold a value.
			e.Push(amd64.RDX)
			e.load(w.Mask, amd64.RDX)
			e.RR(amd64.AND, amd64.S64, tmpA, amd64.RDX)
			e.Pop(amd64.RDX)
		} else {
			s := size(e.n.Width(w.Mask))
			e.alu(amd64.AND, s, tmpA, e.operand(w.Mask, s, tmpA))
		}
		e.TestRR(amd64.S64, tmpA, tmpA)
	} else if whole < amd64.S32 { // the upper bits of the data are those of no word
		e.MovZX(whole, tmpA, tmpA)
		e.TestRR(amd64.S32, tmpA, tmpA)
	}

	// An unchanged word has no effects.
	same := e.Declare()
	e.Jcc(amd64.E, amd64.Label(same))
	e.MR(amd64.XOR, whole, m, tmpA)
	for _, f := range flags {
		e.MI(amd64.OR, amd64.S32, amd64.At(stateW, p.At(p.Next, f.Group)), int32(f.Mask))
	}
	e.Bind(amd64.Label(same))
}

// Commit copies the values of the list to their registers, and makes the flags of the next cycle
// those of the present one, which are all clear. No values are in registers here.
func (e *x86) Commit(p *ActiveLayout) {
	// The list: pairs of a value and its slot, from the fixed start up to the cursor.
	const at, value, slot = amd64.RCX, amd64.RDX, amd64.RSI
	done, again := e.Declare(), e.Declare()
	e.Lea(amd64.S64, at, amd64.At(stateR, -8*(p.list+1)))
	e.RR(amd64.CMP, amd64.S64, at, activeCursor)
	e.Jcc(amd64.E, amd64.Label(done))
	e.Bind(amd64.Label(again))
	e.MovRM(amd64.S64, value, amd64.At(at, 0))
	e.MovRM(amd64.S64, slot, amd64.At(at, 8))
	e.MovMR(amd64.S64, amd64.AtIndex(stateW, slot, 1, 0), value)
	e.RI(amd64.ADD, amd64.S64, at, 16)
	e.RR(amd64.CMP, amd64.S64, at, activeCursor)
	e.Jcc(amd64.NE, amd64.Label(again))
	e.OpenList(p)
	e.Bind(amd64.Label(done))

	// Two groups of 32 flags are copied at a time.
	for g := int32(0); g < p.Groups; g += 2 {
		e.MovRM(amd64.S64, value, amd64.At(stateR, p.At(p.Next, g)))
		e.MovMR(amd64.S64, amd64.At(stateW, p.At(p.Now, g)), value)
		e.MovMI(amd64.S64, amd64.At(stateW, p.At(p.Next, g)), 0)
	}
}

func (e *x86) Late() {
	for i := 0; i < len(e.aside); i++ {
		a := e.aside[i]
		e.Define(a.in)
		a.write()
		e.Jump(a.back)
	}
	e.aside = e.aside[:0]
}
