package native

import "etch/sim/net"

// tree is the code of one cycle for states of one kind: a decision tree over
// conditions of that cycle. A leaf is straight code in which the conditions are
// known, so that what follows from them is constant: the next values of control
// registers above all.
type tree struct {
	c       *code // of a leaf the cycle, else what computes the condition
	yes, no *tree // nil for a leaf
	next    []int64
}

// What next says of a register that is no constant.
const (
	anyValue = -1
	holds    = -2
)

// maxKnown is the greatest value that is treated as a constant, since negative
// numbers say other things.
const maxKnown = 1<<62 - 1

// Growing of trees: a condition is worth a split when both outcomes together
// cost less than ratio of what there is without it.
const (
	unresolvedCost = 6.0 // of a control register whose next value is not constant
	splitCost      = 4.0
	splitRatio     = 0.85
	generalRatio   = 0.95 // for the body of all states
	minSplit       = 60.0 // cost of a cycle below which nothing is split
	tryConditions  = 6
)

// grower makes trees; its arrays are used over and over.
type grower struct {
	sched scheduler
	alloc allocator
	props []*net.Prop // by depth
	dec   []int32     // control registers that decide on the next body
	depth int         // of trees at most
	ratio float64
	first int32 // scratch word that code may use
	limit int32 // scratch words that code may use
	pool  []uint8
	// volatile marks the registers that something else writes each cycle
	volatile []bool
	failed   bool // some code took more
}

// grow makes the tree of n, whose registers are assumed to be as as says.
func (g *grower) grow(n *net.Net, as net.Assume, depth int) *tree {
	if depth < g.depth {
		if t := g.split(n, as, depth); t != nil {
			return t
		}
	}
	c := prepare(&g.sched, n, as, g.first)
	g.finish(c)
	t := &tree{c: c, next: make([]int64, len(n.Regs))}
	for r := range n.Regs {
		t.next[r] = anyValue
		d := n.Regs[r].Next
		if d < 0 && g.volatile != nil && g.volatile[r] {
			continue
		}
		if d < 0 {
			t.next[r] = holds
		} else if v, ok := n.IsConst(d); ok && v <= maxKnown {
			t.next[r] = int64(v)
		}
	}
	return t
}

func (g *grower) finish(c *code) {
	c.allocate(&g.alloc, g.pool)
	g.failed = g.failed || c.scratch > g.limit
}

// prop returns the propagation of a depth, bound to n.
func (g *grower) prop(n *net.Net, depth int) *net.Prop {
	for len(g.props) <= depth {
		g.props = append(g.props, &net.Prop{})
	}
	g.props[depth].Bind(n)
	return g.props[depth]
}

// split tries the conditions that most control registers depend on, and makes an
// inner node of the best; nil when none pays.
func (g *grower) split(n *net.Net, as net.Assume, depth int) *tree {
	p := g.prop(n, depth)
	free := net.NewAssume(len(n.Regs))
	score := func() float64 {
		p.Run(free)
		return float64(p.Mark(free)) + unresolvedCost*float64(g.unresolved(p, n))
	}
	p.Run(free)
	if p.Mark(free) <= minSplit {
		return nil
	}
	base := score()
	best, bar := net.None, base*g.ratio
	for _, x := range g.conditions(n) {
		s := splitCost
		for v := range uint64(2) {
			p.Force(x, v)
			s += 0.5 * score()
			p.Forget()
		}
		if s < bar {
			best, bar = x, s
		}
	}
	if best < 0 {
		return nil
	}
	t := &tree{c: conditionCode(n, best, g.first)}
	g.finish(t.c)
	var side [2]*net.Net
	for v := range uint64(2) {
		p.Force(best, v)
		p.Run(free)
		side[v] = p.Extract(free)
		p.Forget()
	}
	t.yes = g.grow(side[1], as, depth+1)
	t.no = g.grow(side[0], as, depth+1)
	return t
}

// unresolved counts the deciding registers whose next value is not settled.
func (g *grower) unresolved(p *net.Prop, n *net.Net) int {
	u := 0
	for _, r := range g.dec {
		if g.volatile != nil && g.volatile[r] {
			u++
		} else if d := n.Regs[r].Next; d >= 0 {
			if _, ok := p.Known(d); !ok && p.Same(d) != n.Regs[r].Q {
				u++
			}
		}
	}
	return u
}

// conditions lists the bits on which next values of deciding registers depend
// the most.
func (g *grower) conditions(n *net.Net) []net.ID {
	var found []net.ID
	var votes []int
	add := func(x net.ID) {
		for n.N[x].Op == net.Not {
			x = n.N[x].A
		}
		if n.N[x].Op == net.Const || n.N[x].W != 1 {
			return
		}
		for i, y := range found {
			if y == x {
				votes[i]++
				return
			}
		}
		found, votes = append(found, x), append(votes, 1)
	}
	var vote func(x net.ID, depth int)
	vote = func(x net.ID, depth int) {
		nd := &n.N[x]
		switch {
		case nd.Op == net.Mux:
			add(nd.A)
			if depth < 3 {
				vote(nd.B, depth+1)
				vote(nd.C, depth+1)
			}
		case nd.W == 1 && nd.Op == net.Not && depth < 4:
			vote(nd.A, depth)
		case nd.W == 1 && (nd.Op == net.And || nd.Op == net.Or) && depth < 3:
			if depth == 0 {
				add(x)
			}
			vote(nd.A, depth+1)
			vote(nd.B, depth+1)
		case nd.W == 1:
			add(x)
		}
	}
	for _, r := range g.dec {
		if d := n.Regs[r].Next; d >= 0 {
			vote(d, 0)
		}
	}
	var top []net.ID
	for range tryConditions {
		m := -1
		for i := range found {
			if votes[i] > 0 && (m < 0 || votes[i] > votes[m]) {
				m = i
			}
		}
		if m < 0 {
			break
		}
		votes[m] = 0
		top = append(top, found[m])
	}
	return top
}

// conditionCode computes a condition of n, and leaves by the side door when it
// is 0.
func conditionCode(n *net.Net, x net.ID, scratch int32) *code {
	need := make([]bool, len(n.N))
	need[x] = true
	for i := int(x); i >= 0; i-- {
		if need[i] {
			n.Args(net.ID(i), func(y net.ID) { need[y] = true })
		}
	}
	c := &code{n: n, scratch: scratch}
	for i := range n.N[:x+1] {
		if need[i] && !n.N[i].Op.IsLeaf() {
			c.out = append(c.out, ins{kEval, int32(i), -1})
		}
	}
	c.out = append(c.out, ins{kBranch, int32(x), -1})
	c.foldTests()
	c.hazards()
	return c
}
