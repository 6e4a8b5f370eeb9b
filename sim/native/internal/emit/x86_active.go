package emit

import (
	"etch/sim/native/amd64"
	"etch/sim/native/internal/schedule"
	"etch/sim/net"
)

// lateCode is code put aside: the effects of a change that is rare.
type lateCode struct {
	in, back Label
	near     []int32 // of the part
	write    func()
}

// OpenList also moves the base registers: that of stores to the flags, that of loads to the first
// values inside of parts. So the words that parts use most have displacements of one byte. No
// address outside of parts is asked for from here on.
func (e *x86) OpenList(p *ActiveLayout) {
	e.ahead = [2]int32{loads: -8*p.Values - Reach, stores: p.At(p.Next, 0) + Reach}
	e.Lea(amd64.S64, stateR, amd64.At(stateR, e.ahead[loads]))
	e.Lea(amd64.S64, stateW, amd64.At(stateW, e.ahead[stores]))
	e.emptyList(p)
}

// emptyList sets the cursor to the list's first place.
func (e *x86) emptyList(p *ActiveLayout) {
	e.Lea(amd64.S64, activeCursor, e.byteAt(loads, -8*(p.list+1)))
}

// byteAt is memory at an offset in bytes from the state's base.
func (e *x86) byteAt(w way, off int32) amd64.Mem { return e.address(w, place{off: int64(off)}) }

// flag is the double word of flags of a group, which is nearer to the base of stores.
func (e *x86) flag(p *ActiveLayout, first, group int32) amd64.Mem {
	return e.byteAt(stores, p.At(first, group))
}

func (e *x86) OpenGroup(p *ActiveLayout, group int32, l Label) {
	e.MI(amd64.CMP, amd64.S32, e.flag(p, p.Now, group), 0)
	e.Jcc(amd64.E, amd64.Label(l))
}

func (e *x86) CloseGroup(p *ActiveLayout, group int32) {
	e.MovMI(amd64.S32, e.flag(p, p.Now, group), 0)
}

// unequal is the condition that a comparison or test found a difference (want), or none.
func unequal(want bool) amd64.Cond {
	if want {
		return amd64.NE
	}
	return amd64.E
}

func (e *x86) IfFlag(p *ActiveLayout, f Flag, want bool, l Label) {
	bit := schedule.Trailing(uint64(f.Mask))
	e.TestMI(amd64.S8, e.flag(p, p.Now, f.Group).Plus(int32(bit/8)), 1<<(bit%8))
	e.Jcc(unequal(want), amd64.Label(l))
}

func (e *x86) Wake(p *ActiveLayout, flags, blocks []Flag) {
	e.setFlags(p, &Change{Now: flags, Blocks: blocks}, e.raise)
}

// raise sets flags, whatever they were.
func (e *x86) raise(m amd64.Mem, mask uint32) { e.MI(amd64.OR, amd64.S32, m, int32(mask)) }

func (e *x86) IfCell(c Cell, want bool, l Label) {
	e.MI(amd64.CMP, intSize(int32(c.Bytes)), e.byteAt(loads, c.At), 0)
	e.Jcc(unequal(want), amd64.Label(l))
}

// activeCursor points behind the last entry of the list of deferred registers.
const activeCursor = amd64.R15

// change is the writing of a value to a word of the state or a kept one.
type change struct {
	*Change
	e    *x86
	at   Cell  // of the present value
	slot int32 // offset of the register's word of the state, in bytes
	s    amd64.Size
	from amd64.Reg // of the value, if that is not an immediate
	v    int32
	imm  bool
	bit  bool // word and value are single bits, the value in a register
}

// compare compares the value with the word.
func (c *change) compare() {
	if m := c.e.byteAt(loads, c.at.At); c.imm {
		c.e.MI(amd64.CMP, c.s, m, c.v)
	} else {
		c.e.MR(amd64.CMP, c.s, m, c.from)
	}
}

// store stores the value: in its cell and its word of the state, or behind the end of the list, with
// the place of the word.
func (c *change) store() {
	if c.Listed {
		c.put(amd64.S64, amd64.At(activeCursor, 0))
		c.e.MovMI(amd64.S64, amd64.At(activeCursor, 8), c.slot-c.e.ahead[stores])
		return
	}
	c.put(intSize(int32(c.at.Bytes)), c.e.byteAt(stores, c.To))
	if c.Home {
		c.put(intSize(int32(c.at.Bytes)), c.e.byteAt(stores, c.slot)) // the rest of the word is 0
	}
}

