package cells

import (
	"slices"

	"etch/ir"
	"etch/ir/bits"
)

func mux(l *lowering, c *cell) {
	if n := wide(c, "Y"); n > 0 && l.want(c, "A", n) && l.want(c, "B", n) {
		l.give(c, "Y", l.mux(l.in1(c, "S"), l.in(c, "B"), l.in(c, "A")))
	}
}

func nmux(l *lowering, c *cell) {
	l.give(c, "Y", l.not(l.mux(l.in1(c, "S"), l.in1(c, "B"), l.in1(c, "A"))))
}

// bitMux chooses bit by bit.
func bitMux(l *lowering, c *cell) {
	n := wide(c, "Y")
	if n == 0 || !l.want(c, "A", n) || !l.want(c, "B", n) || !l.want(c, "S", n) {
		return
	}
	s := l.in(c, "S")
	l.give(c, "Y", l.or(l.and(s, l.in(c, "B")), l.and(l.not(s), l.in(c, "A"))))
}

// pmux takes the value of the lowest bit of S that is set, A when none is.
func pmux(l *lowering, c *cell) {
	n, s := wide(c, "Y"), c.port("S")
	if n == 0 || !l.want(c, "A", n) || !l.want(c, "B", n*len(s)) {
		return
	}

	// Comparisons of one signal become a case.
	if l.caseOf(c, n, s) {
		return
	}

	// From the last select up, so that the lowest one wins.
	x := l.in(c, "A")
	for i := len(s) - 1; i >= 0; i-- {
		x = l.mux(l.signal(s[i:i+1]), l.signal(c.port("B")[i*n:][:n]), x)
	}
	l.give(c, "Y", x)
}

// caseOf makes a case of a choice whose bits all compare one signal with
// different constants.
func (l *lowering) caseOf(c *cell, n int, s []bit) bool {
	// All selects must compare one operand with constants.
	var sel ir.ID
	arms := map[string]ir.ID{}
	var keys []bits.Value
	for i, b := range s {
		x, list, ok := l.compared(b)
		if !ok || sel != ir.None && x != sel {
			return false
		}
		sel = x
		value := l.signal(c.port("B")[i*n:][:n])
		for _, k := range list {
			if _, twice := arms[k.Hex()]; twice {
				continue // the first arm wins
			}
			arms[k.Hex()] = value
			keys = append(keys, k)
		}
	}

	// Two arms are better as a multiplexer.
	if len(keys) < 3 {
		return false
	}
	slices.SortFunc(keys, func(a, b bits.Value) int { return a.Cmp(b) })
	args := []ir.ID{sel, l.in(c, "A")}
	for _, k := range keys {
		args = append(args, arms[k.Hex()])
	}
	v := l.m.AddCase(n, l.pos, keys, args...)
	l.m.SetOwnArms(v)
	l.give(c, "Y", v)
	return true
}

// compared returns the operand and the constants of the comparison behind a bit: it is an Eq, a
// not of any bit, or an or of such bits.
func (l *lowering) compared(b bit) (ir.ID, []bits.Value, bool) {
	d, ok := l.driverOf(b)
	if !ok || d.at != 0 {
		return ir.None, nil, false
	}
	return l.comparedNode(d.node, 0)
}

func (l *lowering) comparedNode(x ir.ID, depth int) (sel ir.ID, keys []bits.Value, ok bool) {
	args := l.m.Args(x)
	switch l.m.Op(x) {
	case ir.Eq:
		for i := range 2 {
			if v, ok := l.isConst(args[i]); ok {
				return args[1-i], []bits.Value{v}, true
			}
		}

	// x == 0 is the inverse of the or of all bits.
	case ir.Not:
		if l.m.Op(args[0]) == ir.RedOr {
			sel = l.m.Args(args[0])[0]
			return sel, []bits.Value{bits.Zero(l.width(sel))}, true
		}
	case ir.RedOr:
		if depth == 0 && l.m.Op(args[0]) == ir.Cat {
			return l.comparedAny(l.m.Args(args[0]))
		}
	}
	return ir.None, nil, false
}

func (l *lowering) comparedAny(parts []ir.ID) (sel ir.ID, keys []bits.Value, ok bool) {
	for _, p := range parts {
		// Only an or of single comparisons is a list of keys.
		if l.width(p) != 1 {
			return ir.None, nil, false
		}
		s, k, ok := l.comparedNode(p, 1)
		if !ok || sel != ir.None && s != sel {
			return ir.None, nil, false
		}
		sel, keys = s, append(keys, k...)
	}
	return sel, keys, true
}

