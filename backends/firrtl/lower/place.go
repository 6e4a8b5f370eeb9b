package lower

import (
	"etch/backends/firrtl/syntax"
)

// place is the location of a value: leaves of a component from base on, or (list) values in
// module.list. Its dynamic indices are m.dyns[dyn:dyn+ndyn], outermost first.
type place struct {
	t         *typ
	base      int32
	list      bool
	exact     syntax.Name // the name, if the expression is only a name
	port      *decl       // the CHIRRTL port it is a part of
	dyn, ndyn int32
}

// dynamic is a dynamic index into a vector of n elements that are stride leaves apart.
type dynamic struct{ index, n, stride int32 }

// value makes a place of one ground value.
func (m *module) value(n int32, t *typ) place {
	m.list = append(m.list, n)
	return place{t: t, base: int32(len(m.list) - 1), list: true}
}

// operand evaluates an expression of any type to a place.
func (m *module) operand(e syntax.Expr) place {
	row := &m.l.c.Exprs[e]
	switch row.Kind {
	case syntax.Ref:
		return m.ref(syntax.Name(row.A))
	case syntax.SubField:
		return m.subField(m.operand(syntax.Expr(row.A)), row)
	case syntax.SubIndex:
		return m.subIndex(m.operand(syntax.Expr(row.A)), row.B)
	case syntax.SubAccess:
		return m.subAccess(row)
	case syntax.Mux:
		return m.mux(row)
	case syntax.ValidIf:
		// validif leaves the value open when it is not valid: the value itself will do.
		return m.operand(syntax.Expr(row.B))
	case syntax.EnumValue:
		return m.enumValue(row)
	case syntax.NoHardware:
		return place{t: noTyp}
	case syntax.Read:
		return m.readProbe(syntax.Expr(row.A))
	case syntax.ProbeOf:
		m.fail("a probe where a value is wanted: read it")
		return place{t: noTyp}
	case syntax.IntrinsicExpr:
		return m.intrinsic(row, 0)
	}
	n := m.ground(e)
	return m.value(n, groundOf[m.nodes[n].kind])
}

func (m *module) ref(n syntax.Name) place {
	d := m.find(n)
	if d == nil {
		return place{t: noTyp}
	}
	p := place{t: d.t, base: d.base, exact: n}
	switch d.kind {
	case dChirrtl:
		m.fail("%s is a memory; only its ports can be used", m.l.name(n))
		return place{t: noTyp}
	case dMPort:
		p.port = d
	}
	return p
}

func (m *module) subField(p place, row *syntax.ExprRow) place {
	// A part of a name is no exact name any more.
	p.exact = 0
	f := p.t.field(syntax.Name(row.B))
	if f == nil || p.t.form != syntax.Bundle {
		// The first mistake explains a place without a type.
		if p.t != noTyp || len(m.l.errs) == 0 {
			m.fail("there is no field %s", m.l.name(syntax.Name(row.B)))
		}
		return place{t: noTyp}
	}
	p.t = f.t
	p.base += f.at
	return p
}

func (m *module) subIndex(p place, i int32) place {
	p.exact = 0
	if p.t.form != syntax.Vector || i >= p.t.n {
		switch {
		case p.t.form == syntax.Vector:
			m.fail("element %d of a vector of %d", i, p.t.n)
		case p.t != noTyp || len(m.l.errs) == 0:
			m.fail("element %d of what is no vector", i)
		}
		return place{t: noTyp}
	}
	p.t = p.t.elem
	p.base += i * p.t.leaves
	return p
}

