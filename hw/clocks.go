package hw

import (
	"fmt"

	"etch/ir"
	"etch/ir/disjoint"
)

// portClocks tells a parent which ports of a finished module belong to one clock. class[i]
// is the class of port i, 0 for a port without clock. root[c] is the clock port of class c,
// -1 if the module does not fix its clock.
type portClocks struct {
	class  []int32
	root   []int32
	routes portRoutes
}

// clockInference finds the clock of every value of a module by unification: each value has
// a variable, an operation unifies the variables of its arguments, and a register unifies
// its input's with its clock. Unified variables are a set.
type clockInference struct {
	b     *body
	link  disjoint.Forest[int32] // variable 0 stands for no clock
	clock []ir.ID                // the source of a root variable's clock, None while open
	of    map[ir.ID]int32
	node  []int32 // variable of each node
	inst  map[[2]int32]int32
}

// inferClocks reports every value that goes from one clock to another without a
// synchroniser. order is topological, arguments first.
func (b *body) inferClocks(order []ir.ID) {
	c := &clockInference{b: b, link: disjoint.New[int32](1), clock: []ir.ID{0}, of: map[ir.ID]int32{}, node: make([]int32, b.m.Len()), inst: map[[2]int32]int32{}}

	// Bottom up through the combinational logic.
	for _, id := range order {
		c.node[id] = c.value(id)
	}

	// Then every sink: the value that it takes must belong to its own clock.
	m := b.m
	for i := range m.Insts {
		c.instance(i)
	}
	for i := range m.Regs {
		if r := &m.Regs[i]; !b.skipsClocks(r.Node) {
			c.join(c.source(r.Clk), r.Next, m.Node(r.Node).Pos, "register ", m.NameOf(r.Node))
		}
	}
	for i := range m.Mems {
		c.memory(&m.Mems[i])
	}
	for i := range m.Stmts {
		s := &m.Stmts[i]

		// A statement reads all its operands on one clock.
		v := c.source(s.Clk)
		for _, id := range append([]ir.ID{s.Cond, s.En}, s.Args...) {
			c.join(v, id, s.Pos, "a statement", "")
		}
	}

	// summary comes first: it makes the record to which crossings and resets add their routes.
	c.summary()
	c.crossings()
	c.resets()
}

// skipsClocks reports whether a register may take a value of another clock.
func (b *body) skipsClocks(reg ir.ID) bool {
	k := b.sync[reg].kind
	return k == bitCross || k == grayCross || k == rstCross
}

func (c *clockInference) memory(mem *ir.Memory) {
	for _, w := range mem.Writes {
		v := c.source(w.Clk)
		for _, id := range []ir.ID{w.Addr, w.Data, w.En, w.Mask} {
			c.join(v, id, w.Pos, "a write to ", mem.Name)
		}
	}

	// Reads without a clock are nodes and unify by themselves; these are the synchronous ports.
	for _, r := range mem.Reads {
		v := c.source(r.Clk)
		for _, id := range []ir.ID{r.Addr, r.En} {
			c.join(v, id, r.Pos, "a read of ", mem.Name)
		}
	}
}

func (c *clockInference) instance(at int) {
	inst := &c.b.m.Insts[at]
	for i, p := range inst.Mod.Ports {
		if p.Dir != ir.Out {
			c.join(c.port(at, i), inst.Conns[i], inst.Pos, "instance ", inst.Name)
		}
	}
}

func (c *clockInference) fresh(clock ir.ID) int32 {
	c.link, c.clock = append(c.link, int32(len(c.link))), append(c.clock, clock)
	return int32(len(c.link) - 1)
}

// source is the variable of a clock: wires are followed to where it comes from.
func (c *clockInference) source(clk ir.ID) int32 {
	clk = c.b.m.Unwired(clk)
	v, ok := c.of[clk]
	if !ok {
		v = c.fresh(clk)
		c.of[clk] = v
	}
	return v
}

// port is the variable of port i of instance at. A port whose clock the child fixes has the
// variable of the clock connected there. Ports of an open class share a variable of the
// instance.
func (c *clockInference) port(at, i int) int32 {
	inst, child := &c.b.m.Insts[at], &c.b.insts[at].clocks

	if len(child.class) == 0 || child.class[i] == 0 {
		return 0
	}
	class := child.class[i]
	if root := child.root[class]; root >= 0 {
		return c.source(inst.Conns[root])
	}

	key := [2]int32{int32(at), class}
	v, ok := c.inst[key]
	if !ok {
		v = c.fresh(ir.None)
		c.inst[key] = v
	}
	return v
}

