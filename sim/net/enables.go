package net

// Enables returns a copy of n with Enables: for each register, a node that is 0 in cycles in which it
// keeps its value. A register holds its value where the muxes above its next value choose its present
// one, so the enable is the same muxes with bits for arms: 0 for the present value, 1 for any other.
// Registers of one record have equal muxes, and share the enable.
func (n *Net) Enables() *Net {
	m := n.extension()
	m.On = make([]ID, len(m.Regs))

	// Equal enables are one node, since nodes are shared: they tell which registers go together.
	e := enabler{n: m, zero: m.Const(0), one: m.Const(1)}
	own := map[ID]ID{} // by state word: its copy
	for r := range m.Regs {
		m.On[r] = None
		g := &m.Regs[r]
		if g.Q < 0 || g.Next < 0 || g.Next == g.Q || !m.fewChoices(g.Next, g.Q) {
			continue
		}

		// A constant says that the register holds always, or that no arm of a mux holds.
		on := e.of(g.Q, g.Next)
		if on == e.one || on == e.zero {
			continue
		}

		// An enable is a kept value, so a state word needs an operation.
		if m.N[on].Op == Leaf {
			if _, ok := own[on]; !ok {
				own[on] = m.operation(on)
			}
			on = own[on]
		}
		m.On[r] = on
	}
	return m.Verified("Enables")
}

// mostChoices is the muxes above a next value, at most, that are looked at.
const mostChoices = 128

// fewChoices reports whether there are no more of them between x and a present value.
func (n *Net) fewChoices(x, q ID) bool {
	seen := map[ID]bool{}

	var see func(x ID)
	see = func(x ID) {
		nd := &n.N[x]
		if x == q || !n.chooses(nd) || seen[x] || len(seen) > mostChoices {
			return
		}
		seen[x] = true
		if nd.Op != Mux {
			see(nd.A)
		} else {
			see(nd.C)
		}
		see(nd.B)
	}
	see(x)
	return len(seen) <= mostChoices
}

// enabler makes the enables of one net, register by register.
type enabler struct {
	n         *Net
	zero, one ID        // constants
	q         ID        // the register's present value
	seen      map[ID]ID // the results of on
}

// of is the enable of a register with a present and a next value.
func (e *enabler) of(q, next ID) ID {
	e.q, e.seen = q, map[ID]ID{}
	return e.on(next)
}

// on is 0 in cycles in which x is the present value because muxes choose it.
func (e *enabler) on(x ID) ID {
	nd := e.n.N[x]
	switch {
	case x == e.q:
		return e.zero
	case !e.n.chooses(&nd):
		return e.one
	}

	on, ok := e.seen[x]
	if !ok {
		on = e.choice(&nd)
		e.seen[x] = on
	}
	return on
}

// chooses reports whether a node is a mux, or logic of bits that may be one with a constant.
func (n *Net) chooses(nd *Node) bool {
	return nd.Op == Mux || (nd.Op == Or || nd.Op == And) && n.N[nd.A].W == 1 && n.N[nd.B].W == 1
}

// choice is the enable of a mux, or of a bit.
func (e *enabler) choice(nd *Node) ID {
	n := e.n
	if nd.Op == Mux {
		return e.mux(nd.A, e.on(nd.B), e.on(nd.C))
	}

	// a | b is a ? 1 : b, and a & b is a ? b : 0, with either operand for a.
	a, b := nd.A, nd.B
	on := e.on(b)
	if on == e.one {
		a, on = b, e.on(a)
	}

	switch {
	case on == e.one:
		return e.one
	case nd.Op == Or:
		return n.Or(a, on)
	}
	return n.Or(n.Not(a, 1), on)
}

// mux is a mux of bits, as logic where an arm is constant.
func (e *enabler) mux(s, b, c ID) ID {
	n := e.n
	if n.N[s].W > 1 {
		s = n.Ne(s, e.zero)
	}

	switch {
	case b == c:
		return b
	case b == e.one:
		return n.Or(s, c)
	case b == e.zero:
		return n.And(n.Not(s, 1), c)
	case c == e.one:
		return n.Or(n.Not(s, 1), b)
	case c == e.zero:
		return n.And(s, b)
	}
	return n.Mux(s, b, c)
}

// taker makes next values for cycles in which an enable is 1: without the arms that hold the present
// value. They are made of nodes that nothing else uses.
type taker struct {
	n    *Net
	q    ID
	seen map[ID]ID
}

// next is the value that node x has if the enable is 1, None if x is the present value.
func (t *taker) next(x ID) ID {
	nd := t.n.N[x]
	switch {
	case x == t.q:
		return None
	case !t.n.chooses(&nd):
		return x
	}

	y, ok := t.seen[x]
	if !ok {
		y = t.chosen(x, &nd)
		t.seen[x] = y
	}
	return y
}

// chosen is node x, a mux or logic of bits, without arms that hold.
func (t *taker) chosen(x ID, nd *Node) ID {
	if nd.Op != Mux {
		return t.bit(x, nd)
	}

	// An arm that holds is not chosen while the enable is 1.
	b, c := t.next(nd.B), t.next(nd.C)
	switch {
	case b < 0:
		return c
	case c < 0:
		return b
	case b == nd.B && c == nd.C:
		return x
	}
	return t.n.push(Mux, nd.W, nd.A, b, c, 0)
}

// bit is a | b or a & b, of which the operand that is chosen may hold.
func (t *taker) bit(x ID, nd *Node) ID {
	a, b := nd.A, nd.B
	arm := t.next(b)
	if arm == b {
		a, b = b, a
		arm = t.next(b)
	}

	// As for muxes: if b holds, the enable says that a decides.
	switch {
	case arm == b:
		return x
	case arm >= 0:
		return t.n.push(nd.Op, 1, a, arm, None, 0)
	case nd.Op == Or:
		return t.n.Const(1)
	}
	return t.n.Const(0)
}
