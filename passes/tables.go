package passes

import "etch/ir"

// refMap maps nodes of an old module to nodes of a new one. value is for references where
// only the value matters, typed for those where the type does too: clocks must be of type
// Clock, and the type of a printed argument decides its sign. Both map None to None.
type refMap struct {
	value func(ir.ID) ir.ID
	typed func(ir.ID) ir.ID
}

func (f refMap) port(p ir.Port) ir.Port {
	p.Node = f.value(p.Node)
	return p
}

func (f refMap) register(r ir.Register) ir.Register {
	r.Node, r.Next, r.Clk = f.value(r.Node), f.value(r.Next), f.typed(r.Clk)
	r.Rst, r.Reset, r.Init = f.value(r.Rst), f.value(r.Reset), f.value(r.Init)
	return r
}

func (f refMap) memory(old *ir.Memory) ir.Memory {
	// The ports are copied, so that the old memory keeps its own.
	mem := *old
	mem.Reads = make([]ir.ReadPort, len(old.Reads))
	for i := range old.Reads {
		mem.Reads[i] = f.read(old.Reads[i])
	}
	mem.Writes = make([]ir.WritePort, len(old.Writes))
	for i, w := range old.Writes {
		w.Clk, w.Addr, w.Data = f.typed(w.Clk), f.value(w.Addr), f.value(w.Data)
		w.En, w.Mask = f.value(w.En), f.value(w.Mask)
		mem.Writes[i] = w
	}
	return mem
}

func (f refMap) read(p ir.ReadPort) ir.ReadPort {
	p.Node, p.Clk, p.Addr, p.En = f.value(p.Node), f.typed(p.Clk), f.value(p.Addr), f.value(p.En)
	return p
}

// instance keeps the type of clocks, which the module below requires.
func (f refMap) instance(inst ir.Instance) ir.Instance {
	conns := make([]ir.ID, len(inst.Conns))
	for i, id := range inst.Conns {
		if p := &inst.Mod.Ports[i]; p.Dir == ir.In && inst.Mod.TypeOf(p.Type).Kind == ir.Clock {
			conns[i] = f.typed(id)
		} else {
			conns[i] = f.value(id)
		}
	}
	inst.Conns = conns
	return inst
}

func (f refMap) net(n ir.Net) ir.Net {
	n.Node = f.value(n.Node)
	drivers := make([]ir.Driver, len(n.Drivers))
	for i, d := range n.Drivers {
		drivers[i] = ir.Driver{Value: f.value(d.Value), En: f.value(d.En), Pos: d.Pos}
	}
	if n.Drivers != nil {
		n.Drivers = drivers
	}
	return n
}

func (f refMap) stmt(s ir.Stmt) ir.Stmt {
	s.Clk, s.En, s.Cond = f.typed(s.Clk), f.value(s.En), f.value(s.Cond)
	args := make([]ir.ID, len(s.Args))
	for i, a := range s.Args {
		args[i] = f.typed(a)
	}
	if s.Args != nil {
		s.Args = args
	}
	return s
}

// eachRef calls f with every reference from the tables of m to a node: a port's driver, a
// register's next value and so on, but not with references to the nodes of registers, read
// ports and instance outputs themselves. typed reports whether the type matters. The
// reference may be None.
func eachRef(m *ir.Module, f func(id ir.ID, typed bool)) {
	// The copying functions of refMap visit every reference; their copies are thrown away.
	// Own nodes are set to None first.
	visit := func(typed bool) func(ir.ID) ir.ID {
		return func(id ir.ID) ir.ID {
			f(id, typed)
			return id
		}
	}

	refs := refMap{value: visit(false), typed: visit(true)}
	for i := range m.Ports {
		if m.Ports[i].Dir == ir.Out {
			refs.port(m.Ports[i])
		}
	}

	for _, r := range m.Regs {
		r.Node = ir.None
		refs.register(r)
	}

	for i := range m.Mems {
		mem := m.Mems[i]
		mem.Reads = append([]ir.ReadPort(nil), mem.Reads...)
		for j := range mem.Reads {
			mem.Reads[j].Node = ir.None
		}
		refs.memory(&mem)
	}

	for _, inst := range m.Insts {
		ins := append([]ir.ID(nil), inst.Conns...)
		for j := range ins {
			if inst.Mod.Ports[j].Dir == ir.Out {
				ins[j] = ir.None
			}
		}
		inst.Conns = ins
		refs.instance(inst)
	}

	for _, n := range m.Nets {
		n.Node = ir.None
		refs.net(n)
	}

	for _, s := range m.Stmts {
		refs.stmt(s)
	}
}
