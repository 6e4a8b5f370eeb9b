package sim

import (
	"fmt"
	"strings"

	"etch/ir"
)

// openSlot marks a node whose operands are being placed.
const openSlot = ^uint32(0)

// visit is a node on the way down, and how many of its operands are placed.
type visit struct {
	ref
	next int
}

// schedule places every node behind what it needs within the cycle, across
// instances, and lowers it there: a depth-first walk without recursion. Wires
// and ports share the slot of what drives them.
func (c *compiler) schedule() error {
	var stack []visit
	for i := range c.p.insts {
		if c.p.insts[i].box >= 0 {
			continue
		}
		m := c.p.insts[i].mod
		for id := ir.ID(1); int(id) < m.Len(); id++ {
			root := ref{int32(i), id}
			if c.p.slotOf(root) != noSlot {
				continue
			}
			c.setSlot(root, openSlot)
			stack = append(stack[:0], visit{ref: root})
			for len(stack) > 0 {
				v := &stack[len(stack)-1]
				to, ok := c.needs(v.ref, v.next)
				if !ok {
					if err := c.place(v.ref); err != nil {
						return err
					}
					stack = stack[:len(stack)-1]
					continue
				}
				v.next++
				switch c.p.slotOf(to) {
				case noSlot:
					c.setSlot(to, openSlot)
					stack = append(stack, visit{ref: to})
				case openSlot:
					return c.loop(stack, to)
				}
			}
		}
	}
	return nil
}

// needs returns the k-th node whose value node r needs within the cycle; false
// when there are no more.
func (c *compiler) needs(r ref, k int) (ref, bool) {
	in := &c.p.insts[r.inst]
	m := in.mod
	n := m.Node(r.id)
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

// group returns the group of output port of black box instance kid.
func (c *compiler) group(kid, port int32) *boxGroup {
	b := c.p.insts[kid].box
	return &c.p.groups[c.groupOf[b][c.p.boxes[b].in[port]]]
}

// place gives node r, whose operands are placed, its slot and its code.
func (c *compiler) place(r ref) error {
	if c.passes(r) {
		driver, _ := c.needs(r, 0)
		c.setSlot(r, c.p.slotOf(driver))
		return nil
	}
	in := &c.p.insts[r.inst]
	if n := in.mod.Node(r.id); n.Op == ir.InstOut {
		return c.placeGroup(r, c.group(in.kids+n.Aux, n.Aux2))
	}
	dst, err := c.give(r)
	if err != nil {
		return err
	}
	return c.lower(in.mod, r, dst)
}

// placeGroup places the outputs of a black box that are computed together with
// output r.
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
	c.emit(instr{code: opModel, a: uint32(c.groupOf[g.box][g.outs[0]])})
	return nil
}

// boxSlots fills in where the inputs of black boxes come from.
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

// loop makes the error for a combinational loop: node to is needed by the last
// visit and is itself on the stack.
func (c *compiler) loop(stack []visit, to ref) error {
	first := len(stack) - 1
	for stack[first].ref != to {
		first--
	}
	const most = 16
	path := stack[first:]
	var b strings.Builder
	fmt.Fprintf(&b, "sim: combinational loop of %d nodes: ", len(path))
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
