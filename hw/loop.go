package hw

import (
	"errors"
	"strings"

	"etch/ir"
	"etch/ir/bits"
)

// maxLoops bounds the combinational loops that are looked for in one module.
const maxLoops = 100

// order is all nodes in topological order, arguments first. Each combinational loop is
// reported and then cut, so that the search can find the next one. to holds the wires that
// stand for ports. ok is false if loops remain after maxLoops.
func (b *body) order(to []ir.ID) (order []ir.ID, ok bool) {
	for range maxLoops {
		order, err := b.m.Order(b.d.paths)
		loop := (*ir.LoopError)(nil)
		if !errors.As(err, &loop) {
			return order, true
		}
		b.reportLoop(loop.Nodes)
		b.cut(loop.Nodes, to)
	}
	return nil, false
}

// cut removes a loop: a wire on it becomes a constant. If it has no wire, a net loses its
// drivers; if no net either, an instance loses the connections of its inputs.
func (b *body) cut(loop, to []ir.ID) {
	// A wire is the cheapest place: nothing but its value is lost.
	for _, id := range loop {
		if b.m.Op(id) == ir.Wire {
			b.m.Args(id)[0] = b.filler(sig{b: b, id: id})
			to[id] = ir.None
			return
		}
	}

	// A loop through a net has the net's drivers on it,
	for _, id := range loop {
		if n := b.m.Node(id); n.Op == ir.NetOut && len(b.m.Nets[n.Aux].Drivers) > 0 {
			b.m.Nets[n.Aux].Drivers = nil
			return
		}
	}

	// and any other loop without a wire goes through an instance.
	for _, id := range loop {
		if n := b.m.Node(id); n.Op == ir.InstOut {
			inst := &b.m.Insts[n.Aux]
			for i, p := range inst.Mod.Ports {
				if p.Dir == ir.In {
					inst.Conns[i] = b.constant(bits.Zero(p.Width), 0)
				}
			}
			return
		}
	}
}

// reportLoop reports a combinational loop with every named value on it.
func (b *body) reportLoop(nodes []ir.ID) {
	var names []string
	var notes []Note

	add := func(id ir.ID) {
		name := b.describe(id, 1)
		names, notes = append(names, name), append(notes, Note{b.at(id), name + " is on the loop"})
	}

	// Only names help the reader; a loop without any is shown by one of its operations.
	for _, id := range nodes {
		if b.nameOf(id) != "" {
			add(id)
		}
	}
	if len(names) == 0 {
		add(nodes[0])
	}

	if len(notes) > 16 {
		notes = append(notes[:16], Note{Msg: "and " + itoa(len(notes)-16) + " more"})
	}

	// The first name is repeated at the end to close the circle.
	msg := "combinational loop: " + strings.Join(append(names, names[0]), " <- ")
	b.d.report(Diag{Code: "loop", Msg: msg, Pos: notes[0].Pos, Notes: notes})
}
