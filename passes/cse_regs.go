package passes

import "etch/ir"

// registers joins equal registers, then everything that becomes equal because of them, to a
// fixpoint. A node is hashed again only if the class of one of its arguments was merged
// into another.
func (c *congruence) registers() {
	// Registers by themselves, in one pass: usually there is nothing to join.
	deps := make([][]ir.ID, len(c.m.Regs))
	for i := range c.m.Regs {
		deps[i] = c.register(i)
	}
	if !c.regs {
		return
	}

	// Then propagation along users, with a work list.
	c.findUsers(deps)
	for len(c.joined) > 0 {
		id := c.joined[len(c.joined)-1]
		c.joined = c.joined[:len(c.joined)-1]
		for _, u := range c.users[id] {
			if c.m.Op(u) == ir.Reg {
				c.register(int(c.m.Node(u).Aux))
			} else {
				c.node(u)
			}
		}
	}
}

// findUsers makes the lists of users and of class members, and puts the registers joined so
// far on the work list.
func (c *congruence) findUsers(deps [][]ir.ID) {
	c.users, c.kin = make([][]ir.ID, c.m.Len()), make([][]ir.ID, c.m.Len())
	// A register depends on the nodes of its key, not on arguments.
	for _, id := range c.order {
		for _, a := range c.m.Args(id) {
			c.users[a] = append(c.users[a], id)
		}
		root := c.class.Find(id)
		c.kin[root] = append(c.kin[root], id)
		if c.m.Op(id) == ir.Reg && root != id {
			c.joined = append(c.joined, id)
		}
	}
	for i, list := range deps {
		for _, d := range list {
			c.users[d] = append(c.users[d], c.m.Regs[i].Node)
		}
	}
}

// register puts register i into the class of an equal one. It returns the nodes that its
// key depends on.
func (c *congruence) register(i int) []ir.ID {
	r := &c.m.Regs[i]
	// Without an initial value, two registers may differ from the start.
	if r.Init == ir.None || c.m.HasAttrs(r.Node) {
		return nil
	}
	c.buf = append(c.buf[:0], byte(ir.Reg), byte(r.Kind), 0)
	if r.Async {
		c.buf[2] = 1
	}
	for _, id := range []ir.ID{r.Clk, r.Rst, r.Reset, r.Init} {
		c.put(int64(c.class.Find(id)))
	}

	// Clock, resets and initial value by class, then the next value.
	s := selfKey{congruence: c, self: r.Node, budget: 32}
	s.write(r.Next, 4)
	if c.meet(r.Node) {
		c.regs = true
	}
	return append(s.deps, r.Clk, r.Rst, r.Reset, r.Init)
}

// selfKey writes the next value of a register with references to the register itself marked
// as such, so that two equal counters, or registers with one enable, have equal keys.
type selfKey struct {
	*congruence
	self   ir.ID
	budget int
	deps   []ir.ID
}

// write writes node id: the nodes on the way to the register, within a few levels, in full;
// all others by class.
func (s *selfKey) write(id ir.ID, levels int) {
	id = s.m.Unwired(id)
	s.deps = append(s.deps, id)
	op := s.m.Op(id)
	switch {
	case id == s.self:
		s.buf = append(s.buf, 's')
		return
	case op == ir.Lut || !s.leads(id, levels):
		s.buf = append(s.buf, 'c')
		s.put(int64(s.class.Find(id)))
		return
	}

	// A node that leads to the register, written like key does.
	n := s.m.Node(id)
	s.buf = append(s.buf, 'n', byte(op))
	s.put(int64(n.Width))
	s.put(int64(len(s.m.Args(id))))
	switch op {
	case ir.Slice, ir.MemRead:
		s.put(int64(n.Aux))
	case ir.Case:
		for _, k := range s.m.KeysOf(id) {
			s.buf = append(k.AppendHex(s.buf), ',')
		}
	}

	for _, a := range s.m.Args(id) {
		s.write(a, levels-1)
	}
}

// leads reports whether node id depends on the register within some levels. The budget
// bounds the search per register.
func (s *selfKey) leads(id ir.ID, levels int) bool {
	if id == s.self {
		return true
	}
	if levels == 0 || s.budget == 0 {
		return false
	}
	s.budget--
	for _, a := range s.m.Args(id) {
		if s.leads(s.m.Unwired(a), levels-1) {
			return true
		}
	}
	return false
}
