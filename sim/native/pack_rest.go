package native

import (
	"slices"

	"etch/sim/net"
)

// rest is the net that plain code does: without the next values of packed registers,
// which live in the lanes that home says, but with what segments need from it. Only
// registers that it reads or writes are left in it.
func (k *packs) rest(n *net.Net, home []int32) *net.Net {
	k.layCells(n)
	for i, x := range k.cells {
		if x >= 0 && !k.fixed[i] {
			k.outs = append(k.outs, int32(i))
		}
	}
	slices.SortStableFunc(k.outs, func(a, b int32) int { return int(k.cells[a] - k.cells[b]) }) // a value's cells one after another
	c := cutter{n: n, home: home, nodes: newMembers(len(n.N)), regs: newMembers(len(n.Regs))}
	for _, i := range k.outs {
		c.need(k.cells[i])
	}
	m := c.cut()
	k.first = len(m.Outs)
	for _, i := range k.outs {
		m.Outs = append(m.Outs, net.Out{Node: c.at(k.cells[i])})
	}
	for r := range c.regs.each {
		k.home = append(k.home, home[r])
	}
	return m.Compact()
}

// cutter cuts the nodes and registers out of a net that something else than packed
// registers needs.
type cutter struct {
	n           *net.Net
	home        []int32 // by register: -1 when it is not packed
	nodes, regs members
}

// need takes a node, which may be None.
func (c *cutter) need(x net.ID) {
	if x >= 0 {
		c.nodes.add(int32(x))
	}
}

// at is the number of a node that was taken, None for None.
func (c *cutter) at(x net.ID) net.ID {
	if x < 0 {
		return net.None
	}
	return net.ID(c.nodes.number(int32(x)))
}

// cut returns the net of all that was taken, and of what the net does but for packed
// registers.
func (c *cutter) cut() *net.Net {
	c.take()
	n := c.n
	m := &net.Net{Banks: n.Banks, Mems: n.Mems, Stop: c.at(n.Stop), Entry: c.at(n.Entry)}
	m.N = make([]net.Node, 0, c.nodes.count())
	for x := range c.nodes.each {
		m.N = append(m.N, c.node(m, n.N[x]))
	}
	m.Regs = make([]net.Reg, 0, c.regs.count())
	for r := range c.regs.each {
		m.Regs = append(m.Regs, c.register(r))
	}
	for i := range n.Writes {
		m.Writes = append(m.Writes, n.Writes[i].Map(c.at))
	}
	for _, o := range n.Outs {
		m.Outs = append(m.Outs, net.Out{Slot: o.Slot, Node: c.at(o.Node)})
	}
	return m
}

// take takes what the net does but for packed registers, and all that is needed for
// what was taken.
func (c *cutter) take() {
	n := c.n
	c.need(n.Stop)
	c.need(n.Entry)
	for r := range n.Regs {
		if g := &n.Regs[r]; c.home[r] < 0 && g.Next >= 0 {
			c.regs.add(int32(r))
			c.need(g.Next)
		}
	}
	for i := range n.Writes {
		n.Writes[i].Each(c.need)
	}
	for i := range n.Outs {
		c.need(n.Outs[i].Node)
	}
	for x := range c.nodes.down { // arguments have smaller IDs
		if nd := &n.N[x]; nd.Op == net.Leaf {
			c.regs.add(int32(nd.Imm))
		}
		n.Args(net.ID(x), c.need)
	}
	c.nodes.settle()
	c.regs.settle()
}

// node is a node with the numbers of the new net.
func (c *cutter) node(m *net.Net, nd net.Node) net.Node {
	switch {
	case nd.Op == net.Leaf:
		nd.Imm = uint64(c.regs.number(int32(nd.Imm)))
	case nd.Op.Pooled():
		from := net.ID(len(m.Pool))
		for _, x := range c.n.Pool[nd.A : nd.A+nd.B] {
			m.Pool = append(m.Pool, c.at(x))
		}
		nd.A = from
	default:
		nd.A, nd.B, nd.C = c.at(nd.A), c.at(nd.B), c.at(nd.C)
	}
	return nd
}

// register is a register with the numbers of the new net.
func (c *cutter) register(r int32) net.Reg {
	g := c.n.Regs[r]
	if g.Q >= 0 && !c.nodes.has(int32(g.Q)) {
		g.Q = net.None
	}
	if c.home[r] >= 0 {
		g.Next = net.None
	}
	g.Q, g.Next = c.at(g.Q), c.at(g.Next)
	return g
}
