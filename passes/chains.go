package passes

import (
	"etch/ir"
	"etch/ir/bits"
)

// chains finds, in a module, the multiplexers whose condition compares a value with
// constants, and the Cases, as links of chains: a link leads on to its value for "not
// equal".
type chains struct {
	m     *ir.Module
	links []link // by node; on is None for a node that is no link
	inner []bool // by node: its only use is as continuation of a link on the same value
	conds map[ir.ID]link
}

// link is a node with a special value if on is one of keys, and a continuation otherwise.
type link struct {
	on   ir.ID
	keys []bits.Value
}

func findChains(m *ir.Module) *chains {
	c := &chains{m: m, links: make([]link, m.Len()), inner: make([]bool, m.Len()), conds: map[ir.ID]link{}}
	// Conditions are often shared, so their links are cached.
	any := false
	for id := ir.ID(1); int(id) < m.Len(); id++ {
		switch m.Op(id) {
		case ir.Mux:
			cond := m.Unwired(m.Args(id)[0])
			l, ok := c.conds[cond]
			if !ok {
				l = c.condition(cond)
				c.conds[cond] = l
			}
			c.links[id] = l
		case ir.Case:
			c.links[id] = link{m.Unwired(m.Args(id)[0]), m.KeysOf(id)}
		}
		any = any || c.links[id].on != ir.None
	}

	// Then the links that continue another one on the same value, and have no other use.
	if !any {
		return c
	}

	uses := usesOf(m)
	for id := ir.ID(1); int(id) < m.Len(); id++ {
		if c.links[id].on == ir.None {
			continue
		}
		if other := c.otherwise(id); uses[other] == 1 && c.links[other].on == c.links[id].on {
			c.inner[other] = true
		}
	}
	return c
}

// otherwise is the continuation of a link.
func (c *chains) otherwise(id ir.ID) ir.ID {
	if c.m.Op(id) == ir.Case {
		return c.m.Args(id)[1]
	}
	return c.m.Args(id)[2]
}

// valueOf is the index of the arm for key i of a link, see [ir.Module.ArmPos].
func (c *chains) valueOf(id ir.ID, i int) int {
	if c.m.Op(id) == ir.Case {
		return 1 + i
	}
	return 0
}

// otherwiseOf is the index of the arm for the continuation of a link.
func (c *chains) otherwiseOf(id ir.ID) int {
	if c.m.Op(id) == ir.Case {
		return 0
	}
	return 1
}

// maxLabels bounds the comparisons in an Or that is taken for the labels of one case.
const maxLabels = 64

// condition reads "x == k", or an Or of such comparisons of one x.
func (c *chains) condition(id ir.ID) link {
	args := c.m.Args(id)
	switch c.m.Op(id) {
	// x == k, on either side.
	case ir.Eq:
		x, y := c.m.Unwired(args[0]), c.m.Unwired(args[1])
		if c.m.Op(x) == ir.Const {
			x, y = y, x
		}
		if c.m.Op(y) == ir.Const && c.m.Op(x) != ir.Const {
			return link{x, []bits.Value{c.m.ConstOf(y)}}
		}
	// Every operand of the Or must compare the same x.
	case ir.Or:
		var all link
		if len(args) > maxLabels {
			return all
		}
		for i, a := range args {
			a = c.m.Unwired(a)
			if c.m.Op(a) != ir.Eq {
				return link{}
			}
			one := c.condition(a)
			if one.on == ir.None || i > 0 && one.on != all.on {
				return link{}
			}
			all.on, all.keys = one.on, append(all.keys, one.keys...)
		}
		return all
	}
	return link{}
}

// collapse makes a Case of the chain that begins at node id. It returns None unless the
// chain has at least two links, or ends in a Case on the same value that can be absorbed.
func (c *chains) collapse(r *rebuilder, id ir.ID) ir.ID {
	arms := func(link ir.ID) []arm {
		var args []ir.ID
		for _, a := range c.m.Args(link) {
			args = append(args, r.to[a])
		}
		return r.arms(link, args)
	}

	// Only the head of a chain is rewritten, with all its links.
	head := c.links[id]
	if head.on == ir.None || c.inner[id] {
		return ir.None
	}

	// Collect the keys along the chain. Of equal keys the first wins.
	var all []entry
	links := 0
	end := id
	var other arm
	for {
		links++
		values := arms(end)
		for i, k := range c.links[end].keys {
			all = append(all, entry{k, values[c.valueOf(end, i)]})
		}
		other = values[c.otherwiseOf(end)]
		if end = c.otherwise(end); !c.inner[end] {
			break
		}
	}

	// The end of the chain may be a Case on the same value, which is absorbed.
	sel := r.to[head.on]
	entries := firstOfKey(all)
	if more, ok := r.outside(other.v, sel, entries); ok {
		entries, other = more.entries, more.other
		links++
	}

	if links < 2 {
		return ir.None
	}

	return r.given(id, r.makeCase(c.m.Width(id), sel, entries, other))
}
