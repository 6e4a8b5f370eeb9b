package lower

import (
	"etch/backends/firrtl/syntax"
)

// connect implements "sink <= source" and returns the sink.
func (m *module) connect(s *syntax.StmtRow) place {
	sink := m.operand(syntax.Expr(s.A))
	// Fast path: a ground sink and an operation or literal.
	if row := &m.l.c.Exprs[s.B]; sink.t.ground() && sink.ndyn == 0 && row.Kind >= syntax.Literal {
		m.drive(sink, 0, m.ground(syntax.Expr(s.B)))
		return sink
	}
	source := m.operand(syntax.Expr(s.B))

	if m.isProbe(sink) || m.isProbe(source) {
		return sink
	}
	if sink.t == noTyp || source.t == noTyp {
		if sink.t != source.t && len(m.l.errs) == 0 {
			m.fail("hardware is connected to what carries none")
		}
		return sink
	}
	m.join(sink, source, sink.t, source.t, 0, 0, false)
	return sink
}

// join connects two places leaf by leaf; flipped fields go the other way.
func (m *module) join(sink, source place, a, b *typ, x, y int32, flip bool) {
	// Types are compared on the way down; x and y are the offsets of the leaves.
	switch {
	case a.ground() && b.ground():
		if flip {
			m.drive(source, y, m.read(sink, x))
		} else {
			m.drive(sink, x, m.read(source, y))
		}
	case a.form == syntax.Property && b.form == syntax.Property:
	case a.form != b.form || a.n != b.n || len(a.fields) != len(b.fields):
		m.fail("a connect between different types")
	case a.form == syntax.Vector:
		for i := range a.n {
			m.join(sink, source, a.elem, b.elem, x+i*a.elem.leaves, y+i*b.elem.leaves, flip)
		}
	default:
		for i := range a.fields {
			f, g := &a.fields[i], &b.fields[i]
			if f.name != g.name || f.flip != g.flip {
				m.fail("a connect between different types: field %s against %s", m.l.name(f.name), m.l.name(g.name))
				return
			}
			m.join(sink, source, f.t, g.t, x+f.at, y+g.at, flip != f.flip)
		}
	}
}

// partial does "sink <- source": fields of equal names, elements that both have.
func (m *module) partial(s *syntax.StmtRow) {
	sink, source := m.operand(syntax.Expr(s.A)), m.operand(syntax.Expr(s.B))
	m.joinCommon(sink, source, sink.t, source.t, 0, 0, false)
}

// joinCommon is join for partial connects: it skips fields that only one side has, and
// attaches analog signals.
func (m *module) joinCommon(sink, source place, a, b *typ, x, y int32, flip bool) {
	switch {
	// Only fields of both sides take part, in the order of the sink's.
	case a.form == syntax.Property || b.form == syntax.Property:
	case a.ground() && b.ground() && a.kind == kAnalog && b.kind == kAnalog && !sink.list && !source.list && sink.ndyn+source.ndyn == 0:
		m.unite(sink.base+x, source.base+y)
	case a.ground() && b.ground():
		if flip {
			m.drive(source, y, m.read(sink, x))
		} else {
			m.drive(sink, x, m.read(source, y))
		}
	case a.form != b.form:
		m.fail("a connect between different types")
	case a.form == syntax.Vector:
		for i := range min(a.n, b.n) {
			m.joinCommon(sink, source, a.elem, b.elem, x+i*a.elem.leaves, y+i*b.elem.leaves, flip)
		}
	default:
		for i := range a.fields {
			f := &a.fields[i]
			if g := b.field(f.name); g != nil && g.flip == f.flip {
				m.joinCommon(sink, source, f.t, g.t, x+f.at, y+g.at, flip != f.flip)
			}
		}
	}
}

