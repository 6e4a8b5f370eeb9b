package passes

import "etch/ir"

// marker finds the used parts of a module, starting from roots: a register that is read
// uses its next value, a memory that is read uses its write ports, an instance whose output
// is read uses its inputs.
type marker struct {
	m     *ir.Module
	nodes []bool
	regs  []bool
	mems  []bool
	reads [][]bool
	insts []bool
	nets  []bool
	stack []ir.ID
}

func newMarker(m *ir.Module) *marker {
	k := &marker{
		m: m, nodes: make([]bool, m.Len()), regs: make([]bool, len(m.Regs)),
		mems: make([]bool, len(m.Mems)), reads: make([][]bool, len(m.Mems)), insts: make([]bool, len(m.Insts)),
		nets: make([]bool, len(m.Nets)),
	}
	for i := range m.Mems {
		k.reads[i] = make([]bool, len(m.Mems[i].Reads))
	}
	return k
}

// everything marks the parts that stay if only nodes without a use may go: ports, tables
// and names.
func (k *marker) everything() {
	k.surface()
	k.named()

	// Every table entry, whether used or not.
	for i := range k.m.Regs {
		k.node(k.m.Regs[i].Node)
	}
	for i := range k.m.Mems {
		k.memory(i)
		for j := range k.m.Mems[i].Reads {
			k.node(k.m.Mems[i].Reads[j].Node)
		}
	}
	for i := range k.m.Insts {
		k.instance(i)
	}
	for i := range k.m.Nets {
		k.node(k.m.Nets[i].Node)
	}
	k.run()
}

// surface marks ports and statements, which the outside sees.
func (k *marker) surface() {
	for i := range k.m.Ports {
		k.node(k.m.Ports[i].Node)
	}
	for i := range k.m.Stmts {
		s := &k.m.Stmts[i]
		k.all(s.Clk, s.En, s.Cond)
		k.all(s.Args...)
	}
}

// attributed marks everything with attributes.
func (k *marker) attributed() {
	k.m.EachAttr(func(id ir.ID, _ []ir.Attr) { k.node(id) })
	for i := range k.m.Mems {
		if k.m.Mems[i].Attrs != nil {
			k.memory(i)
		}
	}
	for i := range k.m.Insts {
		if k.m.Insts[i].Attrs != nil {
			k.instance(i)
		}
	}
}

// named marks every node with a name.
func (k *marker) named() {
	for id := ir.ID(1); int(id) < k.m.Len(); id++ {
		if k.m.NameOf(id) != "" {
			k.node(id)
		}
	}
}

func (k *marker) node(id ir.ID) {
	if id != ir.None && !k.nodes[id] {
		k.nodes[id] = true
		k.stack = append(k.stack, id)
	}
}

func (k *marker) all(ids ...ir.ID) {
	for _, id := range ids {
		k.node(id)
	}
}

// memory marks a memory with its write ports.
func (k *marker) memory(i int) {
	if k.mems[i] {
		return
	}
	k.mems[i] = true
	for _, w := range k.m.Mems[i].Writes {
		k.all(w.Clk, w.Addr, w.Data, w.En, w.Mask)
	}
}

// instance marks an instance with all its connections.
func (k *marker) instance(i int) {
	if !k.insts[i] {
		k.insts[i] = true
		k.all(k.m.Insts[i].Conns...)
	}
}

// net marks a net with its drivers.
func (k *marker) net(i int) {
	if k.nets[i] {
		return
	}
	k.nets[i] = true
	for _, d := range k.m.Nets[i].Drivers {
		k.all(d.Value, d.En)
	}
}

// run propagates the marks until the work list is empty.
func (k *marker) run() {
	for len(k.stack) > 0 {
		id := k.stack[len(k.stack)-1]
		k.stack = k.stack[:len(k.stack)-1]
		k.all(k.m.Args(id)...)

		// State and instances use further nodes through their tables.
		switch n := k.m.Node(id); n.Op {
		case ir.Reg:
			k.regs[n.Aux] = true
			r := &k.m.Regs[n.Aux]
			k.all(r.Next, r.Clk, r.Rst, r.Reset, r.Init)
		case ir.MemRead:
			k.memory(int(n.Aux))
		case ir.MemOut:
			k.memory(int(n.Aux))
			k.reads[n.Aux][n.Aux2] = true
			p := &k.m.Mems[n.Aux].Reads[n.Aux2]
			k.all(p.Clk, p.Addr, p.En)
		case ir.InstOut:
			k.instance(int(n.Aux))
		case ir.NetOut:
			k.net(int(n.Aux))
		}
	}
}

