package timing

import (
	"slices"
	"strings"

	"etch/ir"
)

// scope is a module at its place in the hierarchy.
type scope struct {
	m     *ir.Module
	up    *scope // nil for the top
	inst  int    // in up
	path  string // "" or names of instances, each followed by /
	below []*scope
}

// place is a node at its place in the hierarchy.
type place struct {
	s  *scope
	id ir.ID
}

// cell is a piece of state as synthesis names it, or an input port of the top.
type cell struct {
	clk  place // zero for a port
	text string
	port bool
}

// flight is one crossing: the sources in other clocks of one register or memory.
type flight struct {
	from  []cell
	to    cell
	async bool // a synchroniser's first register, which may sample a changing value
}

// crossings finds the paths between clocks from the netlist alone, so that it works for
// imported designs too. It walks the hierarchy without flattening it.
type crossings struct {
	names Names
	d     *ir.Design
	all   []*scope
	masks map[place]uint64 // by value: the set of clocks it depends on; clocks from number 63 on share a bit
	clks  []place
	found []flight
}

func findCrossings(d *ir.Design, names Names) *crossings {
	c := &crossings{names: names, d: d, masks: map[place]uint64{}}
	c.scopes(&scope{m: d.Top})

	// With one clock there is nothing to find, and most designs have one.
	c.clocks()
	if len(c.clks) < 2 {
		return c
	}
	for _, s := range c.all {
		c.registers(s)
		c.memories(s)
	}
	return c
}

// scopes lists the hierarchy below s, each instance as a scope of its own. Black boxes have
// none.
func (c *crossings) scopes(s *scope) {
	c.all = append(c.all, s)
	s.below = make([]*scope, len(s.m.Insts))
	for i, inst := range s.m.Insts {
		if inst.Mod.Extern == nil {
			s.below[i] = &scope{m: inst.Mod, up: s, inst: i, path: s.path + c.names.State(s.m).Insts[i] + "/"}
			c.scopes(s.below[i])
		}
	}
}

// outside is the driver, in the parent, of an input of an instance; inside is the driver,
// in the child, of an output. ok is false at the top, and for black boxes.
func (c *crossings) outside(x place) (place, bool) {
	if x.s.up == nil {
		return x, false
	}
	return place{x.s.up, x.s.up.m.Insts[x.s.inst].Conns[x.s.m.Node(x.id).Aux]}, true
}

func (c *crossings) inside(x place) (place, bool) {
	n := x.s.m.Node(x.id)
	if s := x.s.below[n.Aux]; s != nil {
		return place{s, s.m.Ports[n.Aux2].Node}, true
	}
	return x, false
}

// source follows a clock through the hierarchy, wires and inverters to the signal that
// makes it.
func (c *crossings) source(x place) place {
	// Each round leaves one layer: a wire, an inverter, or the boundary of an instance.
	for ok := true; ok; {
		switch x.s.m.Op(x.id) {
		case ir.Wire, ir.Not:
			x.id = x.s.m.Args(x.id)[0]
		case ir.Input:
			x, ok = c.outside(x)
		case ir.InstOut:
			x, ok = c.inside(x)
		default:
			ok = false
		}
	}
	return x
}

// clocks lists the clocks of all state.
func (c *crossings) clocks() {
	add := func(s *scope, clk ir.ID) {
		if x := c.source(place{s, clk}); !slices.Contains(c.clks, x) {
			c.clks = append(c.clks, x)
		}
	}

	// A clock is its source: ports are followed out of each instance, so that a clock of several
	// instances counts once. A latch is open by a level, without a clock.
	for _, s := range c.all {
		for i := range s.m.Regs {
			if r := &s.m.Regs[i]; r.Kind != ir.Latch {
				add(s, r.Clk)
			}
		}
		for _, mem := range s.m.Mems {
			for _, w := range mem.Writes {
				add(s, w.Clk)
			}
			for _, r := range mem.Reads {
				add(s, r.Clk)
			}
		}
	}
}

func (c *crossings) bit(clk place) uint64 { return 1 << min(slices.Index(c.clks, clk), 63) }

// mask is the set of clocks that a value depends on, through logic and hierarchy.
func (c *crossings) mask(x place) uint64 {
	if mask, ok := c.masks[x]; ok {
		return mask
	}
	var mask uint64

	// The entry made before the recursion ends loops through instances.
	if _, clk, ok := c.state(x); ok {
		mask = c.bit(clk)
	}
	c.masks[x] = mask
	c.behind(x, func(y place) { mask |= c.mask(y) })
	c.masks[x] = mask
	return mask
}

