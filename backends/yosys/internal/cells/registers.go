package cells

import (
	"fmt"
	"strings"

	"etch/ir"
	"etch/ir/bits"
)

// state makes the registers.
func (l *lowering) state() {
	for i := range l.j.cells {
		c := &l.j.cells[i]
		f, ok := flipFlop(c)
		switch {
		case !ok:
			l.fail(c, "cell %s of type %s is not known", c.name, c.kind)
		case f == nil || f.latch:
		case !f.clocked:
			l.fail(c, "cell %s (%s) has no clock: only registers with one can be read", c.name, c.kind)
		default:
			l.registers(c, f)
		}
	}
}

// asyncs is the asynchronous control of one bit of a register. net is bit0 if there is
// none.
type asyncs struct {
	net  bit // resets it
	high bool
	one  bool

	both string // set and clear, where both may come: their formulas
	load bool   // it loads a value that is not constant
}

// alike reports whether two bits can be one register.
func (a asyncs) alike(b asyncs) bool {
	a.one, b.one = false, false
	return a == b
}

// registers makes the registers of a cell: one, or several if the bits have different
// resets.
func (l *lowering) registers(c *cell, f *ff) {
	q, d := c.port("Q"), c.port("D")
	if len(q) != len(d) || len(q) == 0 {
		l.fail(c, "cell %s (%s): D has %d bits, Q %d", c.name, c.kind, len(d), len(q))
		return
	}
	how := make([]asyncs, len(q))
	for i := range q {
		how[i] = l.asyncOf(c, f, i)
	}

	// Neighbouring bits with equal asynchronous control are one register.
	for lo := 0; lo < len(q); {
		hi := lo + 1
		for hi < len(q) && how[hi].alike(how[lo]) {
			hi++
		}
		if how[lo].load || how[lo].both != "" {
			l.loadedRegister(c, f, lo, hi)
		} else {
			l.register(c, f, lo, hi, how)
		}
		lo = hi
	}
}

// asyncOf finds the signals that set, clear or load bit i.
func (l *lowering) asyncOf(c *cell, f *ff, i int) asyncs {
	// A constant pin is idle at the level at which it does not act.
	idle := func(b bit, high bool) bool { return b < firstNet && (b == bit1) != high }
	pin := func(name string) bit { return bitOf(c.port(name), i) }
	switch {
	case f.arst != "":
		return asyncs{net: only(c.port(f.arst)), high: f.arstHigh, one: f.value.Bit(i) == '1'}
	case f.set != "":

		// A pin that never acts leaves a plain set or clear.
		s, r := pin(f.set), pin(f.clr)
		switch {
		case idle(s, f.setHigh) && idle(r, f.clrHigh):
			return asyncs{net: bit0, high: true}
		case idle(s, f.setHigh):
			return asyncs{net: r, high: f.clrHigh}
		case idle(r, f.clrHigh):
			return asyncs{net: s, high: f.setHigh, one: true}
		}
		return asyncs{net: bit0, high: true, both: l.setAndClear(f, s, r)}
	case f.aload != "":

		// A constant load is a set or a clear.
		a, v := only(c.port(f.aload)), pin("AD")
		switch {
		case idle(a, f.aloadHigh):
			return asyncs{net: bit0, high: true}
		case v < firstNet:
			return asyncs{net: a, high: f.aloadHigh, one: v == bit1}
		}
		return asyncs{net: bit0, high: true, load: true}
	}
	return asyncs{net: bit0, high: true}
}

// register makes the register of bits lo to hi of a cell.
func (l *lowering) register(c *cell, f *ff, lo, hi int, resets []asyncs) {
	q, width := c.port("Q")[lo:hi], hi-lo
	name, n := l.index.state(q)
	l.pos = l.posOf(c.attrs)
	id := l.newReg(name, n, width)
	l.drive(id, q)
	if v, ok := l.initOf(q); ok {
		l.regOf(id).Init = l.value(v)
	}
	l.later = append(l.later, func() {
		l.pos, l.reading = l.posOf(c.attrs), c
		defer func() { l.reading = nil }()

		// Later, when its inputs exist.
		k := l.clockNode(only(c.port(f.clk)), f.rising, c)
		next, en := l.signal(c.port("D")[lo:hi]), l.enableOf(c, f)
		rst, reset, async := ir.None, ir.None, false
		if a := resets[lo]; a.net >= firstNet || (a.net == bit1) == a.high {
			rst, reset, async = l.level(a.net, a.high), l.value(oneBits(resets[lo:hi])), true
		}

		// A synchronous reset.
		if f.srst != "" {
			s := l.level(only(c.port(f.srst)), f.srstHigh)
			v := l.value(number(f.value, len(c.port("Q"))).Slice(lo, width))
			if async { // no such cell, but no harm
				next = l.mux(s, v, next)
			} else {
				rst, reset = s, v
			}

			// With the enable first, a register that is not enabled ignores its reset.
			if f.enFirst {
				rst = l.both(en, rst)
			}
		}
		l.clocked(id, k, en, next, rst, reset, async, c)
	})
}