// compact returns a module of the marked parts, in the old order.
func compact(m *ir.Module, k *marker) *ir.Module {
	c := &compactor{marker: k, out: emptyLike(m), to: make([]ir.ID, m.Len())}
	// New IDs first, since a Wire may refer forward.
	next := ir.ID(1)
	for id := ir.ID(1); int(id) < m.Len(); id++ {
		if k.nodes[id] {
			c.to[id] = next
			next++
		}
	}

	var args []ir.ID
	for id := ir.ID(1); int(id) < m.Len(); id++ {
		if k.nodes[id] {
			args = args[:0]
			for _, a := range m.Args(id) {
				args = append(args, c.to[a])
			}
			copyNode(c.out, m, id, args)
		}
	}

	c.tables()
	c.indices()
	return c.out
}

type compactor struct {
	*marker
	out *ir.Module
	to  []ir.ID
}

// tables copies the marked entries of the tables.
func (c *compactor) tables() {
	// References to dropped nodes occur only in dropped entries.
	at := func(id ir.ID) ir.ID { return c.to[id] }
	refs := refMap{value: at, typed: at}
	for _, p := range c.m.Ports {
		c.out.Ports = append(c.out.Ports, refs.port(p))
	}

	for i, r := range c.m.Regs {
		if c.regs[i] {
			c.out.Regs = append(c.out.Regs, refs.register(r))
		}
	}

	// Read ports are dropped one by one.
	for i := range c.m.Mems {
		if !c.mems[i] {
			continue
		}

		old := c.m.Mems[i]
		reads := old.Reads
		old.Reads = nil
		mem := refs.memory(&old)
		for j := range reads {
			if c.reads[i][j] {
				mem.Reads = append(mem.Reads, refs.read(reads[j]))
			}
		}

		c.out.Mems = append(c.out.Mems, mem)
	}

	for i, inst := range c.m.Insts {
		if c.insts[i] {
			c.out.Insts = append(c.out.Insts, refs.instance(inst))
		}
	}

	for i, n := range c.m.Nets {
		if c.nets[i] {
			c.out.Nets = append(c.out.Nets, refs.net(n))
		}
	}

	for _, s := range c.m.Stmts {
		c.out.Stmts = append(c.out.Stmts, refs.stmt(s))
	}

	for _, id := range c.m.Unused {
		if v := c.to[id]; v != ir.None {
			c.out.Unused = append(c.out.Unused, v)
		}
	}
}

// indices sets the indices in the leaves to the new places of their table entries.
func (c *compactor) indices() {
	m := c.out
	// Entries that name their node,
	for i := range m.Regs {
		m.Node(m.Regs[i].Node).Aux = int32(i)
	}

	for i := range m.Mems {
		for j := range m.Mems[i].Reads {
			n := m.Node(m.Mems[i].Reads[j].Node)
			n.Aux, n.Aux2 = int32(i), int32(j)
		}
	}

	for i := range m.Nets {
		m.Node(m.Nets[i].Node).Aux = int32(i)
	}

	// outputs of instances,
	for i, inst := range m.Insts {
		for j, p := range inst.Mod.Ports {
			if p.Dir == ir.Out {
				m.Node(inst.Conns[j]).Aux = int32(i)
			}
		}
	}

	// and asynchronous reads, whose memories may have moved up.
	at := make([]int32, len(c.mems))
	next := int32(0)
	for i, used := range c.mems {
		at[i] = next
		if used {
			next++
		}
	}

	for id := ir.ID(1); int(id) < m.Len(); id++ {
		if n := m.Node(id); n.Op == ir.MemRead {
			n.Aux = at[n.Aux]
		}
	}
}
