package lower

// Reset inference: every value of type Reset belongs to a class of values that are
// connected; a class with an AsyncReset in it is asynchronous, one with a UInt<1>
// synchronous, one with neither synchronous too.

// resetClass is a set of values of type Reset, kept as a tree.
type resetClass struct {
	up          int32 // the class it was joined to, itself for a root
	sync, async int32 // lines of the first connect to either, 0 for none
	line        int32
}

func (l *lowering) newReset(line int32) int32 {
	if len(l.resets) == 0 {
		l.resets = append(l.resets, resetClass{})
	}
	l.resets = append(l.resets, resetClass{up: int32(len(l.resets)), line: line})
	return int32(len(l.resets) - 1)
}

func (l *lowering) root(r int32) int32 {
	for l.resets[r].up != r {
		l.resets[r].up = l.resets[l.resets[r].up].up
		r = l.resets[r].up
	}
	return r
}

func (l *lowering) joinResets(a, b int32) int32 {
	a, b = l.root(a), l.root(b)
	if a == b {
		return a
	}
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

// joinReset is the class of what is one of two values.
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

// common is the kind of what is one of two values of different kinds.
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

// tieReset notes that a Reset meets a UInt or an AsyncReset.
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

// meet notes that a source is connected to a sink, for the inference of resets.
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

// solveResets puts what was inferred into the nodes.
func (l *lowering) solveResets() {
	for i := 1; i < len(l.resets); i++ {
		c := &l.resets[i]
		if c.up == int32(i) && c.sync > 0 && c.async > 0 {
			l.fail(c.line, "a Reset is connected to a synchronous reset in line %d and to an asynchronous one in line %d", c.sync, c.async)
		}
	}
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
