package randcircuit

import (
	"fmt"

	"etch/ir"
	"etch/ir/bits"
)

// clk draws a clock.
func (g *gen) clk() ir.ID { return g.clks[g.IntN(len(g.clks))] }

// state adds registers and memories; feed connects them when the module is complete.
func (g *gen) state() {
	// Falling edges come from inverted clocks.
	if g.c.Falls {
		for range 1 + g.IntN(2) {
			g.clks = append(g.clks, g.m.Add(ir.Node{Op: ir.Not, Width: 1, Type: ir.TypeID(ir.Clock)}, g.clk()))
		}
	}
	for range 2 + g.IntN(5) {
		g.register(g.width())
	}
	for i := range g.IntN(3) {
		g.memory(i)
	}
	if g.IntN(2) == 0 { // a clock under a name of its own
		w := g.m.Add(ir.Node{Op: ir.Wire, Width: 1, Type: ir.TypeID(ir.Clock)}, g.clk())
		g.m.SetName(w, "tick")
		g.clks = append(g.clks, w)
	}
}

// register adds a register with or without reset and initial value.
func (g *gen) register(w int) ir.ID {
	id := g.m.AddReg(fmt.Sprintf("r%d", len(g.m.Regs)), w, g.typ(w), g.clk(), g.pos())
	r := &g.m.Regs[len(g.m.Regs)-1]

	// A reset in half of the registers, and no initial value in one of four.
	switch g.IntN(4) {
	case 0:
		r.Rst, r.Reset = g.rst, g.konst(w)
	case 1:
		r.Rst, r.Reset, r.Async = g.arst, g.konst(w), g.IntN(4) != 0
	}
	switch g.IntN(4) {
	case 0:
		r.Init = g.konst(w)
	case 1, 2:
		if r.Init = r.Reset; r.Init == ir.None {
			r.Init = g.konst(w)
		}
	}
	return g.keep(id)
}

// delayed puts one-bit values behind registers that mostly agree in clock, enable, reset and
// initial value, the case that a pass may move registers over.
func (g *gen) delayed(pins []ir.ID) []ir.ID {
	// The clock, enable and reset on which the registers agree are drawn once.
	clk, en, rst := g.clk(), ir.None, ir.None

	if g.IntN(2) == 0 {
		en = g.pick(1)
	}
	if g.IntN(2) == 0 {
		rst = g.rst
	}
	start := g.IntN(4)

	// Now and then one register deviates in enable, start or reset: the pass must see it.
	out := make([]ir.ID, len(pins))
	for i, p := range pins {
		id := g.m.AddReg(fmt.Sprintf("d%d", len(g.m.Regs)), 1, 0, clk, g.pos())
		r := ir.Register{Node: id, Next: p, Clk: clk}
		if g.IntN(8) == 0 {
			r.Next = g.m.Add(ir.Node{Op: ir.Mux, Width: 1}, g.pick(1), p, id)
		} else if en != ir.None {
			r.Next = g.m.Add(ir.Node{Op: ir.Mux, Width: 1}, en, p, id)
		}
		if g.IntN(10) != 0 {
			r.Init = g.m.Const(bits.New(1, uint64(start*g.IntN(2))), 0)
		}
		if rst != ir.None {
			r.Rst, r.Reset = rst, g.m.Const(bits.New(1, g.Uint64()), 0)
		}
		g.m.Regs[g.m.Node(id).Aux] = r
		out[i] = id
	}
	return out
}

// depths are depths of memories: one word, powers of two and their neighbours.
var depths = [...]int{1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17, 33}

// memory adds a memory with its read ports.
func (g *gen) memory(i int) {
	w, depth := g.width(), depths[g.IntN(len(depths))]
	mem := ir.Memory{
		Name: fmt.Sprintf("mem%d", i), Depth: depth, Width: w, Type: g.typ(w),
		Style: [...]string{"", "block", "logic"}[g.IntN(3)], Pos: g.pos(),
	}

	// Contents for some of the words; the rest of them is 0.
	if g.IntN(2) == 0 {
		mem.Init = []bits.Value{}
		for range g.IntN(depth + 1) {
			mem.Init = append(mem.Init, g.value(w))
		}
	}

	// Synchronous ports of any kind first, then asynchronous ones; writes follow when the module
	// has its values.
	at := len(g.m.Mems)
	g.m.Mems = append(g.m.Mems, mem)
	for j := range g.IntN(3) {
		id := g.m.Add(ir.Node{Op: ir.MemOut, Width: int32(w), Aux: int32(at), Aux2: int32(j), Pos: g.pos()})
		g.m.Mems[at].Reads = append(g.m.Mems[at].Reads, ir.ReadPort{
			Name: fmt.Sprintf("r%d", j), Node: id, Clk: g.clk(), Under: ir.Under(g.IntN(3)), Pos: g.pos(),
		})
		g.keep(id)
	}
	for range g.IntN(2) {
		n := ir.Node{Op: ir.MemRead, Width: int32(w), Aux: int32(at), Pos: g.pos()}
		g.keep(g.m.Add(n, g.address()))
	}
}

