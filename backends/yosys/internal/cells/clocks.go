package cells

import (
	"slices"
	"strings"

	"etch/ir"
)

// clock is the source of a clock pin: an input port, inverted or not, behind gates. net
// is bit0 for a clock that never moves. For a clock made of logic it is the net of its
// value, see made.go.
type clock struct {
	net      bit
	inverted bool
	gates    []gate
}

// edges are the moments at which state changes: the rising edges of clk where gate
// is high, or, when clk is None, those of a made clock.
type edges struct {
	clk, gate, made ir.ID
}

// gate lets a clock through or stops it: the clock and (or) the bit that holder keeps
// still while the clock could pass.
type gate struct {
	holder   *cell // a latch or register
	latch    bool
	out      bit  // of holder
	or       bool // the clock or …: it rests high
	inverted bool // of the clock that goes in, against its port
}

// maxGates bounds the logic between a clock's port and a pin.
const maxGates = 100

// findClocks marks the input ports that are clocks, and the nets that are clocks
// made of logic.
func (l *lowering) findClocks() {
	var made []bit
	pin := func(b bit, c *cell) {
		// A pin that leads to a port marks it as a clock; any other net is made of logic.
		if b >= firstNet && !l.isMade[b] && !l.follow(b, c) {
			l.isMade[b] = true
			made = append(made, b)
		}
	}

	// All clock pins, of cells and of memories.
	for i := range l.j.cells {
		c := &l.j.cells[i]
		l.clockPins(c, func(b bit) { pin(b, c) })
	}
	for _, m := range l.rams {
		for _, p := range m.reads {
			if p.clocked {
				pin(p.clk, m.cell)
			}
		}
		for _, p := range m.writes {
			if p.clocked {
				pin(p.clk, m.cell)
			}
		}
	}

	// The inputs behind made clocks may be clocks too.
	l.roots = append(l.roots, made...)
	for _, b := range made {
		l.clocksBehind(b)
	}
}

// follow finds the port behind a clock pin; false when there is logic between, and
// nothing has happened then. Errors that the module may be melted for stay.
func (l *lowering) follow(b bit, user *cell) bool {
	// A trace that fails must leave nothing behind: this is the state to go back to.
	errs, melt, failed, roots := len(l.r.errs), len(l.r.melt), l.r.failed, len(l.roots)
	l.tried = l.tried[:0]
	l.trace(b, user, 0)
	if l.r.failed == failed || len(l.r.melt) > melt {
		return true
	}

	// Take back the errors and marks of the trace that failed.
	l.r.errs, l.r.failed, l.roots = l.r.errs[:errs], failed, l.roots[:roots]
	for _, undo := range l.tried {
		*undo = false
	}
	return false
}

// mark sets a mark of trace.
func (l *lowering) mark(m *bool) {
	if !*m {
		*m = true
		l.tried = append(l.tried, m)
	}
}

// clockPins calls f with every bit of a cell that is a clock.
func (l *lowering) clockPins(c *cell, f func(bit)) {
	if ff, _ := flipFlop(c); ff != nil && ff.clocked {
		f(only(c.port(ff.clk)))
		return
	}

	// The triggers of a statement are clocks.
	if c.kind == "$print" || c.kind == "$check" {
		for _, b := range c.port("TRG") {
			f(b)
		}
	}

	// So are the inputs of an instance that its module uses as clocks.
	child := l.r.done[c.kind]
	if child == nil || child.mod == nil {
		return
	}
	for _, p := range child.mod.Ports {
		if p.Dir == ir.In && p.Type == ir.TypeID(ir.Clock) {
			f(only(c.port(p.Name)))
		}
	}
}

// only is the one bit of a list; a missing one is 0.
func only(list []bit) bit {
	if len(list) == 0 {
		return bit0
	}
	return list[0]
}

