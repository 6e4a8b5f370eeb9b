package aig

import (
	"fmt"

	"etch/ir"
)

// Clock is a clock of the top. If nothing moves with falling edges, a step has the rising
// edges given by Tick. Otherwise a step is one event, either of rising or of falling edges;
// a clock falls only after it has risen.
type Clock struct {
	Name string
	Tick Lit // it rises in this step: True, or a function of Events and Levels
	Fall Lit // it falls in this step; False if nothing moves with that
}

// Level is the level of a clock, or of all clocks together. It starts low.
type Level struct {
	Q    Lit // leaf
	Next Lit
}

// Falls reports whether some state moves with falling edges; a cycle of a clock is then two
// steps.
func (c *Circuit) Falls() bool { return len(c.Levels) > 0 }

// edges calls f with the clock of every piece of state and every statement, prints
// excepted.
func (b *blaster) edges(f func(clk ir.ID)) {
	m := b.m
	for i := range m.Regs {
		f(m.Regs[i].Clk)
	}
	for i := range m.Mems {
		for k := range m.Mems[i].Writes {
			f(m.Mems[i].Writes[k].Clk)
		}
		for k := range m.Mems[i].Reads {
			f(m.Mems[i].Reads[k].Clk)
		}
	}
	for i := range m.Stmts {
		if m.Stmts[i].Kind != ir.Print {
			f(m.Stmts[i].Clk)
		}
	}
}

// clocks makes the clocks of the top: the leaves that decide in which step they rise and
// fall.
func (b *blaster) clocks(ports []ir.Port) {
	// The clocks with falling edges that matter.
	falls := map[ir.ID]bool{}
	b.edges(func(clk ir.ID) {
		if from, falling := b.m.Source(clk); falling {
			falls[from] = true
		}
	})

	// Clocks that always act together need no event of their own.
	alone := len(ports) == 1 || b.o.Together
	event := func(name string) Lit {
		l := b.g.Leaf()
		b.c.Events = append(b.c.Events, Signal{Name: name, Bits: Word{l}})
		return l
	}

	anyFalls := false
	for _, p := range ports {
		anyFalls = anyFalls || falls[p.Node]
	}

	down, up := False, True // the direction of this step
	switch {
	case anyFalls && alone:
		down = b.g.Leaf()
		up = down.Not()
		b.c.Levels = append(b.c.Levels, Level{Q: down, Next: up})
	case anyFalls:
		down = event("falling")
		up = down.Not()
	}

	// A clock with falling edges keeps its level, so that it rises and falls in turn.
	for _, p := range ports {
		c := Clock{Name: p.Name, Tick: up, Fall: down}
		if !alone {
			edge := event(p.Name)
			c.Tick, c.Fall = b.g.And(edge, up), b.g.And(edge, down)
			if falls[p.Node] {
				high := b.g.Leaf()
				c.Tick, c.Fall = b.g.And(c.Tick, high.Not()), b.g.And(c.Fall, high)
				b.c.Levels = append(b.c.Levels, Level{Q: high, Next: b.g.And(b.g.Or(high, c.Tick), c.Fall.Not())})
			}
		}
		if !falls[p.Node] {
			c.Fall = False
		}
		b.c.Clocks = append(b.c.Clocks, c)
		b.word[p.Node] = Word{False}
	}
}

// clock is the condition that a clock node has its edge in this step. A constant never has
// one.
func (b *blaster) clock(id ir.ID, what string) (Lit, error) {
	from, falling := b.m.Source(id)
	n := b.m.Node(from)

	// A design may hold a constant clock, as an unused port leaves it.
	if n.Op == ir.Const {
		return False, nil
	}
	if n.Op == ir.Input {
		for _, c := range b.c.Clocks {
			if c.Name == b.m.Ports[n.Aux].Name {
				if falling {
					return c.Fall, nil
				}
				return c.Tick, nil
			}
		}
	}
	return False, fmt.Errorf("aig: the clock of %s is not a clock input of the top", what)
}
