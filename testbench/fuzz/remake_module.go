package fuzz

import (
	"etch/ir"
	"etch/ir/bits"
)

// copier makes one new module.
type copier struct {
	r    *remaker
	k    int
	m    *ir.Module // the old one
	l    *liveness
	out  *ir.Module
	ids  []ir.ID // new by old
	mems []int
	inst []int
	read map[[2]int32]int32 // new index of a read port
}

// module makes the new module of module k. State comes before the operations, since operations
// may read it; its inputs come last, by tables.
func (r *remaker) module(k int) *ir.Module {
	m := r.d.Modules[k]
	c := &copier{r: r, k: k, m: m, l: r.live[m], out: ir.NewModule(m.Name, m.Src), ids: make([]ir.ID, m.Len()),
		mems: make([]int, len(m.Mems)), inst: make([]int, len(m.Insts)), read: map[[2]int32]int32{}}
	c.out.Extern = m.Extern
	if !r.plain {
		c.out.Origin, c.out.Pos = m.Origin, m.Pos
	}
	r.made[m] = &remade{m: c.out, port: make([]int, len(m.Ports))}
	c.inputs()
	c.leaves()

	// A circle is left to the check of the result.
	order, err := m.Order(ir.Paths{})
	if err != nil {
		return c.out // the caller finds it invalid
	}

	// Dead nodes get no copy; inputs and state have theirs already.
	for _, id := range order {
		if c.l.nodes[id] && c.ids[id] == ir.None {
			c.ids[id] = c.node(id)
		}
	}
	c.outputs()
	c.tables()
	return c.out
}

// pos returns a position, none in a plain design.
func (c *copier) pos(p ir.Pos) ir.Pos {
	if c.r.plain {
		return 0
	}
	return p
}

// typ returns a type of the old module in the new one. A plain design keeps only clocks and
// resets.
func (c *copier) typ(t ir.TypeID) ir.TypeID {
	kind := c.m.TypeOf(t)
	if c.r.plain && kind.Kind != ir.Clock && kind.Kind != ir.Reset && kind.Kind != ir.AsyncReset {
		return 0
	}
	return c.out.AddType(kind)
}

// w returns the new width of an old one.
func (c *copier) w(w int) int {
	if c.r.width == nil {
		return w
	}
	return max(1, c.r.width(w))
}

// at returns the new node of an old one.
func (c *copier) at(id ir.ID) ir.ID {
	if id == ir.None {
		return ir.None
	}
	id, _ = c.r.to(c.k, id)
	return c.ids[id]
}

// as returns the new node of an old one in w bits.
func (c *copier) as(id ir.ID, w int) ir.ID {
	x := c.at(id)
	if x == ir.None {
		return x
	}
	switch have := c.out.Width(x); {
	case have > w:
		return c.out.Add(ir.Node{Op: ir.Slice, Width: int32(w)}, x)
	case have < w:
		return c.out.Add(ir.Node{Op: ir.ZExt, Width: int32(w)}, x)
	}
	return x
}

// inputs adds the needed inputs, and the inputs and constants that nodes become.
func (c *copier) inputs() {
	// Ports that nobody needs go; the parents look their new numbers up.
	for i := range c.m.Ports {
		p := &c.m.Ports[i]
		c.r.made[c.m].port[i] = -1
		if p.Dir == ir.In && c.l.nodes[p.Node] {
			c.r.made[c.m].port[i] = len(c.out.Ports)
			c.ids[p.Node] = c.out.AddInput(p.Name, c.w(p.Width), c.typ(p.Type), c.pos(p.Pos))
		}
	}

	// A node that becomes an input gets a name of its own, which the stimulus must learn.
	for id := ir.ID(1); int(id) < c.m.Len(); id++ {
		if !c.l.nodes[id] {
			continue
		}
		w := c.w(c.m.Width(id))
		switch {
		case c.r.edits[edit{kind: toInput, mod: c.k, node: id}]:
			name := inputName(c.m, id)
			c.r.added[id] = name
			c.ids[id] = c.out.AddInput(name, w, 0, 0)
		case c.r.edits[edit{kind: toZero, mod: c.k, node: id}]:
			c.ids[id] = c.out.Const(bits.Zero(w), 0)
		case c.r.edits[edit{kind: toOnes, mod: c.k, node: id}]:
			c.ids[id] = c.out.Const(bits.Ones(w), 0)
		}
	}
}