func (c *change) put(s amd64.Size, m amd64.Mem) {
	if c.imm {
		c.e.MovMI(s, m, c.v)
	} else {
		c.e.MovMR(s, m, c.from)
	}
}

// changed compares the value with the word. The store and the flags of a change are put aside,
// unless changes are frequent: then they are made by arithmetic, without a branch to mispredict.
func (e *x86) changed(p *ActiveLayout, r int32, x net.ID, c *Change) {
	w := e.n.Regs[r].W
	k := change{Change: c, e: e, at: e.cells[r], slot: 8 * e.n.Regs[r].Slot, s: size(w)}
	if k.at.Bytes == 1 {
		k.s = amd64.S8
	}
	if v, ok := e.n.IsConst(x); ok && v <= 1<<31-1 {
		k.v, k.imm = int32(v), true
	} else {
		k.from, k.bit = e.register(x, tmpA), w == 1 && e.n.Width(x) == 1
	}
	if len(c.Now)+len(c.Next)+len(c.Blocks) == 0 && !c.Listed { // no part waits for a change
		k.store()
		return
	}
	if c.Often {
		k.always(p)
		return
	}

	// By a branch: the usual path falls through, and the effects are written behind all parts
	// (Late).
	k.compare()
	out := lateCode{in: e.Declare(), back: e.Declare(), near: e.near}
	e.Jcc(amd64.NE, amd64.Label(out.in))
	e.Bind(amd64.Label(out.back))
	out.write = func() {
		k.store()
		if c.Listed {
			e.RI(amd64.ADD, amd64.S64, activeCursor, 16)
		}
		e.setFlags(p, c, e.raise)
	}
	e.aside = append(e.aside, out)
}

// always makes the effects by arithmetic: it stores in any case.
func (c *change) always(p *ActiveLayout) {
	// tmpC becomes 1 if the value has changed, else 0. Bits differ by exclusive or; stores leave the
	// flags of a comparison.
	e := c.e
	if c.bit {
		e.MovZX(amd64.S8, tmpC, c.from)
		e.RM(amd64.XOR, c.s, tmpC, e.byteAt(loads, c.at.At))
		c.store()
	} else {
		c.compare()
		c.store()
		e.Setcc(amd64.NE, tmpC)
		e.MovZX(amd64.S8, tmpC, tmpC)
	}

	// The end of the list moves by an entry of 16 bytes only if the value has changed; else the
	// next entry overwrites this one.
	if c.Listed {
		e.Lea(amd64.S64, activeCursor, amd64.AtIndex(activeCursor, tmpC, 8, 0))
		e.Lea(amd64.S64, activeCursor, amd64.AtIndex(activeCursor, tmpC, 8, 0))
	}

	// The product with a mask is the mask or 0; a shift makes it of a single flag. The last product
	// needs no copy of the bit.
	left := len(c.Now) + len(c.Next) + len(c.Blocks)
	e.setFlags(p, c.Change, func(m amd64.Mem, mask uint32) {
		to := tmpA
		if left--; left == 0 {
			to = tmpC
		}
		switch {
		case to == tmpC && mask == 1:
		case to == tmpC && mask&(mask-1) == 0:
			e.ShiftI(amd64.SHL, amd64.S32, tmpC, uint8(schedule.Trailing(uint64(mask))))
		default:
			e.ImulRRI(amd64.S32, to, tmpC, int32(mask))
		}
		e.MR(amd64.OR, amd64.S32, m, to)
	})
}

