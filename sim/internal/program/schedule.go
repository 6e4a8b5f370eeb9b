package program

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
	Ref
	next int
}

// schedule places every node behind its operands of the same cycle, across instances, and lowers
// it there. Wires and ports share the slot of their driver.
func (c *compiler) schedule() error {
	for i := range c.p.Insts {
		in := &c.p.Insts[i]
		if in.Box >= 0 {
			continue
		}

		// Outputs whose drivers have slots already are connected first, inputs once every node here
		// has a slot. Instances come parents first, so that the walk seldom leaves its module.
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
func (c *compiler) connect(in *Instance, dir ir.Dir) {
	outer := c.p.slots[in.base:]
	for at := range in.Mod.Insts {
		kid, conns := &c.p.Insts[in.Kids+int32(at)], in.Mod.Insts[at].Conns
		if kid.Box >= 0 {
			continue
		}
		inner := c.p.slots[kid.base:]
		for k := range kid.Mod.Ports {
			switch port := &kid.Mod.Ports[k]; {
			case port.Dir != dir:
			case dir == ir.In:
				// Every node outside has its slot by now.
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
func (p *Program) through(in *Instance, id ir.ID) uint32 {
	slots := p.slots[in.base:]
	if slots[id] != noSlot || in.Mod.Op(id) != ir.Wire {
		return slots[id]
	}
	return slots[in.Mod.Args(id)[0]]
}

// placeAll places the remaining nodes of an instance.
func (c *compiler) placeAll(inst int32) error {
	in := &c.p.Insts[inst]
	slots := c.p.slots[in.base:][:in.Mod.Len()]
	for id := range slots {
		if id == 0 || slots[id] != noSlot {
			continue
		}

		// A wire whose driver is placed needs no walk.
		if slot := c.p.through(in, ir.ID(id)); placed(slot) {
			slots[id] = slot
			continue
		}
		if err := c.descend(Ref{inst, ir.ID(id)}); err != nil {
			return err
		}
	}
	return nil
}

// descend places a node and everything it needs: a depth-first search with an explicit stack.
// A node on the path has openSlot; meeting it again is a combinational loop.
func (c *compiler) descend(root Ref) error {
	at, above := visit{Ref: root}, c.stack[:0]
	c.setSlot(root, openSlot)
	for {
		// Descend to the next operand without a slot.
		to, ok := c.unplaced(&at)
		switch {
		case ok && c.p.SlotOf(to) == openSlot:
			return c.loop(append(above, at), to)
		case ok:
			c.setSlot(to, openSlot)
			above = append(above, at)
			at = visit{Ref: to}
			continue
		}

		// All operands are placed.
		if err := c.place(at.Ref); err != nil {
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
func (c *compiler) unplaced(v *visit) (Ref, bool) {
	in := &c.p.Insts[v.Inst]
	// Ports lead to another instance; all other nodes have their operands in the module.
	if op := in.Mod.Op(v.ID); op == ir.Input || op == ir.InstOut {
		for {
			to, ok := c.needs(v.Ref, v.next)
			v.next++
			if !ok || !placed(c.p.SlotOf(to)) {
				return to, ok
			}
		}
	}

	args, slots := in.Mod.Args(v.ID), c.p.slots[in.base:]
	for v.next < len(args) {
		a := args[v.next]
		v.next++
		if !placed(slots[a]) {
			return Ref{v.Inst, a}, true
		}
	}
	return Ref{}, false
}

// needs returns the k-th node whose value node r needs within the cycle; false if there are no
// more.
func (c *compiler) needs(r Ref, k int) (Ref, bool) {
	in := &c.p.Insts[r.Inst]
	m := in.Mod
	n := m.Node(r.ID)

	// An input needs its connection; an output of an instance needs the port inside, or the
	// inputs that its box group depends on.
	switch n.Op {
	case ir.Input:
		up := &c.p.Mod(in.Parent).Insts[in.At]
		return Ref{in.Parent, up.Conns[n.Aux]}, k == 0
	case ir.InstOut:
		kid := in.Kids + n.Aux
		b := c.p.Insts[kid].Box
		if b < 0 {
			return Ref{kid, c.p.Mod(kid).Ports[n.Aux2].Node}, k == 0
		}

		g := c.group(kid, n.Aux2)
		if k >= len(g.deps) {
			return Ref{}, false
		}
		port := c.p.Boxes[b].Ins[g.deps[k]].Port
		return Ref{r.Inst, m.Insts[n.Aux].Conns[port]}, true
	}

	args := m.Args(r.ID)
	if k >= len(args) {
		return Ref{}, false
	}
	return Ref{r.Inst, args[k]}, true
}

// group returns the group of an output port of black box instance kid.
func (c *compiler) group(kid, port int32) *BoxGroup {
	b := c.p.Insts[kid].Box
	return &c.p.Groups[c.groupOf[b][c.p.Boxes[b].in[port]]]
}

// place allocates the slot of node r and emits its code. The operands of r are placed.
func (c *compiler) place(r Ref) error {
	in := &c.p.Insts[r.Inst]
	n := in.Mod.Node(r.ID)

	// Wires and ports share the slot of their driver.
	if c.passes(r) {
		driver, _ := c.needs(r, 0)
		c.setSlot(r, c.p.SlotOf(driver))
		return nil
	}
	if n.Op == ir.InstOut {
		return c.placeGroup(r, c.group(in.Kids+n.Aux, n.Aux2))
	}

	dst, err := c.alloc(int(n.Width))
	if err != nil {
		return err
	}
	slots := c.p.slots[in.base:]
	slots[r.ID] = dst
	return c.lower(&lowering{Node: n, m: in.Mod, id: r.ID, inst: r.Inst, args: in.Mod.Args(r.ID), slots: slots, dst: dst})
}

// placeGroup places all outputs of a black box in the group of output r.
func (c *compiler) placeGroup(r Ref, g *BoxGroup) error {
	b := &c.p.Boxes[g.Box]
	m := c.p.Mod(r.Inst)
	conns := m.Insts[m.Node(r.ID).Aux].Conns

	for _, o := range g.Outs {
		slot, err := c.give(Ref{r.Inst, conns[b.Outs[o].Port]})
		if err != nil {
			return err
		}
		b.Outs[o].Slot = slot
	}

	// One instruction evaluates the whole group.
	c.emit(OpModel, 0).A = uint32(c.groupOf[g.Box][g.Outs[0]])
	return nil
}

// boxSlots fills in the slots of black boxes' inputs.
func (c *compiler) boxSlots() {
	for i := range c.p.Boxes {
		b := &c.p.Boxes[i]
		in := &c.p.Insts[b.Inst]
		for k := range b.Ins {
			port := &b.Ins[k]
			port.Slot = c.p.SlotOf(Ref{in.Parent, c.p.Mod(in.Parent).Insts[in.At].Conns[port.Port]})
		}
	}
}

// loop makes the error for a combinational loop: the last visit needs node to, which is on the
// stack.
func (c *compiler) loop(stack []visit, to Ref) error {
	// The loop begins where the walk entered the node.
	first := len(stack) - 1
	for stack[first].Ref != to {
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
		b.WriteString(c.p.describe(v.Ref))
		b.WriteString(" needs ")
	}
	b.WriteString(c.p.describe(to))
	return fmt.Errorf("%s", b.String())
}
