package passes

import (
	"fmt"

	"etch/ir"
)

// MaxFlat is the largest number of nodes that [Flatten] makes.
const MaxFlat = 1 << 25

// Flatten makes a design one module: every instance is replaced by a copy of its module's
// contents, a shared module once per instance. Names below the top are joined by dots:
// lane0.count is count in instance lane0. The ports of a dissolved module stay as wires of
// that name. Black boxes, with or without a model, stay as instances, and their modules in
// the design. Attributes of ports move to those wires; attributes of dissolved modules and
// instances are lost.
//
// It needs a verified design and changes d in place. The modules themselves are not
// changed; the new top is a new one. If the result would have more than [MaxFlat] nodes, it
// returns an error and leaves d unchanged.
func Flatten(d *ir.Design) (Count, error) {
	var c Count
	nodes := 0
	// The size is known before anything is copied.
	if !flatSize(d.Top, map[*ir.Module]int{}, &nodes) {
		return c, fmt.Errorf("passes: flattening %s gives more than %d nodes", d.Top.Name, MaxFlat)
	}
	if d.Top.Extern != nil || !hasModules(d.Top) {
		return c, nil
	}
	f := &flattener{out: emptyLike(d.Top)}
	f.module(d.Top, "", nil, nil)
	d.Top = f.out
	d.Modules = append(used(d.Modules, f.out), f.out)
	c[Flattened] = f.count
	return c, nil
}

// flatSize adds up the nodes of a module and everything below it; false if they are too
// many.
func flatSize(m *ir.Module, known map[*ir.Module]int, sum *int) bool {
	n, ok := known[m]
	if !ok {
		// Sizes of shared modules are computed once, so the time is linear although the
		// result may not be.
		n = m.Len()
		for i := range m.Insts {
			if m.Insts[i].Mod.Extern == nil && !flatSize(m.Insts[i].Mod, known, &n) {
				return false
			}
		}
		known[m] = n
	}
	*sum += n
	return *sum <= MaxFlat
}

// hasModules reports whether a module has instances that are no black boxes.
func hasModules(m *ir.Module) bool {
	for i := range m.Insts {
		if m.Insts[i].Mod.Extern == nil {
			return true
		}
	}
	return false
}

// used returns the modules below top, in their order.
func used(modules []*ir.Module, top *ir.Module) []*ir.Module {
	seen := map[*ir.Module]bool{}
	var visit func(m *ir.Module)
	visit = func(m *ir.Module) {
		for i := range m.Insts {
			if child := m.Insts[i].Mod; !seen[child] {
				seen[child] = true
				visit(child)
			}
		}
	}
	visit(top)
	var list []*ir.Module
	for _, m := range modules {
		if seen[m] {
			list = append(list, m)
		}
	}
	return list
}

// flattener appends the contents of modules to out.
type flattener struct {
	out   *ir.Module
	count int
}

// copying is the copy of one module into the flat one.
type copying struct {
	m       *ir.Module
	prefix  string
	to      []ir.ID     // by node of m
	types   []ir.TypeID // by type of m
	regs    int32       // index of the first register
	mems    int32
	insts   []int32      // by instance of m: its index if it stays
	drivers []ir.ID      // by port: its driver in the parent; nil for the top
	at      *ir.Instance // the instance in the parent; nil for the top
}

// module copies m and everything below it, and returns the drivers of its output ports.
func (f *flattener) module(m *ir.Module, prefix string, drivers []ir.ID, at *ir.Instance) []ir.ID {
	c := &copying{
		m: m, prefix: prefix, to: make([]ir.ID, m.Len()), drivers: drivers, at: at,
		regs: int32(len(f.out.Regs)), mems: int32(len(f.out.Mems)), insts: make([]int32, len(m.Insts)),
	}
	// Types are numbered per module.
	for _, t := range m.Types() {
		c.types = append(c.types, f.out.AddType(t))
	}

	// This module first, so that indices into the tables are contiguous; then its
	// instances.
	f.places(c)
	f.nodes(c)
	f.nets(c)
	f.tables(c)
	for _, inst := range m.Insts {
		if inst.Mod.Extern == nil {
			f.instance(c, inst)
		}
	}

	outs := make([]ir.ID, len(m.Ports))
	for i, p := range m.Ports {
		outs[i] = c.to[p.Node]
	}
	return outs
}

// places assigns indices to the instances that stay.
func (f *flattener) places(c *copying) {
	next := int32(len(f.out.Insts))
	for i, inst := range c.m.Insts {
		if inst.Mod.Extern != nil {
			c.insts[i] = next
			next++
		}
	}
}

