package schedule

import (
	"slices"

	"etch/sim/net"
)

// holder is a value in a machine register.
type holder struct {
	node net.ID
	end  int32 // of its live range
	reg  uint8
}

// life is a node's live range: from the instruction that computes it to the last that reads it.
type life struct {
	start, end int32
	count      int32 // reads
}

// sparse is the average distance between reads over the rest of the live range: the higher, the
// cheaper to spill.
func (l *life) sparse(at int32) float64 { return float64(l.end-at) / float64(l.count) }

// Allocator assigns machine registers by linear scan over whole live ranges (Poletto and Sarkar,
// 1999). A value without register lives in a scratch word; words of ended ranges are reused.
type Allocator struct {
	c      *Code
	life   []life // of nodes
	active []holder
	soon   int32 // no active range ends before this instruction
	free   []uint8
	words  wordHeap
	muxOf  []int32 // by node: the mux whose place it takes, or None
	arms   []int32 // the first instructions of the open arms
}

// Allocate places all values of c in the registers of pool and in scratch words. It is called once.
func (c *Code) Allocate(a *Allocator, pool []uint8) {
	k := len(c.N.N)
	a.c = c
	a.life = Sized(a.life, k)
	a.active, a.free, a.words, a.soon = a.active[:0], a.free[:0], a.words[:0], never
	c.Loc = make([]Where, k)

	// Live ranges end at the last use.
	var buf [3]net.ID
	for at, in := range c.Out {
		for _, x := range c.uses(in, &buf) {
			a.life[x].end = int32(at)
			a.life[x].count++
		}
	}
	a.join()

	// The free registers are a stack with the pool's first register on top.
	for i := len(pool) - 1; i >= 0; i-- {
		a.free = append(a.free, pool[i])
	}

	// One pass in program order. A mux is defined at its first phi, or with the first value that takes
	// its place, and keeps that place for the others.
	for at, in := range c.Out {
		a.expire(int32(at))
		if in.K == KEval || in.K == KPhi {
			if x := a.owner(net.ID(in.A)); c.Loc[x].K == Nowhere && a.life[x].count > 0 {
				a.life[x].start = int32(at)
				a.define(x, in, int32(at))
			}
		}
	}
	for x, m := range a.muxOf {
		if m >= 0 {
			c.Loc[x] = c.Loc[a.owner(net.ID(m))]
		}
	}
}

// join finds the values of arms that are computed in the place of their mux, so that nothing is copied
// at the end of the arm. The arm itself has to compute such a value: nobody needs the place of the mux
// before the arm ends.
func (a *Allocator) join() {
	c := a.c
	a.muxOf = Filled(a.muxOf, len(c.N.N))
	for i := range a.life {
		a.life[i].start = -1
	}

	// The open arms, by their first instructions; the first one is the cycle.
	a.arms = append(a.arms[:0], 0)
	for at, in := range c.Out {
		top := len(a.arms) - 1
		switch in.K {
		case KIf:
			a.arms = append(a.arms, int32(at))
		case KElse:
			a.arms[top] = int32(at)
		case KEnd:
			a.arms = a.arms[:top]
		case KPhi:
			if a.joins(net.ID(in.B), a.arms[top]) && a.life[in.A].count > 0 {
				a.muxOf[in.B] = in.A
			}
			fallthrough
		case KEval:
			if l := &a.life[in.A]; l.start < 0 {
				l.start = int32(at)
			}
		}
	}
}

// joins reports whether the arm that begins at an instruction computes value x, and x has no other use:
// the place of a mux is often a word of memory, which is no place for a value that is read twice.
// Results of banks have places of their own.
func (a *Allocator) joins(x net.ID, arm int32) bool {
	op, l := a.c.N.N[x].Op, &a.life[x]
	return !op.IsLeaf() && op != net.Tables && op != net.TableWord && !a.c.Fold[x] && l.count == 1 && l.start > arm
}

// owner is the node in whose place x is: the outermost mux.
func (a *Allocator) owner(x net.ID) net.ID {
	for a.muxOf[x] >= 0 {
		x = net.ID(a.muxOf[x])
	}
	return x
}

// expire frees registers whose values are read here for the last time. The instruction itself
// may write to them.
func (a *Allocator) expire(at int32) {
	// Most instructions end no live range: skip the scan until one can.
	if at < a.soon {
		return
	}

	// Compact the active list in place.
	k := 0
	a.soon = never
	for _, h := range a.active {
		if h.end <= at {
			a.free = append(a.free, h.reg)
			continue
		}
		a.soon = min(a.soon, h.end)
		a.active[k] = h
		k++
	}
	a.active = a.active[:k]
}

