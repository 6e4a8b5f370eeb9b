package derived

import (
	"slices"
	"strings"

	"etch/ir"
	"etch/ir/bits"
	"etch/ir/moments"
)

// place gives everything that moves with computed clocks its edges of input clocks.
func (r *resolver) place() {
	w := &r.w
	// Computed clocks may depend on each other's registers: register them all first.
	for _, e := range r.made {
		switch {
		case e.reg != ir.None:
			w.regs[e.reg] = e
		case e.stmt < 0:
			w.writes[moments.Port{Mem: e.mem, Port: e.port}] = e
		}
	}

	// Changes are applied after all are computed: the items read each other as they were.
	var done []func()
	gone := map[int]bool{}
	for _, e := range r.made {
		w.pos, w.what = e.pos, e.what
		ev, ok := r.origin(e)
		if !ok {
			continue
		}
		switch {
		case e.reg != ir.None:
			done = append(done, r.placeReg(e, ev))
		case e.stmt >= 0:
			gone[e.stmt] = true
			done = append(done, r.placeStmt(e, ev))
		default:
			done = append(done, r.placeWrite(e, ev))
		}
	}

	done = append(done, r.atLevels()...)
	if len(r.errs) > 0 {
		return
	}

	for _, f := range done {
		f()
	}

	// Statements with computed clocks have been replaced by others.
	kept := r.m.Stmts[:0]
	for i, s := range r.m.Stmts {
		if !gone[i] {
			kept = append(kept, s)
		}
	}
	r.m.Stmts = kept
}

// atLevels handles registers of input clocks whose next value depends on the level of their
// own clock: they sample it after the edge, as in Verilog.
func (r *resolver) atLevels() []func() {
	var done []func()
	for i := range r.m.Regs {
		g := &r.m.Regs[i]
		ev := r.w.eventOf(g.Clk)

		// Registers of computed clocks have been placed already.
		if ev.root == ir.None || r.w.regs[g.Node] != nil || g.Kind == ir.Latch {
			continue
		}
		r.w.pos, r.w.what = r.m.Node(g.Node).Pos, "register "+r.m.NameOf(g.Node)
		if next := r.w.at(g.Next, 0, ev); next != g.Next {
			done = append(done, func() { r.m.Regs[i].Next = next })
		}
	}
	return done
}

// origin finds the edges of input clocks at which a computed clock may rise. They must all
// belong to one clock.
func (r *resolver) origin(e *made) ([]event, bool) {
	inputs, box := r.behind(e.clk)
	if box != nil {
		in := &r.m.Insts[r.m.Node(*box).Aux]
		r.fail(e.pos, ErrBlackBox, "the clock of %s comes out of instance %s of black box %s: give it a body", e.what, in.Name, in.Mod.Name)
		return nil, false
	}

	// Try each edge of each input clock behind e's clock, at every moment at which that may change.
	before := len(r.errs)
	var on []event
	for _, root := range r.clocksOf(inputs) {
		for _, rising := range []bool{true, false} {
			ev := event{root, rising}
			for k := range r.w.last(e.clk, ev) + 1 {
				if _, ok := r.w.fires(e.clk, k, ev); ok {
					on = append(on, ev)
					break
				}
			}
		}
	}

	// Two edges of one clock are allowed: the item then moves with both.
	switch {
	case len(r.errs) > before:
		return nil, false
	case len(on) == 0 && len(inputs) > 0 && r.rests(e.clk, ir.None) == moments.Wild:
		r.fail(e.pos, nil, "the clock of %s is made of %s: none of them is a clock", e.what, r.nameList(inputs))
		return nil, false
	case len(on) == 2 && on[0].root != on[1].root, len(on) > 2:
		r.fail(e.pos, nil, "the clock of %s follows from two clocks, %s and %s", e.what, r.m.NameOf(on[0].root), r.m.NameOf(on[len(on)-1].root))
		return nil, false
	case len(on) > 0 && r.rests(e.clk, ir.None) == moments.Wild:
		r.fail(e.pos, nil, "the clock of %s may rise when an input changes (%s) without an edge of %s: put a register between",
			e.what, r.nameList(inputs), r.m.NameOf(on[0].root))
		return nil, false
	}
	return on, r.checkResets(e)
}

