package hw

import (
	"strings"

	"etch/ir"
)

// finish gives every target its driver, removes the wires that only stood for ports, and
// checks the module: loops, names, readers of the past, clocks. The order matters: loops
// are cut before bypass, which would not end on one, and clocks need the topological order.
func (b *body) finish() {
	// The last chain of the body is still pending.
	b.flush()
	b.modelOf()

	to := make([]ir.ID, b.m.Len()) // wires that only stand for a port → the driver
	for i := range b.targets.n {
		b.settle(i, to)
	}

	b.forward()
	for _, mem := range b.mems {
		mem.finish()
	}

	b.implicitFirst()
	if b.m.Extern != nil && !b.m.Extern.Model {
		b.bypass(to)
		return // it has no paths and no clocks that we know of
	}

	order, ok := b.order(to)
	if !ok {
		return
	}

	b.bypass(to)
	b.aliases()
	b.rename()
	b.suggest()
	b.checkPast()
	if !b.unsure {
		b.inferClocks(order)
	}
}

// release drops the tables that only a module under construction needs: handles keep
// the rest alive.
func (b *body) release() {
	b.targets, b.names = targetList{}, claimTable{}
	b.parts = parts{}
	b.consts, b.mems, b.excused, b.sync, b.insts, b.alias, b.yields, b.history = nil, nil, nil, nil, nil, nil, nil, nil
}

// modelOf decides whether the body of a black box is a model: it is when it sets
// an output.
func (b *body) modelOf() {
	if b.m.Extern == nil {
		return
	}
	for i := range b.targets.n {
		if t := b.targets.at(i); t.kind == outTarget && (t.cur.id != ir.None || t.pieces != nil) {
			b.m.Extern.Model = true
		}
	}
	for i := range b.m.Nets {
		b.m.Extern.Model = b.m.Extern.Model || len(b.m.Nets[i].Drivers) > 0
	}
}

// settle gives target at its driver, or reports that it has none. It enters the driver of a
// wire that only stands for a port in to.
func (b *body) settle(at int32, to []ir.ID) {
	t := b.targets.at(at)

	// A target that was set bit by bit is put together first.
	if t.pieces != nil {
		b.join(at, t)
	}
	driver := t.cur.id

	// A register always has a value, its own: only a Set shows that it is used.
	unset := driver == ir.None || t.kind == regTarget && t.setIn == 0

	// A target without value gets a filler, so that later checks see a complete netlist.
	switch {
	case t.kind == portTarget:
		if unset {
			driver = b.filler(sig{b: b, id: t.id}) // the port is not used, or reported
		}
	case t.kind == outTarget && b.m.Extern != nil && !b.m.Extern.Model:
		b.m.Args(t.id)[0] = b.filler(sig{b: b, id: t.id}) // nothing reads it
		b.m.SetName(t.id, "")
		b.m.Ports[t.port].Node = ir.None
		return
	case unset || t.cur.hole != nil:
		if !b.mayBeSet(at) {
			b.missing(t, unset)
		}
		if driver == ir.None {
			driver = b.filler(sig{b: b, id: t.id})
		}
	}

	b.drives(t, driver)

	// Wires and registers of the design stay; outputs, inputs of instances and memory fields give
	// way to their drivers in bypass.
	if t.kind != wireTarget && t.kind != regTarget {
		to[t.id] = driver
	}
}

// drives enters the driver of a target in the netlist, with the line that gave it.
func (b *body) drives(t *target, driver ir.ID) {
	// A register under a clock enable gets a multiplexer: the position of the Set moves from the
	// register to that arm.
	switch t.kind {
	case regTarget:
		r := &b.m.Regs[b.m.Node(t.id).Aux]
		r.SetAt = t.cur.pos
		if r.Next = b.gated(t.id, driver, t.gate); r.Next != driver {
			b.m.SetArmPos(r.Next, r.SetAt, 0)
			r.SetAt = 0
		}
		return
	case outTarget:
		p := &b.m.Ports[t.port]
		p.Node, p.SetAt = driver, t.cur.pos
	case instTarget:
		inst := &b.m.Insts[t.inst]
		inst.Conns[t.port] = driver
		inst.GiveAt(int(t.port), t.cur.pos)
	}
	b.m.Args(t.id)[0] = driver
	if t.kind == wireTarget {
		b.m.SetArmPos(t.id, t.cur.pos)
	}
}

// missing reports a target that is not set, or not on every path.
func (b *body) missing(t *target, never bool) {
	b.lacking(t, t.cur.hole, never, b.targetName(t)+" is", t.setAt)
}

