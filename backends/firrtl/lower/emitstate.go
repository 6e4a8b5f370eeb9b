package lower

import (
	"errors"
	"fmt"
	"strings"

	"etch/backends/firrtl/syntax"
	"etch/ir"
	"etch/ir/bits"
)

// read reports whether a leaf's node is an operand of any live node.
func (e *emitter) read(leaf int32) bool { return e.reads[leaf] }

// source follows wires and copies of equal width to the node that drives them. The bound of
// 1000 steps ends loops.
func (m *module) source(n int32) int32 {
	for range 1000 {
		x := &m.nodes[n]
		switch {
		case x.op == opCopy:
			n = x.a
		case x.op == opLeaf && m.leaves[x.a].val != 0 && m.leaves[x.a].class != lfReg &&
			m.nodes[m.leaves[x.a].val].width == x.width:
			n = m.leaves[x.a].val
		default:
			return n
		}
	}
	return n
}

// stopped reports whether a clock is a constant and so never ticks.
func (m *module) stopped(clock int32) bool {
	// An invalid clock counts as constant.
	n := &m.nodes[m.source(clock)]
	if n.op == opInvalid {
		return true
	}
	return n.op == opPrim && n.prim == syntax.AsClock && m.constOf(m.out.id[n.a], 0).ok
}

// emitReg adds a register, or the constant 0 if its clock never ticks.
func (m *module) emitReg(lf *leaf, n *node, name string) ir.ID {
	r := &m.regs[lf.of]
	if m.stopped(r.clock) {
		m.l.note(lf.line, "register %s of module %s has a clock that never ticks: it is 0", name, m.ir.Name)
		id := m.make(ir.Wire, n.kind, n.width, m.ir.Const(bits.Zero(int(n.width)), n.pos))
		m.ir.SetName(id, name)
		return id
	}
	return m.ir.AddReg(name, int(n.width), m.typeID(n.kind, n.width), m.out.id[r.clock], n.pos)
}

// emitLatch makes a latch that takes b while a is high.
func (m *module) emitLatch(n *node) ir.ID {
	never := m.make(ir.Wire, kClock, 1, m.ir.Const(bits.New(1, 1), n.pos))
	id := m.ir.AddReg("", int(n.width), m.typeID(kUInt, n.width), never, n.pos)
	open, data := m.arg(n.a, 1), m.arg(n.b, n.width)
	m.ir.Regs[m.ir.Node(id).Aux].MakeLatch(never, open, data)
	return id
}

// patch fills in the drivers of wires and outputs, now that every node has been written.
func (m *module) patch() {
	for i := range m.leaves {
		lf := &m.leaves[i]
		n := &m.nodes[lf.node]
		if n.width == 0 || n.kind == kAnalog || !lf.class.sink() || lf.class == lfReg {
			continue
		}
		m.pos = n.pos
		id := m.out.id[lf.node]
		// No live node: nothing reads the leaf.
		if id == ir.None && lf.class != lfOutput {
			continue
		}
		if lf.val == 0 {
			continue
		}

		// A wire gets the driver as its argument; an output that is also read takes the
		// wire as its node.
		driver := m.arg(lf.val, n.width)
		if id != ir.None {
			m.ir.Args(id)[0] = driver
			driver = id
		}
		if lf.class == lfOutput {
			m.ir.Ports[m.portAt[lf.of]].Node = driver
		}
	}
}

// emitRegs sets the registers' next values, initial values and resets.
func (m *module) emitRegs() {
	for i := range m.regs {
		r := &m.regs[i]
		lf := &m.leaves[r.leaf]
		id := m.out.id[lf.node]
		// The register is dead, or became a constant.
		if id == ir.None || m.ir.Op(id) != ir.Reg {
			continue
		}
		n := &m.nodes[lf.node]
		m.pos = n.pos
		out := &m.ir.Regs[m.ir.Node(id).Aux]
		out.Next = m.arg(lf.val, n.width)
		if r.fromZero {
			out.Init = m.ir.Const(bits.Zero(int(n.width)), n.pos)
		}
		m.emitReset(r, lf, n)
	}
}

// emitReset sets a register's reset. A reset to the register itself, to an invalid value,
// or by a constant 0 is no reset.
func (m *module) emitReset(r *register, lf *leaf, n *node) {
	if r.full != 0 {
		m.emitFull(r, lf, n)
		return
	}

	if r.reset == 0 {
		return
	}

	// Through wires and copies, the value may be the register itself.
	init := m.source(r.init)
	rst := m.out.id[r.reset]
	if init == lf.node || m.nodes[init].op == opInvalid || rst == ir.None {
		return
	}
	if c := m.constOf(rst, 0); c.ok && c.v.IsZero() {
		return
	}

	// ir resets to constants only. A synchronous reset to a computed value becomes a
	// multiplexer before the register.
	value := m.arg(r.init, n.width)
	at := m.ir.Node(m.out.id[lf.node]).Aux
	async := m.nodes[r.reset].kind == kAsync
	if c := m.constOf(value, 0); c.ok {
		k := m.ir.Const(c.v, n.pos)
		out := &m.ir.Regs[at]
		out.Rst, out.Reset, out.Async = rst, k, async
		return
	}
	if async {
		m.l.fail(lf.line, "register %s of module %s: the value of an asynchronous reset must be a constant", m.names[n.name], m.ir.Name)
		return
	}
	m.ir.Regs[at].Next = m.make(ir.Mux, n.kind, n.width, rst, value, m.ir.Regs[at].Next)
}

