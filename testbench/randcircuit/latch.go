package randcircuit

import (
	"fmt"

	"etch/ir"
	"etch/ir/bits"
)

// latch adds a latch with any enable and data, or one that opens with the asynchronous reset.
func (g *gen) latch() ir.ID {
	if g.c.Calm {
		return g.calmLatch()
	}
	w := g.width()

	// Any bits: such a latch may close as its data changes.
	open, value := g.pick(1), g.pick(w)
	if g.IntN(6) == 0 {
		open = g.arst
	}
	return g.addLatch(open, value)
}

// addLatch adds a latch that takes value while open is high.
func (g *gen) addLatch(open, value ir.ID) ir.ID {
	w := g.m.Width(value)

	// The clock of a latch is a constant.
	never := g.m.Add(ir.Node{Op: ir.Wire, Width: 1, Type: ir.TypeID(ir.Clock)}, g.m.Const(bits.New(1, 1), 0))
	id := g.m.AddReg(fmt.Sprintf("l%d", len(g.m.Regs)), w, g.typ(w), never, g.pos())
	r := &g.m.Regs[len(g.m.Regs)-1]
	r.MakeLatch(never, open, value)
	if g.IntN(2) == 0 {
		r.Init = g.konst(w)
	}
	return g.keep(id)
}

// times are the moments at which leaves change: inputs at one, state at either edge of clocks.
const (
	atInputs = iota
	atRise
	atFall
	times
)

// calmLatch adds a latch that simulators and synthesis treat alike: its enable is one bit of a
// leaf, which has no glitches, and its data changes at another moment.
func (g *gen) calmLatch() ir.ID {
	opens, takes := g.leavesByTime()

	// Start at a random moment, so that all are tried with equal right.
	first := g.IntN(times)
	for k := range times {
		open, from := opens[(first+k)%times], takes[(first+k+1+g.IntN(times-1))%times]
		if len(open) == 0 || len(from) == 0 {
			continue
		}
		bit := open[g.IntN(len(open))]
		if w := g.m.Width(bit); w > 1 {
			bit = g.m.Add(ir.Node{Op: ir.Slice, Width: 1, Aux: int32(g.IntN(w)), Pos: g.pos()}, bit)
		}
		return g.addLatch(bit, g.among(from))
	}
	return g.op()
}

// leavesByTime returns leaves that change at one moment only, as enables and as data of latches.
// A module below the top does not know when its inputs change, except for the asynchronous
// reset.
func (g *gen) leavesByTime() (opens, takes [times][]ir.ID) {
	// Registers with an asynchronous reset may change at two moments.
	for i := range g.m.Regs {
		if r := &g.m.Regs[i]; !r.Async {
			at := g.edge(r.Clk)
			opens[at], takes[at] = append(opens[at], r.Node), append(takes[at], r.Node)
		}
	}
	for i := range g.m.Mems {
		for _, r := range g.m.Mems[i].Reads {
			takes[g.edge(r.Clk)] = append(takes[g.edge(r.Clk)], r.Node)
		}
	}
	opens[atInputs] = append(opens[atInputs], g.arst)
	if g.top {
		opens[atInputs] = append(opens[atInputs], g.rst)
		opens[atInputs], takes[atInputs] = append(opens[atInputs], g.data...), append(takes[atInputs], g.data...)
	}
	return opens, takes
}

// edge returns the edge at which a clock moves state, as far as the module knows its clocks.
func (g *gen) edge(clk ir.ID) int {
	if _, falls := g.m.Source(clk); falls {
		return atFall
	}
	return atRise
}

// among makes a value of some leaves only.
func (g *gen) among(leaves []ir.ID) ir.ID {
	// Operations draw from the leaves only while these tables are in place.
	all, of := g.all, g.of
	g.all, g.of = nil, map[int][]ir.ID{}
	for _, id := range leaves {
		g.all = append(g.all, id)
		g.of[g.m.Width(id)] = append(g.of[g.m.Width(id)], id)
	}
	value := g.pick(g.width())
	for range g.IntN(4) {
		value = g.op()
	}
	g.all, g.of = all, of
	return value
}
