package sim

import (
	"cmp"
	"slices"

	"etch/ir"
)

// Latches settle in levels: one that follows from others comes after them, or it
// would take what they held before. A register's level is one more than that of the
// latches that it follows from. Where there are latches, other registers with
// asynchronous reset have levels too: those are latches of a constant, and whether a
// value is known to be one must not matter.

// latchLevels sorts the registers with asynchronous reset by their levels and returns
// where each level ends; none has one where there are no latches.
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

// leveller finds the highest level of the latches that a node follows from; of those
// that follow from themselves, which only resets can do, one is the first.
type leveller struct {
	c  *compiler
	of map[ref]int
}

func (l *leveller) level(r ref) int {
	if n, ok := l.of[r]; ok {
		return n
	}
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
