package cells

import (
	"etch/ir"
	"etch/ir/bits"
)

// latchKinds is every cell that is a latch.
func latchKinds() []string {
	list := []string{"$dlatch", "$adlatch", "$dlatchsr", "$sr"}
	for _, g := range gateFamilies {
		if g.letters == "" || g.letters[0] == 'c' { // a register
			continue
		}

		// Each letter doubles the number of names.
		names := []string{g.name}
		for _, letter := range g.letters {
			levels := "NP"
			if letter == 'v' {
				levels = "01"
			}
			var longer []string
			for _, name := range names {
				longer = append(longer, name+levels[:1], name+levels[1:])
			}
			names = longer
		}
		for _, name := range names {
			list = append(list, name+"_")
		}
	}
	return list
}

// latch lowers a latch: one of the netlist, or one for each bit where set and
// clear are not the same for all. The nodes of its inputs exist already.
func latch(l *lowering, c *cell) {
	f, _ := flipFlop(c)
	q := c.port("Q")
	if len(q) == 0 || f.en != "" && !l.want(c, "D", len(q)) {
		return
	}
	if f.set == "" {
		l.latchBits(c, f, 0, len(q))
		return
	}

	// Neighbouring bits with equal set and clear are one latch.
	both := func(i int) string {
		return l.formula(bitOf(c.port(f.set), i)) + " " + l.formula(bitOf(c.port(f.clr), i))
	}
	for lo := 0; lo < len(q); {
		hi := lo + 1
		for hi < len(q) && both(hi) == both(lo) {
			hi++
		}
		l.latchBits(c, f, lo, hi)
		lo = hi
	}
}

// bitOf is bit i of a list, or its only bit.
func bitOf(list []bit, i int) bit {
	if i < len(list) {
		return list[i]
	}
	return only(list)
}

// latchBits makes the latch of bits lo to hi of a cell. Clear comes before set,
// both and reset before enable.
func (l *lowering) latchBits(c *cell, f *ff, lo, hi int) {
	width := hi - lo
	open, value := l.konst(1, 0), l.konst(width, 0)

	// A later choice overrides the ones before it.
	choose := func(when, what ir.ID) {
		open, value = l.or(when, open), l.mux(when, what, value)
	}
	if f.en != "" {
		open, value = l.level(only(c.port(f.en)), f.enHigh), l.signal(c.port("D")[lo:hi])
	}
	if f.arst != "" {
		choose(l.level(only(c.port(f.arst)), f.arstHigh), l.value(number(f.value, hi).Slice(lo, width)))
	}
	if f.set != "" {
		choose(l.levelOfBit(bitOf(c.port(f.set), lo), f.setHigh), l.value(bits.Ones(width)))
		choose(l.levelOfBit(bitOf(c.port(f.clr), lo), f.clrHigh), l.konst(width, 0))
	}
	q := c.port("Q")[lo:hi]
	l.drive(l.latchNode(q, open, value), q)
}

// latchNode makes a latch that drives q, "" for none of the user's.
func (l *lowering) latchNode(q []bit, open, value ir.ID) ir.ID {
	name, n := "", (*netName)(nil)
	if q != nil {
		name, n = l.index.state(q)
	}
	id := l.newReg(name, n, l.width(value))
	r := l.regOf(id)
	r.MakeLatch(l.still(), open, value)
	if v, ok := l.initOf(q); ok {
		r.Init = l.value(v)
	}
	return id
}

// newReg adds a register; it gets the name if that is free, and the type of n.
func (l *lowering) newReg(name string, n *netName, width int) ir.ID {
	if name != "" && l.index.taken[name] {
		name = ""
	}
	l.index.taken[name] = name != ""
	typ := ir.TypeID(ir.UInt)
	if n != nil && n.signed && len(n.bits) == width {
		typ = ir.TypeID(ir.SInt)
	}
	return l.m.AddReg(name, width, typ, ir.None, l.pos)
}

// still is a clock that never moves.
func (l *lowering) still() ir.ID {
	return l.m.Add(ir.Node{Op: ir.Wire, Width: 1, Type: ir.TypeID(ir.Clock)}, l.konst(1, 0))
}

// maxCopied bounds the nodes copied for the enable of a latch.
const maxCopied = 64

// ownOpens gives every latch its own copy of the logic that opens it: simulators of
// Verilog work out an expression at once, but nets one after another, so that a
// latch might take the next value before the net that closes it has changed.
func (l *lowering) ownOpens() {
	for i := range l.m.Regs {
		if r := &l.m.Regs[i]; r.Kind == ir.Latch {
			left := maxCopied

			// A tree that is too large stays shared.
			if own := l.copied(r.Rst, &left); left >= 0 {
				l.m.Regs[i].Rst = own
			}
		}
	}
}

// copied copies a tree of logic down to state and inputs; left becomes negative when
// it is too large.
func (l *lowering) copied(id ir.ID, left *int) ir.ID {
	if op := l.m.Op(id); op.Info().Leaf || op == ir.MemRead {
		return id
	}
	if *left--; *left < 0 {
		return id
	}

	// The arguments are copied, since adding nodes may move them.
	args := append([]ir.ID(nil), l.m.Args(id)...)
	for i, a := range args {
		args[i] = l.copied(a, left)
	}
	x := l.m.Add(*l.m.Node(id), args...)
	l.m.SetName(x, "")
	return x
}
