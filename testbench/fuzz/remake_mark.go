package fuzz

import "etch/ir"

// marker finds the needed parts of a module: a work list of nodes, each of which is needed.
type marker struct {
	*remaker
	*liveness
	k    int // number of the module
	m    *ir.Module
	work []ir.ID
}

// mark finds the needed parts of module k by a walk back from its outputs and statements. The
// module's parents are done.
func (r *remaker) mark(k int) {
	m := r.d.Modules[k]
	x := &marker{remaker: r, liveness: r.live[m], k: k, m: m}
	x.roots()
	for len(x.work) > 0 {
		id := x.work[len(x.work)-1]
		x.work = x.work[:len(x.work)-1]

		// A node that is cut needs no arguments.
		if _, cut := r.to(k, id); !cut {
			x.follow(id)
		}
	}
}

// push puts nodes on the work list; None is none.
func (x *marker) push(ids ...ir.ID) {
	for _, id := range ids {
		if id == ir.None {
			continue
		}
		id, _ = x.to(x.k, id)
		if !x.nodes[id] {
			x.nodes[id] = true
			x.work = append(x.work, id)
		}
	}
}

// roots pushes the operands of outputs and statements. An instance with statements inside is needed as
// well.
func (x *marker) roots() {
	for i, p := range x.m.Ports {
		if p.Dir == ir.Out && (x.outs[i] || x.m == x.d.Top && !x.edits[edit{kind: dropOutput, mod: x.k, i: i}]) {
			x.outs[i] = true
			x.push(p.Node)
		}
	}

	for i := range x.m.Stmts {
		if s := x.stmt(x.k, i); s != nil {
			x.push(s.Clk, s.En, s.Cond)
			x.push(s.Args...)
		}
	}

	for i := range x.m.Insts {
		if x.live[x.m.Insts[i].Mod].said {
			x.instance(i)
		}
	}
}

// follow pushes the operands of a node, with those of its register, memory or instance.
func (x *marker) follow(id ir.ID) {
	n := x.m.Node(id)
	switch n.Op {
	case ir.Reg:
		g := x.register(x.k, int(n.Aux))
		x.push(g.Next, g.Clk, g.Rst, g.Reset, g.Init)
	case ir.MemRead:
		x.memory(int(n.Aux))
	case ir.MemOut:
		x.memory(int(n.Aux))
		p := x.read(x.k, int(n.Aux), int(n.Aux2))
		x.push(p.Clk, p.Addr, p.En)
	// An instance tells its child which outputs are needed; the child is marked later.
	case ir.InstOut:
		x.live[x.m.Insts[n.Aux].Mod].outs[n.Aux2] = true
		x.instance(int(n.Aux))
	}
	x.push(x.m.Args(id)...)
}

// instance marks an instance with a needed output, or with statements inside: it needs all its
// inputs.
func (x *marker) instance(i int) {
	if x.insts[i] {
		return
	}
	x.insts[i] = true
	for p, port := range x.m.Insts[i].Mod.Ports {
		if port.Dir == ir.In {
			x.push(x.m.Insts[i].Conns[p])
		}
	}
}

// memory marks a memory with a needed read: it needs all its writes.
func (x *marker) memory(i int) {
	if x.mems[i] {
		return
	}
	x.mems[i] = true
	for j := range x.m.Mems[i].Writes {
		if w := x.write(x.k, i, j); w != nil {
			x.push(w.Clk, w.Addr, w.Data, w.En, w.Mask)
		}
	}
}
