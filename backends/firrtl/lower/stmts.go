package lower

import (
	"etch/backends/firrtl/syntax"
)

// block walks over a list of statements.
func (m *module) block(first syntax.Stmt) {
	for at := first; at != 0; at = m.l.c.Stmts[at].Next {
		m.statement(&m.l.c.Stmts[at])
	}
}

func (m *module) statement(s *syntax.StmtRow) {
	m.line, m.pos = s.Line, m.l.pos(s.Info, s.Line)
	m.list, m.dyns = m.list[:0], m.dyns[:0]

	// A row per kind. Declarations add leaves, connects set them, and commands are kept for the
	// end.
	switch s.Kind {
	case syntax.Wire:
		t := m.l.typeOf(s.Type)
		m.declareName(s.Name, decl{root: syntax.Wire, t: t, base: m.newLeaves(lfWire, m.l.name(s.Name), t, 0)})
	case syntax.Node:
		m.node(s)
	case syntax.Reg:
		m.register(s)
	case syntax.Inst:
		m.instance(s)
	case syntax.Memory:
		m.memory(s)
	case syntax.CMem, syntax.SMem:
		m.chirrtlMemory(s)
	case syntax.MPort:
		m.memoryPort(s)
	case syntax.Connect:
		m.noteEnable(m.connect(s))
	case syntax.Partial:
		m.partial(s)
	case syntax.Invalidate:
		m.invalidate(m.operand(syntax.Expr(s.A)))
	case syntax.When:
		m.when(s)
	case syntax.Match:
		m.match(s)
	case syntax.Attach:
		m.attach(s)
	case syntax.Stop, syntax.Printf, syntax.Assert, syntax.Assume, syntax.Cover:
		m.command(s)

	case syntax.Force:
		m.fail("%s of a probe is not read: etch reads probes, and drives nothing through them", m.l.name(syntax.Name(s.D)))
	case syntax.Define:
		if s.A != 0 {
			m.define(s)
		}
	case syntax.IntrinsicStmt:
		m.intrinsic(&m.l.c.Exprs[s.A], s.Name)
	case syntax.LayerBlock:
		m.l.layerNote(s)
	}
}

func (l *lowering) layerNote(s *syntax.StmtRow) {
	if !l.layered {
		l.layered = true
		l.note(s.Line, "layer blocks are left out: they carry no hardware of the design")
	}
}

// node declares a node: each leaf of the value gets its name.
func (m *module) node(s *syntax.StmtRow) {
	p := m.operand(syntax.Expr(s.A))
	if m.isProbe(p) {
		return
	}

	if p.t.ground() && p.t.kind == kAnalog {
		m.fail("node %s of an Analog: it can only be attached", m.l.name(s.Name))
		return
	}

	// An address computed under a condition enables the ports that use it.
	if m.addrs[s.Name] {
		m.enable[s.Name] = m.path()
	}
	name, base := m.l.name(s.Name), int32(len(m.leaves))
	i := int32(0)

	// A node that an annotation drives must be a sink.
	if len(m.l.annos.wired) > 0 && m.l.annos.wired[m.l.name(m.src.Name)+">"+name] {
		m.wiredNode(s.Name, name, p)
		return
	}

	m.l.eachLeaf(p.t, name, false, func(name string, _ *typ, _ bool) {
		n := m.named(m.read(p, i), name)
		m.leaves = append(m.leaves, leaf{class: lfNode, node: n, line: m.line})
		i++
	})
	m.declareName(s.Name, decl{root: syntax.Node, t: p.t, base: base})
}

// wiredNode declares a node that an annotation drives. It becomes a wire, because its
// driver is replaced after the walk.
func (m *module) wiredNode(n syntax.Name, name string, p place) {
	base, i := int32(len(m.leaves)), int32(0)
	m.l.eachLeaf(p.t, name, false, func(name string, _ *typ, _ bool) {
		value := m.read(p, i)
		x := m.nodes[value]
		at := m.newLeaf(lfWire, name, kUInt, x.width, 0)
		w := &m.nodes[m.leaves[at].node]

		// The wire takes over the kind, since the value may be signed.
		w.kind, w.d = x.kind, x.d
		m.leaves[at].val = value
		i++
	})
	m.declareName(n, decl{root: syntax.Wire, t: p.t, base: base})
}

// named gives a value a name. An unnamed value takes it. A named one gets a copy with the
// new name, unless that begins with an underscore.
func (m *module) named(n int32, name string) int32 {
	if x := &m.nodes[n]; x.name == 0 && x.op != opLeaf && x.op != opInvalid && n != m.out.bits[0] && n != m.out.bits[1] {
		m.setName(n, name)
		return n
	}
	if name[0] == '_' {
		return n
	}
	x := m.nodes[n]
	c := m.add(node{op: opCopy, kind: x.kind, width: x.width, a: n, d: x.d})
	m.setName(c, name)
	return c
}

// register declares a register: one ir register per leaf, which keeps its value if nothing
// is connected.
func (m *module) register(s *syntax.StmtRow) {
	t := m.l.typeOf(s.Type)
	name := m.l.name(s.Name)
	clock := m.clock(syntax.Expr(s.A))

	base := int32(len(m.leaves))
	m.l.eachLeaf(t, name, false, func(name string, t *typ, flip bool) {
		if flip || t.kind == kAnalog {
			m.fail("a register with a flipped or analog field")
		}
		at := m.newLeaf(lfReg, name, t.kind, m.l.widthOf(t), int32(len(m.regs)))
		m.leaves[at].val = m.leaves[at].node
		m.regs = append(m.regs, register{leaf: at, clock: clock})
	})
	m.declareName(s.Name, decl{root: syntax.Reg, t: t, base: base})

	if s.B == 0 {
		return
	}

	// One reset for all leaves.
	reset := m.ground(syntax.Expr(s.B))
	if x := &m.nodes[reset]; x.kind == kClock || x.kind == kAnalog || x.kind == kSInt || x.width > 1 {
		m.fail("a reset of type %v with %d bits", x.kind, x.width)
	}

	init := m.operand(syntax.Expr(s.C))
	if !m.same(t, init.t) {
		m.fail("the reset value of %s has another type", name)
		return
	}

	// A register of several leaves resets each to its own part of the value.
	for i := range t.leaves {
		r := &m.regs[m.leaves[base+i].of]
		r.reset, r.init = reset, m.read(init, i)
		m.feed(base+i, r.init)
	}
}

// clock evaluates an expression that must be a clock.
func (m *module) clock(e syntax.Expr) int32 {
	c := m.ground(e)
	if k := m.nodes[c].kind; k != kClock {
		m.fail("a %v where a Clock is wanted", k)
	}
	return c
}

// instance declares an instance. Its leaves are the child's flat ports; their resets share
// the child's classes.
func (m *module) instance(s *syntax.StmtRow) {
	child := m.l.mods[m.l.byName[syntax.Name(s.D)]]
	name := m.l.name(s.Name)
	in := instance{name: name, mod: child, base: int32(len(m.leaves)), own: len(child.flat), pos: m.pos}

	// The leaves are the child's ports, with the direction seen from outside.
	for i := range child.flat {
		p := &child.flat[i]
		c := lfChildIn
		if p.output {
			c = lfChildOut
		}
		at := m.newLeaf(c, name+"_"+p.name, kUInt, p.width, int32(len(m.insts)))
		n := &m.nodes[m.leaves[at].node]
		n.kind, n.d = p.t.kind, child.nodes[p.node].d
	}
	m.insts = append(m.insts, in)
	m.declareName(s.Name, decl{kind: dInst, t: child.ports, base: in.base})
}