// subAccess is a[i]. A constant index becomes a static one.
func (m *module) subAccess(row *syntax.ExprRow) place {
	p := m.operand(syntax.Expr(row.A))
	if p.t.form != syntax.Vector {
		if p.t != noTyp || len(m.l.errs) == 0 {
			m.fail("an index into what is no vector")
		}
		return place{t: noTyp}
	}
	// The dynamic indices of a place are contiguous in m.dyns. Evaluating this index may
	// append others, so the outer ones are copied behind them.
	outer := append([]dynamic(nil), m.dyns[p.dyn:p.dyn+p.ndyn]...)
	index := m.ground(syntax.Expr(row.B))
	if n := &m.nodes[index]; n.op == opLit && n.kind == kUInt {
		if v := m.lits[n.a]; v.IsUint64() && v.Uint64() < uint64(p.t.n) {
			return m.subIndex(p, int32(v.Uint64()))
		}
	}

	if p.t.n == 0 {
		m.fail("an index into a vector of no elements")
		return place{t: noTyp}
	}
	p.exact, p.dyn, p.ndyn = 0, int32(len(m.dyns)), p.ndyn+1
	m.dyns = append(m.dyns, outer...)
	m.dyns = append(m.dyns, dynamic{index, p.t.n, p.t.elem.leaves})
	p.t = p.t.elem
	return p
}

// read is the node that reads the leaf at offset off of a place.
func (m *module) read(p place, off int32) int32 {
	if p.port != nil {
		m.mports[p.port.of].reads = true
	}
	if p.ndyn == 0 {
		return m.readAt(p, p.base+off)
	}
	return m.pick(p, 0, p.base+off)
}

// readAt is the node at leaf or list index at.
func (m *module) readAt(p place, at int32) int32 {
	if p.list {
		return m.list[at]
	}
	return m.leaves[at].node
}

// pick reads a place with dynamic indices: a tree of opPick nodes, one level per index.
func (m *module) pick(p place, level, at int32) int32 {
	if level == p.ndyn {
		return m.readAt(p, at)
	}
	d := m.dyns[p.dyn+level]

	// The width is that of the widest element, unknown if one is.
	from := make([]int32, d.n)
	width, k := int32(0), kUInt
	for i := range from {
		from[i] = m.pick(p, level+1, at+int32(i)*d.stride)
		n := &m.nodes[from[i]]
		k = n.kind
		if n.width < 0 || width < 0 {
			width = -1
		} else {
			width = max(width, n.width)
		}
	}
	first := int32(len(m.args))
	m.args = append(m.args, from...)
	return m.add(node{op: opPick, kind: k, width: width, a: d.index, c: first, d: d.n})
}

// groundAt reads a place that must have a ground type.
func (m *module) groundAt(p place) int32 {
	if !p.t.ground() {
		switch {
		case m.isProbe(p):
		case p.t != noTyp:
			m.fail("a bundle or vector where a signal of ground type is wanted")
		case len(m.l.errs) == 0:
			m.fail("what carries no hardware where a signal is wanted")
		}
		return m.bit(0)
	}
	return m.read(p, 0)
}

// mux evaluates mux(c, a, b) of any type.
func (m *module) mux(row *syntax.ExprRow) place {
	c := m.condition(syntax.Expr(row.A))
	a, b := m.operand(syntax.Expr(row.B)), m.operand(syntax.Expr(row.C))
	if a.t.ground() && b.t.ground() {
		x, y := m.read(a, 0), m.read(b, 0)
		return m.value(m.choose(c, x, y), a.t)
	}
	if !m.same(a.t, b.t) {
		m.fail("the branches of a mux have different types")
		return place{t: noTyp}
	}

	// Aggregates are chosen leaf by leaf.
	values := make([]int32, a.t.leaves)
	for i := range values {
		values[i] = m.choose(c, m.read(a, int32(i)), m.read(b, int32(i)))
	}
	m.list = append(m.list, values...)
	return place{t: a.t, base: int32(len(m.list) - len(values)), list: true}
}

// choose is a multiplexer of two ground values: a if c, else b.
func (m *module) choose(c, a, b int32) int32 {
	if a == b {
		return a
	}

	x, y := &m.nodes[a], &m.nodes[b]
	k := x.kind
	if x.kind != y.kind {
		k = m.l.common(m, x, y)
	}
	// Unknown widths get a variable in add.
	w := max(x.width, y.width)
	if x.width < 0 || y.width < 0 {
		w = -1
	}
	reset := int32(0)
	if k == kReset {
		reset = m.l.joinReset(x, y)
	}
	n := m.add(node{op: opMux, kind: k, width: w, a: c, b: a, c: b, d: reset})
	return n
}

