package lower

import (
	"etch/backends/firrtl/syntax"
)

// Last connect and when. The walk keeps each leaf's current driver. A branch logs the old
// driver of every leaf that it changes; at its end the changes are undone, and after both
// branches the changed leaves get multiplexers. The cost is proportional to the connects,
// not to the signals in scope.

// change is a log entry: the driver of a leaf before the branch.
type change struct{ leaf, val, stamp int32 }

// merge is the driver of a leaf at the end of a branch.
type merge struct{ leaf, val int32 }

// set makes n the current driver of a leaf. The first change in a branch is logged; a leaf
// declared in the branch itself needs no log, since it ends with it.
func (m *module) set(at, n int32) {
	lf := &m.leaves[at]
	if lf.depth != int32(len(m.conds)) && lf.stamp != m.branch {
		m.log = append(m.log, change{at, lf.val, lf.stamp})
		lf.stamp = m.branch
	}
	lf.val = n
}

// merge is a if cond, else b. No driver (0) on one side makes the result partial, which
// checkDriven reports unless a later connect overrides it. An invalid side takes the
// other's value.
func (m *module) merge(cond, a, b int32) int32 {
	switch {
	case a == b:
		return a
	case a == 0 || b == 0:
		n := m.choose(cond, max(a, b), m.invalid(m.nodes[max(a, b)].kind, m.nodes[max(a, b)].width))
		m.nodes[n].partial = true
		return n
	}
	x, y := m.nodes[a], m.nodes[b]
	switch {
	case x.op == opInvalid:
		return b
	case y.op == opInvalid:
		return a
	}
	n := m.choose(cond, a, b)
	m.nodes[n].partial = x.partial || y.partial
	return n
}

// when walks over both branches and merges their changes.
func (m *module) when(s *syntax.StmtRow) {
	line, pos := m.line, m.pos
	cond := m.condition(syntax.Expr(s.A))
	m.open(cond)
	m.block(syntax.Stmt(s.B))

	// The log holds the branch's connects; merged gets them in two runs.
	from := len(m.merged)
	m.close()
	middle := len(m.merged)

	// Without an else the second branch changes nothing.
	if s.C != 0 {
		m.line, m.pos = line, pos
		m.open(m.not(cond))
		m.block(syntax.Stmt(s.C))
		m.close()
	}
	m.line, m.pos = line, pos
	m.mergeBranches(cond, from, middle)
}

// open begins a branch under a condition.
func (m *module) open(cond int32) {
	m.stamps++
	m.conds = append(m.conds, cond)
	m.paths = append(m.paths, 0)
	m.opened = append(m.opened, branch{m.branch, int32(len(m.log))})
	m.branch = m.stamps
	m.scopes = append(m.scopes, m.branch)
}

// branch is the state to restore at the end of a branch: the enclosing branch and the start
// of the log.
type branch struct{ outer, log int32 }

// close ends a branch: its drivers move to m.merged, and the old ones are restored.
func (m *module) close() {
	b := m.opened[len(m.opened)-1]
	for _, c := range m.log[b.log:] {
		lf := &m.leaves[c.leaf]
		m.merged = append(m.merged, merge{c.leaf, lf.val})
		lf.val, lf.stamp = c.val, c.stamp
	}
	m.log = m.log[:b.log]
	m.opened = m.opened[:len(m.opened)-1]
	m.conds = m.conds[:len(m.conds)-1]
	m.paths = m.paths[:len(m.paths)-1]
	m.scopes = m.scopes[:len(m.scopes)-1]
	m.branch = b.outer
}

// mergeBranches adds the multiplexers after both branches. m.merged[from:middle] are the
// drivers of the first branch, the rest those of the second.
func (m *module) mergeBranches(cond int32, from, middle int) {
	// Index the second branch's drivers by leaf.
	for i := middle; i < len(m.merged); i++ {
		m.other(m.merged[i].leaf, int32(i+1))
	}

	// Leaves of the first branch. The other side is the second branch's driver, or the one
	// before the when.
	for i := from; i < middle; i++ {
		x := m.merged[i]
		other := m.leaves[x.leaf].val
		if at := m.place(x.leaf); at > int32(middle) && int(at) <= len(m.merged) && m.merged[at-1].leaf == x.leaf {
			other = m.merged[at-1].val
			m.merged[at-1].leaf = -1
		}
		m.set(x.leaf, m.merge(cond, x.val, other))
	}

	// Leaves that only the second branch changed.
	for i := middle; i < len(m.merged); i++ {
		if x := m.merged[i]; x.leaf >= 0 {
			m.set(x.leaf, m.merge(cond, m.leaves[x.leaf].val, x.val))
		}
	}
	m.merged = m.merged[:from]
}

