package sim

import (
	"fmt"
	"strings"

	"etch/ir"
)

// openSlot marks a node whose operands are being placed.
const openSlot = ^uint32(0)

// placed reports whether a slot belongs to a placed node.
func placed(slot uint32) bool { return slot != noSlot && slot != openSlot }

// visit is a node on the depth-first path, with the number of operands visited.
type visit struct {
	ref
	next int
}

// schedule places every node behind its operands of the same cycle, across instances, and lowers
// it there. Wires and ports share the slot of their driver.
func (c *compiler) schedule() error {
	for i := range c.p.insts {
		in := &c.p.insts[i]
		if in.box >= 0 {
			continue
		}
		c.connect(in, ir.Out)
		if err := c.placeAll(int32(i)); err != nil {
			return err
		}
		c.connect(in, ir.In)
	}
	return nil
}

// connect lets ports of one direction of the instances in another share the slots of their
// drivers, if these are placed. That leaves few ports for the walk.
func (c *compiler) connect(in *instance, dir ir.Dir) {
	outer := c.p.slots[in.base:]
	for at := range in.mod.Insts {
		kid, conns := &c.p.insts[in.kids+int32(at)], in.mod.Insts[at].Conns
		if kid.box >= 0 {
			continue
		}
		inner := c.p.slots[kid.base:]
		for k := range kid.mod.Ports {
			switch port := &kid.mod.Ports[k]; {
			case port.Dir != dir:
			case dir == ir.In:
				inner[port.Node] = outer[conns[k]]
			default:
				if slot := c.p.through(kid, port.Node); placed(slot) {
					outer[conns[k]] = slot
				}
			}
		}
	}
}

// through is the slot of a node, or of the driver of a wire without slot.
func (p *program) through(in *instance, id ir.ID) uint32 {
	slots := p.slots[in.base:]
	if slots[id] != noSlot || in.mod.Op(id) != ir.Wire {
		return slots[id]
	}
	return slots[in.mod.Args(id)[0]]
}

// placeAll places the remaining nodes of an instance.
func (c *compiler) placeAll(inst int32) error {
	in := &c.p.insts[inst]
	slots := c.p.slots[in.base:][:in.mod.Len()]
	for id := range slots {
		if id == 0 || slots[id] != noSlot {
			continue
		}
		if slot := c.p.through(in, ir.ID(id)); placed(slot) {
			slots[id] = slot
			continue
		}
		if err := c.descend(ref{inst, ir.ID(id)}); err != nil {
			return err
		}
	}
	return nil
}

// descend places a node and everything it needs: a depth-first search with an explicit stack.
// A node on the path has openSlot; meeting it again is a combinational loop.
func (c *compiler) descend(root ref) error {
	at, above := visit{ref: root}, c.stack[:0]
	c.setSlot(root, openSlot)
	for {
		to, ok := c.unplaced(&at)
		switch {
		case ok && c.p.slotOf(to) == openSlot:
			return c.loop(append(above, at), to)
		case ok:
			c.setSlot(to, openSlot)
			above = append(above, at)
			at = visit{ref: to}
			continue
		}

		// All operands are placed.
		if err := c.place(at.ref); err != nil {
			return err
		}
		if len(above) == 0 {
			c.stack = above
			return nil
		}
		at, above = above[len(above)-1], above[:len(above)-1]
	}
}

// unplaced returns the next operand of v that is not placed; false if there are no more.
func (c *compiler) unplaced(v *visit) (ref, bool) {
	in := &c.p.insts[v.inst]
	// Ports lead to another instance; all other nodes have their operands in the module.
	if op := in.mod.Op(v.id); op == ir.Input || op == ir.InstOut {
		for {
			to, ok := c.needs(v.ref, v.next)
			v.next++
			if !ok || !placed(c.p.slotOf(to)) {
				return to, ok
			}
		}
	}

	args, slots := in.mod.Args(v.id), c.p.slots[in.base:]
	for v.next < len(args) {
		a := args[v.next]
		v.next++
		if !placed(slots[a]) {
			return ref{v.inst, a}, true
		}
	}
	return ref{}, false
}