// state is the cell and clock of a value that is the output of state; ok is false for
// others.
func (c *crossings) state(x place) (text string, clk place, ok bool) {
	m, n := x.s.m, x.s.m.Node(x.id)
	switch {
	case n.Op == ir.Reg && m.Regs[n.Aux].Kind != ir.Latch:
		return c.register(x), c.source(place{x.s, m.Regs[n.Aux].Clk}), true
	case n.Op == ir.MemOut:
		return c.memory(x.s, int(n.Aux)), c.source(place{x.s, m.Mems[n.Aux].Reads[n.Aux2].Clk}), true
	case n.Op == ir.MemRead && len(m.Mems[n.Aux].Writes) > 0:
		return c.memory(x.s, int(n.Aux)), c.source(place{x.s, m.Mems[n.Aux].Writes[0].Clk}), true
	}
	return "", place{}, false
}

func (c *crossings) register(x place) string {
	name := x.s.path + c.names.State(x.s.m).Regs[x.s.m.Node(x.id).Aux] + "_reg"
	if x.s.m.Width(x.id) > 1 {
		name += "[*]"
	}
	return name
}

func (c *crossings) memory(s *scope, at int) string {
	return s.path + c.names.State(s.m).Mems[at] + "_reg*"
}

// behind calls f with the values that a value depends on within the cycle, across the
// hierarchy.
func (c *crossings) behind(x place, f func(y place)) {
	m, n := x.s.m, x.s.m.Node(x.id)
	switch n.Op {
	case ir.Input:
		if y, ok := c.outside(x); ok {
			f(y)
		}
	case ir.InstOut:
		if y, ok := c.inside(x); ok {
			f(y)
		}
	case ir.Reg:
		// A latch passes its input on, so its operands are followed.
		if r := &m.Regs[n.Aux]; r.Kind == ir.Latch {
			f(place{x.s, r.Rst})
			f(place{x.s, r.Reset})
		}
	default:
		for _, a := range m.Args(x.id) {
			f(place{x.s, a})
		}
	}
}

// sources lists the state of other clocks that some values depend on, through logic; with
// ports, also the input ports of the top.
func (c *crossings) sources(clk place, ports bool, roots ...place) (list []cell) {
	// Values that depend on no other clock are not followed: this prunes nearly all of a
	// design.
	seen := map[place]bool{}
	var follow func(x place)
	follow = func(x place) {
		if x.id == ir.None || seen[x] || !ports && c.mask(x)&^c.bit(clk) == 0 {
			return
		}
		seen[x] = true
		// The cell itself, and the logic behind it: a latch is followed.
		text, of, ok := c.state(x)
		if ok && of != clk {
			list = append(list, cell{clk: of, text: text})
		}
		if ports && x.s.up == nil && x.s.m.Op(x.id) == ir.Input {
			list = append(list, cell{text: c.names.Port(x.s.m, x.s.m.Node(x.id).Aux), port: true})
		}
		c.behind(x, follow)
	}

	// Paths may join again: each cell once, sorted by name.
	for _, x := range roots {
		follow(x)
	}
	slices.SortFunc(list, func(a, b cell) int { return strings.Compare(a.text, b.text) })
	return slices.CompactFunc(list, func(a, b cell) bool { return a.text == b.text })
}

func (c *crossings) registers(s *scope) {
	// Synthesis does not see registers that stand under `ifndef SYNTHESIS.
	only := ir.ForStatements(s.m, s.m.Stmts)
	for i := range s.m.Regs {
		r := &s.m.Regs[i]
		if r.Kind == ir.Latch || only[r.Node] {
			continue
		}
		x := place{s, r.Node}
		clk := c.source(place{s, r.Clk})

		// The attribute marks a synchroniser, in imported designs too.
		async := slices.ContainsFunc(s.m.AttrsOf(r.Node), func(a ir.Attr) bool { return a.Name == "ASYNC_REG" })
		from := c.sources(clk, async, place{s, r.Next})

		// A synchronous reset from a port belongs to the register's clock; an
		// asynchronous one that reaches a synchroniser belongs to none.
		if r.Rst != ir.None {
			from = append(from, c.sources(clk, async && r.Async, place{s, r.Rst})...)
		}
		c.add(from, cell{clk: clk, text: c.register(x)}, async && s.m.Width(r.Node) == 1)
	}
}

// memories adds the crossings into the ports of memories.
func (c *crossings) memories(s *scope) {
	for i := range s.m.Mems {
		mem := &s.m.Mems[i]

		// Each port is a destination on the clock of its own.
		take := func(clk ir.ID, ids ...ir.ID) {
			var roots []place
			for _, id := range ids {
				roots = append(roots, place{s, id})
			}
			at := c.source(place{s, clk})
			c.add(c.sources(at, false, roots...), cell{clk: at, text: c.memory(s, i)}, false)
		}
		for _, w := range mem.Writes {
			take(w.Clk, w.Addr, w.Data, w.En, w.Mask)
		}
		for _, r := range mem.Reads {
			take(r.Clk, r.Addr, r.En)
		}
	}
}

func (c *crossings) add(from []cell, to cell, async bool) {
	if len(from) > 0 {
		c.found = append(c.found, flight{from, to, async})
	}
}
