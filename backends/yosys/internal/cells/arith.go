package cells

import (
	"etch/ir"
	"etch/ir/bits"
)

func quotient(l *lowering, _ *cell, a, b ir.ID, signed bool) ir.ID {
	if signed {
		return l.same(ir.DivS, a, b)
	}
	return l.same(ir.Div, a, b)
}

func remainder(l *lowering, _ *cell, a, b ir.ID, signed bool) ir.ID {
	if signed {
		return l.same(ir.RemS, a, b)
	}
	return l.same(ir.Rem, a, b)
}

// uneven is 1 when a / b is negative and not whole: rounding down is then one
// less than rounding towards zero.
func (l *lowering) uneven(a, b, rem ir.ID) ir.ID {
	top := l.width(a) - 1
	return l.and(l.xor(l.bit(a, top), l.bit(b, top)), l.any(rem))
}

func floorQuotient(l *lowering, c *cell, a, b ir.ID, signed bool) ir.ID {
	q := quotient(l, c, a, b, signed)
	if !signed {
		return q
	}
	return l.sub(q, l.resize(l.uneven(a, b, l.same(ir.RemS, a, b)), l.width(q), false))
}

func floorRemainder(l *lowering, c *cell, a, b ir.ID, signed bool) ir.ID {
	r := remainder(l, c, a, b, signed)
	if !signed {
		return r
	}
	return l.mux(l.uneven(a, b, r), l.add(r, b), r)
}

// power multiplies by squares of the base, one for each bit of the exponent. A
// negative exponent gives 1 and -1 their powers, and others 0.
func power(l *lowering, c *cell, a, b ir.ID, _ bool) ir.ID {
	w, n := wide(c, "Y"), l.width(b)
	w = max(w, l.width(a))
	base := l.resize(a, w, c.flag("A_SIGNED"))
	negative := c.flag("B_SIGNED")
	square, result := base, l.konst(w, 1)

	// The top bit of a signed exponent is its sign.
	if negative {
		n--
	}

	// Square and multiply, from the lowest bit of the exponent.
	for i := range min(n, w+1) {
		result = l.mux(l.bit(b, i), l.mul(result, square), result)
		square = l.mul(square, square)
	}
	if n > w+1 { // squares this far stay the 0 or 1 that they are
		result = l.mux(l.any(l.slice(b, w+1, n-w-1)), l.mul(result, square), result)
	}
	if !negative {
		return result
	}

	// A negative exponent: only 1 and -1 have powers other than 0.
	sign := l.bit(b, l.width(b)-1)
	one := l.eq(base, l.konst(w, 1))
	minus := l.konst(1, 0)
	if c.flag("A_SIGNED") {
		minus = l.node(ir.RedAnd, 1, base)
	}
	below := l.resize(one, w, false)
	below = l.mux(minus, l.mux(l.bit(b, 0), base, l.konst(w, 1)), below)
	return l.mux(sign, below, result)
}

func shiftLeft(l *lowering, c *cell, a, b ir.ID, _ bool) ir.ID {
	w := max(wide(c, "Y"), l.width(a))
	return l.node(ir.Shl, w, l.resize(a, w, c.flag("A_SIGNED")), b)
}

func shiftRight(l *lowering, c *cell, a, b ir.ID, _ bool) ir.ID {
	if x, ok := l.lookUp(c, a, b); ok {
		return x
	}
	w := max(wide(c, "Y"), l.width(a))
	return l.node(ir.Shr, w, l.resize(a, w, c.flag("A_SIGNED")), b)
}

func shiftRightSigned(l *lowering, c *cell, a, b ir.ID, _ bool) ir.ID {
	w := max(wide(c, "Y"), l.width(a))
	if !c.flag("A_SIGNED") {
		return l.node(ir.Shr, w, l.resize(a, w, false), b)
	}
	return l.node(ir.ShrS, w, l.resize(a, w, true), b)
}

// lookUp is one bit of a constant at an index made of several signals, as look-up tables are written
// in Verilog: T[{a, b}] is a Lut, which the simulator runs many at a time. An index that is one
// signal stays a shift.
func (l *lowering) lookUp(c *cell, a, b ir.ID) (ir.ID, bool) {
	table, ok := l.isConst(a)
	if !ok || l.m.Op(b) != ir.Cat || wide(c, "Y") != 1 || c.flag("B_SIGNED") || l.width(b) > ir.MaxLut {
		return ir.None, false
	}
	return l.table(table, b), true
}

// table is a Lut of the bits of b; behind the end of its table it is 0.
func (l *lowering) table(table bits.Value, b ir.ID) ir.ID {
	in := make([]ir.ID, l.width(b))
	for i := range in {
		in[i] = l.bit(b, i)
	}
	if size := 1 << len(in); table.Width() < size {
		table = table.ZExt(size)
	} else {
		table = table.Trunc(size)
	}
	return l.m.AddLut(table, l.pos, in...)
}

// shiftBoth shifts right, and left by a negative amount.
func shiftBoth(l *lowering, c *cell, a, b ir.ID, _ bool) ir.ID {
	if x, ok := l.lookUp(c, a, b); ok {
		return x
	}
	w := max(wide(c, "Y"), l.width(a))
	x := l.resize(a, w, c.flag("A_SIGNED"))
	right := l.node(ir.Shr, w, x, b)
	if !c.flag("B_SIGNED") {
		return right
	}

	// A left shift takes the absolute value of the amount.
	left := l.node(ir.Shl, w, x, l.neg(b))
	return l.mux(l.bit(b, l.width(b)-1), left, right)
}

