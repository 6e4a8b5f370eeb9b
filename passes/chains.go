package passes

import (
	"etch/ir"
	"etch/ir/bits"
)

// chains are the multiplexers of a module whose condition compares a value with
// constants, and its cases, as links of chains through what they give otherwise.
type chains struct {
	m     *ir.Module
	links []link // by node; on is None for what is no link
	inner []bool // by node: the only use is as what a link on the same value gives otherwise
	conds map[ir.ID]link
}

// link is a node that gives something else when the value on is one of keys.
type link struct {
	on   ir.ID
	keys []bits.Value
}

func findChains(m *ir.Module) *chains {
	c := &chains{m: m, links: make([]link, m.Len()), inner: make([]bool, m.Len()), conds: map[ir.ID]link{}}
	any := false
	for id := ir.ID(1); int(id) < m.Len(); id++ {
		switch m.Op(id) {
		case ir.Mux:
			cond := strip(m, m.Args(id)[0])
			l, ok := c.conds[cond]
			if !ok {
				l = c.condition(cond)
				c.conds[cond] = l
			}
			c.links[id] = l
		case ir.Case:
			c.links[id] = link{strip(m, m.Args(id)[0]), m.KeysOf(id)}
		}
		any = any || c.links[id].on != ir.None
	}
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

// otherwise is what a link gives when the value is none of its keys.
func (c *chains) otherwise(id ir.ID) ir.ID {
	if c.m.Op(id) == ir.Case {
		return c.m.Args(id)[1]
	}
	return c.m.Args(id)[2]
}

// valueOf is which of its values a link gives for its key i, see [ir.Module.ArmPos].
func (c *chains) valueOf(id ir.ID, i int) int {
	if c.m.Op(id) == ir.Case {
		return 1 + i
	}
	return 0
}

// otherwiseOf is which of its values a link gives otherwise.
func (c *chains) otherwiseOf(id ir.ID) int {
	if c.m.Op(id) == ir.Case {
		return 0
	}
	return 1
}

// maxLabels is how many comparisons an Or may hold to be taken for the labels of
// one case.
const maxLabels = 64

// condition reads "x == k", or an Or of such comparisons of one x.
func (c *chains) condition(id ir.ID) link {
	args := c.m.Args(id)
	switch c.m.Op(id) {
	case ir.Eq:
		x, y := strip(c.m, args[0]), strip(c.m, args[1])
		if c.m.Op(x) == ir.Const {
			x, y = y, x
		}
		if c.m.Op(y) == ir.Const && c.m.Op(x) != ir.Const {
			return link{x, []bits.Value{c.m.ConstOf(y)}}
		}
	case ir.Or:
		var all link
		if len(args) > maxLabels {
			return all
		}
		for i, a := range args {
			a = strip(c.m, a)
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

// collapse makes a Case of the chain that begins at node id, None unless it has
// two links at least or ends in a Case on the same value that can be taken in.
func (c *chains) collapse(r *rebuilder, id ir.ID) ir.ID {
	arms := func(link ir.ID) []arm {
		var args []ir.ID
		for _, a := range c.m.Args(link) {
			args = append(args, r.to[a])
		}
		return r.arms(link, args)
	}

	head := c.links[id]
	if head.on == ir.None || c.inner[id] {
		return ir.None
	}
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
