package passes

import (
	"slices"

	"etch/ir"
	"etch/ir/bits"
)

// A rebuilder rewrites a module into a new one, node by node, arguments first. For every
// node a rule gives the new node with its value; a node without a rule is copied. Nodes
// left unused are swept at the end. The module is replaced only if something was counted.
//
// Wires are bypassed: no argument of a new node is a Wire. Where a type matters (clocks,
// arguments of statements), and for names of nodes whose value moved to another node, a
// Wire is kept.
type rebuilder struct {
	old, m *ir.Module
	to     []ir.ID  // by old node: the new node with its value, not a Wire
	own    []ir.ID  // by old node: the new node with its value, type and name, where that is not to
	cur    ir.ID    // the old node being rewritten
	mark   ir.ID    // the first new node made for cur
	made   []bool   // by new node: it was made for an old one, as a copy or as its replacement
	gone   []bool   // by old register: it has been replaced
	lines  []ir.Pos // by old node: the lines that gave its value, if no new node records them
	late   func(id ir.ID) ir.ID
	narrow map[smallConst]ir.ID // constants made so far
	wide   map[string]ir.ID
	cats   map[ir.ID][]int // by Cat of many arguments: the lowest bit of each
	merged []ir.ID         // new tables that were taken into others, counted as LutsMerged
	count  Count
}

type smallConst struct {
	width int
	value uint64
}

// rule returns the new node for old node id, whose arguments in the new module are args;
// None leaves the node as it is. It counts its changes in r.count.
type rule func(r *rebuilder, id ir.ID, args []ir.ID) ir.ID

func newRebuilder(m *ir.Module) *rebuilder {
	r := &rebuilder{
		old: m, m: emptyLike(m), to: make([]ir.ID, m.Len()), own: make([]ir.ID, m.Len()), gone: make([]bool, len(m.Regs)), lines: make([]ir.Pos, m.Len()),
		narrow: map[smallConst]ir.ID{}, wide: map[string]ir.ID{}, cats: map[ir.ID][]int{},
	}
	return r
}

// emptyLike returns a module with the name, position, attributes, black-box mark and
// types of m and nothing else.
func emptyLike(m *ir.Module) *ir.Module {
	n := ir.NewModule(m.Name, m.Src)
	n.Origin, n.Pos, n.Extern, n.Attrs = m.Origin, m.Pos, m.Extern, m.Attrs
	for _, t := range m.Types() {
		n.AddType(t)
	}
	return n
}

// rebuild applies a rule to every node of m and returns what it counted.
func rebuild(m *ir.Module, f rule) Count {
	r := newRebuilder(m)
	r.walk(f)
	return r.finish()
}

// toFixpoint repeats a rewriting until it changes nothing. The bound is a safety net: every
// rule reduces some measure of the module.
func toFixpoint(m *ir.Module, once func(m *ir.Module) Count) Count {
	const most = 50
	var total Count
	if m.Extern != nil {
		return total // a black box, or a model that stands for one
	}
	for range most {
		c := once(m)
		total.Add(c)
		if c.Total() == 0 {
			break
		}
	}
	return total
}

// walk applies a rule to all nodes, arguments first.
func (r *rebuilder) walk(f rule) {
	var args []ir.ID
	for _, id := range argumentOrder(r.old) {
		args = args[:0]
		for _, a := range r.old.Args(id) {
			args = append(args, r.to[a])
		}
		r.begin(id)

		// A wire has no node of its own in the new module, unless its name or type needs
		// one.
		if r.old.Op(id) == ir.Wire {
			r.assign(id, r.given(id, r.arms(id, args)[0]))
			continue
		}
		if v := f(r, id, args); v != ir.None {
			r.assign(id, v)
		} else {
			r.copy(id, args)
		}
	}
}

// begin starts the nodes made for old node id.
func (r *rebuilder) begin(id ir.ID) {
	r.cur, r.mark = id, ir.ID(r.m.Len())
}

// copy adds old node id to the new module with the given arguments.
func (r *rebuilder) copy(id ir.ID, args []ir.ID) {
	v := copyNode(r.m, r.old, id, args)
	if r.old.Op(id) == ir.Const {
		r.remember(r.old.ConstOf(id), v)
	}
	if r.old.Arms(id) > 0 {
		r.setArms(v, r.arms(id, args))
	}
	r.to[id] = v
	r.make(v)
}