func fullAdder(l *lowering, c *cell) {
	a, b, d := l.in(c, "A"), l.in(c, "B"), l.in(c, "C")
	n := wide(c, "Y")
	if n == 0 || !l.want(c, "A", n) || !l.want(c, "B", n) || !l.want(c, "C", n) {
		return
	}

	// X holds the carries, Y the sums, bit by bit.
	half := l.xor(a, b)
	l.give(c, "Y", l.xor(half, d))
	l.give(c, "X", l.or(l.and(a, b), l.and(half, d)))
}

// lookahead is a chain of carries: those of the sum of g and (p or g).
func lookahead(l *lowering, c *cell) {
	n := wide(c, "CO")
	if n == 0 || !l.want(c, "P", n) || !l.want(c, "G", n) {
		return
	}

	// One bit more holds the last carry.
	g := l.resize(l.in(c, "G"), n+1, false)
	p := l.or(l.resize(l.in(c, "P"), n+1, false), g)
	sum := l.add(l.add(p, g), l.resize(l.in1(c, "CI"), n+1, false))

	// A bit of the sum differs from the operands' where a carry comes in.
	l.give(c, "CO", l.slice(l.xor(l.xor(p, g), sum), 1, n))
}

func alu(l *lowering, c *cell) {
	n := wide(c, "Y")
	if n == 0 || !l.want(c, "X", n) || !l.want(c, "CO", n) {
		return
	}
	signed := c.flag("A_SIGNED") && c.flag("B_SIGNED")
	a, b := l.resize(l.in(c, "A"), n, signed), l.resize(l.in(c, "B"), n, signed)

	// BI inverts B, for a subtraction.
	b = l.xor(b, l.resize(l.in1(c, "BI"), n, true))
	half := l.xor(a, b)
	sum := l.add(l.add(a, b), l.resize(l.in1(c, "CI"), n, false))
	l.give(c, "X", half)
	l.give(c, "Y", sum)
	l.give(c, "CO", l.or(l.and(a, b), l.and(half, l.xor(half, sum)))) // half ^ sum: the carries that come in
}

// macc sums products of parts of A, as CONFIG says, and the bits of B.
func macc(l *lowering, c *cell) {
	w, config, list := wide(c, "Y"), c.param("CONFIG"), c.port("A")
	at := 0

	// The next n bits of CONFIG, the lowest first.
	take := func(n int) (v int) {
		for i := range n {
			v |= int(config.Bit(at+i)-'0') << i
		}
		at += n
		return v
	}

	// CONFIG begins with the number of bits of a width, then lists the products.
	size := take(4)
	sum := l.konst(max(w, 1), 0)
	part := func(n int, signed bool) ir.ID {
		x := l.resize(l.signal(list[:n]), w, signed)
		list = list[n:]
		return x
	}
	for size > 0 && w > 0 && at+2+2*size <= len(config) {
		// A product is its sign, whether it is subtracted, and the widths of both factors; without
		// a second one it is an addend.
		signed, minus, n, k := take(1) == 1, take(1) == 1, take(size), take(size)
		if n+k > len(list) || !config.IsBits() {
			l.fail(c, "cell %s ($macc): CONFIG does not fit A", c.name)
			return
		}
		x := part(n, signed)
		if k > 0 {
			x = l.mul(x, part(k, signed))
		}
		if minus {
			sum = l.sub(sum, x)
		} else {
			sum = l.add(sum, x)
		}
	}

	// Each bit of B is an addend of its own.
	for _, b := range c.port("B") {
		sum = l.add(sum, l.resize(l.signal([]bit{b}), max(w, 1), false))
	}
	l.give(c, "Y", sum)
}

// macc2 sums products of parts of A and B, and parts of C.
func macc2(l *lowering, c *cell) {
	w := wide(c, "Y")
	if w == 0 {
		return
	}

	sum := l.konst(w, 0)
	rest := map[string][]bit{"A": c.port("A"), "B": c.port("B"), "C": c.port("C")}

	// part takes operand i of a port; the widths have 16 bits each.
	part := func(port string, i int) (ir.ID, bool) {
		width := 0
		v := c.param(port + "_WIDTHS")
		for k := range 16 {
			width |= int(v.Bit(16*i+k)&1) << k
		}
		if width > len(rest[port]) {
			l.fail(c, "cell %s ($macc_v2): %s_WIDTHS does not fit %s", c.name, port, port)
			return ir.None, false
		}
		x := l.resize(l.signal(rest[port][:width]), w, c.param(port+"_SIGNED").Bit(i) == '1')
		rest[port] = rest[port][width:]
		return x, true
	}
	plus := func(x ir.ID, minus bool) {
		if minus {
			sum = l.sub(sum, x)
		} else {
			sum = l.add(sum, x)
		}
	}

	// Products first, then addends.
	for i := range min(c.number("NPRODUCTS"), len(rest["A"])) {
		a, ok := part("A", i)
		b, ok2 := part("B", i)
		if !ok || !ok2 {
			return
		}
		plus(l.mul(a, b), c.param("PRODUCT_NEGATED").Bit(i) == '1')
	}

	for i := range min(c.number("NADDENDS"), len(rest["C"])) {
		x, ok := part("C", i)
		if !ok {
			return
		}
		plus(x, c.param("ADDEND_NEGATED").Bit(i) == '1')
	}
	l.give(c, "Y", sum)
}
