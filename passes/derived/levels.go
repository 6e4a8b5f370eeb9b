package derived

import (
	"etch/ir"
	"etch/ir/bits"
)

// edge is the clock node for a plain clock. Falling edges of an input share one node; a
// constant clock is a wire of 0.
func (r *resolver) edge(k source) ir.ID {
	clock := r.m.AddType(ir.Type{Kind: ir.Clock})
	switch {
	case k.root == ir.None:
		zero := r.m.Const(bits.Zero(1), 0)
		return r.m.Add(ir.Node{Op: ir.Wire, Width: 1, Type: clock}, zero)
	case !k.inverted:
		return k.root
	}
	id, ok := r.inverse[k.root]
	if !ok {
		id = r.m.Add(ir.Node{Op: ir.Not, Width: 1, Type: clock, Pos: r.m.Node(k.root).Pos}, k.root)
		r.inverse[k.root] = id
	}
	return id
}

// useLevels replaces a clock by its level wherever it is an operand.
func (r *resolver) useLevels() {
	m := r.m

	// The clock nodes of edges stay: they are clocks.
	edges := map[ir.ID]bool{}
	for _, id := range r.inverse {
		edges[id] = true
	}

	level := func(id *ir.ID) {
		if *id != ir.None && m.Op(*id) == ir.Input && isClock(m, *id) {
			*id = r.level(*id)
		}
	}

	// Nodes first, then the tables, except for their clocks.
	end := m.Len() // levels are made on the way
	for id := ir.ID(1); int(id) < end; id++ {
		if edges[id] {
			continue
		}
		args := m.Args(id)
		for i := range args {
			level(&m.Args(id)[i])
		}
	}

	for i := range m.Regs[:len(m.Regs)] {
		next, rst := m.Regs[i].Next, m.Regs[i].Rst
		level(&next)
		level(&rst)
		m.Regs[i].Next, m.Regs[i].Rst = next, rst
	}

	for i := range m.Mems {
		memOperands(&m.Mems[i], level)
	}

	for i := range m.Stmts {
		s := &m.Stmts[i]
		level(&s.En)
		level(&s.Cond)
		for j := range s.Args {
			level(&s.Args[j])
		}
	}

	for i := range m.Ports {
		if p := &m.Ports[i]; p.Dir == ir.Out {
			level(&p.Node)
		}
	}

	for i := range m.Insts {
		instOperands(&m.Insts[i], level)
	}
}

// memOperands calls f with the operands of a memory's ports, without their clocks.
func memOperands(mem *ir.Memory, f func(*ir.ID)) {
	for j := range mem.Reads {
		p := &mem.Reads[j]
		f(&p.Addr)
		f(&p.En)
	}
	for j := range mem.Writes {
		p := &mem.Writes[j]
		f(&p.Addr)
		f(&p.En)
		f(&p.Data)
		f(&p.Mask)
	}
}

// instOperands calls f with the inputs of an instance, without clocks.
func instOperands(in *ir.Instance, f func(*ir.ID)) {
	for j := range in.Mod.Ports {
		if p := &in.Mod.Ports[j]; p.Dir == ir.In && in.Mod.TypeOf(p.Type).Kind != ir.Clock {
			f(&in.Conns[j])
		}
	}
}

// level is the level of an input clock, made of two registers: one is inverted when the
// clock rises, the other follows it when it falls. While the clock is high they differ.
func (r *resolver) level(root ir.ID) ir.ID {
	if id, ok := r.levels[root]; ok {
		return id
	}
	m := r.m
	name, pos := m.NameOf(root), m.Node(root).Pos
	rose := m.AddReg(name+"_rose", 1, 0, r.edge(source{root: root}), pos)
	fell := m.AddReg(name+"_fell", 1, 0, r.edge(source{root: root, inverted: true}), pos)

	// Both start at 0, when the clock is low.
	zero := m.Const(bits.Zero(1), pos)
	up, down := &m.Regs[m.Node(rose).Aux], &m.Regs[m.Node(fell).Aux]
	up.Init, down.Init = zero, zero
	up.Next, down.Next = m.Add(ir.Node{Op: ir.Not, Width: 1, Pos: pos}, fell), rose
	id := m.Add(ir.Node{Op: ir.Xor, Width: 1, Pos: pos}, rose, fell)
	r.levels[root] = id
	return id
}