// other records the index (plus one) of a leaf's driver in m.merged. Entries are not
// cleared; the reader checks that the entry is for the leaf.
func (m *module) other(leaf, at int32) {
	for len(m.others) < len(m.leaves) {
		m.others = append(m.others, 0)
	}
	m.others[leaf] = at
}

// place is the recorded index of a leaf, 0 if none.
func (m *module) place(leaf int32) int32 {
	if int(leaf) < len(m.others) {
		return m.others[leaf]
	}
	return 0
}

// path is the condition under which the current statement is reached.
func (m *module) path() int32 {
	return m.pathFrom(0)
}

// pathFrom is the path without the outermost depth conditions. Conjunctions from the
// module's top are cached in m.paths.
func (m *module) pathFrom(depth int32) int32 {
	if depth > 0 {
		all := m.bit(1)
		for _, c := range m.conds[depth:] {
			all = m.and(all, c)
		}
		return all
	}

	// Extend the longest cached prefix.
	all := m.bit(1)
	at := len(m.conds)
	for at > 0 && m.paths[at-1] == 0 {
		at--
	}
	if at > 0 {
		all = m.paths[at-1]
	}
	for ; at < len(m.conds); at++ {
		all = m.and(all, m.conds[at])
		m.paths[at] = all
	}
	return all
}

// match is a chain of whens on the enumeration's tag.
func (m *module) match(s *syntax.StmtRow) {
	p := m.operand(syntax.Expr(s.A))
	if p.t.form != syntax.Enum {
		m.fail("match of what is no enumeration")
		return
	}
	value := m.read(p, 0)
	m.matchFrom(syntax.Stmt(s.B), p.t, value, make([]bool, len(p.t.fields)))
}

// matchFrom handles the case at and those after it, as "when tag matches, else the rest".
// The last case of a complete match needs no condition.
func (m *module) matchFrom(at syntax.Stmt, t *typ, value int32, seen []bool) {
	// Behind the last case, every variant has to have had its branch.
	if at == 0 {
		for i := range seen {
			if !seen[i] {
				m.fail("match has no branch for variant %s", m.l.name(t.fields[i].name))
			}
		}
		return
	}

	// The variant of this case, by its name.
	s := &m.l.c.Stmts[at]
	m.line, m.pos = s.Line, m.l.pos(s.Info, s.Line)
	i := 0
	for i < len(t.fields) && t.fields[i].name != s.Name {
		i++
	}

	if i == len(t.fields) || seen[i] {
		m.fail("there is no other variant %s to match", m.l.name(s.Name))
		return
	}

	seen[i] = true

	// The last case is the else of all others. With a condition of its own there would be a path on
	// which no case has assigned.
	last := true
	for _, ok := range seen {
		last = last && ok
	}

	if last && s.Next == 0 {
		m.bind(s, &t.fields[i], t, value)
		m.block(syntax.Stmt(s.B))
		return
	}

	// The tag is at the top of the value.
	cond := m.bit(1)
	if t.tag > 0 {
		tag := m.add(node{op: opPrim, prim: syntax.Bits, width: t.tag, a: value, c: t.width - 1, d: t.width - t.tag})
		cond = m.prim(syntax.Eq, kUInt, 1, tag, m.lit(t.tag, uint64(i)))
	}

	// The branches as of a when: the list of merged values is cut where the first branch ends.
	m.open(cond)
	m.bind(s, &t.fields[i], t, value)
	m.block(syntax.Stmt(s.B))
	from := len(m.merged)
	m.close()
	middle := len(m.merged)
	m.open(m.not(cond))
	m.matchFrom(s.Next, t, value, seen)
	m.close()
	m.mergeBranches(cond, from, middle)
}

// bind declares the name for the variant's data: slices of the value, in the order of pack.
func (m *module) bind(s *syntax.StmtRow, f *field, t *typ, value int32) {
	if s.D == 0 {
		return
	}

	// The leaves must be consecutive: reserve them before any value adds others.
	base := int32(len(m.leaves))
	for range f.t.leaves {
		m.leaves = append(m.leaves, leaf{class: lfNode, line: m.line})
	}

	high := f.t.packed()
	m.eachPacked(f.t, 0, func(at int32, lt *typ) {
		n := m.lit(0, 0)
		if lt.width > 0 {
			n = m.add(node{op: opPrim, prim: syntax.Bits, width: lt.width, a: value, c: high - 1, d: high - lt.width})
			if lt.kind == kSInt {
				n = m.prim(syntax.AsSInt, kSInt, lt.width, n, 0)
			}
		}
		high -= lt.width
		m.leaves[base+at].node = n
	})
	m.declareName(syntax.Name(s.D), decl{root: syntax.Node, t: f.t, base: base})
}