// setFlags calls set for each double word of flags that a change sets.
func (e *x86) setFlags(p *ActiveLayout, c *Change, set func(m amd64.Mem, mask uint32)) {
	for _, f := range c.Now {
		set(e.flag(p, p.Now, f.Group), f.Mask)
	}
	for _, f := range c.Next {
		set(e.flag(p, p.Next, f.Group), f.Mask)
	}
	for _, f := range c.Blocks {
		set(e.flag(p, p.blocks, f.Group), f.Mask)
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
		e.masked(w.Mask)
		e.TestRR(amd64.S64, tmpA, tmpA)
	} else if whole < amd64.S32 { // bits of the data above the memory's word do not count
		e.MovZX(whole, tmpA, tmpA)
		e.TestRR(amd64.S32, tmpA, tmpA)
	}

	// An unchanged word has no effects.
	same := e.Declare()
	e.Jcc(amd64.E, amd64.Label(same))
	e.MR(amd64.XOR, whole, m, tmpA)
	for _, f := range flags {
		e.raise(e.flag(p, p.Next, f.Group), f.Mask)
	}
	e.Bind(amd64.Label(same))
}

// Commit ends a cycle. No values are in registers here.
func (e *x86) Commit(p *ActiveLayout) {
	e.commitList(p)
	for g := range p.copied {
		e.commitBlocks(p, g)
	}

	// The flags of the next cycle become those of the present one, which are all clear. Two groups of
	// 32 flags are copied at a time.
	for g := int32(0); g < p.Groups; g += 2 {
		e.MovRM(amd64.S64, tmpA, e.flag(p, p.Next, g))
		e.MovMR(amd64.S64, e.flag(p, p.Now, g), tmpA)
		e.MovMI(amd64.S64, e.flag(p, p.Next, g), 0)
	}
}

// commitList copies the values of the list to their registers.
func (e *x86) commitList(p *ActiveLayout) {
	// Pairs of a value and its slot, from the fixed start up to the cursor.
	const at, value, slot = amd64.RCX, amd64.RDX, amd64.RSI
	done, again := e.Declare(), e.Declare()
	e.Lea(amd64.S64, at, e.byteAt(loads, -8*(p.list+1)))
	e.RR(amd64.CMP, amd64.S64, at, activeCursor)
	e.Jcc(amd64.E, amd64.Label(done))
	e.Bind(amd64.Label(again))
	e.MovRM(amd64.S64, value, amd64.At(at, 0))
	e.MovRM(amd64.S64, slot, amd64.At(at, 8))
	e.MovMR(amd64.S64, amd64.AtIndex(stateW, slot, 1, 0), value)
	e.RI(amd64.ADD, amd64.S64, at, 16)
	e.RR(amd64.CMP, amd64.S64, at, activeCursor)
	e.Jcc(amd64.NE, amd64.Label(again))
	e.emptyList(p)
	e.Bind(amd64.Label(done))
}

// commitBlocks copies the blocks of a group in which a next value differs from the present one, and
// perhaps others: the next values of all cells are valid at any time.
func (e *x86) commitBlocks(p *ActiveLayout, group int32) {
	const left, at, value = amd64.RCX, amd64.RDX, amd64.RSI
	done, again := e.Declare(), e.Declare()
	e.MovRM(amd64.S32, left, e.flag(p, p.blocks, group))
	e.TestRR(amd64.S32, left, left)
	e.Jcc(amd64.E, amd64.Label(done))
	e.MovMI(amd64.S32, e.flag(p, p.blocks, group), 0)

	// The lowest block that is left; it is cleared by left & (left - 1).
	cell := p.Late + group*PerGroup*Block
	e.Bind(amd64.Label(again))
	e.Bsf(amd64.S32, at, left)
	e.ShiftI(amd64.SHL, amd64.S32, at, uint8(schedule.Trailing(Block)))
	to, from := e.byteAt(stores, cell), e.byteAt(loads, p.NextOf(cell))
	for i := int32(0); i < Block; i += 8 {
		e.MovRM(amd64.S64, value, amd64.AtIndex(from.Base, at, 1, from.Disp+i))
		e.MovMR(amd64.S64, amd64.AtIndex(to.Base, at, 1, to.Disp+i), value)
	}
	e.Lea(amd64.S32, value, amd64.At(left, -1))
	e.RR(amd64.AND, amd64.S32, left, value)
	e.Jcc(amd64.NE, amd64.Label(again))
	e.Bind(amd64.Label(done))
}

func (e *x86) Late() {
	for i := 0; i < len(e.aside); i++ {
		a := e.aside[i]
		e.near = a.near
		e.Define(a.in)
		a.write()
		e.Jump(a.back)
	}
	e.near = nil
	e.aside = e.aside[:0]
}
