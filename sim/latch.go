package sim

import (
	"cmp"
	"slices"

	"etch/ir"
)

// Latches settle in levels: a latch that depends on others comes after them, or it would take
// their old values. The level of a register is one more than the highest level of the latches
// that it depends on. In designs with latches, other registers with asynchronous reset have
// levels too: they are latches of a constant, and knowing that a value is constant must not
// change results.

// latchLevels sorts the registers with asynchronous reset by level, and returns the end of each
// level; nil without latches.
func (c *compiler) latchLevels() (ends []int) {
	all := c.p.async
	if !slices.ContainsFunc(all, func(i int32) bool { return c.p.regs[i].latch }) {
		return nil
	}

	l := &leveller{c: c, of: map[ref]int{}}
	level := make(map[int32]int, len(all))
	for _, i := range all {
		level[i] = l.level(c.p.regs[i].ref)
	}
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
	of map[ref]int
}

func (l *leveller) level(r ref) int {
	if n, ok := l.of[r]; ok {
		return n
	}

	// A node that is being visited counts as level 0, which cuts cycles.
	l.of[r] = 0
	in := &l.c.p.insts[r.inst]
	node := in.mod.Node(r.id)
	level := 0
	switch {
	case node.Op == ir.Reg:
		if g := &in.mod.Regs[node.Aux]; g.Async {
			level = 1 + max(l.level(ref{r.inst, g.Rst}), l.level(ref{r.inst, g.Reset}))
		}
	case node.Op == ir.Input && in.parent < 0:
	default:
		for k := 0; ; k++ {
			to, ok := l.c.needs(r, k)
			if !ok {
				break
			}
			level = max(level, l.level(to))
		}
	}
	l.of[r] = level
	return level
}
