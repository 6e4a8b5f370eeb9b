package native

import "slices"

// price says what compiling costs, and for how long it has to pay.
type price struct {
	body   float64 // of a body, in cycles of the general body that could be run in that time; 0: as many bodies as can be
	cycles float64 // that a plan has to pay in: as many again as there have been, say
}

// cover chooses the bodies of a plan. The deciding registers in their order make a
// tree of the states that were seen; a body may stand at any node, for all states
// below it: it knows the values of the first deciding registers only. The deepest
// body above a state is the one that runs it. What compiling a body takes must
// come back in the cycles that it is for.
//
// A node that was seen in one snapshot only is no place for a body. Such nodes
// tell how much there is below their parents that has not been seen at all: as
// much as they weigh (Good and Turing). Too many deciding registers thus make
// plans worse, as they make states rare.
type cover struct {
	plan *plan
	h    *history
	unit float64 // of weight, as a share of the cycles
	pay  float64 // for a body, in cost of a cycle
	had  map[uint64]*special
	list []int32 // snapshots, sorted by their values of the deciding registers
	out  []tuple
}

// node is snapshots that agree in the first deciding registers.
type coverNode struct {
	lo, hi int32 // in cover.list
	level  int   // registers that they agree in
	own    float64
	kids   []*coverNode
	best   []float64 // by level of the nearest body above, plus one: cost of all cycles at and below
}

// bodies returns the tuples that get bodies, the heaviest first.
func (p *plan) bodies(h *history, total float64, at price, had map[uint64]*special) []tuple {
	c := &cover{plan: p, h: h, unit: 1 / total, pay: p.general * at.body / at.cycles, had: had}
	for s := range h.snaps {
		c.list = append(c.list, int32(s))
	}
	slices.SortFunc(c.list, func(x, y int32) int {
		for _, r := range p.dec {
			if a, b := h.snaps[x][r], h.snaps[y][r]; a < b {
				return -1
			} else if a > b {
				return 1
			}
		}
		return int(x - y)
	})
	if len(c.list) == 0 {
		return nil
	}
	root := c.grow(0, int32(len(c.list)), 0)
	p.expect = root.best[0]
	c.take(root, -1)
	slices.SortStableFunc(c.out, func(x, y tuple) int {
		switch {
		case x.weight > y.weight:
			return -1
		case x.weight < y.weight:
			return 1
		}
		return 0
	})
	return c.out[:min(maxTuples, len(c.out))]
}

func (c *cover) value(at int32, level int) uint64 {
	return c.h.snaps[c.list[at]][c.plan.dec[level]]
}

func (c *cover) weigh(lo, hi int32) (w float64) {
	for _, s := range c.list[lo:hi] {
		w += c.h.weight[s]
	}
	return w * c.unit
}

// above is the cost of a cycle by the body that is best when the deepest one
// possible stands at a level, -1 for none.
func (c *cover) above(level int) float64 {
	if level < 0 {
		return c.plan.general
	}
	return c.plan.costs[level]
}

// grow makes the node of the snapshots from lo to hi, more than one, which agree
// in the registers below level.
func (c *cover) grow(lo, hi int32, level int) *coverNode {
	for level < len(c.plan.dec) && c.value(lo, level) == c.value(hi-1, level) {
		level++
	}
	n := &coverNode{lo: lo, hi: hi, level: level, best: make([]float64, level+1)}
	if level == len(c.plan.dec) {
		n.own = c.weigh(lo, hi)
	} else {
		for at := lo; at < hi; {
			end := at + 1
			for end < hi && c.value(end, level) == c.value(at, level) {
				end++
			}
			if end == at+1 && c.pay > 0 {
				n.own += c.weigh(at, end)
			} else {
				n.kids = append(n.kids, c.grow(at, end, level+1))
			}
			at = end
		}
	}
	here := n.own * c.above(level)
	if c.had[c.plan.key(c.values(n))] == nil {
		here += c.pay
	}
	for _, k := range n.kids {
		here += k.best[level+1]
	}
	for up := range n.best {
		n.best[up] = min(here, c.without(n, up-1))
	}
	return n
}

// without is the cost of a node that gets no body, the nearest one above being at
// a level.
func (c *cover) without(n *coverNode, up int) float64 {
	cost := n.own * c.above(up)
	for _, k := range n.kids {
		cost += k.best[up+1]
	}
	return cost
}

// take lists the bodies at and below a node, and returns the weight that is left
// for the one above.
func (c *cover) take(n *coverNode, up int) float64 {
	body := n.best[up+1] < c.without(n, up)
	if body {
		up = n.level
	}
	left := n.own
	for _, k := range n.kids {
		left += c.take(k, up)
	}
	if !body {
		return left
	}
	c.out = append(c.out, tuple{c.values(n), left})
	return 0
}

// values is what a body at n assumes.
func (c *cover) values(n *coverNode) []int64 {
	return c.plan.values(c.h.snaps[c.list[n.lo]], n.level)
}
