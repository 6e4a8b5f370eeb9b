package cover

import "etch/ir"

// given adds the points of assignments without a condition, which act at every edge, and of the
// writes of memories.
func (in *instrumenter) given(c *counters, own extent) {
	m := c.m
	always := func(clk ir.ID, pos ir.Pos) {
		if pos != 0 {
			in.add(c, Set, pos, "", c.of(clk, ir.None))
		}
	}

	// A position of 0: the value's own arms have positions, and are counted as branches.
	for i := range own.ports {
		if p := &m.Ports[i]; p.Dir == ir.Out {
			always(c.clk, p.SetAt)
		}
	}
	for i := range own.regs {
		if r := &m.Regs[i]; r.Kind != ir.Latch {
			always(r.Clk, r.SetAt)
		}
	}

	// The inputs of instances that have a line of their own.
	for i := range m.Insts {
		inst := &m.Insts[i]
		for _, pos := range inst.SetAt {
			if pos != inst.Pos { // given at the line that makes the instance
				always(c.clk, pos)
			}
		}
	}

	// A write acts where it is enabled.
	for i := range m.Mems {
		for _, w := range m.Mems[i].Writes {
			if w.Pos != 0 {
				in.add(c, Set, w.Pos, "", c.of(w.Clk, w.En))
			}
		}
	}
}

// statements adds the points of the module's own statements: Cover by its name, the others as
// assignments that act where they are enabled. An assertion that is never enabled, or whose premise
// never holds, is vacuous.
func (in *instrumenter) statements(c *counters, own extent) {
	m := c.m
	for i := range own.stmts {
		s := m.Stmts[i] // a copy: the table grows
		switch s.Kind {
		case ir.Cover:
			in.add(c, Cover, s.Pos, s.Name, c.of(s.Clk, c.both(s.En, s.Cond)))
		case ir.Assert, ir.Assume:
			in.add(c, Assert, s.Pos, s.Format, c.of(s.Clk, c.both(s.En, c.premise(s.Cond))))
		default:
			in.add(c, Set, s.Pos, "", c.of(s.Clk, s.En))
		}
	}
}

// premise is x of a condition ¬x ∨ y, as Implies makes it; None where there is no such x.
func (c *counters) premise(cond ir.ID) ir.ID {
	m := c.m
	if cond == ir.None || m.Op(cond) != ir.Or || m.Width(cond) != 1 {
		return ir.None
	}
	if x := m.Args(cond)[0]; m.Op(x) == ir.Not {
		return m.Args(x)[0]
	}
	return ir.None
}
