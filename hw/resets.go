package hw

import (
	"fmt"

	"etch/ir"
)

// resetCheck follows resets back to the registers that produce them. A reset of another
// clock than that of the register it resets falls out of step with it: part of the domain
// would leave reset a cycle before the rest.
type resetCheck struct {
	*clockInference
	known map[ir.ID]*resetOrigin
	done  map[resetPair]bool
}

type resetPair struct {
	rst ir.ID
	clk int32
}

// resetOrigin is the sources of a reset: values with a clock, and reset ports of the
// module, which only the parent can follow further.
type resetOrigin struct {
	seen   map[ir.ID]bool
	values []resetValue
	inputs []int32
}

type resetValue struct {
	clk int32 // variable of its clock
	id  ir.ID
}

// resets checks the resets of all registers, here and in instances, and records the resets
// of the ports for the parent.
func (c *clockInference) resets() {
	b, m := c.b, c.b.m
	k := &resetCheck{c, map[ir.ID]*resetOrigin{}, map[resetPair]bool{}}

	// Neighbouring registers nearly always share reset and clock: one comparison spares the
	// maps.
	var last resetPair
	for i := range m.Regs {
		r := &m.Regs[i]
		if r.Rst == ir.None || b.sync[r.Node].kind == rstCross {
			continue
		}
		pair := resetPair{r.Rst, c.source(r.Clk)}
		if pair == last {
			continue // as nearly always
		}
		last = pair
		k.use(pair, r.Async, m.Node(r.Node).Pos, "register "+m.NameOf(r.Node), c.rootOf(r.Clk))
	}

	// Instances tell which of their ports reset registers inside.
	for at := range m.Insts {
		inst := &m.Insts[at]
		for _, u := range b.insts[at].clocks.routes.resets {
			clk := inst.Conns[u.root]
			pair := resetPair{inst.Conns[u.port], c.source(clk)}
			if pair == last {
				continue
			}
			last = pair
			k.use(pair, u.async, inst.Pos, u.what+" in "+inst.Name, c.rootOf(clk))
		}
	}

	// Resets that leave the module are recorded for the parent.
	for i, p := range m.Ports {
		if p.Dir == ir.Out && p.Node != ir.None && isReset(m, p.Type) {
			k.output(i, p.Node)
		}
	}
}

func isReset(m *ir.Module, t ir.TypeID) bool {
	kind := m.TypeOf(t).Kind
	return kind == ir.Reset || kind == ir.AsyncReset
}

// use checks the use of one reset with one clock. Values must belong to that clock; reset
// ports are passed on to the parent, if the clock is a port too.
func (k *resetCheck) use(pair resetPair, async bool, pos ir.Pos, what string, root int32) {
	if k.done[pair] {
		return
	}

	k.done[pair] = true
	b, o := k.b, k.origin(pair.rst)

	// A value whose clock is not known yet agrees with any.
	for _, v := range o.values {
		x, y := k.clock[k.link.Find(v.clk)], k.clock[k.link.Find(pair.clk)]
		if x != ir.None && y != ir.None && k.link.Find(v.clk) != k.link.Find(pair.clk) {
			k.foreign(v.id, x, y, pair.rst, async, pos, what)
			return
		}
	}

	for _, port := range o.inputs {
		if root >= 0 {
			b.clocks.routes.resets = append(b.clocks.routes.resets, resetUse{port, root, async, what})
		}
	}
}

// foreign reports a reset made of id, which belongs to clock x, at a register of y.
func (k *resetCheck) foreign(id, x, y, rst ir.ID, async bool, pos ir.Pos, what string) {
	b, how := k.b, "reset"
	if async {
		how = "reset asynchronously"
	}
	b.d.report(Diag{Code: "clock", Pos: b.d.src.At(pos),
		Msg: fmt.Sprintf("%s is %s by %s of clock %s, which falls out of step with its own clock %s", what, how, b.describe(id, 1), b.describe(x, 1), b.describe(y, 1)),
		Notes: []Note{{b.at(id), b.describe(id, 1) + " is declared here"}, {b.at(rst), "the reset is " + b.describe(rst, 2)},
			{Msg: "hw.SyncReset on the clock of the register lets go of the reset in step with it"}}})
}

// output records the origin of a reset that leaves the module, for the parent.
func (k *resetCheck) output(port int, id ir.ID) {
	route := &k.b.clocks.routes.out[port]
	o := k.origin(id)
	route.through = o.inputs

	for _, v := range o.values {
		if src := k.clock[k.link.Find(v.clk)]; src != ir.None && k.b.m.Op(src) == ir.Input {
			route.roots = append(route.roots, k.b.m.Node(src).Aux)
		}
	}
}

func (k *resetCheck) origin(rst ir.ID) *resetOrigin {
	o := k.known[rst]
	if o == nil {
		o = &resetOrigin{seen: map[ir.ID]bool{}}
		k.known[rst] = o
		k.follow(o, rst)
	}
	return o
}

// follow walks from a reset back to its sources, through all logic and through instances.
func (k *resetCheck) follow(o *resetOrigin, id ir.ID) {
	if id == ir.None || o.seen[id] {
		return
	}

	o.seen[id] = true
	b, m := k.b, k.b.m
	value := func(clk int32) { o.values = append(o.values, resetValue{clk, id}) }

	switch n := m.Node(id); {
	case n.Op == ir.Reg:
		value(k.source(m.Regs[n.Aux].Clk))
	case n.Op == ir.Input && isReset(m, n.Type):
		o.inputs = append(o.inputs, n.Aux)
	case n.Op == ir.InstOut && isReset(m, n.Type):
		inst, child := &m.Insts[n.Aux], &b.insts[n.Aux].clocks.routes
		if int(n.Aux2) >= len(child.out) {
			return // a black box
		}
		for _, root := range child.out[n.Aux2].roots {
			value(k.source(inst.Conns[root]))
		}
		for _, port := range child.out[n.Aux2].through {
			k.follow(o, inst.Conns[port])
		}
	case n.Op.Info().Leaf:
		value(k.node[id])
	case b.sync[id].kind == anyCross: // it stands still
	default:
		for _, a := range m.Args(id) {
			k.follow(o, a)
		}
	}
}