// nodes copies the nodes of a module. Ports become wires: those of m, whose drivers are
// known, and those of its instances, whose drivers come later. A Wire may refer forward, so
// the new IDs are assigned before anything is copied.
func (f *flattener) nodes(c *copying) {
	m := c.m
	base := ir.ID(f.out.Len())

	// New IDs follow each other in the order of the old ones.
	for id := range c.to[1:] {
		c.to[id+1] = base + ir.ID(id)
	}

	var args []ir.ID
	for id := ir.ID(1); int(id) < m.Len(); id++ {
		args = args[:0]
		for _, a := range m.Args(id) {
			args = append(args, c.to[a])
		}

		v := copyNode(f.out, m, id, args)
		n := f.out.Node(v)
		n.Type = c.types[n.Type]
		// Names get the path of the instance.
		if name := m.NameOf(id); name != "" && c.prefix != "" {
			f.out.SetName(v, c.prefix+name)
			if path := m.PathOf(id); path != "" {
				f.out.SetPath(v, c.prefix+path)
			}
		}

		// Indices into tables move by the entries that were there before.
		switch n.Op {
		case ir.Reg:
			n.Aux += c.regs
		case ir.MemRead, ir.MemOut:
			n.Aux += c.mems
		case ir.InstOut:
			f.instOut(c, v, m.Node(id))
		case ir.Input:
			if c.drivers != nil {
				port := n.Aux
				f.toWire(v, c.drivers[port])
				f.out.SetArmPos(v, c.at.GivenAt(int(port)))
				f.out.SetAttrs(v, m.Ports[port].Attrs)
			}
		}
	}
}

// instOut makes an output of a dissolved instance a Wire, to be driven later. Until then it
// drives itself.
func (f *flattener) instOut(c *copying, v ir.ID, old *ir.Node) {
	if c.m.Insts[old.Aux].Mod.Extern != nil {
		f.out.Node(v).Aux = c.insts[old.Aux]
		return
	}
	f.toWire(v, v)
}

// toWire makes node v a Wire of x.
func (f *flattener) toWire(v, x ir.ID) {
	f.out.SetArgs(v, ir.Wire, x)
	n := f.out.Node(v)
	n.Aux, n.Aux2 = 0, 0
}

// tables copies registers, memories, black boxes and statements; ports only for the top.
func (f *flattener) tables(c *copying) {
	at := func(id ir.ID) ir.ID { return c.to[id] }
	refs := refMap{value: at, typed: at}
	m, out := c.m, f.out

	// Only the top keeps its ports.
	if c.drivers == nil {
		for _, p := range m.Ports {
			out.Ports = append(out.Ports, refs.port(p))
		}
	}

	for _, r := range m.Regs {
		out.Regs = append(out.Regs, refs.register(r))
	}

	for i := range m.Mems {
		mem := refs.memory(&m.Mems[i])
		mem.Name, mem.Type = c.prefix+mem.Name, c.types[mem.Type]
		out.Mems = append(out.Mems, mem)
	}

	for _, inst := range m.Insts {
		if inst.Mod.Extern != nil {
			inst = refs.instance(inst)

			// A pad must be connected to the net itself, not to a wire that stands for it.
			for j, p := range inst.Mod.Ports {
				if p.Dir == ir.InOut {
					inst.Conns[j] = out.Unwired(inst.Conns[j])
				}
			}
			inst.Name = c.prefix + inst.Name
			out.Insts = append(out.Insts, inst)
		}
	}

	for _, id := range m.Unused {
		out.Unused = append(out.Unused, at(id))
	}

	for _, s := range m.Stmts {
		s = refs.stmt(s)
		s.Name = c.prefix + s.Name
		out.Stmts = append(out.Stmts, s)
	}
}

// nets copies the nets of a module. A net that a pad leads out is the same as the net of
// the parent: its drivers go there, and its node becomes a wire.
func (f *flattener) nets(c *copying) {
	at := func(id ir.ID) ir.ID { return c.to[id] }
	refs := refMap{value: at, typed: at}
	// outer maps such a net to the parent's.
	outer := map[ir.ID]ir.ID{}
	for i, p := range c.m.Ports {
		if p.Dir == ir.InOut && c.drivers != nil {
			outer[p.Node] = f.out.Unwired(c.drivers[i])
		}
	}

	for _, n := range c.m.Nets {
		to, old := outer[n.Node], n.Node
		n = refs.net(n)
		// A net of its own.
		if to == ir.None {
			f.out.Node(n.Node).Aux = int32(len(f.out.Nets))
			f.out.Nets = append(f.out.Nets, n)
			continue
		}

		// The parent's net takes the drivers and the pull.
		f.toWire(c.to[old], to)
		net := &f.out.Nets[f.out.Node(to).Aux]
		net.Drivers = append(net.Drivers, n.Drivers...)
		net.Pull = max(net.Pull, n.Pull)
	}
}

// instance copies the module of an instance and drives the wires for its outputs. Such a
// wire gets the name of the port, unless it has a name or its driver already has that name.
func (f *flattener) instance(c *copying, inst ir.Instance) {
	f.count++
	drivers := make([]ir.ID, len(inst.Conns))
	for j, id := range inst.Conns {
		drivers[j] = c.to[id]
	}

	prefix := c.prefix + inst.Name + "."
	outs := f.module(inst.Mod, prefix, drivers, &inst)
	for j, p := range inst.Mod.Ports {
		if p.Dir != ir.Out {
			continue
		}
		wire := drivers[j]
		f.out.Args(wire)[0] = outs[j]
		f.out.SetArmPos(wire, p.SetAt)

		// The node with the port's name gets the port's attributes.
		named := outs[j] // the node that has the port's name, and so its attributes
		if f.out.NameOf(outs[j]) != prefix+p.Name {
			named = wire
			if f.out.NameOf(wire) == "" {
				f.out.SetName(wire, prefix+p.Name)
			}
		}
		for _, a := range p.Attrs {
			f.out.SetAttrs(named, ir.SetAttr(f.out.AttrsOf(named), a))
		}
	}
}
