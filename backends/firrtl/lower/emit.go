package lower

import (
	"etch/backends/firrtl/syntax"
	"etch/ir"
	"etch/ir/bits"
)

// emitter is the state of writing a module out.
type emitter struct {
	bits   [2]int32 // nodes of the literals 0 and 1; 0 until made
	live   []bool
	reads  []bool          // by leaf: its node is an operand of some live node
	id     []ir.ID         // by node; None for a value of width 0
	consts map[ir.ID]known // results of constOf
}

// known is the value of a node of ir, if it is constant.
type known struct {
	v  bits.Value
	ok bool
}

// emit writes a module out as an ir.Module. Its children have been written before.
func (l *lowering) emit(m *module) {
	out := ir.NewModule(l.name(m.src.Name), l.src)
	m.ir = out
	out.Pos = l.pos(m.src.Info, m.src.Line)
	m.pos, m.line = out.Pos, m.src.Line
	m.out.consts = map[ir.ID]known{}

	// Nodes have only smaller operands except through leaves. So one pass writes them in
	// order, with open wires for the leaves, and patch fills in the drivers afterwards.
	m.layout()

	m.planNets(l.mods[l.top] == m)
	m.findLive()
	m.out.id = make([]ir.ID, len(m.nodes))
	m.portAt = make([]int32, len(m.flat))
	if m.src.Kind == syntax.External {
		m.emitExtern()
		return
	}
	for i := 1; i < len(m.nodes); i++ {
		if m.out.live[i] {
			m.out.id[i] = m.emitNode(int32(i))
		}
	}
	m.patch()
	m.patched = true
	m.emitRegs()
	m.emitInsts()
	m.emitMems()
	m.emitCommands()
}

func (m *module) emitExtern() {
	x := &ir.Extern{Module: orElse(m.src.DefName, m.l.name(m.src.Name))}
	for _, p := range m.src.Params {
		x.Params = append(x.Params, ir.Param{Name: p.Name, Value: p.Value})
	}
	m.ir.Extern = x
	for i := range m.flat {
		m.emitPort(int32(i))
	}
}

// emitPort adds a port and returns its node: None for an output and for a port of width 0,
// which is left out.
func (m *module) emitPort(i int32) ir.ID {
	p := &m.flat[i]

	// No index until the port is known to be in the netlist.
	m.portAt[i] = -1
	if p.width == 0 {
		return ir.None
	}
	if p.t.kind == kAnalog {
		return m.pad(i, p)
	}
	m.portAt[i] = int32(len(m.ir.Ports))
	typ := m.typeID(p.kind, p.width)

	// An input named "reset" is shown as a reset even where the file calls it UInt<1>.
	if p.width == 1 && p.kind == kUInt && (p.t.kind == kReset || p.name == "reset") && !p.output {
		typ = m.ir.AddType(ir.Type{Kind: ir.Reset})
	}
	if !p.output {
		return m.ir.AddInput(p.name, int(p.width), typ, p.pos)
	}
	m.ir.AddOutput(p.name, int(p.width), typ, ir.None, p.pos)
	return ir.None
}

// typeID is the ir type of a kind; a UInt of one bit is a Bool.
func (m *module) typeID(k kind, width int32) ir.TypeID {
	t := ir.UInt
	switch {
	case k == kSInt:
		t = ir.SInt
	case k == kClock:
		t = ir.Clock
	case k == kAsync:
		t = ir.AsyncReset
	case width == 1:
		t = ir.Bool
	}
	return m.ir.AddType(ir.Type{Kind: t})
}