// value computes the variable of a node whose arguments already have theirs.
func (c *clockInference) value(id ir.ID) int32 {
	m, n := c.b.m, c.b.m.Node(id)

	// Clocks and resets themselves have no clock. A promise of the designer, hw.Static, ends the
	// search.
	if k := m.TypeOf(n.Type).Kind; k == ir.Clock || k == ir.Reset || k == ir.AsyncReset || c.b.sync[id].kind == anyCross {
		return 0
	}

	// The choice of a SyncHeld belongs to the clock of its condition alone.
	if c.b.sync[id].kind == heldMux {
		return c.node[m.Args(id)[0]]
	}

	// State fixes the clock; everything else takes the clock of its arguments.
	switch n.Op {
	case ir.Reg:
		return c.source(m.Regs[n.Aux].Clk)
	case ir.MemOut:
		return c.source(m.Mems[n.Aux].Reads[n.Aux2].Clk)
	case ir.Input, ir.NetOut: // its readers decide the clock of a net; its drivers may have any
		return c.fresh(ir.None)
	case ir.InstOut:
		return c.port(int(n.Aux), int(n.Aux2))
	}

	v, ok := int32(0), true
	for _, a := range m.Args(id) {
		if v, ok = c.unify(v, c.node[a]); !ok {
			c.mixed(v, c.node[a], n.Pos, c.b.describe(id, 1))
			return 0 // said once
		}
	}
	return v
}

// join unifies a variable with that of node id.
func (c *clockInference) join(v int32, id ir.ID, pos ir.Pos, what, name string) {
	if id == ir.None {
		return
	}
	if _, ok := c.unify(v, c.node[id]); !ok {
		c.mixed(v, c.node[id], pos, what+name)
	}
}

// unify joins two variables. ok is false if they already belong to different clocks.
func (c *clockInference) unify(v, w int32) (u int32, ok bool) {
	v, w = c.link.Find(v), c.link.Find(w)

	// Variable 0, of constants and other values without clock, goes with any.
	switch {
	case v == w || w == 0:
		return v, true
	case v == 0:
		return w, true
	case c.clock[v] == ir.None:
		c.link[v] = w
		return w, true
	case c.clock[w] == ir.None:
		c.link[w] = v
		return v, true
	}
	return v, false
}

// mixed reports that two clocks meet in the thing called what.
func (c *clockInference) mixed(v, w int32, pos ir.Pos, what string) {
	b := c.b
	x, y := c.clock[c.link.Find(v)], c.clock[c.link.Find(w)]

	// Sorted, so that the message does not depend on the order of unification.
	if b.describe(x, 1) > b.describe(y, 1) {
		x, y = y, x
	}
	b.d.report(Diag{Code: "clock", Pos: b.d.src.At(pos),
		Msg: fmt.Sprintf("%s mixes clocks %s and %s", what, b.describe(x, 1), b.describe(y, 1)),
		Notes: []Note{{b.at(x), b.describe(x, 1) + " is declared here"}, {b.at(y), b.describe(y, 1) + " is declared here"},
			{Msg: "hw.Sync brings a value across, of several bits hw.SyncGray or hw.SyncHeld; hw.Static promises that it stands still"}}})
}

// summary records the clock classes of the ports for parents.
func (c *clockInference) summary() {
	m := c.b.m
	s := portClocks{class: make([]int32, len(m.Ports)), root: []int32{-1}}

	// Parents know nothing of this module's variables: classes are numbered in the order of the
	// ports.
	classOf := map[int32]int32{}
	for i, p := range m.Ports {
		k := m.TypeOf(p.Type).Kind

		// Clocks, resets and ports without a driver have no class.
		if k == ir.Clock || k == ir.Reset || k == ir.AsyncReset || p.Node == ir.None {
			continue
		}
		v := c.link.Find(c.node[p.Node])
		if v == 0 {
			continue
		}

		class, ok := classOf[v]
		if !ok {
			class = int32(len(s.root))
			classOf[v] = class

			// An input of the module fixes the clock of the class.
			root := int32(-1)
			if src := c.clock[v]; src != ir.None && m.Op(src) == ir.Input {
				root = m.Node(src).Aux
			}
			s.root = append(s.root, root)
		}
		s.class[i] = class
	}
	c.b.clocks = s
}