// drive makes node n the driver of the leaf at offset off of a place.
func (m *module) drive(p place, off, n int32) {
	switch {
	case p.list:
		m.fail("a connect to what is no component")
	case p.port != nil:
		m.drivePort(p, off, n)
	case p.ndyn == 0:
		m.feed(p.base+off, n)
		m.set(p.base+off, n)
	default:
		// A dynamic index: every leaf it may select is driven under the condition that it
		// does.
		m.eachChosen(p, 0, p.base+off, 0, func(at, cond int32) {
			m.feed(at, n)
			m.set(at, m.merge(cond, n, m.leaves[at].val))
		})
	}
}

// eachChosen calls f for every leaf that the dynamic indices of a place may select, with
// the condition for it (0 for none).
func (m *module) eachChosen(p place, level, at, cond int32, f func(at, cond int32)) {
	if level == p.ndyn {
		f(at, cond)
		return
	}
	d := m.dyns[p.dyn+level]
	for i := range d.n {
		c := m.equals(d.index, i)
		if c == 0 {
			return // the index is too narrow to reach further
		}
		if cond != 0 {
			c = m.and(cond, c)
		}
		m.eachChosen(p, level+1, at+i*d.stride, c, f)
	}
}

// equals is the node "n == i", or 0 if n is too narrow to hold i.
func (m *module) equals(n, i int32) int32 {
	w := int32(1)
	for i>>w > 0 && w < 31 {
		w++
	}
	if have := m.nodes[n].width; have >= 0 && have < w && i > 0 {
		return 0
	}
	return m.prim(syntax.Eq, kUInt, 1, n, m.lit(w, uint64(i)))
}

// feed checks that n may be connected to a leaf, and adds the constraints for the inference
// of widths and resets.
func (m *module) feed(at, n int32) {
	lf := &m.leaves[at]
	sink, source := &m.nodes[lf.node], &m.nodes[n]
	if !lf.class.sink() {
		m.fail("%s cannot be driven here", orElse(m.names[sink.name], "the value"))
		return
	}

	// The abstract Reset connects to UInt<1> and AsyncReset, in both directions. All other
	// kinds must be equal.
	if sink.kind != source.kind {
		if (sink.kind == kReset || source.kind == kReset) && sink.kind != kSInt && sink.kind != kClock &&
			source.kind != kSInt && source.kind != kClock && sink.kind != kAnalog && source.kind != kAnalog {
		} else {
			m.fail("a %v is connected to %s, a %v", source.kind, orElse(m.names[sink.name], "a signal"), sink.kind)
			return
		}
	}
	if sink.kind == kAnalog {
		m.fail("%s is Analog: it can only be attached", m.names[sink.name])
		return
	}
	m.l.meet(m, sink, source)

	// A width to be inferred gets a constraint; a known one cuts a wider source, which is noted
	// once for all.
	switch {
	case source.op == opInvalid:
	case sink.width < 0:
		m.l.widen(sink.width, source.width)
	case source.width > sink.width:
		if m.l.cuts++; m.l.cuts == 1 {
			m.l.cutLine = m.line
		}
	}
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// invalidate makes every sink of a place invalid: any value will do.
func (m *module) invalidate(p place) {
	if p.list {
		m.fail("what is no component is made invalid")
		return
	}
	for i := range p.t.leaves {
		if p.port != nil {
			continue
		}

		// A place chosen by a signal is invalid in the chosen element only: the others keep their
		// value.
		if p.ndyn > 0 {
			m.eachChosen(p, 0, p.base+i, 0, func(at, cond int32) {
				n := &m.nodes[m.leaves[at].node]
				if m.leaves[at].class.sink() {
					m.set(at, m.merge(cond, m.invalid(n.kind, n.width), m.leaves[at].val))
				}
			})
			continue
		}

		lf := &m.leaves[p.base+i]
		if !lf.class.sink() {
			continue
		}
		n := &m.nodes[lf.node]
		if n.kind == kAnalog {
			continue
		}
		m.set(p.base+i, m.invalid(n.kind, n.width))
	}
}
