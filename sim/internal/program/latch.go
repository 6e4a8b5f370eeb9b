package program

import (
	"cmp"
	"slices"

	"etch/ir"
)

// Latches settle in levels: a latch that depends on others comes after them, or it would take
// their old values. The level of a register is one more than the highest level of the latches
// that it depends on. In designs with latches, flip-flops with asynchronous reset have levels too:
// a reset that follows from a latch must see the value that the latch settles on, since one that is
// high for a moment resets for good, and a latch may open with a flip-flop that is reset.

// latchLevels sorts the registers with asynchronous reset by level, and returns the end of each
// level; nil without latches.
func (c *compiler) latchLevels() (ends []int) {
	all := c.p.Async
	if !slices.ContainsFunc(all, func(i int32) bool { return c.p.Regs[i].Latch }) {
		return nil
	}

	l := &leveller{c: c, of: map[Ref]int{}}
	level := make(map[int32]int, len(all))
	for _, i := range all {
		level[i] = l.level(c.p.Regs[i].Ref)
	}

	// The sort is stable: registers of one level keep their order.
	slices.SortStableFunc(all, func(a, b int32) int { return cmp.Compare(level[a], level[b]) })
	for k, i := range all {
		if k+1 == len(all) || level[all[k+1]] != level[i] {
			ends = append(ends, k+1)
		}
	}
	return ends
}

// leveller computes the highest level of the latches that a node depends on, by depth-first
// search. On a cycle, which only resets can form, one of the latches comes first.
type leveller struct {
	c  *compiler
	of map[Ref]int
}

func (l *leveller) level(first Ref) int {
	// A frame is a node whose needs from next on are still to be visited. A node that is on the
	// stack counts as level 0, which cuts cycles.
	type frame struct {
		r     Ref
		next  int
		level int
	}
	var stack []frame
	enter := func(r Ref) (level int, known bool) {
		if level, known = l.of[r]; !known {
			l.of[r] = 0
			stack = append(stack, frame{r: r})
		}
		return level, known
	}

	enter(first)
	for len(stack) > 0 {
		f := &stack[len(stack)-1]
		to, ok := l.below(f.r, f.next)
		if ok {
			// Entering a new node puts it on top, and its need is asked for again once its level is
			// known.
			level, known := enter(to) // f may be gone
			if f = &stack[len(stack)-1]; known {
				f.next, f.level = f.next+1, max(f.level, level)
			}
			continue
		}

		// A register with asynchronous reset is one level above the latches that it depends on.
		if f.next > 0 && l.async(f.r) {
			f.level++
		}
		l.of[f.r] = f.level
		stack = stack[:len(stack)-1]
	}
	return l.of[first]
}

// async reports whether r is a flip-flop with asynchronous reset, or a latch.
func (l *leveller) async(r Ref) bool {
	m := l.c.p.Insts[r.Inst].Mod
	node := m.Node(r.ID)
	return node.Op == ir.Reg && m.Regs[node.Aux].Async
}

// below is the k-th node on whose present value r depends.
func (l *leveller) below(r Ref, k int) (to Ref, ok bool) {
	in := &l.c.p.Insts[r.Inst]
	node := in.Mod.Node(r.ID)
	switch {
	case node.Op == ir.Reg:
		// Within the cycle, a register depends on its asynchronous reset and on the value that it
		// takes then, and on nothing else.
		if !l.async(r) || k > 1 {
			return Ref{}, false
		}
		g := &in.Mod.Regs[node.Aux]
		return Ref{r.Inst, [2]ir.ID{g.Rst, g.Reset}[k]}, true
	case node.Op == ir.Input && in.Parent < 0:
		return Ref{}, false
	}
	return l.c.needs(r, k)
}