// enableOf is the enable of a register's clock, None without.
func (l *lowering) enableOf(c *cell, f *ff) ir.ID {
	if f.en == "" {
		return ir.None
	}
	return l.level(only(c.port(f.en)), f.enHigh)
}

func (l *lowering) regOf(id ir.ID) *ir.Register { return &l.m.Regs[l.m.Node(id).Aux] }

// clocked connects a register to the edges k: if en is high it takes next.
func (l *lowering) clocked(id ir.ID, k edges, en, next, rst, reset ir.ID, async bool, c *cell) {
	// A register that is not enabled keeps its value.
	if hold := l.both(k.gate, en); hold != ir.None {
		next = l.mux(hold, next, id)
	}

	// A gated clock gates the synchronous reset as well.
	if !async && rst != ir.None {
		rst = l.both(k.gate, rst)
	}
	r := l.regOf(id)
	r.Clk, r.Next, r.Rst, r.Reset, r.Async = k.clk, next, rst, reset, async
	if k.made != ir.None {
		l.made = append(l.made, &madeEdges{user: c, clk: k.made, reg: id})
	}
}

// loadedRegister makes bits lo to hi of a register that is set and cleared, or
// loaded, without a clock: they have the value of a latch then, until the next edge of
// the clock.
func (l *lowering) loadedRegister(c *cell, f *ff, lo, hi int) {
	q := c.port("Q")[lo:hi]
	l.pos = l.posOf(c.attrs)
	name, n := l.index.state(q)
	part := func(suffix string, width int) ir.ID {
		if name == "" {
			return l.newReg("", nil, width)
		}
		return l.newReg(name+suffix, n, width)
	}

	// Three registers stand for it.
	taken, held := part("_clocked", hi-lo), part("_loaded", hi-lo) // the value of the last edge, and the loaded one
	fresh := part("_fresh", 1)                                     // there was an edge since
	l.regOf(fresh).Init = l.konst(1, 1)
	if v, ok := l.initOf(q); ok {
		l.regOf(taken).Init = l.value(v)
	}
	now := l.mux(fresh, taken, held)
	l.drive(now, q)
	l.later = append(l.later, func() {
		l.pos, l.reading = l.posOf(c.attrs), c
		defer func() { l.reading = nil }()

		// A latch keeps the loaded value; the clocked value and fresh follow the edge.
		open, value := l.loads(c, f, lo, hi)
		l.regOf(held).MakeLatch(l.still(), open, value)
		k := l.clockNode(only(c.port(f.clk)), f.rising, c)
		next, en := l.signal(c.port("D")[lo:hi]), l.enableOf(c, f)
		if en != ir.None {
			next = l.mux(en, next, now)
		}
		l.clocked(taken, k, ir.None, next, ir.None, ir.None, false, c)
		l.clocked(fresh, k, ir.None, l.konst(1, 1), open, l.konst(1, 0), true, c)
	})
}

// loads returns the condition under which bits are set, cleared or loaded, and the value.
func (l *lowering) loads(c *cell, f *ff, lo, hi int) (open, value ir.ID) {
	if f.aload != "" {
		return l.level(only(c.port(f.aload)), f.aloadHigh), l.signal(c.port("AD")[lo:hi])
	}
	if open, value, ok := l.triggered(c, f, lo, hi); ok {
		return open, value
	}
	if strings.HasPrefix(c.name, "$procdff") && l.isChain(bitOf(c.port(f.set), lo)) {
		l.fail(c, "%s is set or cleared without a clock by several signals, and takes what is not constant", l.netText(c.port("Q")[lo]))
	}
	set, clear := l.levelOfBit(bitOf(c.port(f.set), lo), f.setHigh), l.levelOfBit(bitOf(c.port(f.clr), lo), f.clrHigh)
	return l.or(set, clear), l.resize(l.not(clear), hi-lo, true)
}

// setAndClear tells bits apart that are not set and cleared by the same signals.
func (l *lowering) setAndClear(f *ff, set, clear bit) string {
	list := l.triggers(f, set, clear)
	if list == nil {
		return l.formula(set) + " " + l.formula(clear)
	}
	text := "by"
	for _, t := range list {
		text += fmt.Sprint(" ", t.net, t.high)
	}
	return text
}

func oneBits(resets []asyncs) bits.Value {
	list := make([]bit, len(resets))
	for i := range resets {
		if list[i] = bit0; resets[i].one {
			list[i] = bit1
		}
	}
	return constBits(list)
}

// initOf is the value of nets at power-up; false when none of them has one.
func (l *lowering) initOf(nets []bit) (bits.Value, bool) {
	list, ok := make([]bit, len(nets)), false
	for i, b := range nets {
		list[i] = bit0
		if b >= firstNet && l.init[b] != 0 {
			ok = true
			if l.init[b] == '1' {
				list[i] = bit1
			}
		}
	}
	return constBits(list), ok
}

// level is a control pin made active high.
func (l *lowering) level(b bit, high bool) ir.ID {
	x := l.signal([]bit{b})
	if high {
		return x
	}
	return l.not(x)
}