// trace follows a clock to the port that it comes from, and marks that. An error
// is told at user, the cell whose pin it is.
func (l *lowering) trace(b bit, user *cell, depth int) clock {
	if b < firstNet {
		// A constant never moves.
		return clock{net: bit0}
	}

	if l.isMade[b] {
		return clock{net: b}
	}

	// An input port ends the trace; only a port of one bit can be a clock.
	if i := l.inPort[b]; i != 0 {
		if len(l.j.ports[i-1].bits) != 1 {
			l.mark(&l.apart[i-1])
		}
		l.mark(&l.clocks[b])
		return clock{net: b}
	}

	if l.owner[b] == 0 {
		// A net without a driver never moves.
		return clock{net: bit0}
	}

	// Else go back through one gate.
	c := &l.j.cells[l.owner[b]-1]
	if depth > maxGates {
		l.fail(user, "its clock goes through a loop or more than %d gates", maxGates)
		return clock{net: bit0}
	}
	return l.through(b, c, user, depth)
}

// through follows a clock from output b of a gate to the gate's input. A gate of one input may
// invert it, one of two inputs gates it.
func (l *lowering) through(b bit, c, user *cell, depth int) clock {
	at := slices.Index(c.port("Y"), b)
	in := func(port string) bit {
		if list := c.port(port); at >= 0 && at < len(list) {
			return list[at]
		}
		return bit0
	}

	// Gates of one input. Inverters and buffers work bit by bit; a reduction is such a gate only if
	// it reduces one bit, and only its lowest output moves.
	switch c.kind {
	case "$not", "$_NOT_":
		l.mark(&l.gating[b])
		k := l.trace(in("A"), user, depth+1)
		k.inverted = !k.inverted
		return k
	case "$pos", "$buf", "$_BUF_":
		l.mark(&l.gating[b])
		return l.trace(in("A"), user, depth+1)
	case "$logic_not", "$reduce_bool", "$reduce_or", "$reduce_and":
		if len(c.port("A")) == 1 && at == 0 {
			l.mark(&l.gating[b])
			k := l.trace(in("A"), user, depth+1)
			k.inverted = k.inverted != (c.kind == "$logic_not")
			return k
		}

	// An AND passes the clock while its other input is 1, an OR while it is 0.
	case "$and", "$_AND_", "$logic_and":
		return l.gated(b, in("A"), in("B"), false, c, user, depth)
	case "$or", "$_OR_", "$logic_or":
		return l.gated(b, in("A"), in("B"), true, c, user, depth)
	}

	l.badClock(b, c, user)
	return clock{net: bit0}
}

// badClock says why a net cannot be a clock.
func (l *lowering) badClock(b bit, c, user *cell) {
	j := l.r.mods[c.kind]
	switch {
	case j != nil && isBlackBox(j):
		l.r.dissolve("*") // more does not help: the error stays
		l.fail(user, "its clock %s comes out of %s, a black box: make the clock an input of the top", l.netText(b), userName(j))
	case j != nil:
		l.r.dissolve(c.kind)
		l.fail(user, "its clock %s is made in an instance of %s; flatten the design", l.netText(b), userName(j))
	default:
		l.fail(user, "its clock %s is made of logic", l.netText(b))
	}
}

// gated follows a clock through a gate of two inputs, one of which is held.
func (l *lowering) gated(b, x, y bit, or bool, c, user *cell, depth int) clock {
	l.mark(&l.gating[b])

	// Put the constant first.
	if v := y; v == bit0 || v == bit1 {
		x, y = y, x
	}

	if x == bit0 || x == bit1 { // and 1, or 0: nothing; else it stands still
		if (x == bit0) == or {
			return l.trace(y, user, depth+1)
		}
		return clock{net: bit0}
	}

	// Put the held bit first.
	if !l.isHolder(x) {
		x, y = y, x
	}

	if !l.isHolder(x) {
		l.badClock(b, c, user)
		return clock{net: bit0}
	}

	k := l.trace(y, user, depth+1)

	// A clock that never moves needs no gate.
	if k.net < firstNet {
		return k
	}

	if l.isMade[k.net] {
		l.badClock(b, c, user)
		return clock{net: bit0}
	}

	// The held bit must not move while the clock passes.
	g := gate{holder: &l.j.cells[l.owner[x]-1], out: x, or: or, inverted: k.inverted}
	ff, _ := flipFlop(g.holder)
	g.latch = ff.latch
	if !l.inTime(g, k, user, depth) {
		l.fail(user, "its clock %s is gated at %s by %s, which may change while the clock passes", l.netText(b), strings.TrimSuffix(l.place(c.attrs), ": "), l.netText(x))
		return clock{net: bit0}
	}

	if g.latch {
		l.mark(&l.gating[x])
		l.roots = append(l.roots, only(l.latchInput(g)))
	}

	// Clipped, since several traces may go on from one list.
	k.gates = append(slices.Clip(k.gates), g)
	return k
}