// make records that new node v was made for an old one, so that countDead can count it if
// nothing uses it.
func (r *rebuilder) make(v ir.ID) {
	for len(r.made) <= int(v) {
		r.made = append(r.made, false)
	}
	r.made[v] = true
}

// copyNode adds a copy of node id of module from to module to. Indices into tables are
// kept, except those of constants and keys, which are new.
func copyNode(to, from *ir.Module, id ir.ID, args []ir.ID) ir.ID {
	n := from.Node(id)
	var v ir.ID
	switch n.Op {
	case ir.Const:
		v = to.Const(from.ConstOf(id), n.Pos)
	case ir.Lut:
		v = to.AddLut(from.TableOf(id), n.Pos, args...)
	case ir.Case:
		v = to.AddCase(int(n.Width), n.Pos, from.KeysOf(id), args...)
	case ir.Mux, ir.Wire:
		v = to.Add(ir.Node{Op: n.Op, Width: n.Width, Pos: n.Pos}, args...)
	default:
		v = to.Add(ir.Node{Op: n.Op, Width: n.Width, Pos: n.Pos, Aux: n.Aux, Aux2: n.Aux2}, args...)
	}
	// Positions of arms, type, name and attributes.
	if pos := from.ArmPos(id); pos != nil {
		to.SetArmPos(v, pos...)
	}
	to.Node(v).Type = n.Type
	copyName(to, v, from, id)
	if from.HasAttrs(id) {
		to.SetAttrs(v, from.AttrsOf(id))
	}
	return v
}

// copyName gives node v of one module the name of node id of another, with its path in a
// bundle.
func copyName(to *ir.Module, v ir.ID, from *ir.Module, id ir.ID) {
	if name := from.NameOf(id); name != "" {
		to.SetName(v, name)
	}
	if path := from.PathOf(id); path != "" {
		to.SetPath(v, path)
	}
}

// assign records that new node v has the value of old node id. A node made for it takes its
// type and name. Otherwise the name moves to v if v has none, else it stays on a Wire.
// Attributes go with the name.
func (r *rebuilder) assign(id, v ir.ID) {
	r.to[id] = v
	n, nv := r.old.Node(id), r.m.Node(v)
	name, free := r.old.NameOf(id), r.m.NameOf(v) == "" && nv.Op != ir.Const
	// v is free for a name unless it has one; constants never take one, as they are shared.
	switch {
	case free && v >= r.mark:
		nv.Type = n.Type
		copyName(r.m, v, r.old, id)
		r.attach(id, v)
		r.make(v)
	case name == "" || name == r.m.NameOf(v):
		r.attach(id, v)
	case free && nv.Type == n.Type:
		copyName(r.m, v, r.old, id)
		r.attach(id, v)
		if n.Op == ir.Wire {
			r.count[Wires]++
		}
	default:
		r.wire(id, v)
	}
}

// attach adds the attributes of old node id to new node v.
func (r *rebuilder) attach(id, v ir.ID) {
	if !r.old.HasAttrs(id) {
		return
	}
	list := r.m.AttrsOf(v)
	for _, a := range r.old.AttrsOf(id) {
		list = ir.SetAttr(list, a)
	}
	r.m.SetAttrs(v, list)
}

// wire makes a Wire for old node id, to hold its name and type.
func (r *rebuilder) wire(id, v ir.ID) ir.ID {
	n := r.old.Node(id)
	w := r.m.Add(ir.Node{Op: ir.Wire, Type: n.Type, Width: r.m.Node(v).Width, Pos: n.Pos}, v)
	copyName(r.m, w, r.old, id)
	r.attach(id, w)
	r.m.SetArmPos(w, r.lines[id])
	r.own[id] = w
	return w
}

// ref returns the new node with the value of old node id, None for None.
func (r *rebuilder) ref(id ir.ID) ir.ID {
	if id == ir.None {
		return ir.None
	}
	if r.to[id] == ir.None {
		return r.late(id)
	}
	return r.to[id]
}

// typed returns a new node with the value and the type of old node id.
func (r *rebuilder) typed(id ir.ID) ir.ID {
	switch v := r.ref(id); {
	case v == ir.None:
		return ir.None
	case r.own[id] != ir.None:
		return r.own[id]
	case r.m.Node(v).Type == r.old.Node(id).Type:
		return v
	default:
		return r.wire(id, v)
	}
}

