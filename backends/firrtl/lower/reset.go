package lower

// Reset inference. All values of type Reset that are connected form one class (union-find).
// A class that meets an AsyncReset is asynchronous; any other is synchronous.

// resetClass is a node of the union-find.
type resetClass struct {
	up          int32 // parent, itself for a root
	sync, async int32 // lines of the first connect to either, 0 for none
	line        int32
}

// newReset makes a class. Class 0 stands for none.
func (l *lowering) newReset(line int32) int32 {
	if len(l.resets) == 0 {
		l.resets = append(l.resets, resetClass{})
	}
	l.resets = append(l.resets, resetClass{up: int32(len(l.resets)), line: line})
	return int32(len(l.resets) - 1)
}

// root is find, with path halving.
func (l *lowering) root(r int32) int32 {
	for l.resets[r].up != r {
		l.resets[r].up = l.resets[l.resets[r].up].up
		r = l.resets[r].up
	}
	return r
}

// joinResets is union. The lines of the first connects are kept for the error.
func (l *lowering) joinResets(a, b int32) int32 {
	a, b = l.root(a), l.root(b)
	if a == b {
		return a
	}

	// Without ranks: path halving alone keeps the trees low.
	x, y := &l.resets[a], &l.resets[b]
	y.up = a
	if x.sync == 0 {
		x.sync = y.sync
	}
	if x.async == 0 {
		x.async = y.async
	}
	return a
}

// joinReset is the class of a multiplexer of x and y.
func (l *lowering) joinReset(x, y *node) int32 {
	switch {
	case x.kind != kReset:
		return y.d
	case y.kind != kReset || x.d == 0:
		return x.d
	case y.d == 0:
		return x.d
	}
	return l.joinResets(x.d, y.d)
}

// common is the kind of a multiplexer of two values of different kinds, which is allowed
// only for a Reset with a UInt or an AsyncReset.
func (l *lowering) common(m *module, x, y *node) kind {
	switch {
	case x.kind == kReset && (y.kind == kUInt || y.kind == kAsync):
		l.tieReset(m, x, y.kind)
		return y.kind
	case y.kind == kReset && (x.kind == kUInt || x.kind == kAsync):
		l.tieReset(m, y, x.kind)
		return x.kind
	}
	m.fail("a choice between a %v and a %v", x.kind, y.kind)
	return x.kind
}

// tieReset records that a Reset is connected to a UInt or an AsyncReset.
func (l *lowering) tieReset(m *module, x *node, k kind) {
	if x.d == 0 {
		return // an invalid value
	}
	c := &l.resets[l.root(x.d)]
	at := &c.sync
	if k == kAsync {
		at = &c.async
	}
	if *at == 0 {
		*at = max(1, m.line)
	}
}

// meet records the connection of a source to a sink.
func (l *lowering) meet(m *module, sink, source *node) {
	switch {
	case sink.kind == kReset && source.kind == kReset:
		if sink.d != 0 && source.d != 0 {
			l.joinResets(sink.d, source.d)
		}
	case sink.kind == kReset && source.op != opInvalid:
		l.tieReset(m, sink, source.kind)
	case source.kind == kReset:
		l.tieReset(m, source, sink.kind)
	}
}

// solveResets replaces the kind Reset in all nodes by the inferred one. A class that meets
// both kinds is an error.
func (l *lowering) solveResets() {
	// A class has both kinds if its members were connected to both.
	for i := 1; i < len(l.resets); i++ {
		c := &l.resets[i]
		if c.up == int32(i) && c.sync > 0 && c.async > 0 {
			l.fail(c.line, "a Reset is connected to a synchronous reset in line %d and to an asynchronous one in line %d", c.sync, c.async)
		}
	}

	// A class without any kind is synchronous.
	for _, m := range l.order {
		for i := range m.nodes {
			n := &m.nodes[i]
			if n.kind != kReset {
				continue
			}
			n.kind = kUInt
			if n.d != 0 && l.resets[l.root(n.d)].async > 0 {
				n.kind = kAsync
			}
		}

		for i := range m.flat {
			m.flat[i].kind = m.nodes[m.flat[i].node].kind
		}
	}
}