// same reports whether two types are equal apart from widths.
func (m *module) same(a, b *typ) bool {
	if a == b {
		return true
	}
	if a.ground() || b.ground() {
		return a.ground() && b.ground() && a.kind == b.kind
	}
	if a.form != b.form || a.n != b.n || len(a.fields) != len(b.fields) || a.leaves != b.leaves {
		return false
	}
	if a.form == syntax.Vector {
		return m.same(a.elem, b.elem)
	}
	for i := range a.fields {
		f, g := &a.fields[i], &b.fields[i]
		if f.name != g.name || f.flip != g.flip || !m.same(f.t, g.t) {
			return false
		}
	}
	return true
}

// enumValue makes {|a, b : T|}(b, x): the tag at the top, zeros as padding, the data at the
// bottom.
func (m *module) enumValue(row *syntax.ExprRow) place {
	t := m.l.typeOf(syntax.Type(row.A))
	for i := range t.fields {
		f := &t.fields[i]
		if f.name != syntax.Name(row.B) {
			continue
		}
		parts := []int32{m.lit(t.tag, uint64(i))}
		data := m.lit(0, 0)

		// A variant without data is of no bits.
		if row.C != 0 {
			data = m.pack(m.operand(syntax.Expr(row.C)), f.t)
		}
		if pad := t.width - t.tag - f.t.packed(); pad > 0 {
			parts = append(parts, m.lit(pad, 0))
		}
		return m.value(m.cat(append(parts, data)), t)
	}
	m.fail("the enumeration has no variant %s", m.l.name(syntax.Name(row.B)))
	return place{t: noTyp}
}

// cat concatenates ground values, the first at the top.
func (m *module) cat(parts []int32) int32 {
	// One unknown width makes the sum unknown.
	width := int32(0)
	for _, p := range parts {
		if w := m.nodes[p].width; w < 0 {
			width = -1
			break
		} else {
			width += w
		}
	}
	first := int32(len(m.args))
	m.args = append(m.args, parts...)
	return m.add(node{op: opPrim, prim: syntax.Cat, width: width, c: first, d: int32(len(parts))})
}

// pack concatenates the leaves of a value as type t, the first field at the top and element
// 0 at the bottom. Each leaf is truncated or extended to its width in t.
func (m *module) pack(p place, t *typ) int32 {
	if !m.same(p.t, t) {
		m.fail("a value of another type")
		return m.lit(max(0, t.packed()), 0)
	}
	var parts []int32
	at := int32(0)
	m.eachPacked(t, 0, func(off int32, lt *typ) {
		at = off
		n := m.read(p, at)
		if have := m.nodes[n].width; have < lt.width {
			n = m.add(node{op: opPrim, prim: syntax.Pad, kind: m.nodes[n].kind, width: lt.width, a: n, c: lt.width})
		} else if have > lt.width {
			n = m.add(node{op: opPrim, prim: syntax.Bits, width: lt.width, a: n, c: lt.width - 1, d: 0})
		}
		parts = append(parts, n)
	})
	return m.cat(parts)
}

// eachPacked visits the leaves of t in the order of pack, from the top down.
func (m *module) eachPacked(t *typ, at int32, f func(leaf int32, t *typ)) {
	switch {
	case t.form == syntax.Property:
	case t.ground():
		f(at, t)
	case t.form == syntax.Vector:
		for i := t.n - 1; i >= 0; i-- {
			m.eachPacked(t.elem, at+i*t.elem.leaves, f)
		}
	default:
		for i := range t.fields {
			m.eachPacked(t.fields[i].t, at+t.fields[i].at, f)
		}
	}
}