// finish copies the tables, sweeps, and replaces the old module, provided that something
// was counted.
func (r *rebuilder) finish() Count {
	if r.count.Total() == 0 {
		return r.count
	}
	// The sweep removes only nodes without use: tables and names stay.
	r.tables()
	live := newMarker(r.m)
	live.everything()
	r.countDead(live)
	*r.old = *compact(r.m, live)
	return r.count
}

// countDead counts nodes made for old ones that are no longer used. Tables merged into
// others are counted elsewhere.
func (r *rebuilder) countDead(live *marker) {
	for _, v := range r.merged {
		r.made[v] = false
	}
	for v := range r.made {
		if r.made[v] && !live.nodes[v] {
			r.count.dead(r.m.Op(ir.ID(v)))
		}
	}
}

// tables copies ports, registers, memories, instances and statements. A replaced register
// keeps an empty entry, which the sweep drops.
func (r *rebuilder) tables() {
	old, m := r.old, r.m
	// Values moved by the rewriting bring their lines along.
	refs := refMap{value: r.ref, typed: r.typed}
	for _, p := range old.Ports {
		p.SetAt = r.bothLines(p.SetAt, r.lines[p.Node])
		m.Ports = append(m.Ports, refs.port(p))
	}

	for i, reg := range old.Regs {
		if r.gone[i] {
			reg = ir.Register{}
		}
		reg.SetAt = r.bothLines(reg.SetAt, r.lines[reg.Next])
		m.Regs = append(m.Regs, refs.register(reg))
	}

	for i := range old.Mems {
		m.Mems = append(m.Mems, refs.memory(&old.Mems[i]))
	}

	// Connections are copied before their lines change, since Conns and SetAt are shared.
	for _, inst := range old.Insts {
		inst.SetAt = slices.Clone(inst.SetAt)
		for j, id := range inst.Conns {
			if more := r.lines[id]; more != 0 {
				inst.GiveAt(j, r.bothLines(inst.GivenAt(j), more))
			}
		}
		m.Insts = append(m.Insts, refs.instance(inst))
	}

	for _, n := range old.Nets {
		m.Nets = append(m.Nets, refs.net(n))
	}

	for _, s := range old.Stmts {
		m.Stmts = append(m.Stmts, refs.stmt(s))
	}

	// A mark of a value that is gone is dropped.
	for _, id := range old.Unused {
		if v := r.to[id]; v != ir.None {
			m.Unused = append(m.Unused, v)
		}
	}
}

// node makes a node for the current old node, at its position.
func (r *rebuilder) node(op ir.Op, width int, args ...ir.ID) ir.ID {
	return r.m.Add(ir.Node{Op: op, Width: int32(width), Pos: r.old.Node(r.cur).Pos}, args...)
}

// konst returns a constant node; equal values share one.
func (r *rebuilder) konst(v bits.Value) ir.ID {
	if id := r.known(v); id != ir.None {
		return id
	}
	id := r.m.Const(v, r.old.Node(r.cur).Pos)
	r.remember(v, id)
	return id
}

func (r *rebuilder) known(v bits.Value) ir.ID {
	if v.Width() <= 64 {
		return r.narrow[smallConst{v.Width(), v.Uint64()}]
	}
	return r.wide[v.String()]
}

func (r *rebuilder) remember(v bits.Value, id ir.ID) {
	if r.m.NameOf(id) != "" || r.known(v) != ir.None {
		return // named constants stay the user's
	}
	if v.Width() <= 64 {
		r.narrow[smallConst{v.Width(), v.Uint64()}] = id
		return
	}
	r.wide[v.String()] = id
}

func (r *rebuilder) zero(width int) ir.ID { return r.konst(bits.Zero(width)) }
func (r *rebuilder) ones(width int) ir.ID { return r.konst(bits.Ones(width)) }

// width and op are those of a new node.
func (r *rebuilder) width(id ir.ID) int { return r.m.Width(id) }
func (r *rebuilder) op(id ir.ID) ir.Op  { return r.m.Op(id) }

// constOf returns the value of a new node if it is a constant.
func (r *rebuilder) constOf(id ir.ID) (bits.Value, bool) {
	if r.m.Op(id) != ir.Const {
		return bits.Value{}, false
	}
	return r.m.ConstOf(id), true
}