// findLive marks the nodes that are needed: the drivers of signals, named values, operands
// of statements, and everything below them.
func (m *module) findLive() {
	live := make([]bool, len(m.nodes))
	m.out.live = live

	for i := range m.leaves {
		lf := &m.leaves[i]
		if lf.class == lfMemIn && !m.portUsed(lf) {
			continue
		}
		live[lf.val] = true
		switch lf.class {
		case lfInput, lfOutput, lfReg:
			live[lf.node] = true
		case lfChildOut:
			live[lf.node] = m.nodes[lf.node].kind != kAnalog
		case lfMemOut:
			live[lf.node] = m.mports[lf.of].reads
		case lfWire:
			n := &m.nodes[lf.node]
			// A wire of type Analog is live only if it joins something.
			live[lf.node] = n.kind != kAnalog || n.width > 0 && len(m.netOf[m.netRoot(int32(i))].leaves) > 1
		}
	}

	// A named node stays for its name. Copies of a clock are the exception: they would make
	// the clock a value.
	for i := range m.nodes {
		n := &m.nodes[i]
		if n.name != 0 && n.op != opLeaf && n.op != opProperty && n.kind != kClock {
			_, _, clock := m.clockBehind(int32(i)) // a clock is a value only if something needs it
			live[i] = live[i] || !clock
		}
	}

	// Clocks, resets and reset values of registers, and all that statements use.
	for i := range m.regs {
		r := &m.regs[i]
		live[r.clock], live[r.reset], live[r.init], live[r.full] = true, true, true, true
	}

	for i := range m.cmds {
		c := &m.cmds[i]
		live[c.clk], live[c.en], live[c.cond] = true, true, true
		for _, a := range c.args {
			live[a] = true
		}
	}

	// Operands have smaller numbers than their users, so one backward pass reaches
	// everything.
	for i := len(live) - 1; i > 0; i-- {
		if live[i] {
			m.eachArg(int32(i), func(a int32) { live[a] = true })
		}
	}

	live[0] = false
	m.findReads()
}

// findReads marks the leaves that are read inside the module. An output that is not needs
// no wire.
func (m *module) findReads() {
	reads := make([]bool, len(m.leaves))
	m.out.reads = reads

	mark := func(a int32) {
		if n := &m.nodes[a]; n.op == opLeaf {
			reads[n.a] = true
		}
	}

	// Readers are live nodes, and everything outside the expressions: registers, commands.
	for i := range m.nodes {
		if m.out.live[i] {
			m.eachArg(int32(i), mark)
		}
	}
	for i := range m.leaves {
		mark(m.leaves[i].val)
	}
	for i := range m.regs {
		mark(m.regs[i].reset)
		mark(m.regs[i].full)
		mark(m.regs[i].init)
		mark(m.regs[i].clock)
	}
	for i := range m.cmds {
		c := &m.cmds[i]
		mark(c.clk)
		mark(c.en)
		mark(c.cond)
		for _, a := range c.args {
			mark(a)
		}
	}
}

// portUsed reports whether a memory port reads or writes.
func (m *module) portUsed(lf *leaf) bool {
	p := &m.mports[lf.of]
	return p.reads || p.writes
}

// fit resizes a value: it truncates, or extends by sign or zeros. None stands for a value
// of width 0.
func (m *module) fit(id ir.ID, signed bool, width int32) ir.ID {
	if width == 0 {
		return ir.None
	}
	if id == ir.None {
		return m.ir.Const(bits.Zero(int(width)), m.pos)
	}

	// To cut is the same for both signs; only an extension differs.
	have := int32(m.ir.Width(id))
	n := ir.Node{Op: ir.ZExt, Width: width, Pos: m.pos, Type: m.typeID(kUInt, width)}
	switch {
	case have == width:
		return id
	case have > width:
		n.Op = ir.Slice
	case signed:
		n.Op = ir.SExt
	}
	if signed {
		n.Type = m.typeID(kSInt, width)
	}
	return m.ir.Add(n, id)
}

// arg is the written value of node n, resized.
func (m *module) arg(n, width int32) ir.ID {
	return m.fit(m.out.id[n], m.nodes[n].kind == kSInt, width)
}

// make adds a node to the ir.Module at the current position.
func (m *module) make(o ir.Op, k kind, width int32, args ...ir.ID) ir.ID {
	return m.ir.Add(ir.Node{Op: o, Type: m.typeID(k, width), Width: width, Pos: m.pos}, args...)
}

// slice is bits low+width-1 to low of x.
func (m *module) slice(x ir.ID, low, width int32) ir.ID {
	if low == 0 && int(width) == m.ir.Width(x) {
		return x
	}
	return m.ir.Add(ir.Node{Op: ir.Slice, Type: m.typeID(kUInt, width), Width: width, Pos: m.pos, Aux: low}, x)
}

