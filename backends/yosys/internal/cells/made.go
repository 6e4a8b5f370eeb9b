package cells

import "etch/ir"

// Clocks that are made of logic: by registers that divide a clock, by multiplexers, by gates without
// a latch. A register of a made clock becomes a register of the input clock behind it. At each edge
// of the input clock it tests whether the made clock rises after that edge; if so, it takes the
// values of that moment. Package ir/moments evaluates nodes within such an edge.

// madeEdges is something that moves with a made clock: a register, a statement or a
// write port.
type madeEdges struct {
	user  *cell
	clk   ir.ID // it rises
	reg   ir.ID
	stmt  *ir.Stmt
	mem   *ram
	write int

	known bool
	net   bit     // the input clock behind it
	on    [2]bool // it may rise with the falling, the rising edge of that
}

// isMadeClock reports whether a net is a made clock or its inverse.
func (l *lowering) isMadeClock(b bit) bool {
	k := l.trace(b, nil, 0)
	return k.net >= firstNet && l.isMade[k.net]
}

// makeEdges gives all that made clocks move its edges.
func (l *lowering) makeEdges() {
	if len(l.made) == 0 {
		return
	}
	w := &moments{l: l, regs: map[ir.ID]*madeEdges{}, writes: map[portKey]*madeEdges{}, origins: map[ir.ID]*origin{}}
	for _, e := range l.made {
		switch {
		case e.reg != ir.None:
			w.regs[e.reg] = e
		case e.mem != nil:
			w.writes[portKey{e.mem.at, e.write}] = e
		}
	}

	// All origins first: a made clock may depend on registers of another one.
	w.findEdges()
	before := l.r.failed
	for _, e := range l.made {
		if !w.source(e) {
			return
		}
	}

	// Then compute all edges, and connect them at the end.
	var done []func()
	for _, e := range l.made {
		l.pos, l.reading = l.posOf(e.user.attrs), e.user
		done = append(done, w.place(e))
		if l.r.failed > before {
			return
		}
	}
	for _, f := range done { // not before: they read each other as they were
		f()
	}
	l.reading = nil
}

// place prepares the edges of a user of a made clock; the function it returns connects them.
func (w *moments) place(e *madeEdges) func() {
	switch {
	case e.stmt != nil:
		return w.placeStmt(e)
	case e.mem != nil:
		return w.placeWrite(e)
	case e.on == [2]bool{true, true}:
		return w.placeTwice(e)
	}

	// The clock rises with one edge of its input clock only.
	rising := e.on[1]
	if e.on == [2]bool{} { // it never rises
		return func() { w.l.regOf(e.reg).Clk = w.l.still() }
	}

	// A synchronous reset is part of the next value already.
	r := w.l.regOf(e.reg)
	next, rst, reset := w.end(e.reg, e.net, rising), r.Rst, r.Reset
	if !r.Async {
		rst, reset = ir.None, ir.None
	}
	return func() {
		r := w.l.regOf(e.reg)
		r.Clk, r.Next, r.Rst, r.Reset = w.l.edge(e.net, rising), next, rst, reset
	}
}

// placeTwice makes a register that moves with both edges of two, one for each:
// its value is their difference, and each edge sets that by its own register.
func (w *moments) placeTwice(e *madeEdges) func() {
	l := w.l
	width := l.width(e.reg)
	node := *l.m.Node(e.reg)
	name := l.m.NameOf(e.reg)
	up, down := w.end(e.reg, e.net, true), w.end(e.reg, e.net, false)

	// The register becomes the difference of two, one for each edge.
	return func() {
		second := l.newReg(name+"_fell", nil, width)
		old := *l.regOf(e.reg)
		at := l.m.Node(e.reg).Aux
		first := l.m.Add(ir.Node{Op: ir.Reg, Width: int32(width), Pos: node.Pos, Aux: at})
		if name != "" && !l.index.taken[name+"_rose"] {
			l.m.SetName(first, name+"_rose")
			l.index.taken[name+"_rose"] = true
		}

		// The node itself becomes the difference, so that its readers stay as they are.
		l.m.SetArgs(e.reg, ir.Xor, first, second)

		// Each edge toggles its half by the change that the other half implies.
		zero := l.konst(width, 0)
		a := ir.Register{Node: first, Clk: l.edge(e.net, true), Next: l.xor(up, second), Init: old.Init}
		b := ir.Register{Node: second, Clk: l.edge(e.net, false), Next: l.xor(down, first), Init: zero}
		if old.Async {
			a.Rst, a.Reset, a.Async = old.Rst, old.Reset, true
			b.Rst, b.Reset, b.Async = old.Rst, zero, true
		}
		l.m.Regs[at] = a
		l.m.Regs[l.m.Node(second).Aux] = b
	}
}

// placeStmt looks at a statement at each moment at which its clock may rise.
func (w *moments) placeStmt(e *madeEdges) func() {
	var all []ir.Stmt

	// One copy for each moment at which the clock may rise.
	for _, rising := range []bool{false, true} {
		ev := event{e.net, rising}
		for k := range w.last(e.clk, ev) + 1 {
			fire, ok := w.fires(e.clk, k, ev)
			if !ok {
				continue
			}
			s := *e.stmt
			s.Clk, s.En = w.l.edge(e.net, rising), fire
			if e.stmt.En != ir.None {
				s.En = w.l.and(fire, w.at(e.stmt.En, k, ev))
			}
			if s.Cond != ir.None {
				s.Cond = w.at(s.Cond, k, ev)
			}
			s.Args = nil
			for _, a := range e.stmt.Args {
				s.Args = append(s.Args, w.at(a, k, ev))
			}
			all = append(all, s)
		}
	}
	return func() { w.l.m.Stmts = append(w.l.m.Stmts, all...) }
}

// placeWrite makes a write port write with the edges of the input clock.
func (w *moments) placeWrite(e *madeEdges) func() {
	l := w.l
	key := portKey{e.mem.at, e.write}
	if e.on == [2]bool{true, true} {
		l.fail(e.user, "memory %s is written on a made clock that may rise with both edges of %s", e.mem.name, l.netText(e.net))
		return nil
	}
	ev := event{e.net, e.on[1]}

	// The one moment at which the clock may rise.
	k, n := -1, 0
	for i := range w.last(e.clk, ev) + 1 {
		if _, ok := w.fires(e.clk, i, ev); ok {
			k, n = i, n+1
		}
	}
	if n > 1 {
		l.fail(e.user, "memory %s is written on a made clock that may rise more than once with an edge of %s", e.mem.name, l.netText(e.net))
		return nil
	}

	// Later ports win, which a moved edge must not change.
	for i := range l.m.Mems[e.mem.at].Writes[e.write+1:] {
		if q := &l.m.Mems[e.mem.at].Writes[e.write+1+i]; q.Clk != ir.None && w.edgeOf(q.Clk).net == e.net {
			l.fail(e.user, "memory %s is written on a made clock and, by a later port, on %s", e.mem.name, l.netText(e.net))
			return nil
		}
	}
	to, _ := w.writeAt(key, k, ev)

	// Its clock never rises: the port stays and is never enabled.
	if n == 0 {
		to.En = l.konst(1, 0)
	}
	return func() {
		to.Clk = l.edge(e.net, ev.rising)
		l.m.Mems[e.mem.at].Writes[e.write] = to
	}
}