// needs returns the k-th node whose value node r needs within the cycle; false if there are no
// more.
func (c *compiler) needs(r ref, k int) (ref, bool) {
	in := &c.p.insts[r.inst]
	m := in.mod
	n := m.Node(r.id)

	// An input needs its connection; an output of an instance needs the port inside, or the
	// inputs that its box group depends on.
	switch n.Op {
	case ir.Input:
		up := &c.p.mod(in.parent).Insts[in.at]
		return ref{in.parent, up.Conns[n.Aux]}, k == 0
	case ir.InstOut:
		kid := in.kids + n.Aux
		b := c.p.insts[kid].box
		if b < 0 {
			return ref{kid, c.p.mod(kid).Ports[n.Aux2].Node}, k == 0
		}

		g := c.group(kid, n.Aux2)
		if k >= len(g.deps) {
			return ref{}, false
		}
		port := c.p.boxes[b].ins[g.deps[k]].port
		return ref{r.inst, m.Insts[n.Aux].Conns[port]}, true
	}

	args := m.Args(r.id)
	if k >= len(args) {
		return ref{}, false
	}
	return ref{r.inst, args[k]}, true
}

// group returns the group of an output port of black box instance kid.
func (c *compiler) group(kid, port int32) *boxGroup {
	b := c.p.insts[kid].box
	return &c.p.groups[c.groupOf[b][c.p.boxes[b].in[port]]]
}

// place allocates the slot of node r and emits its code. The operands of r are placed.
func (c *compiler) place(r ref) error {
	in := &c.p.insts[r.inst]
	n := in.mod.Node(r.id)

	if c.passes(r) {
		driver, _ := c.needs(r, 0)
		c.setSlot(r, c.p.slotOf(driver))
		return nil
	}
	if n.Op == ir.InstOut {
		return c.placeGroup(r, c.group(in.kids+n.Aux, n.Aux2))
	}

	dst, err := c.alloc(int(n.Width))
	if err != nil {
		return err
	}
	slots := c.p.slots[in.base:]
	slots[r.id] = dst
	return c.lower(&lowering{Node: n, m: in.mod, id: r.id, inst: r.inst, args: in.mod.Args(r.id), slots: slots, dst: dst})
}

// placeGroup places all outputs of a black box in the group of output r.
func (c *compiler) placeGroup(r ref, g *boxGroup) error {
	b := &c.p.boxes[g.box]
	m := c.p.mod(r.inst)
	conns := m.Insts[m.Node(r.id).Aux].Conns

	for _, o := range g.outs {
		slot, err := c.give(ref{r.inst, conns[b.outs[o].port]})
		if err != nil {
			return err
		}
		b.outs[o].slot = slot
	}
	c.emit(opModel, 0).a = uint32(c.groupOf[g.box][g.outs[0]])
	return nil
}

// boxSlots fills in the slots of black boxes' inputs.
func (c *compiler) boxSlots() {
	for i := range c.p.boxes {
		b := &c.p.boxes[i]
		in := &c.p.insts[b.inst]
		for k := range b.ins {
			port := &b.ins[k]
			port.slot = c.p.slotOf(ref{in.parent, c.p.mod(in.parent).Insts[in.at].Conns[port.port]})
		}
	}
}

// loop makes the error for a combinational loop: the last visit needs node to, which is on the
// stack.
func (c *compiler) loop(stack []visit, to ref) error {
	first := len(stack) - 1
	for stack[first].ref != to {
		first--
	}

	const most = 16
	path := stack[first:]
	var b strings.Builder
	fmt.Fprintf(&b, "sim: combinational loop of %d nodes: ", len(path))

	// List the path, shortened if it is long.
	for i, v := range path {
		if i == most {
			fmt.Fprintf(&b, "… %d more that need ", len(path)-most)
			break
		}
		b.WriteString(c.p.describe(v.ref))
		b.WriteString(" needs ")
	}
	b.WriteString(c.p.describe(to))
	return fmt.Errorf("%s", b.String())
}