// leaves adds registers, memories and instances without their inputs; tables adds these.
func (c *copier) leaves() {
	for i := range c.m.Regs {
		if id := c.m.Regs[i].Node; c.l.nodes[id] && c.ids[id] == ir.None {
			c.ids[id] = c.out.AddReg(c.m.NameOf(id), c.w(c.m.Width(id)), c.typ(c.m.Node(id).Type), ir.None, c.pos(c.m.Node(id).Pos))
		}
	}
	for i := range c.m.Mems {
		if !c.l.mems[i] {
			continue
		}
		old := &c.m.Mems[i]
		c.mems[i] = len(c.out.Mems)
		mem := ir.Memory{Name: old.Name, Depth: c.r.depth(c.k, i), Width: c.w(old.Width), Type: c.typ(old.Type), Style: old.Style, Pos: c.pos(old.Pos)}
		if c.r.edits[edit{kind: dropStyle, mod: c.k, i: i}] {
			mem.Style = ""
		}
		if old.Init != nil && !c.r.edits[edit{kind: dropInit, mod: c.k, i: i}] {
			mem.Init = []bits.Value{}
			for _, v := range old.Init[:min(len(old.Init), mem.Depth)] {
				mem.Init = append(mem.Init, fitted(v, mem.Width))
			}
		}

		// Only the needed read ports stay; c.read has their new numbers.
		for j := range old.Reads {
			id := old.Reads[j].Node
			if !c.l.nodes[id] || c.ids[id] != ir.None {
				continue
			}
			p := c.r.read(c.k, i, j)
			c.read[[2]int32{int32(i), int32(j)}] = int32(len(mem.Reads))
			c.ids[id] = c.named(id, ir.Node{Op: ir.MemOut, Width: int32(mem.Width), Aux: int32(c.mems[i]), Aux2: int32(len(mem.Reads))})
			mem.Reads = append(mem.Reads, ir.ReadPort{Name: p.Name, Node: c.ids[id], Under: p.Under})
		}
		c.out.Mems = append(c.out.Mems, mem)
	}
	for i := range c.m.Insts {
		if c.l.insts[i] {
			c.instance(i)
		}
	}
}

// instance adds an instance; its needed outputs become nodes.
func (c *copier) instance(i int) {
	old := &c.m.Insts[i]
	child := c.r.made[old.Mod]
	c.inst[i] = c.out.AddInst(old.Name, child.m, c.pos(old.Pos))
	for p, port := range old.Mod.Ports {
		// A child's output may be gone, as no parent needs it.
		if at := child.port[p]; port.Dir == ir.Out && at >= 0 {
			id := old.Conns[p]
			if c.ids[id] == ir.None {
				c.ids[id] = c.out.Insts[c.inst[i]].Conns[at]
				if !c.r.plain {
					c.out.SetName(c.ids[id], c.m.NameOf(id))
				}
			}
		}
	}
}

// named adds a node with the type, position and name of an old one.
func (c *copier) named(old ir.ID, n ir.Node, args ...ir.ID) ir.ID {
	n.Type, n.Pos = c.typ(c.m.Node(old).Type), c.pos(c.m.Node(old).Pos)
	id := c.out.Add(n, args...)
	if !c.r.plain {
		c.out.SetName(id, c.m.NameOf(old))
	}
	return id
}

// node copies an operation. Widths follow the rules of the operation: arguments that may have
// any width stay, and the result follows from them; others are fitted to the result.
func (c *copier) node(id ir.ID) ir.ID {
	n, old := *c.m.Node(id), c.m.Args(id)
	w := c.w(int(n.Width))
	fresh := ir.Node{Op: n.Op, Width: int32(w), Aux: n.Aux}
	args := make([]ir.ID, len(old))
	all := func(w int) {
		for i := range old {
			args[i] = c.as(old[i], w)
		}
	}

	width := func(x ir.ID) int { return c.out.Width(x) }
	switch n.Op {
	// A constant is cut, not fitted by a Slice: it stays a constant.
	case ir.Const:
		return c.out.Const(fitted(c.m.ConstOf(id), w), 0)
	case ir.MemRead:
		fresh.Aux, fresh.Width = int32(c.mems[n.Aux]), int32(c.out.Mems[c.mems[n.Aux]].Width)
		args[0] = c.at(old[0])
	// A product is no wider than both factors together.
	case ir.Mul, ir.MulS:
		args[0], args[1] = c.at(old[0]), c.at(old[1])
		fresh.Width = int32(min(w, width(args[0])+width(args[1])))
	// Both sides take the width of the first.
	case ir.Eq, ir.Lt, ir.LtS:
		args[0] = c.at(old[0])
		args[1] = c.as(old[1], width(args[0]))
		fresh.Width = 1
	case ir.Shl, ir.Shr, ir.ShrS:
		args[0], args[1] = c.as(old[0], w), c.at(old[1])
	case ir.Mux:
		args[0], args[1], args[2] = c.as(old[0], 1), c.as(old[1], w), c.as(old[2], w)
	case ir.Case:
		return c.cases(id, w)
	// A slice keeps to its argument: the low bit moves down where the argument got short.
	case ir.Slice:
		x := c.at(old[0])
		lo := min(int(n.Aux), width(x)-1)
		fresh.Aux, fresh.Width = int32(lo), int32(min(w, width(x)-lo))
		args[0] = x

	case ir.Cat:
		sum := 0
		for i := range old {
			args[i] = c.at(old[i])
			sum += width(args[i])
		}
		fresh.Width = int32(sum)
	// An extension that would cut keeps the argument's width.
	case ir.ZExt, ir.SExt:
		args[0] = c.at(old[0])
		fresh.Width = int32(max(w, width(args[0])))
	case ir.RedAnd, ir.RedOr, ir.RedXor:
		args[0], fresh.Width = c.at(old[0]), 1
	case ir.PopCount:
		args[0] = c.at(old[0])
		fresh.Width = int32(ir.CountWidth(width(args[0])))
	case ir.Lut:
		all(1)
		x := c.out.AddLut(c.m.TableOf(id), c.pos(n.Pos), args...)
		if !c.r.plain {
			c.out.SetName(x, c.m.NameOf(id))
		}
		return x
	default: // Wire, Not, And, Or, Xor, Add, Sub, Div, DivS, Rem, RemS
		all(w)
	}
	return c.named(id, fresh, args...)
}