// define gives x a register, a spilled neighbour's register, or a scratch word.
func (a *Allocator) define(x net.ID, in Ins, at int32) {
	// Words of a bank are fixed by the bank. The loop over it writes them in order.
	if a.c.placeBank(x) {
		return
	}

	if len(a.free) > 0 {
		i := a.hint(in)
		r := a.free[i]
		a.free = append(a.free[:i], a.free[i+1:]...)
		a.hold(x, r)
		return
	}
	// All registers are taken: spill the value with the fewest reads over the longest rest of
	// its range.
	worst, score := -1, a.life[x].sparse(at)
	for i, h := range a.active {
		if s := a.life[h.node].sparse(at); s > score {
			worst, score = i, s
		}
	}
	if worst < 0 {
		a.spill(x)
		return
	}

	// The neighbour moves to a scratch word for its whole range, its past included: nothing is
	// split, so no code is needed at this point.
	h := a.active[worst]
	a.active = append(a.active[:worst], a.active[worst+1:]...)
	a.spill(h.node)
	a.hold(x, h.reg)
}

func (a *Allocator) hold(x net.ID, r uint8) {
	a.c.Loc[x] = Where{K: InReg, Reg: r}
	end := a.life[x].end
	a.active = append(a.active, holder{x, end, r})
	a.soon = min(a.soon, end)
}

// hint chooses the free register for the value of an instruction: that of an operand whose range ends
// here, which saves a move.
func (a *Allocator) hint(in Ins) int {
	// A mux takes the register of the arm that ends here, another node that of its first operand.
	last := len(a.free) - 1
	if in.K == KPhi {
		if i := a.freed(net.ID(in.B)); i >= 0 {
			return i
		}
		return last
	}
	switch nd := &a.c.N.N[in.A]; nd.Op {
	case net.Lut:
		return last
	case net.Mux:
		// A bit selected against a constant is an operation on the select and the other arm.
		if nd.W == 1 && (a.c.N.N[nd.B].Op == net.Const || a.c.N.N[nd.C].Op == net.Const) {
			break
		}

		// The select is read last, so its register serves only if there is no other.
		for _, arm := range [2]net.ID{nd.C, nd.B} {
			if i := a.freed(arm); i >= 0 {
				return i
			}
		}
		if a.freed(nd.A) == last {
			return max(0, last-1)
		}
		return last
	}
	if i := a.freed(a.c.N.N[in.A].A); i >= 0 {
		return i
	}
	return last
}

// freed is the index of the register of x among the free ones, or -1.
func (a *Allocator) freed(x net.ID) int {
	if x < 0 {
		return -1
	}
	l := a.c.Loc[a.owner(x)]
	if l.K != InReg {
		return -1
	}
	return slices.Index(a.free, l.Reg)
}

// spill places x in a scratch word for its whole live range, reusing the word whose value ended
// first if it has ended.
func (a *Allocator) spill(x net.ID) {
	l := a.life[x]

	// A word whose value has ended is taken over. The earliest end suffices: if that word is still
	// in use, all are.
	if len(a.words) > 0 && a.words[0].end < l.start {
		at := a.words[0].at
		a.words.replaceFirst(l.end, at)
		a.c.Loc[x] = Where{K: InScratch, At: at}
		return
	}

	a.c.Loc[x] = Where{K: InScratch, At: a.c.Scratch}
	a.words.push(l.end, a.c.Scratch)
	a.c.Scratch++
}

// wordHeap is a binary heap of scratch words, the earliest end of a live range first.
type wordHeap []struct{ end, at int32 }

func (h *wordHeap) push(end, at int32) {
	// Sift up.
	*h = append(*h, struct{ end, at int32 }{end, at})
	s := *h
	for i := len(s) - 1; i > 0; {
		up := (i - 1) / 2
		if s[up].end <= s[i].end {
			return
		}
		s[up], s[i] = s[i], s[up]
		i = up
	}
}

func (h wordHeap) replaceFirst(end, at int32) {
	// The new entry replaces the earliest one and sifts down.
	h[0].end, h[0].at = end, at
	for i := 0; ; {
		kid := 2*i + 1
		if kid >= len(h) {
			return
		}
		if kid+1 < len(h) && h[kid+1].end < h[kid].end {
			kid++
		}
		if h[i].end <= h[kid].end {
			return
		}
		h[i], h[kid] = h[kid], h[i]
		i = kid
	}
}