// emitNode writes a node out and names it. If the value existed before under another name,
// a Wire carries the new name, except for temporaries (a leading _).
func (m *module) emitNode(i int32) ir.ID {
	n := &m.nodes[i]
	m.pos = n.pos
	if n.op == opLeaf {
		return m.emitLeaf(n)
	}

	before := ir.ID(m.ir.Len())
	id := m.emitValue(n)
	if n.name == 0 || id == ir.None {
		return id
	}

	// The name needs a node of its own.
	name := m.names[n.name]
	if id < before || n.op == opCopy || m.ir.NameOf(id) != "" {
		if name[0] == '_' {
			return id
		}
		id = m.make(ir.Wire, n.kind, n.width, id)
	}
	m.ir.SetName(id, name)
	return id
}

// emitValue writes the operation of a node, None for width 0.
func (m *module) emitValue(n *node) ir.ID {
	// A value of no bits has no node: its readers treat None as zero.
	switch n.op {
	case opLit:
		if n.width == 0 {
			return ir.None
		}
		id := m.ir.Const(m.lits[n.a], n.pos)
		m.ir.Node(id).Type = m.typeID(n.kind, n.width)
		return id
	case opInvalid:
		if n.width == 0 {
			return ir.None
		}
		id := m.ir.Const(bits.Zero(int(n.width)), n.pos)
		m.ir.Node(id).Type = m.typeID(n.kind, n.width)
		return id
	case opCopy:
		return m.out.id[n.a]
	case opMux:
		return m.emitMux(n)
	case opPick:
		return m.emitPick(n)
	case opLatch:
		return m.emitLatch(n)
	case opProperty:
		at := m.l.src.At(n.pos)
		m.l.fail(m.src.Line, "module %s, %v: a property of several cycles is used as a value; it can only be asserted, assumed or covered", m.ir.Name, at)
		return m.ir.Const(bits.Zero(1), n.pos)
	}
	return m.emitPrim(n)
}

func (m *module) emitMux(n *node) ir.ID {
	switch {
	case n.width == 0:
		return ir.None
	case m.out.id[n.a] == ir.None:
		return m.arg(n.c, n.width)
	}
	return m.make(ir.Mux, n.kind, n.width, m.out.id[n.a], m.arg(n.b, n.width), m.arg(n.c, n.width))
}

// emitPick writes v[i] as a Case of i. An index past the end selects element 0.
func (m *module) emitPick(n *node) ir.ID {
	if n.width == 0 {
		return ir.None
	}
	elems := m.args[n.c : n.c+n.d]
	index := m.out.id[n.a]
	first := m.arg(elems[0], n.width)
	if index == ir.None || len(elems) == 1 {
		return first
	}

	// Keys that the index cannot reach are left out.
	w := m.ir.Width(index)
	if w == 1 {
		return m.make(ir.Mux, n.kind, n.width, index, m.arg(elems[1], n.width), first)
	}
	var keys []bits.Value
	args := []ir.ID{index, first}
	for i := 1; i < len(elems) && (w > 31 || i < 1<<w); i++ {
		keys = append(keys, bits.New(w, uint64(i)))
		args = append(args, m.arg(elems[i], n.width))
	}
	id := m.ir.AddCase(int(n.width), n.pos, keys, args...)
	m.ir.Node(id).Type = m.typeID(n.kind, n.width)
	return id
}

// emitLeaf writes the node of a leaf: a port, register, instance output, read data, or a
// wire whose driver patch adds.
func (m *module) emitLeaf(n *node) ir.ID {
	lf := &m.leaves[n.a]
	name := m.names[n.name]
	// An output that is read inside also needs a wire.
	if lf.class == lfInput || lf.class == lfOutput {
		id := m.emitPort(lf.of)
		if lf.class == lfInput || n.width == 0 || n.kind == kAnalog || !m.out.read(n.a) {
			return id
		}
	}
	switch {
	case n.width == 0:
		return ir.None
	case n.kind == kAnalog:
		return m.net(n.a)
	}

	// Registers, outputs of instances and read data have nodes of their own; all others are wires.
	switch lf.class {
	case lfReg:
		return m.emitReg(lf, n, name)
	case lfChildOut:
		return m.childOut(lf, n.a)
	case lfMemOut:
		return m.readData(lf, n)
	}
	id := m.make(ir.Wire, n.kind, n.width, ir.None)
	m.ir.SetName(id, name)
	return id
}
