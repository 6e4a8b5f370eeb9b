package native

import (
	"etch/sim/choose"
	"etch/sim/native/internal/schedule"
	"etch/sim/net"
)

// tree is the code of one cycle for one kind of states: a decision tree over conditions of that
// cycle. A leaf is straight code in which the conditions are known, so that dependent values are
// constants: above all the next values of control registers.
type tree struct {
	c       *schedule.Code // of a leaf: the cycle; else the code of the condition
	yes, no *tree          // nil for a leaf
	next    []int64        // of a leaf, by register: the next value, anyValue or holds
	adds    []addition     // of a leaf: what its code does not add
}

// Values of next that are not constants.
const (
	anyValue = -1 // unknown
	holds    = -2 // the register keeps its value
)

// grower makes trees. Its arrays are reused.
type grower struct {
	sched schedule.Scheduler
	alloc schedule.Allocator
	props []*net.Prop // by depth
	choose.Forks
	depth  int   // of the deepest tree
	first  int32 // first free scratch word
	limit  int32 // end of the free scratch words
	pool   []uint8
	sums   []bool // by register: an accumulator whose additions may wait; nil: none
	failed bool   // some code needed more scratch words than limit allows
}

// grow makes the tree of n under the assumption as, which n has applied already.
func (g *grower) grow(n *net.Net, as net.Assume, depth int) *tree {
	if depth < g.depth {
		if t := g.split(n, as, depth); t != nil {
			return t
		}
	}

	// A leaf: straight code, with the conditions on the way to it known.
	g.Visits += g.Pol.VisitCompile * len(n.N)
	rest, adds := g.owe(n)
	c := schedule.Prepare(&g.sched, rest, as, g.first)
	g.finish(c)

	// The register's next value tells which bodies can follow. A register without next value holds,
	// unless the outside writes it in each cycle.
	t := &tree{c: c, next: make([]int64, len(n.Regs)), adds: adds}
	for r := range n.Regs {
		t.next[r] = anyValue
		d := n.Regs[r].Next
		if d < 0 && g.Volatile != nil && g.Volatile[r] {
			continue
		}
		if d < 0 {
			t.next[r] = holds
		} else if v, ok := n.IsConst(d); ok && v <= choose.MaxKnown {
			t.next[r] = int64(v)
		}
	}
	return t
}

func (g *grower) finish(c *schedule.Code) {
	c.Allocate(&g.alloc, g.pool)
	g.failed = g.failed || c.Scratch > g.limit
}

// prop returns the propagation for a depth, bound to n.
func (g *grower) prop(n *net.Net, depth int) *net.Prop {
	for len(g.props) <= depth {
		g.props = append(g.props, &net.Prop{})
	}
	g.props[depth].Bind(n)
	return g.props[depth]
}

// split makes an inner node for the best condition; nil if none pays.
func (g *grower) split(n *net.Net, as net.Assume, depth int) *tree {
	// The cost of a cycle with constants propagated, but with no condition forced yet. Little cost
	// leaves little to save.
	p := g.prop(n, depth)
	free := net.NewAssume(len(n.Regs))
	p.Run(free)
	if p.Mark(free) <= g.Pol.LeastSplit {
		return nil
	}

	// The best condition is computed before either side, as code of its own.
	best := g.Condition(p, n)
	if best < 0 {
		return nil
	}
	t := &tree{c: conditionCode(n, best, g.first)}
	g.finish(t.c)

	// Specialise both sides to the condition's value.
	g.Visits += 2 * g.Pol.VisitExtract * len(n.N)
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

// conditionCode computes condition x of n and takes the side exit if it is 0.
func conditionCode(n *net.Net, x net.ID, scratch int32) *schedule.Code {
	// Walk backwards: arguments have lower numbers than their nodes, so one pass marks all that x
	// needs.
	need := make([]bool, len(n.N))
	need[x] = true
	for i := int(x); i >= 0; i-- {
		if need[i] {
			n.Args(net.ID(i), func(y net.ID) { need[y] = true })
		}
	}

	// The marked nodes in the net's order, which is topological, and then the branch.
	c := &schedule.Code{N: n, Scratch: scratch}
	for i := range n.N[:x+1] {
		if need[i] && !n.N[i].Op.IsLeaf() {
			c.Out = append(c.Out, schedule.Ins{K: schedule.KEval, A: int32(i), B: -1})
		}
	}
	c.Out = append(c.Out, schedule.Ins{K: schedule.KBranch, A: int32(x), B: -1})

	// The order is final: only now can tests be folded and hazards found.
	c.FoldTests()
	c.Hazards()
	return c
}