// emitFull gives a register the full reset, to 0. The reset it has of its own becomes a
// multiplexer in its next value.
func (m *module) emitFull(r *register, lf *leaf, n *node) {
	at := m.ir.Node(m.out.id[lf.node]).Aux
	if !m.noReset(r) && m.out.id[r.reset] != ir.None {
		m.ir.Regs[at].Next = m.make(ir.Mux, n.kind, n.width, m.out.id[r.reset], m.arg(r.init, n.width), m.ir.Regs[at].Next)
	}

	// The full reset takes the place of the register's own in the netlist.
	k := m.ir.Const(bits.Zero(int(n.width)), n.pos)
	out := &m.ir.Regs[at]
	out.Rst, out.Reset, out.Async = m.out.id[r.full], k, m.nodes[r.full].kind == kAsync
}

// constOf evaluates a node of ir that depends on constants only. Before patch the wires are
// open, so negative results may change; nothing is cached until then. Depth 200 bounds the
// recursion.
func (m *module) constOf(id ir.ID, depth int) known {
	if id == ir.None || depth > 200 {
		return known{}
	}
	if k, ok := m.out.consts[id]; ok {
		return k
	}
	n := *m.ir.Node(id)
	var k known
	switch info := n.Op.Info(); {
	case n.Op == ir.Const:
		return known{m.ir.ConstOf(id), true}
	case info.Leaf || n.Op == ir.MemRead:
		return known{}
	// Evaluate the operands first.
	default:
		args := m.ir.Args(id)
		values := make([]bits.Value, len(args))
		k.ok = true
		for i, a := range args {
			v := m.constOf(a, depth+1)
			if !v.ok {
				k.ok = false
				break
			}
			values[i] = v.v
		}
		if k.ok {
			k.v = ir.Eval(m.ir, id, values)
		}
	}
	if m.patched {
		m.out.consts[id] = k
	}
	return k
}

// childOut is the node of an instance's output. The instance is added on first use.
func (m *module) childOut(lf *leaf, at int32) ir.ID {
	in := &m.insts[lf.of]
	if in.mod.cell != nil {
		return m.net(in.leaf(0))
	}
	m.addInst(in)
	return m.ir.Insts[in.at].Conns[in.mod.portAt[in.port(at)]]
}

func (m *module) addInst(in *instance) {
	if !in.made {
		in.made = true
		in.at = m.ir.AddInst(in.name, in.mod.ir, in.pos)
	}
}

// emitInsts connects the instances' inputs and nets.
func (m *module) emitInsts() {
	for i := range m.insts {
		in := &m.insts[i]
		if in.mod.cell != nil {
			m.emitCell(in)
			continue
		}

		m.addInst(in)

		// Ports of no bits have no number in the netlist; outputs are read elsewhere.
		for j := range in.mod.flat {
			p := in.mod.portAt[j]
			if p >= 0 && in.mod.flat[j].t.kind == kAnalog {
				m.ir.Insts[in.at].Conns[p] = m.net(in.leaf(j))
				continue
			}
			if p < 0 || in.mod.flat[j].output {
				continue
			}
			lf := &m.leaves[in.leaf(j)]
			m.pos = in.pos
			m.ir.Insts[in.at].Conns[p] = m.arg(lf.val, m.nodes[lf.node].width)
		}
	}
}

// emitCommands writes the statements. A statement that a constant clock or enable disables
// is left out.
func (m *module) emitCommands() {
	for i := range m.cmds {
		c := &m.cmds[i]
		m.pos = c.pos
		if m.stopped(c.clk) {
			continue
		}

		// An enable that is always high is left out.
		s := ir.Stmt{Kind: c.kind, Name: c.name, Clk: m.out.id[c.clk], En: m.arg(c.en, 1), Code: c.code, Format: c.format, Pos: c.pos}
		if k := m.constOf(s.En, 0); k.ok {
			if k.v.IsZero() {
				continue
			}
			s.En = ir.None
		}
		if c.kind.HasCond() {
			s.Cond = m.fit(m.out.id[c.cond], false, 1)
		}

		// ir prints an argument by its type's sign, so a Wire carries the sign where it
		// differs.
		for _, a := range c.args {
			x := &m.nodes[a]
			id := m.arg(a, max(1, x.width))
			if signed := m.ir.TypeOf(m.ir.Node(id).Type).Kind.Signed(); signed != (x.kind == kSInt) {
				id = m.make(ir.Wire, x.kind, max(1, x.width), id)
			}
			s.Args = append(s.Args, id)
		}
		m.ir.Stmts = append(m.ir.Stmts, s)
	}
}

// findLoops reports combinational loops with the names and positions of the signals on
// them.
func (l *lowering) findLoops(d *ir.Design) {
	paths := ir.Paths{}
	for i, m := range d.Modules {
		_, err := m.Order(paths)
		var loop *ir.LoopError
		if !errors.As(err, &loop) {
			continue
		}

		// Unnamed nodes are skipped; 20 names at most.
		var parts []string
		for _, id := range loop.Nodes {
			name := m.NameOf(id)
			if n := m.Node(id); n.Op == ir.InstOut {
				inst := &m.Insts[n.Aux]
				name = inst.Name + "." + inst.Mod.Ports[n.Aux2].Name
			}
			if name != "" {
				parts = append(parts, fmt.Sprintf("%s (%v)", name, l.src.At(m.Node(id).Pos)))
			}
		}
		if len(parts) > 20 {
			parts = append(parts[:20], "…")
		}
		l.fail(l.order[i].src.Line, "module %s has a combinational loop: %s", m.Name, strings.Join(parts, " <- "))
	}
}
