package hw

import (
	"slices"

	"etch/ir"
)

// cones finds the flags (see history) that say whether the pasts in the cone of a
// node are there. Sets of flags are numbers; 0 is the empty one.
type cones struct {
	b       *body
	of      []int32 // set by node
	state   []uint8 // by node: fresh, open, done
	sets    [][]ir.ID
	singles map[ir.ID]int32
	unions  map[[2]int32]int32
	anded   map[int32]ir.ID // conjunctions that all has made
}

const (
	fresh uint8 = iota
	open
	done
)

// flags computes the set of root by a depth-first search with an explicit stack, arguments
// first, through the logic of one cycle. It continues through registers of the past, whose
// flags depend on the flags of the values that they hold.
func (c *cones) flags(root ir.ID) int32 {
	if root == ir.None || int(root) >= len(c.of) {
		return 0 // a flag that this search has made
	}
	work := []ir.ID{root}
	for len(work) > 0 {
		id := work[len(work)-1]

		// A node is looked at twice: when it is opened, and when all its arguments are
		// done. In a copy further down the stack it may be done already.
		in := c.fanin(id)
		if c.state[id] != fresh {
			if c.state[id] == open {
				c.finish(id, in)
			}
			work = work[:len(work)-1]
			continue
		}

		c.state[id] = open
		for _, a := range in {
			switch c.state[a] {
			case fresh:
				work = append(work, a)
			case open: // on the path from the root: a loop
				c.endless(work[slices.Index(work, a):])
			}
		}
	}
	return c.of[root]
}

// fanin lists the nodes whose flags determine those of id.
func (c *cones) fanin(id ir.ID) []ir.ID {
	if i, ok := c.b.history.of[id]; ok {
		return []ir.ID{c.b.history.list[i].arg}
	}
	return c.b.m.Args(id)
}

// finish computes the set of a node whose fanin has its sets.
func (c *cones) finish(id ir.ID, in []ir.ID) {
	h, set := c.b.history, int32(0)
	for _, a := range in {
		set = c.union(set, c.of[a])
	}

	// A past stands for its own flag, which follows from the flags of its value.
	if i, ok := h.of[id]; ok {
		pos := c.b.m.Node(id).Pos
		f := c.b.flagAfter(h.list[i].view, c.all(set, pos), c.sets[set], pos)
		set = c.single(f)
	}

	c.of[id], c.state[id] = set, done
}

// endless reports a past that is made of itself, through a wire: it never begins.
func (c *cones) endless(loop []ir.ID) {
	b := c.b
	for _, id := range loop {
		if _, ok := b.history.of[id]; ok && c.state[id] == open {
			b.d.report(Diag{Code: "history", Pos: b.at(id), Msg: "Past: " + b.describe(id, 1) + " is made of itself, so that it never begins"})
			return
		}
	}
}

// single interns the set that holds only f.
func (c *cones) single(f ir.ID) int32 {
	if s, ok := c.singles[f]; ok {
		return s
	}
	c.sets = append(c.sets, []ir.ID{f})
	c.singles[f] = int32(len(c.sets) - 1)
	return c.singles[f]
}

// union is the set of the flags of both, without those that another one implies.
func (c *cones) union(x, y int32) int32 {
	switch {
	case x == y || y == 0:
		return x
	case x == 0:
		return y
	case x > y:
		// The pair is ordered, so that it has one key.
		x, y = y, x
	}
	key := [2]int32{x, y}
	if u, ok := c.unions[key]; ok {
		return u
	}

	// A flag that another one implies adds nothing to the conjunction.
	all := slices.Concat(c.sets[x], c.sets[y])
	slices.Sort(all)
	all = slices.Compact(all)
	implied := func(f ir.ID) bool {
		return slices.ContainsFunc(all, func(g ir.ID) bool { return f != g && c.b.history.implies(g, f) })
	}
	var kept []ir.ID
	for _, f := range all {
		if !implied(f) {
			kept = append(kept, f)
		}
	}

	// A set of one flag is the one that single has made.
	u := int32(len(c.sets))
	if len(kept) == 1 {
		u = c.single(kept[0])
	} else {
		c.sets = append(c.sets, kept)
	}
	c.unions[key] = u
	return u
}

// all is the conjunction of a set of flags; None stands for always high. The node is made
// once per set.
func (c *cones) all(set int32, pos ir.Pos) ir.ID {
	if c.anded[set] != ir.None {
		return c.anded[set]
	}

	all := ir.None
	for _, f := range c.sets[set] {
		if all == ir.None {
			all = f
			continue
		}
		all = c.b.bitAt(pos, ir.And, all, f)
	}
	c.anded[set] = all
	return all
}

// reportPast reports logic outside of statements that reads the past.
func (c *cones) reportPast() {
	// The drivers of targets,
	b, m := c.b, c.b.m
	for i := range b.targets.n {
		t := b.targets.at(i)

		// A target that is never set is reported where it is declared.
		at := t.setAt
		if at == 0 {
			at = m.Node(t.id).Pos
		}
		switch t.kind {
		case regTarget:
			c.reject(m.Regs[m.Node(t.id).Aux].Next, at, b.targetName(t))
		case outTarget:
			c.reject(m.Ports[t.port].Node, at, b.targetName(t))
		case instTarget:
			c.reject(m.Insts[t.inst].Conns[t.port], at, b.targetName(t))
		}
	}

	// the ports of memories,
	for i := range m.Mems {
		mem := &m.Mems[i]
		for _, w := range mem.Writes {
			c.reject(w.Addr, w.Pos, "memory "+mem.Name)
			c.reject(w.Data, w.Pos, "memory "+mem.Name)
			c.reject(w.En, w.Pos, "memory "+mem.Name)
			c.reject(w.Mask, w.Pos, "memory "+mem.Name)
		}
		for _, r := range mem.Reads {
			c.reject(r.Addr, r.Pos, "memory "+mem.Name)
			c.reject(r.En, r.Pos, "memory "+mem.Name)
		}
	}

	// and resets and enables, which are read without a target.
	for i := range m.Regs {
		c.reject(m.Regs[i].Rst, m.Node(m.Regs[i].Node).Pos, "the reset of a domain")
	}
	for _, p := range b.history.list {
		c.reject(p.gate, m.Node(p.reg).Pos, "the enable of a view")
	}
}

// reject reports that the target named what, set at pos, reads the past, if the cone of id
// holds a past.
func (c *cones) reject(id ir.ID, pos ir.Pos, what string) {
	b := c.b
	if c.flags(id) == 0 {
		return
	}
	x := Diag{Code: "history", Pos: b.d.src.At(pos), Msg: what + " reads the past, which only statements may"}

	if p := c.nearest(id); p != ir.None {
		x.Msg = what + " reads " + b.describe(p, 1) + ", which only statements may"
		x.Notes = []Note{{b.at(p), "the past is asked for here"}}
	}
	x.Notes = append(x.Notes, Note{Msg: "hw.Delay is a register for hardware"})
	b.d.report(x)
}

// nearest is a past in the cone of id.
func (c *cones) nearest(id ir.ID) ir.ID {
	for {
		if _, ok := c.b.history.of[id]; ok {
			return id
		}

		// Follow an argument in whose cone there is a flag.
		args := c.b.m.Args(id)
		i := slices.IndexFunc(args, func(a ir.ID) bool { return c.of[a] != 0 })
		if i < 0 {
			return ir.None
		}
		id = args[i]
	}
}