// behind lists the inputs on which a node depends, also through registers of computed
// clocks, and finds an output of a black box on which it depends.
func (r *resolver) behind(clk ir.ID) (inputs []ir.ID, box *ir.ID) {
	// A depth-first walk backwards through logic. It crosses state too, since a computed clock may
	// be divided several times: the walk ends at inputs only.
	m := r.m
	seen := map[ir.ID]bool{}
	todo := []ir.ID{clk}
	push := func(id ir.ID) {
		if id != ir.None && !seen[id] {
			seen[id] = true
			todo = append(todo, id)
		}
	}

	for len(todo) > 0 {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		switch n := m.Node(id); n.Op {
		case ir.Input:
			inputs = append(inputs, id)
		case ir.InstOut:
			return nil, &id
		case ir.Reg:
			// A register changes at its clock only, whatever its next value depends on. A latch that is
			// open changes with its operands.
			g := &m.Regs[n.Aux]
			switch e := r.w.regs[id]; {
			case g.Kind == ir.Latch:
				push(g.Rst)
				push(g.Reset)
			case e != nil:
				push(e.clk)
			default:
				push(r.w.eventOf(g.Clk).root)
			}
		case ir.MemOut:
			push(r.w.eventOf(m.Mems[n.Aux].Reads[n.Aux2].Clk).root)
		case ir.MemRead:
			// An asynchronous read changes with its address, and at the clock of every write.
			push(m.Args(id)[0])
			for i := range m.Mems[n.Aux].Writes {
				if e := r.w.writes[moments.Port{Mem: n.Aux, Port: i}]; e != nil {
					push(e.clk)
				} else {
					push(r.w.eventOf(m.Mems[n.Aux].Writes[i].Clk).root)
				}
			}
		default:
			for _, a := range m.Args(id) {
				push(a)
			}
		}
	}

	// By ID, so that messages do not depend on the order of the walk.
	slices.Sort(inputs)
	return inputs, nil
}

// clocksOf is the clocks among some inputs. If there is none, inputs named like clocks
// become clocks.
func (r *resolver) clocksOf(inputs []ir.ID) []ir.ID {
	// Declared clocks first; names count only if there is none.
	var list []ir.ID
	for _, id := range inputs {
		if isClock(r.m, id) {
			list = append(list, id)
		}
	}
	for _, id := range inputs {
		name := strings.ToLower(r.m.NameOf(id))
		if len(list) == 0 && r.m.Width(id) == 1 && (strings.HasSuffix(name, "clk") || strings.HasSuffix(name, "clock")) {
			r.root(id)
			list = append(list, id)

			// The rows so far took the input for no clock.
			r.w.rows.Reset()
		}
	}
	return list
}

func (r *resolver) nameList(inputs []ir.ID) string {
	var names []string
	for _, id := range inputs {
		names = append(names, r.m.NameOf(id))
	}
	if len(names) > 8 {
		names = append(names[:8], "…")
	}
	return strings.Join(names, ", ")
}

// placeReg makes a register of a computed clock move with edges of the input clock. It
// returns the change, to be applied later.
func (r *resolver) placeReg(e *made, on []event) func() {
	w := &r.w

	// Its value after the last moment of each edge.
	ends := make([]ir.ID, len(on))
	for i, ev := range on {
		ends[i] = w.at(e.reg, 1<<30, ev)
	}

	at := r.m.Node(e.reg).Aux
	if len(on) == 2 {
		return func() { r.moveTwice(e, on, ends) }
	}
	return func() {
		g := &r.m.Regs[at]
		if len(on) == 0 { // its clock never rises
			g.Clk = r.edge(source{})
			return
		}
		g.Clk, g.Next = r.edge(source{root: on[0].root, inverted: !on[0].rising}), ends[0]

		// A synchronous reset is part of the new value already.
		if !g.Async {
			g.Rst, g.Reset = ir.None, ir.None
		}
	}
}

