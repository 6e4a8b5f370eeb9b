package yosys

import (
	"slices"

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
			l.fail(c, "%s has no clock (cell %s): only registers with one can be read", l.netText(only(c.port("Q"))), c.kind)
		default:
			l.registers(c, f)
		}
	}
}

// asyncs is how one bit of a register is reset at once; net is bit0 when it is
// not.
type asyncs struct {
	net  bit
	high bool
	one  bool
}

// registers makes the registers of a cell: one, or one for each bit where their
// resets differ.
func (l *lowering) registers(c *cell, f *ff) {
	q, d := c.port("Q"), c.port("D")
	if len(q) != len(d) || len(q) == 0 {
		l.fail(c, "cell %s (%s): D has %d bits, Q %d", c.name, c.kind, len(d), len(q))
		return
	}
	resets := make([]asyncs, len(q))
	for i := range q {
		ok := true
		if resets[i], ok = l.asyncOf(c, f, i); !ok {
			return
		}
	}
	same := !slices.ContainsFunc(resets, func(a asyncs) bool { return a.net != resets[0].net || a.high != resets[0].high })
	if same {
		l.register(c, f, 0, len(q), resets)
		return
	}
	for i := range q {
		l.register(c, f, i, i+1, resets)
	}
}

// asyncOf finds the asynchronous reset of bit i.
func (l *lowering) asyncOf(c *cell, f *ff, i int) (asyncs, bool) {
	idle := func(b bit, high bool) bool { return b < firstNet && (b == bit1) != high }
	pin := func(name string) bit {
		list := c.port(name)
		if i < len(list) {
			return list[i]
		}
		return only(list)
	}
	switch {
	case f.arst != "":
		return asyncs{only(c.port(f.arst)), f.arstHigh, f.value.bit(i) == '1'}, true
	case f.set != "":
		s, r := pin(f.set), pin(f.clr)
		switch {
		case idle(s, f.setHigh) && idle(r, f.clrHigh):
			return asyncs{bit0, true, false}, true
		case idle(s, f.setHigh):
			return asyncs{r, f.clrHigh, false}, true
		case idle(r, f.clrHigh):
			return asyncs{s, f.setHigh, true}, true
		}
		l.fail(c, "%s has an asynchronous set and an asynchronous reset: only one of them can be read", l.netText(c.port("Q")[i]))
		return asyncs{}, false
	case f.aload != "":
		a, v := only(c.port(f.aload)), pin("AD")
		if idle(a, f.aloadHigh) {
			return asyncs{bit0, true, false}, true
		}
		if v < firstNet {
			return asyncs{a, f.aloadHigh, v == bit1}, true
		}
		l.fail(c, "%s is loaded asynchronously with a value that is not constant", l.netText(c.port("Q")[i]))
		return asyncs{}, false
	}
	return asyncs{bit0, true, false}, true
}

// register makes the register of bits lo to hi of a cell.
func (l *lowering) register(c *cell, f *ff, lo, hi int, resets []asyncs) {
	q, width := c.port("Q")[lo:hi], hi-lo
	name, n := l.index.state(q)
	if name != "" && l.index.taken[name] {
		name = ""
	}
	l.index.taken[name] = name != ""
	typ := ir.TypeID(ir.UInt)
	if n != nil && n.signed && len(n.bits) == width {
		typ = ir.TypeID(ir.SInt)
	}
	l.pos = l.posOf(c.attrs)
	id := l.m.AddReg(name, width, typ, ir.None, l.pos)
	l.drive(id, q)
	at := len(l.m.Regs) - 1
	if v, ok := l.initOf(q); ok {
		l.m.Regs[at].Init = l.value(v)
	}
	l.later = append(l.later, func() {
		l.pos, l.reading = l.posOf(c.attrs), c
		defer func() { l.reading = nil }()
		clk, gate := l.clockNode(only(c.port(f.clk)), f.rising, c)
		next := l.signal(c.port("D")[lo:hi])
		en := ir.None
		if f.en != "" {
			en = l.level(only(c.port(f.en)), f.enHigh)
		}
		rst, reset := ir.None, ir.None
		switch a := resets[lo]; {
		case a.net >= firstNet || (a.net == bit1) == a.high:
			rst, reset = l.level(a.net, a.high), l.value(oneBits(resets[lo:hi]))
			l.m.Regs[at].Async = true
		}
		if f.srst != "" {
			s := l.level(only(c.port(f.srst)), f.srstHigh)
			v := l.value(number(f.value, len(c.port("Q"))).Slice(lo, width))
			if rst != ir.None { // no such cell, but no harm
				next = l.mux(s, v, next)
			} else {
				rst, reset = s, v
			}
			if f.enFirst {
				rst = l.both(en, rst)
			}
		}
		if hold := l.both(gate, en); hold != ir.None {
			next = l.mux(hold, next, id)
		}
		if !l.m.Regs[at].Async && rst != ir.None {
			rst = l.both(gate, rst)
		}
		r := &l.m.Regs[at]
		r.Clk, r.Next, r.Rst, r.Reset = clk, next, rst, reset
	})
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
