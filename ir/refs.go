package ir

// EachRef calls f with a pointer to every reference to a node in m's tables of ports,
// registers, memories, instances, nets and statements. It leaves out arguments of nodes,
// unset references, and references that name a table's own node (of a register, a read
// port, a net, an input or pad, an output of an instance). A reference to a NetOut node
// from an instance's pad must stay one.
func EachRef(m *Module, f func(ref *ID)) {
	visit := func(refs ...*ID) {
		for _, r := range refs {
			if *r != None {
				f(r)
			}
		}
	}

	// An input's or pad's own node is no reference.
	for i := range m.Ports {
		if m.Ports[i].Dir == Out {
			visit(&m.Ports[i].Node)
		}
	}

	for i := range m.Regs {
		r := &m.Regs[i]
		visit(&r.Next, &r.Clk, &r.Rst, &r.Reset, &r.Init)
	}

	for i := range m.Mems {
		mem := &m.Mems[i]
		for j := range mem.Reads {
			p := &mem.Reads[j]
			visit(&p.Clk, &p.Addr, &p.En)
		}
		for j := range mem.Writes {
			p := &mem.Writes[j]
			visit(&p.Clk, &p.Addr, &p.Data, &p.En, &p.Mask)
		}
	}

	// An instance's outputs are its own nodes.
	for i := range m.Insts {
		inst := &m.Insts[i]
		for j := range inst.Conns {
			if inst.Mod.Ports[j].Dir != Out {
				visit(&inst.Conns[j])
			}
		}
	}

	for i := range m.Nets {
		for j := range m.Nets[i].Drivers {
			d := &m.Nets[i].Drivers[j]
			visit(&d.Value, &d.En)
		}
	}

	for i := range m.Stmts {
		s := &m.Stmts[i]
		visit(&s.Clk, &s.En, &s.Cond)
		for j := range s.Args {
			visit(&s.Args[j])
		}
	}
}

// Unwired follows wires to the node that drives them.
func (m *Module) Unwired(id ID) ID {
	for range m.Len() { // wires may form a loop, which is found later
		if m.Op(id) != Wire {
			break
		}
		id = m.Args(id)[0]
	}
	return id
}

// Source follows wires and inverters from a node of one bit to the node behind them;
// inverted says whether the number of inverters is odd. For a falling-edge clock it is the
// clock itself, inverted.
func (m *Module) Source(id ID) (_ ID, inverted bool) {
	for m.Op(id) == Wire || m.Op(id) == Not {
		inverted = inverted != (m.Op(id) == Not)
		id = m.Args(id)[0]
	}
	return id, inverted
}

// SameBit reports whether two nodes of one bit are one signal, up to wires and pairs of
// inverters.
func (m *Module) SameBit(x, y ID) bool {
	a, i := m.Source(x)
	b, k := m.Source(y)
	return a == b && i == k
}
