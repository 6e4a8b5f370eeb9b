package ir

// Cone sets in[id] for every node id that roots depend on, through registers too. A memory
// stops the walk: the values written to it are not followed.
func Cone(m *Module, in []bool, roots []ID) {
	work := append([]ID(nil), roots...)
	for len(work) > 0 {
		// A work list replaces recursion: a chain of nodes may be as long as the module.
		id := work[len(work)-1]
		work = work[:len(work)-1]
		if id == None || in[id] {
			continue
		}

		in[id] = true
		work = append(work, m.Args(id)...)

		// Leaves have no arguments; a register depends on its table entry.
		if m.Op(id) == Reg {
			r := &m.Regs[m.Node(id).Aux]
			work = append(work, r.Next, r.Clk, r.Rst, r.Reset)
		}
	}
}

// ForStatements reports, by node, whether only the statements stmts of m need it: they
// depend on it, and no output, net, instance or memory does. Registers and named values
// that nothing needs count as hardware, with everything they depend on, since they are
// printed there.
func ForStatements(m *Module, stmts []Stmt) []bool {
	hardware, only := make([]bool, m.Len()), make([]bool, m.Len())
	// The statements' cone,
	var roots []ID
	for i := range stmts {
		s := &stmts[i]
		roots = append(append(roots, s.Clk, s.En, s.Cond), s.Args...)
	}
	Cone(m, only, roots)
	// and that of the hardware.
	roots = hardwareRoots(m)

	// A named node outside the statements' cone is a root of its own.
	for id := ID(1); int(id) < m.Len(); id++ {
		if !only[id] && (m.Op(id) == Reg || m.NameOf(id) != "") {
			roots = append(roots, id)
		}
	}

	Cone(m, hardware, roots)
	for id := range only {
		only[id] = only[id] && !hardware[id]
	}
	return only
}

// hardwareRoots lists the nodes that ports, nets, instances and memories use directly.
func hardwareRoots(m *Module) (roots []ID) {
	// Some of these are None; Cone passes over them.
	for i := range m.Nets {
		for _, d := range m.Nets[i].Drivers {
			roots = append(roots, d.Value, d.En)
		}
	}
	for i := range m.Ports {
		roots = append(roots, m.Ports[i].Node)
	}
	for i := range m.Insts {
		roots = append(roots, m.Insts[i].Conns...)
	}
	for i := range m.Mems {
		for _, r := range m.Mems[i].Reads {
			roots = append(roots, r.Clk, r.Addr, r.En)
		}
		for _, w := range m.Mems[i].Writes {
			roots = append(roots, w.Clk, w.Addr, w.Data, w.En, w.Mask)
		}
	}
	return roots
}