// inTime reports whether the holder of a gate changes only while the gate stops clock k. Its clock
// or enable must come from the same port as k. A latch must be open while the clock stops the gate
// from passing anything: low for and, high for or. A register must change at the start of that
// time. A latch may follow the clock behind the gates before this one: where they stop the clock,
// this gate passes nothing.
func (l *lowering) inTime(g gate, k clock, user *cell, depth int) bool {
	ff, _ := flipFlop(g.holder)
	pin, high := ff.clk, ff.rising
	if g.latch {
		pin, high = ff.en, ff.enHigh
	}

	by := l.trace(only(g.holder.port(pin)), user, depth+1)
	openHigh := high != by.inverted
	want := g.or != k.inverted
	return by.net == k.net && openHigh == want && (!g.latch || len(by.gates) == 0 || slices.Equal(by.gates, k.gates))
}

// isHolder reports whether a latch or register makes a net.
func (l *lowering) isHolder(b bit) bool {
	if b < firstNet || l.owner[b] == 0 {
		return false
	}
	ff, _ := flipFlop(&l.j.cells[l.owner[b]-1])
	return ff != nil && (ff.clocked || ff.latch && ff.en != "" && ff.arst == "" && ff.set == "")
}

// latchInput is the D input of a gate's latch.
func (l *lowering) latchInput(g gate) []bit {
	at := slices.Index(g.holder.port("Q"), g.out)
	if d := g.holder.port("D"); at < len(d) {
		return d[at : at+1]
	}
	return nil
}

// clockNode makes the edges of a clock pin.
func (l *lowering) clockNode(b bit, rising bool, user *cell) edges {
	k := l.trace(b, user, 0)
	rising = rising != k.inverted
	if k.net < firstNet {
		return edges{clk: l.still()}
	}
	if l.isMade[k.net] {
		return edges{made: l.level(k.net, rising)}
	}
	gate := ir.None

	// An edge passes if all gates on its way are open.
	for _, g := range k.gates {
		gate = l.both(l.gateOpen(g, k.net, rising != g.inverted), gate)
	}
	return edges{clk: l.edge(k.net, rising), gate: gate}
}

// edge is the clock whose rising edge is the given edge of a port.
func (l *lowering) edge(net bit, rising bool) ir.ID {
	clk := l.drv[net].node
	if rising {
		return clk
	}

	// All falling edges of a clock share one inverter.
	if id, ok := l.inverse[clk]; ok {
		return id
	}
	id := l.m.Add(ir.Node{Op: ir.Not, Width: 1, Type: ir.TypeID(ir.Clock), Pos: l.pos}, clk)
	l.inverse[clk] = id
	return id
}

// gateOpen is whether a gate passes an edge, rising or falling, of the clock that
// goes into it.
func (l *lowering) gateOpen(g gate, net bit, rising bool) ir.ID {
	var held ir.ID
	switch {
	case !g.latch:
		held = l.signal([]bit{g.out})
	case rising != g.or: // the latch closes with this edge
		held = l.signal(l.latchInput(g))
	default:
		held = l.closed(g, net)
	}
	if g.or {
		return l.not(held)
	}
	return held
}

// closed is the value of a gate's latch while it is closed: a register on the edge
// that closes it.
func (l *lowering) closed(g gate, net bit) ir.ID {
	if id, ok := l.latches[g.out]; ok {
		return id
	}
	name, _ := l.index.state([]bit{g.out})
	id := l.m.AddReg(name, 1, 0, l.edge(net, g.or == g.inverted), l.posOf(g.holder.attrs))
	l.m.Regs[len(l.m.Regs)-1].Next = l.signal(l.latchInput(g))
	l.latches[g.out] = id
	return id
}