// feed gives registers their next values and memories their addresses and write ports.
func (g *gen) feed() {
	for i := range g.m.Regs {
		r := &g.m.Regs[i]
		if r.Next != ir.None {
			continue
		}
		switch w := g.m.Width(r.Node); g.IntN(8) {
		case 0:
			r.Next = r.Node
		case 1:
			r.Next = g.konst(w)
		case 2:
			r.Next = g.m.Regs[g.IntN(i+1)].Next // a second register with one next value, perhaps
			if r.Next == ir.None || g.m.Width(r.Next) != w {
				r.Next = g.pick(w)
			}
		case 3:
			r.Next = g.when(r.Node, 1+g.IntN(4))
		case 4, 5:
			r.Next = g.enabled(r.Node, g.pick(w))
		default:
			r.Next = g.pick(w)
		}

		// A condition from logic in place of the reset input.
		if r.Rst != ir.None && !r.Async && g.IntN(3) == 0 {
			r.Rst = g.pick(1)
		}
	}
	for i := range g.m.Mems {
		if len(g.m.Mems[i].Writes) > 0 {
			continue // a machine's
		}
		g.ports(&g.m.Mems[i])
	}
}

// look adds an asynchronous read of a memory.
func (g *gen) look() {
	at := g.IntN(len(g.m.Mems))
	n := ir.Node{Op: ir.MemRead, Width: int32(g.m.Mems[at].Width), Aux: int32(at), Pos: g.pos()}
	g.keep(g.m.Add(n, g.address()))
}

// address returns a few bits of a value, seldom many.
func (g *gen) address() ir.ID {
	if g.IntN(10) == 0 {
		return g.pick(g.width())
	}
	return g.pick(1 + g.IntN(5))
}

// ports completes the read ports of a memory and adds its write ports. Ports often share an
// address, so that they collide.
func (g *gen) ports(mem *ir.Memory) {
	shared := g.address()
	address := func() ir.ID {
		if g.IntN(2) == 0 {
			return shared
		}
		return g.address()
	}
	for j := range mem.Reads {
		mem.Reads[j].Addr = address()
		if g.IntN(2) == 0 {
			mem.Reads[j].En = g.pick(1)
		}
	}

	// Write ports, some with a mask whose lanes divide the width.
	for j := range g.IntN(4) {
		w := ir.WritePort{
			Name: fmt.Sprintf("w%d", j), Clk: g.clk(), Addr: address(), Data: g.pick(mem.Width), Pos: g.pos(),
		}
		if g.IntN(2) == 0 {
			w.En = g.pick(1)
		}
		for _, lanes := range []int{8, 4, 3, 2} {
			if mem.Width%lanes == 0 && g.IntN(3) == 0 {
				w.Mask = g.pick(lanes)
				break
			}
		}
		mem.Writes = append(mem.Writes, w)
	}
}

// instance adds an instance of a module below. A module with a pad gets a net too.
func (g *gen) instance() {
	child := g.d.Modules[g.IntN(len(g.d.Modules))]
	if child.PortIndex(padName) >= 0 {
		g.net()
		return
	}
	at := g.m.AddInst(fmt.Sprintf("u%d", len(g.m.Insts)), child, g.pos())
	unread := g.IntN(8) == 0
	g.connect(at, func(*ir.Port) ir.ID { return ir.None }, func(out ir.ID) {
		if !unread {
			g.keep(out)
		}
	})
}

// connect connects the inputs of an instance; given returns the drivers of some of them, and out
// gets its outputs on the way.
func (g *gen) connect(at int, given func(*ir.Port) ir.ID, out func(ir.ID)) {
	child := g.m.Insts[at].Mod

	// Neighbouring clocks, from any first one.
	first, clocks := g.IntN(g.c.Clocks), 0
	for i := range child.Ports {
		p := &child.Ports[i]
		conns := g.m.Insts[at].Conns
		if x := given(p); x != ir.None {
			conns[i] = x
			continue
		}

		// Split gives the clock ports of an instance different clocks.
		switch {
		case p.Dir == ir.Out:
			out(conns[i])
		case p.Type == ir.TypeID(ir.Clock) && g.c.Split:
			conns[i] = g.clks[(first+clocks)%g.c.Clocks]
			clocks++
		case p.Type == ir.TypeID(ir.Clock):
			conns[i] = g.clk()
		case p.Type == ir.TypeID(ir.AsyncReset):
			conns[i] = g.arst
		default:
			conns[i] = g.pick(p.Width)
		}
	}
}

// stmts adds one statement of every kind.
func (g *gen) stmts() {
	// All kinds, for a writer to meet each.
	for k := ir.Assert; k <= ir.Stop; k++ {
		s := ir.Stmt{Kind: k, Name: fmt.Sprintf("s%d", len(g.m.Stmts)), Clk: g.clk(), Pos: g.pos()}
		if g.IntN(2) == 0 {
			s.En = g.pick(1)
		}
		if k.HasCond() {
			s.Cond = g.pick(1)
		}
		if k == ir.Stop {
			s.Code = g.IntN(3)
		}

		// Every verb of a format, and the percent sign itself.
		if k == ir.Print || k.HasCond() && g.IntN(2) == 0 {
			s.Format = "100%% %d\t%x \"%b\" %c\n"
			for range 4 {
				s.Args = append(s.Args, g.pick(g.width()))
			}
		}
		g.m.Stmts = append(g.m.Stmts, s)
	}
}