// bmux reads part S of A: halves are chosen, the lowest bit first.
func bmux(l *lowering, c *cell) {
	n, s := wide(c, "Y"), c.port("S")
	if n == 0 || len(s) > 24 || !l.want(c, "A", n<<len(s)) {
		if len(s) > 24 {
			l.fail(c, "cell %s ($bmux): %d select bits", c.name, len(s))
		}
		return
	}
	parts := make([]ir.ID, 1<<len(s))
	for i := range parts {
		parts[i] = l.signal(c.port("A")[i*n:][:n])
	}
	l.give(c, "Y", l.pick(parts, s))
}

// pick chooses one of parts by the bits of s.
func (l *lowering) pick(parts []ir.ID, s []bit) ir.ID {
	for _, b := range s {
		sel := l.signal([]bit{b})

		// Each select halves the list.
		for i := range len(parts) / 2 {
			parts[i] = l.mux(sel, parts[2*i+1], parts[2*i])
		}
		parts = parts[:len(parts)/2]
	}
	return parts[0]
}

// gateMux is a multiplexer with inputs A, B, C, … and selects S, T, U, V.
func gateMux(l *lowering, c *cell) {
	n, s := 2, []bit{only(c.port("S")), only(c.port("T"))}
	switch c.kind {
	case "$_MUX8_":
		n, s = 3, append(s, only(c.port("U")))
	case "$_MUX16_":
		n, s = 4, append(s, only(c.port("U")), only(c.port("V")))
	}
	parts := make([]ir.ID, 1<<n)
	for i := range parts {
		parts[i] = l.in1(c, "ABCDEFGHIJKLMNOP"[i:i+1])
	}
	l.give(c, "Y", l.pick(parts, s))
}

func demux(l *lowering, c *cell) {
	n, s := wide(c, "A"), c.port("S")
	if n == 0 || len(s) > 24 || !l.want(c, "Y", n<<len(s)) {
		if len(s) > 24 {
			l.fail(c, "cell %s ($demux): %d select bits", c.name, len(s))
		}
		return
	}
	a, sel := l.in(c, "A"), l.in(c, "S")

	// Each part of Y takes A while S chooses it.
	for i := range 1 << len(s) {
		x := a
		if len(s) > 0 {
			x = l.mux(l.is(sel, uint64(i)), a, l.konst(n, 0))
		}
		l.drive(x, c.port("Y")[i*n:][:n])
	}
}

func lut(l *lowering, c *cell) {
	a := c.port("A")
	if len(a) > 24 {
		l.fail(c, "cell %s ($lut): %d inputs", c.name, len(a))
		return
	}
	table := number(c.param("LUT"), 1<<len(a))
	if len(a) == 0 {
		l.give(c, "Y", l.value(table))
		return
	}

	// A large table is a shift of its constant.
	if len(a) > ir.MaxLut {
		x := l.value(table)
		l.give(c, "Y", l.bit(l.node(ir.Shr, table.Width(), x, l.in(c, "A")), 0))
		return
	}
	in := make([]ir.ID, len(a))
	for i := range a {
		in[i] = l.signal(a[i : i+1])
	}
	l.give(c, "Y", l.m.AddLut(table, l.pos, in...))
}

// sop is an or of ands: two bits of TABLE for each input of each of them say
// whether it must be 0 and whether it must be 1.
func sop(l *lowering, c *cell) {
	a, table := c.port("A"), c.param("TABLE")
	sum := l.konst(1, 0)
	for i := range len(table) / max(1, 2*len(a)) {
		product := l.konst(1, 1)
		for j := range a {
			x := l.signal(a[j : j+1])
			if table.Bit(2*(i*len(a)+j)) == '1' {
				product = l.and(product, l.not(x))
			}
			if table.Bit(2*(i*len(a)+j)+1) == '1' {
				product = l.and(product, x)
			}
		}
		sum = l.or(sum, product)
	}
	l.give(c, "Y", sum)
}

func concat(l *lowering, c *cell) { l.drive(l.joined(c)) }

func (l *lowering) joined(c *cell) (ir.ID, []bit) {
	list := append(append([]bit(nil), c.port("A")...), c.port("B")...)
	n := min(len(list), wide(c, "Y"))
	return l.signal(list[:n]), c.port("Y")[:n]
}

func sliceCell(l *lowering, c *cell) {
	a, lo, n := c.port("A"), c.number("OFFSET"), wide(c, "Y")
	if lo < 0 || lo+n > len(a) {
		l.fail(c, "cell %s ($slice): bits %d to %d of %d", c.name, lo, lo+n-1, len(a))
		return
	}
	if n > 0 {
		l.drive(l.signal(a[lo:lo+n]), c.port("Y"))
	}
}

// priority keeps the lowest bit of A that is set.
func priority(l *lowering, c *cell) {
	a := l.in(c, "A")
	l.give(c, "Y", l.and(a, l.neg(a)))
}
