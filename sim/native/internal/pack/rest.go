package pack

import (
	"slices"

	"etch/sim/native/internal/schedule"
	"etch/sim/net"
)

// rest is the net left to plain code: without the next values of packed registers, but with the
// values that segments need as outputs. home is the element by register. Only registers that the
// rest reads or writes remain.
func (k *Packs) rest(n *net.Net, home []int32) *net.Net {
	k.layCells(n)
	for i, x := range k.Cells {
		if x >= 0 && !k.Fixed[i] {
			k.Outs = append(k.Outs, int32(i))
		}
	}
	slices.SortStableFunc(k.Outs, func(a, b int32) int { return int(k.Cells[a] - k.Cells[b]) }) // the cells of one value together

	// The cells are the roots of what is left, beside the effects that cut keeps.
	c := cutter{n: n, home: home, nodes: schedule.NewMembers(len(n.N)), regs: schedule.NewMembers(len(n.Regs))}
	for _, i := range k.Outs {
		c.need(k.Cells[i])
	}

	m := c.cut()

	// The outputs of the net itself come first.
	k.First = len(m.Outs)
	for _, i := range k.Outs {
		m.Outs = append(m.Outs, net.Out{Node: c.at(k.Cells[i])})
	}

	for r := range c.regs.Each {
		k.Home = append(k.Home, home[r])
	}
	return m.Compact()
}

// cutter extracts the nodes and registers of a net that something other than packed registers
// needs.
type cutter struct {
	n           *net.Net
	home        []int32 // by register: -1 if it is not packed
	nodes, regs schedule.Members
}

// need marks a node, which may be None.
func (c *cutter) need(x net.ID) {
	if x >= 0 {
		c.nodes.Add(int32(x))
	}
}

// at is the new number of a marked node; None stays None.
func (c *cutter) at(x net.ID) net.ID {
	if x < 0 {
		return net.None
	}
	return net.ID(c.nodes.Number(int32(x)))
}

// cut returns the net of all marked nodes and of all effects other than writes of packed
// registers.
func (c *cutter) cut() *net.Net {
	c.take()
	n := c.n
	m := &net.Net{Banks: n.Banks, Mems: n.Mems, Stop: c.at(n.Stop), Entry: c.at(n.Entry)}

	// Nodes and registers are numbered anew, by their rank among the marked ones.
	m.N = make([]net.Node, 0, c.nodes.Count())
	for x := range c.nodes.Each {
		m.N = append(m.N, c.node(m, n.N[x]))
	}

	m.Regs = make([]net.Reg, 0, c.regs.Count())
	for r := range c.regs.Each {
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

// take marks the roots other than packed registers, and everything that marked nodes depend on.
func (c *cutter) take() {
	n := c.n

	c.need(n.Stop)
	c.need(n.Entry)
	for r := range n.Regs {
		if g := &n.Regs[r]; c.home[r] < 0 && g.Next >= 0 {
			c.regs.Add(int32(r))
			c.need(g.Next)
		}
	}
	for i := range n.Writes {
		n.Writes[i].Each(c.need)
	}
	for i := range n.Outs {
		c.need(n.Outs[i].Node)
	}

	// Arguments have smaller IDs, so one pass downwards is complete.
	for x := range c.nodes.Down {
		if nd := &n.N[x]; nd.Op == net.Leaf {
			c.regs.Add(int32(nd.Imm))
		}
		n.Args(net.ID(x), c.need)
	}

	c.nodes.Settle()
	c.regs.Settle()
}

// node renumbers a node for the new net.
func (c *cutter) node(m *net.Net, nd net.Node) net.Node {
	switch {
	case nd.Op == net.Leaf:
		nd.Imm = uint64(c.regs.Number(int32(nd.Imm)))
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

// register renumbers a register for the new net. A packed one has no next value there.
func (c *cutter) register(r int32) net.Reg {
	g := c.n.Regs[r]
	if g.Q >= 0 && !c.nodes.Has(int32(g.Q)) {
		g.Q = net.None
	}
	if c.home[r] >= 0 {
		g.Next = net.None
	}
	g.Q, g.Next = c.at(g.Q), c.at(g.Next)
	return g
}