// cases copies a Case. Keys that lose bits in a narrower selector go with their arguments.
func (c *copier) cases(id ir.ID, w int) ir.ID {
	old := c.m.Args(id)
	args := []ir.ID{c.at(old[0]), c.as(old[1], w)}
	sel := c.out.Width(args[0])
	var keys []bits.Value

	// A key's Len is the number of bits up to its highest 1: a lower one was cut.
	for i, k := range c.m.KeysOf(id) {
		if v := fitted(k, sel); v.Len() == k.Len() {
			keys, args = append(keys, v), append(args, c.as(old[2+i], w))
		}
	}
	x := c.out.AddCase(w, c.pos(c.m.Node(id).Pos), keys, args...)
	if !c.r.plain {
		c.out.SetName(x, c.m.NameOf(id))
	}
	return x
}

// outputs adds the needed outputs.
func (c *copier) outputs() {
	for i := range c.m.Ports {
		p := &c.m.Ports[i]
		if p.Dir == ir.Out && c.l.outs[i] {
			x := c.at(p.Node)
			c.r.made[c.m].port[i] = len(c.out.Ports)
			c.out.AddOutput(p.Name, c.out.Width(x), c.typ(p.Type), x, c.pos(p.Pos))
		}
	}
}

// tables adds the inputs of registers, memories, instances and statements.
func (c *copier) tables() {
	for i := range c.m.Regs {
		id := c.m.Regs[i].Node
		if !c.l.nodes[id] || c.out.Op(c.ids[id]) != ir.Reg {
			continue
		}
		old, w := c.r.register(c.k, i), c.out.Width(c.ids[id])
		g := ir.Register{Node: c.ids[id], Kind: old.Kind, Next: c.as(old.Next, w), Clk: c.at(old.Clk), Rst: c.as(old.Rst, 1), Reset: c.at(old.Reset), Async: old.Async, Init: c.at(old.Init)}

		// A latch's Reset is its data, which has the latch's width.
		if old.Kind == ir.Latch {
			g.Reset = c.as(old.Reset, w)
		}
		c.out.Regs[c.out.Node(c.ids[id]).Aux] = g
	}
	for i := range c.m.Mems {
		if c.l.mems[i] {
			c.memory(i)
		}
	}
	for i := range c.m.Insts {
		if !c.l.insts[i] {
			continue
		}
		old, child := &c.m.Insts[i], c.r.made[c.m.Insts[i].Mod]
		for p, port := range old.Mod.Ports {
			if at := child.port[p]; port.Dir == ir.In && at >= 0 {
				x := c.as(old.Conns[p], child.m.Ports[at].Width)
				c.out.Insts[c.inst[i]].Conns[at] = x
			}
		}
	}

	// Statements, with their arguments.
	for i := range c.m.Stmts {
		if s := c.r.stmt(c.k, i); s != nil {
			s.Clk, s.En, s.Cond, s.Pos = c.at(s.Clk), c.as(s.En, 1), c.as(s.Cond, 1), c.pos(s.Pos)
			args := s.Args
			s.Args = nil
			for _, a := range args {
				s.Args = append(s.Args, c.at(a))
			}
			c.out.Stmts = append(c.out.Stmts, *s)
		}
	}
}

// memory adds the ports of memory i. A mask that no longer divides the width goes.
func (c *copier) memory(i int) {
	w := c.out.Mems[c.mems[i]].Width

	// Read ports were made with the nodes of their outputs, and get their inputs here. The inputs may
	// be made only now, so the port is looked up after them.
	for j := range c.m.Mems[i].Reads {
		at, ok := c.read[[2]int32{int32(i), int32(j)}]
		if !ok {
			continue
		}
		old := c.r.read(c.k, i, j)
		clk, addr, en := c.at(old.Clk), c.at(old.Addr), c.as(old.En, 1)
		p := &c.out.Mems[c.mems[i]].Reads[at]
		p.Clk, p.Addr, p.En, p.Pos = clk, addr, en, c.pos(old.Pos)
	}

	for j := range c.m.Mems[i].Writes {
		old := c.r.write(c.k, i, j)
		if old == nil {
			continue
		}
		p := ir.WritePort{Name: old.Name, Clk: c.at(old.Clk), Addr: c.at(old.Addr), Data: c.as(old.Data, w), En: c.as(old.En, 1), Mask: c.at(old.Mask), Pos: c.pos(old.Pos)}
		if p.Mask != ir.None && w%c.out.Width(p.Mask) != 0 {
			p.Mask = ir.None
		}
		mem := &c.out.Mems[c.mems[i]]
		mem.Writes = append(mem.Writes, p)
	}
}
