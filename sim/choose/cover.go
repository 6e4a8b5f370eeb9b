package choose

import "slices"

// Price is the cost of compiling and the time in which it must pay.
type Price struct {
	Body   float64 // of compiling a body, in cycles of the general body; 0 compiles without limit
	Cycles float64 // cycles in which a plan must pay: as many again as have run
}

// cover chooses the bodies of a plan. The deciding registers, in order, arrange the seen states
// in a tree. A body may stand at any node and serves all states below it, assuming only the
// registers on its path. The deepest body above a state runs that state. A body must save its
// compile time in the cycles that it serves.
//
// A node seen in only one snapshot gets no body. Such nodes estimate how much below their parent
// has not been seen at all: as much as they weigh (the Good-Turing estimator). So a plan with
// too many deciding registers, which make states rare, is rated worse.
type cover struct {
	plan *Plan
	h    *History
	unit float64               // share of all cycles per unit of weight
	pay  float64               // cost of compiling a body, spread over the cycles of the plan
	had  func(key uint64) bool // whether there is a body
	list []int32               // snapshots, sorted by their deciding registers
	out  []Tuple
}

// coverNode is a set of snapshots that agree in the first deciding registers.
type coverNode struct {
	lo, hi int32   // in cover.list
	level  int     // number of registers in which they agree
	own    float64 // weight of the states that no child holds
	kids   []*coverNode
	best   []float64 // by level of the nearest body above + 1: the least cost of all cycles at and below
}

// Bodies returns the tuples that get bodies, the heaviest first, and sets p.expect, the expected
// cost of a cycle.
func (p *Plan) Bodies(h *History, total float64, at Price, had func(key uint64) bool) []Tuple {
	c := &cover{plan: p, h: h, unit: 1 / total, pay: p.General * at.Body / at.Cycles, had: had}

	// Sorted by the deciding registers, every node of the tree is a section of the list.
	for s := range h.Snaps {
		c.list = append(c.list, int32(s))
	}
	slices.SortFunc(c.list, func(x, y int32) int {
		for _, r := range p.Dec {
			if a, b := h.Snaps[x][r], h.Snaps[y][r]; a < b {
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

	// Two passes: grow finds the best cost bottom-up, take reads the choice off top-down.
	root := c.grow(0, int32(len(c.list)), 0)
	p.Expect = root.best[0]
	c.take(root, -1)

	slices.SortStableFunc(c.out, func(x, y Tuple) int {
		switch {
		case x.Weight > y.Weight:
			return -1
		case x.Weight < y.Weight:
			return 1
		}
		return 0
	})
	return c.out[:min(p.Pol.MaxTuples, len(c.out))]
}

func (c *cover) value(at int32, level int) uint64 {
	return c.h.Snaps[c.list[at]][c.plan.Dec[level]]
}

// weigh is the share of all cycles that snapshots lo to hi stand for.
func (c *cover) weigh(lo, hi int32) (w float64) {
	for _, s := range c.list[lo:hi] {
		w += c.h.Weight[s]
	}
	return w * c.unit
}

// above is the cost of a cycle run by the best body for a state whose deepest possible body
// stands at level; -1 is the general body.
func (c *cover) above(level int) float64 {
	if level < 0 {
		return c.plan.General
	}
	return c.plan.Costs[level]
}

// grow makes the node of snapshots lo to hi, which agree in the registers below level, and
// computes its best costs.
func (c *cover) grow(lo, hi int32, level int) *coverNode {
	// Registers in which all agree need no node of their own.
	for level < len(c.plan.Dec) && c.value(lo, level) == c.value(hi-1, level) {
		level++
	}

	n := &coverNode{lo: lo, hi: hi, level: level, best: make([]float64, level+1)}
	if level == len(c.plan.Dec) {
		n.own = c.weigh(lo, hi)
	} else {
		// One child per value; a value seen once stays with this node.
		for at := lo; at < hi; {
			end := at + 1
			for end < hi && c.value(end, level) == c.value(at, level) {
				end++
			}

			// Without a price, a state that was seen once gets a body too.
			if end == at+1 && c.pay > 0 {
				n.own += c.weigh(at, end)
			} else {
				n.kids = append(n.kids, c.grow(at, end, level+1))
			}
			at = end
		}
	}

	// Compare a body here with none, for each level at which the nearest body above may stand.
	here := n.own * c.above(level)
	if !c.had(c.plan.Key(c.values(n))) {
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

// without is the cost of a node without a body, given the level of the nearest body above.
func (c *cover) without(n *coverNode, up int) float64 {
	cost := n.own * c.above(up)
	for _, k := range n.kids {
		cost += k.best[up+1]
	}
	return cost
}

// take lists the chosen bodies at and below a node. It returns the weight left to the body
// above.
func (c *cover) take(n *coverNode, up int) float64 {
	// The best cost tells whether a body stands here.
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
	c.out = append(c.out, Tuple{c.values(n), left})
	return 0
}

// values is the assumption of a body at n.
func (c *cover) values(n *coverNode) []int64 {
	return c.plan.Values(c.h.Snaps[c.list[n.lo]], n.level)
}