// moveTwice replaces a register that moves with both edges by two, one for each edge. Its
// value is their exclusive or; each edge sets its register so that the value becomes the
// new one.
func (r *resolver) moveTwice(e *made, on []event, ends []ir.ID) {
	m := r.m
	node := *m.Node(e.reg)
	name, width := m.NameOf(e.reg), int(node.Width)
	old := m.Regs[node.Aux]

	// The old node becomes the exclusive or.
	first := m.Add(ir.Node{Op: ir.Reg, Width: node.Width, Pos: node.Pos, Aux: node.Aux})
	m.SetName(first, name+"_rose")
	second := m.AddReg(name+"_fell", width, 0, r.edge(source{root: on[1].root, inverted: !on[1].rising}), node.Pos)
	m.SetArgs(e.reg, ir.Xor, first, second)
	m.Node(e.reg).Aux = 0

	zero := m.Const(bits.Zero(width), node.Pos)

	// Each takes the new value xor the other register.
	a := ir.Register{Node: first, Clk: r.edge(source{root: on[0].root, inverted: !on[0].rising}), Next: r.add(ir.Xor, width, ends[0], second), Init: old.Init}
	b := ir.Register{Node: second, Clk: m.Regs[m.Node(second).Aux].Clk, Next: r.add(ir.Xor, width, ends[1], first), Init: zero}
	if old.Async {
		a.Rst, a.Reset, a.Async = old.Rst, old.Reset, true
		b.Rst, b.Reset, b.Async = old.Rst, zero, true
	}
	m.Regs[node.Aux] = a
	m.Regs[m.Node(second).Aux] = b
}

// placeStmt copies a statement to each moment at which its clock may rise.
func (r *resolver) placeStmt(e *made, on []event) func() {
	w := &r.w
	from := r.m.Stmts[e.stmt]
	var all []ir.Stmt
	for _, ev := range on {
		for k := range w.last(e.clk, ev) + 1 {
			fire, ok := w.fires(e.clk, k, ev)
			if !ok {
				continue
			}
			// Its operands are those of that moment.
			s := from
			s.Clk, s.En, s.Cond, s.Args = r.edge(source{root: ev.root, inverted: !ev.rising}), fire, w.maybe(s.Cond, k, ev), nil
			if from.En != ir.None {
				s.En = r.and(fire, w.at(from.En, k, ev))
			}
			for _, a := range from.Args {
				s.Args = append(s.Args, w.at(a, k, ev))
			}
			all = append(all, s)
		}
	}
	return func() { r.m.Stmts = append(r.m.Stmts, all...) }
}

// placeWrite makes a write port of a computed clock write with an edge of the input clock.
func (r *resolver) placeWrite(e *made, on []event) func() {
	w := &r.w
	mem := &r.m.Mems[e.mem]

	// A clock that never rises: the port is disabled.
	if len(on) == 0 {
		return func() {
			q := &r.m.Mems[e.mem].Writes[e.port]
			q.Clk, q.En = r.edge(source{}), r.bit(false)
		}
	}

	// The one moment at which it writes.
	var to ir.WritePort
	n := 0
	for k := range w.last(e.clk, on[0]) + 1 {
		if q, ok := w.rows.Write(moments.Port{Mem: e.mem, Port: e.port}, k, on[0].edge()); ok {
			to, n = q, n+1
		}
	}
	if n > 1 || len(on) > 1 {
		r.fail(e.pos, nil, "%s is written on a computed clock that may rise more than once in a cycle of %s", e.what, r.m.NameOf(on[0].root))
		return nil
	}

	// A later port of the input clock itself would write before this one.
	for i := range mem.Writes[e.port+1:] {
		if q := &mem.Writes[e.port+1+i]; r.w.writes[moments.Port{Mem: e.mem, Port: e.port + 1 + i}] == nil && r.w.eventOf(q.Clk).root == on[0].root {
			r.fail(e.pos, nil, "%s is written on a computed clock and, by a later port, on %s", e.what, r.m.NameOf(on[0].root))
			return nil
		}
	}
	return func() {
		to.Clk = r.edge(source{root: on[0].root, inverted: !on[0].rising})
		r.m.Mems[e.mem].Writes[e.port] = to
	}
}