// lacking is missing for a hole in a target or some bits of it; which begins the
// message: wire w is, bits 3..0 of wire w are.
func (b *body) lacking(t *target, h *hole, never bool, which string, setAt ir.Pos) {
	x := Diag{Pos: b.at(t.id)}
	if never {
		x.Code, x.Msg = "undriven", which+" never set"
	} else {
		x.Code, x.Msg = "latch", which+" not set when "+b.textOf(h)
	}

	if t.kind == instTarget {
		inst := &b.m.Insts[t.inst]
		x.Notes = append(x.Notes, Note{b.d.src.At(inst.Mod.Ports[t.port].Pos), "the input of " + inst.Mod.Name})
	}

	if !never {
		x.Notes = append(x.Notes, Note{b.d.src.At(setAt), "it is set under a condition here"}, Note{Msg: "set it before the When, or in an Else"})
	}
	b.d.report(x)
}

func (b *body) textOf(h *hole) string {
	var parts []string
	for ; h != nil; h = h.next {
		// Eight conditions show the path; more would hide it.
		if len(parts) == 8 {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, b.describe(h.cond, 2)+" is "+h.is)
	}
	return strings.Join(parts, " and ")
}

// targetName names a target with its kind, for messages.
func (b *body) targetName(t *target) string {
	switch t.kind {
	case regTarget:
		return "register " + b.m.NameOf(t.id)
	case outTarget:
		return "output " + b.m.Ports[t.port].Name
	case instTarget:
		inst := &b.m.Insts[t.inst]
		return "input " + inst.Mod.Ports[t.port].Name + " of " + inst.Name
	}
	return "wire " + b.m.NameOf(t.id)
}

// bypass replaces the wires that only stand for outputs, instance inputs and memory ports
// by their drivers, in arguments and in every reference outside of them. Chains of such
// wires are followed to the end.
func (b *body) bypass(to []ir.ID) {
	m := b.m

	final := func(id ir.ID) ir.ID {
		for id != ir.None && int(id) < len(to) && to[id] != ir.None {
			id = to[id]
		}
		return id
	}

	// Arguments first, then the references outside of nodes. The list of unused values is a mark
	// and no reference, so EachRef leaves it out.
	for id := ir.ID(1); int(id) < m.Len(); id++ {
		args := m.Args(id)
		for i := range args {
			args[i] = final(args[i])
		}
	}

	ir.EachRef(m, func(ref *ir.ID) { *ref = final(*ref) })
	for i, id := range m.Unused {
		m.Unused[i] = final(id)
	}

	for i := range b.targets.n {
		t := b.targets.at(i)
		if t.kind == outTarget {
			m.SetName(t.id, "") // the output's driver may have the name
			b.outs[t.id] = t.port
		}
	}
}

// aliases checks that a thing with the name of an output drives it. A register that
// does not is private and gives way.
func (b *body) aliases() {
	// claim let the alias share the name; only now is the driver of the output known.
	for _, id := range b.alias {
		name := b.m.NameOf(id)
		at := b.m.PortIndex(name)
		p := b.m.Ports[at]
		switch {
		case p.Node == id || b.blind:
		case b.m.Op(id) == ir.Reg:
			b.yields = append(b.yields, yielded{name, register, id, b.m.Node(id).Pos, p.Pos})
		default:
			notes := []Note{
				{b.d.src.At(p.Pos), "the output"},
				{b.setOutput(at), "it is set to " + b.describe(p.Node, 2) + " here"},
				{Msg: "give it another name, or Set the output to it, once and under no condition"},
			}
			b.d.report(Diag{Code: "name", Msg: "Named: " + name + " has the name of an output that it does not drive", Pos: b.at(id), Notes: notes})
		}
	}
}

// setOutput is where output port at is Set last.
func (b *body) setOutput(at int) ir.Location {
	for i := range b.targets.n {
		if t := b.targets.at(i); t.kind == outTarget && int(t.port) == at {
			return b.d.src.At(t.setAt)
		}
	}
	return ir.Location{}
}

// implicitFirst moves the implicit clock and reset to the front of the ports.
func (b *body) implicitFirst() {
	var front, rest []ir.Port
	for _, want := range []sig{b.clk, b.rst} {
		if want.b != nil {
			front = append(front, b.m.Ports[b.m.Node(want.id).Aux])
		}
	}

	if len(front) == 0 {
		return
	}

	// moved maps old port indexes to new ones, for output targets; input nodes hold theirs.
	moved := make([]int32, len(b.m.Ports))
	for i, p := range b.m.Ports {
		if p.Dir == ir.In && (b.clk.b != nil && p.Node == b.clk.id || b.rst.b != nil && p.Node == b.rst.id) {
			continue
		}
		moved[i] = int32(len(front) + len(rest))
		rest = append(rest, p)
	}

	b.m.Ports = append(front, rest...)

	// An input node holds the number of its port.
	for i, p := range b.m.Ports {
		if p.Dir == ir.In {
			b.m.Node(p.Node).Aux = int32(i)
		}
	}

	for i := range b.targets.n {
		if t := b.targets.at(i); t.kind == outTarget {
			t.port = moved[t.port]
		}
	}
}
