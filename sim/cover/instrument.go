package cover

import (
	"fmt"

	"etch/ir"
	"etch/ir/bits"
)

// point is an arm of a multiplexer of a module: counter name counts the cycles in which it was taken.
type point struct {
	name string
	mod  *ir.Module
	mux  ir.ID
	arm  int
}

// instrument returns a copy of a design with a cover statement for each arm, and the arms. Modules
// without a clock get one from above. There are no points in a design without a clock.
func instrument(d *ir.Design) (*ir.Design, []point) {
	in := &instrumenter{copies: map[*ir.Module]*ir.Module{}, clocks: map[*ir.Module]ir.ID{}, users: map[*ir.Module][]use{}}

	// A copy of all modules, whose instances are of the copies.
	c := &ir.Design{Src: d.Src}
	for _, m := range d.Modules {
		in.copies[m] = m.Clone()
		c.Modules = append(c.Modules, in.copies[m])
	}
	c.Top = in.copies[d.Top]
	for _, m := range c.Modules {
		for i := range m.Insts {
			m.Insts[i].Mod = in.copies[m.Insts[i].Mod]
			in.users[m.Insts[i].Mod] = append(in.users[m.Insts[i].Mod], use{m, i})
		}
	}
	in.top = c.Top
	if in.own(c.Top) == ir.None {
		return c, nil
	}

	for k, m := range c.Modules {
		if m.Extern == nil || m.Extern.Model {
			in.module(m, k)
		}
	}
	return c, in.points
}

// instrumenter is the state of instrument.
type instrumenter struct {
	copies map[*ir.Module]*ir.Module
	users  map[*ir.Module][]use // the instances of a module
	clocks map[*ir.Module]ir.ID
	top    *ir.Module
	points []point
}

// use is an instance.
type use struct {
	in *ir.Module
	at int
}

// own is a clock input of a module, None if it has none.
func (in *instrumenter) own(m *ir.Module) ir.ID {
	for _, p := range m.Ports {
		if p.Dir == ir.In && m.TypeOf(p.Type).Kind == ir.Clock {
			return p.Node
		}
	}
	return ir.None
}

// clock is the clock of a module: its first clock input, or a new one that all its instances are
// given.
func (in *instrumenter) clock(m *ir.Module) ir.ID {
	if id, ok := in.clocks[m]; ok {
		return id
	}

	// Before the instances are given it, so that a module is asked once.
	id := in.own(m)
	if id == ir.None {
		id = m.AddInput("etch_cover_clock", 1, m.AddType(ir.Type{Kind: ir.Clock}), 0)
	}
	in.clocks[m] = id
	for _, u := range in.users[m] {
		inst := &u.in.Insts[u.at]
		if len(inst.Conns) < len(m.Ports) {
			from := in.clock(u.in)
			inst = &u.in.Insts[u.at]
			inst.Conns = append(inst.Conns, from)
			if inst.SetAt != nil {
				inst.SetAt = append(inst.SetAt, 0)
			}
		}
	}
	return id
}

// parent is a multiplexer that a node is an arm of.
type parent struct {
	mux ir.ID
	arm int
}

// module adds the statements of a module, number k of the design.
func (in *instrumenter) module(m *ir.Module, k int) {
	w := &arms{m: m, free: make([]bool, m.Len()), parents: map[ir.ID][]parent{}, memo: map[ir.ID]ir.ID{}, takes: map[parent]ir.ID{}}
	muxes := w.find()
	if len(muxes) == 0 {
		return
	}
	clk := in.clock(m)
	for _, mux := range muxes {
		for arm := range m.Arms(mux) {
			name := fmt.Sprintf("etch.%d.%d", k, len(in.points))
			m.Stmts = append(m.Stmts, ir.Stmt{Kind: ir.Cover, Name: name, Clk: clk, En: ir.None, Cond: w.taken(mux, arm)})
			in.points = append(in.points, point{name, m, mux, arm})
		}
	}
}

// arms finds the conditions under which arms are taken.
type arms struct {
	m       *ir.Module
	free    []bool // a node has uses other than as an arm: it is always wanted
	parents map[ir.ID][]parent
	memo    map[ir.ID]ir.ID // by multiplexer: the condition under which it is wanted
	takes   map[parent]ir.ID
}

// find returns the multiplexers, and notes their uses.
func (w *arms) find() (muxes []ir.ID) {
	m := w.m
	n := m.Len()
	for id := ir.ID(1); int(id) < n; id++ {
		args := m.Args(id)
		op := m.Op(id)
		if op == ir.Mux || op == ir.Case {
			muxes = append(muxes, id)
			w.free[args[0]] = true
			for k, x := range args[1:] {
				w.parents[x] = append(w.parents[x], parent{id, k})
			}
			continue
		}
		for _, x := range args {
			w.free[x] = true
		}
	}

	// Everything else that refers to nodes wants them always.
	ir.EachRef(m, func(id *ir.ID) {
		if *id > 0 && int(*id) < n {
			w.free[*id] = true
		}
	})
	return muxes
}

// wanted is the condition under which a multiplexer's value is taken further; None: always.
func (w *arms) wanted(mux ir.ID) ir.ID {
	if w.free[mux] || len(w.parents[mux]) == 0 {
		return ir.None
	}
	if c, ok := w.memo[mux]; ok {
		return c
	}
	any := ir.None
	for _, p := range w.parents[mux] {
		c := w.taken(p.mux, p.arm)
		if any == ir.None {
			any = c
		} else {
			any = w.add(ir.Or, any, c)
		}
	}
	w.memo[mux] = any
	return any
}

// taken is the condition under which an arm is taken.
func (w *arms) taken(mux ir.ID, arm int) ir.ID {
	if c, ok := w.takes[parent{mux, arm}]; ok {
		return c
	}

	// The selector first, then the conditions outside of it.
	m := w.m
	sel := m.Args(mux)[0]
	var c ir.ID
	switch {
	case m.Op(mux) == ir.Mux && arm == 0:
		c = sel
	case m.Op(mux) == ir.Mux:
		c = w.add(ir.Not, sel)
	case arm > 0:
		c = w.add(ir.Eq, sel, m.Const(m.KeysOf(mux)[arm-1], 0))
	default: // no key
		c = m.Const(bits.New(1, 1), 0)
		for _, key := range m.KeysOf(mux) {
			c = w.add(ir.And, c, w.add(ir.Not, w.add(ir.Eq, sel, m.Const(key, 0))))
		}
	}
	if outer := w.wanted(mux); outer != ir.None {
		c = w.add(ir.And, outer, c)
	}
	w.takes[parent{mux, arm}] = c
	return c
}

// add adds an operation of one bit.
func (w *arms) add(op ir.Op, args ...ir.ID) ir.ID { return w.m.Add(ir.Node{Op: op, Width: 1}, args...) }
