package hw

import (
	"errors"
	"strings"

	"etch/ir"
)

// finish gives every target its driver and checks the module.
func (b *body) finish() {
	b.flush()
	before := len(b.d.diags)
	b.modelOf()
	to := make([]ir.ID, b.m.Len()) // wires that only stand for a port → what drives it
	for i := range b.targets {
		b.settle(&b.targets[i], to)
	}
	for _, mem := range b.mems {
		mem.finish()
	}
	if len(b.d.diags) == before {
		b.bypass(to)
	}
	b.implicitFirst()
	for _, id := range b.alias {
		name := b.m.NameOf(id)
		if p := b.m.Ports[b.m.PortIndex(name)]; p.Node != id && len(b.d.diags) == before {
			note := Note{b.d.src.At(p.Pos), "the output"}
			b.d.report(Diag{Code: "name", Msg: "Named: " + name + " has the name of an output that it does not drive", Pos: b.at(id), Notes: []Note{note}})
		}
	}
	b.done = true
	if len(b.d.diags) > before || b.m.Extern != nil && !b.m.Extern.Model {
		return
	}
	order, err := b.m.Order(b.d.paths)
	var loop *ir.LoopError
	if errors.As(err, &loop) {
		b.reportLoop(loop.Nodes)
		return
	}
	b.inferClocks(order)
}

// modelOf decides whether the body of a black box is a model: it is when it sets
// an output.
func (b *body) modelOf() {
	if b.m.Extern == nil {
		return
	}
	for i := range b.targets {
		if t := &b.targets[i]; t.kind == outTarget && t.cur.id != ir.None {
			b.m.Extern.Model = true
		}
	}
}

// settle gives one target its driver, or says that it has none.
func (b *body) settle(t *target, to []ir.ID) {
	driver := t.cur.id
	switch {
	case t.kind == portTarget:
		if driver != ir.None {
			to[t.id] = driver
		}
		b.m.Args(t.id)[0] = driver
		return
	case t.kind == outTarget && b.m.Extern != nil && !b.m.Extern.Model:
		b.m.Args(t.id)[0] = b.low() // nothing reads it
		b.m.Node(t.id).Width = 1
		b.m.SetName(t.id, "")
		b.m.Ports[t.port].Node = ir.None
		return
	case driver == ir.None || t.kind == regTarget && t.setIn == 0 && driver == t.id:
		b.undriven(t)
		return
	case t.cur.hole != nil:
		b.d.report(Diag{Code: "latch", Msg: b.targetName(t) + " is not set when " + t.cur.hole.text(), Pos: b.at(t.id),
			Notes: []Note{{Msg: "set it before the When, or in an Else"}}})
		return
	}
	switch t.kind {
	case regTarget:
		b.m.Regs[b.m.Node(t.id).Aux].Next = driver
	case wireTarget:
		b.m.Args(t.id)[0] = driver
	case outTarget:
		b.m.Ports[t.port].Node = driver
		b.m.Args(t.id)[0] = driver
		to[t.id] = driver
	case instTarget:
		b.m.Insts[t.inst].Conns[t.port] = driver
		b.m.Args(t.id)[0] = driver
		to[t.id] = driver
	}
}

func (h *hole) text() string {
	var parts []string
	for ; h != nil; h = h.next {
		parts = append(parts, h.cond)
	}
	return strings.Join(parts, " and ")
}

// targetName says what a target is, for messages.
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

func (b *body) undriven(t *target) {
	x := Diag{Code: "undriven", Msg: b.targetName(t) + " is never set", Pos: b.at(t.id)}
	if t.kind == instTarget {
		inst := &b.m.Insts[t.inst]
		x.Notes = []Note{{b.d.src.At(inst.Mod.Ports[t.port].Pos), "the input of " + inst.Mod.Name}}
	}
	b.d.report(x)
}

// bypass replaces the wires that only stand for outputs, instance inputs and
// memory ports by what drives them, everywhere.
func (b *body) bypass(to []ir.ID) {
	m := b.m
	final := func(id ir.ID) ir.ID {
		for steps := 0; id != ir.None && int(id) < len(to) && to[id] != ir.None; steps++ {
			if id = to[id]; steps > len(b.targets) {
				b.reportLoop([]ir.ID{id})
				return b.low()
			}
		}
		return id
	}
	for id := ir.ID(1); int(id) < m.Len(); id++ {
		args := m.Args(id)
		for i := range args {
			args[i] = final(args[i])
		}
	}
	ir.EachRef(m, func(ref *ir.ID) { *ref = final(*ref) })
	b.refs = map[ir.ID]ir.ID{}
	for i := range b.targets {
		t := &b.targets[i]
		if t.kind == outTarget || t.kind == instTarget {
			if t.kind == outTarget {
				m.SetName(t.id, "")
			}
			b.refs[t.id] = final(t.id)
		}
		if t.kind == portTarget && m.Args(t.id)[0] == ir.None {
			m.Args(t.id)[0] = b.filler(sig{b: b, id: t.id})
		}
	}
}

// implicitFirst moves the implicit clock and reset to the front of the ports.
func (b *body) implicitFirst() {
	var front, rest []ir.Port
	old := b.m.Ports
	at := make(map[ir.ID]int, len(old))
	for _, want := range []sig{b.clk, b.rst} {
		for _, p := range old {
			if want.b != nil && p.Dir == ir.In && p.Node == want.id {
				front = append(front, p)
			}
		}
	}
	if len(front) == 0 {
		return
	}
	moved := make([]int32, len(old))
	for i, p := range old {
		if p.Dir == ir.In && (p.Node == b.clk.id && b.clk.b != nil || p.Node == b.rst.id && b.rst.b != nil) {
			continue
		}
		moved[i] = int32(len(front) + len(rest))
		rest = append(rest, p)
	}
	b.m.Ports = append(front, rest...)
	for i, p := range b.m.Ports {
		if p.Dir == ir.In {
			b.m.Node(p.Node).Aux = int32(i)
			at[p.Node] = i
		}
	}
	for i := range b.targets {
		if t := &b.targets[i]; t.kind == outTarget {
			t.port = moved[t.port]
		}
	}
}

// reportLoop reports a combinational loop with every named value on it.
func (b *body) reportLoop(nodes []ir.ID) {
	var names []string
	var notes []Note
	for _, id := range nodes {
		if b.m.NameOf(id) == "" && b.m.Op(id) != ir.InstOut && len(nodes) > 1 {
			continue
		}
		names = append(names, b.describe(id, 1))
		notes = append(notes, Note{b.at(id), b.describe(id, 1) + " is on the loop"})
	}
	pos := b.at(nodes[0])
	if len(names) > 0 {
		pos = notes[0].Pos
		names = append(names, names[0])
	}
	b.d.report(Diag{Code: "loop", Msg: "combinational loop: " + strings.Join(names, " <- "), Pos: pos, Notes: notes})
}
