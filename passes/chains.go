package passes

import (
	"etch/ir"
	"etch/ir/bits"
)

// chains are the multiplexers of a module whose condition compares a value with
// constants, as links of chains through their else arms.
type chains struct {
	m     *ir.Module
	links []link // by node; on is None for what is no link
	inner []bool // by node: the only use is as the else arm of a link on the same value
}

// link is a multiplexer taken when the value on is one of keys.
type link struct {
	on   ir.ID
	keys []bits.Value
}

func findChains(m *ir.Module) *chains {
	c := &chains{m: m, links: make([]link, m.Len()), inner: make([]bool, m.Len())}
	any := false
	for id := ir.ID(1); int(id) < m.Len(); id++ {
		if m.Op(id) == ir.Mux {
			c.links[id] = c.condition(strip(m, m.Args(id)[0]))
			any = any || c.links[id].on != ir.None
		}
	}
	if !any {
		return c
	}
	uses := usesOf(m)
	for id := ir.ID(1); int(id) < m.Len(); id++ {
		if c.links[id].on == ir.None {
			continue
		}
		if els := m.Args(id)[2]; uses[els] == 1 && c.links[els].on == c.links[id].on {
			c.inner[els] = true
		}
	}
	return c
}

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

// collapse makes a Case of the chain that begins at multiplexer id, None unless
// it has two links at least or ends in a Case on the same value.
func (c *chains) collapse(r *rebuilder, id ir.ID) ir.ID {
	head := c.links[id]
	if head.on == ir.None || c.inner[id] {
		return ir.None
	}
	var all []entry
	links := 0
	end := id
	for {
		links++
		args := c.m.Args(end)
		for _, k := range c.links[end].keys {
			all = append(all, entry{k, r.to[args[1]]})
		}
		if end = args[2]; !c.inner[end] {
			break
		}
	}
	sel, other := r.to[head.on], r.to[end]
	entries := firstOfKey(all)
	if more, ok := r.outside(other, sel, entries); ok {
		entries, other = more.entries, more.other
		links++
	}
	if links < 2 {
		return ir.None
	}
	return r.makeCase(c.m.Width(id), sel, entries, other)
}
