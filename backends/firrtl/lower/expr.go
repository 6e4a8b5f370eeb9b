package lower

import (
	"math/big"

	"etch/backends/firrtl/syntax"
	"etch/ir/bits"
)

// ground evaluates an expression of ground type to a node.
func (m *module) ground(e syntax.Expr) int32 {
	row := &m.l.c.Exprs[e]
	switch row.Kind {
	case syntax.Literal:
		return m.literal(row)
	case syntax.Prim:
		return m.primitive(row)
	}
	return m.groundAt(m.operand(e))
}

// literal makes a constant. Without a width it has the fewest bits that hold it, and at
// least one.
func (m *module) literal(row *syntax.ExprRow) int32 {
	// The limit on digits bounds the work of the conversion.
	radix, digits, negative := m.l.c.Number(row)
	if len(digits) > maxWidth {
		m.fail("a literal of %d digits", len(digits))
		return m.bit(0)
	}
	v, ok := new(big.Int).SetString(digits, radix)
	if !ok {
		m.fail("%s is not a number", digits)
		return m.bit(0)
	}
	if negative {
		v.Neg(v)
	}

	// The fewest bits. A signed number needs one for the sign, except -2^n, whose two's
	// complement is its magnitude.
	width, need := row.A, int32(v.BitLen())
	k := kUInt
	if row.Signed {
		k = kSInt
		if need++; negative && v.TrailingZeroBits() == uint(v.BitLen()-1) {
			need-- // -2^n
		}
	}

	// A width that the text gives must hold the number.
	switch {
	case width < 0:
		width = max(1, need)
	case width < need && !(row.Signed && v.Sign() == 0):
		m.fail("%v does not fit %d bits", v, width)
		width = max(1, need)
	}

	if width > maxWidth {
		m.fail("a literal of %d bits; %d at most", width, maxWidth)
		width = 1
	}
	m.lits = append(m.lits, bits.FromBig(int(width), v))
	return m.add(node{op: opLit, kind: k, width: width, a: int32(len(m.lits) - 1)})
}

// condition evaluates an expression that must have one bit. If its width is not yet
// inferred, the check is postponed (unsure).
func (m *module) condition(e syntax.Expr) int32 {
	c := m.ground(e)
	switch n := &m.nodes[c]; {
	case n.width > 1:
		m.fail("a condition of %d bits", n.width)
	case n.width < 0:
		m.unsure = append(m.unsure, unsure{c, m.line})
	case n.kind == kClock || n.kind == kAnalog || n.kind == kSInt:
		m.fail("a condition of type %v", n.kind)
	}
	return c
}

// primitive evaluates a primitive operation.
func (m *module) primitive(row *syntax.ExprRow) int32 {
	args := m.l.c.Args[row.A : row.A+row.N]
	if row.Op == syntax.Cat {
		return m.catAll(args)
	}

	n := node{op: opPrim, prim: row.Op, c: row.C, d: row.D}
	n.a = m.ground(args[0])
	x := m.nodes[n.a]
	y := node{}
	if len(args) > 1 {
		n.b = m.ground(args[1])
		y = m.nodes[n.b]
	}

	if !m.typed(row.Op, &x, &y, len(args)) {
		return m.bit(0)
	}

	// Casts that give the operand back: a clock that was cast to bits and returns to a
	// clock stays that clock.
	switch row.Op {
	case syntax.AsClock:
		if c, inverted, ok := m.clockBehind(n.a); ok && inverted {
			return m.prim(syntax.Not, kClock, 1, c, 0)
		} else if ok {
			return c
		}
	case syntax.AsUInt:
		if x.kind == kUInt {
			return n.a
		}
	case syntax.AsSInt:
		if x.kind == kSInt {
			return n.a
		}
	}

	// The result's kind and width, if it can be known before inference.
	n.kind = resultKind(row.Op, x.kind)
	if n.kind == kReset {
		n.d = m.l.newReset(m.line)
	}

	n.width = m.l.primWidth(row.Op, x.kind, x.width, y.width, row.C, row.D)
	if msg := badWidths(row, x.width, n.width); msg != "" {
		m.fail("%s", msg)
		return m.bit(0)
	}
	return m.add(n)
}

// clockBehind finds the clock that a one-bit value is cast from, through copies, inversions
// and casts. inverted tells the parity of the inversions.
func (m *module) clockBehind(n int32) (clock int32, inverted, ok bool) {
	for range 100 {
		x := &m.nodes[n]
		switch {
		case x.kind == kClock:
			return n, inverted, true
		case x.op == opPrim && x.prim == syntax.Not:
			inverted = !inverted
		case x.op == opPrim && x.prim == syntax.Eq && m.nodes[x.b].op == opLit && m.lits[m.nodes[x.b].a].IsZero():
			inverted = !inverted
		case x.op == opPrim && x.prim == syntax.Bits && m.nodes[x.a].width == 1:
		case x.op == opPrim && x.prim >= syntax.AsUInt && x.prim <= syntax.AsReset || x.op == opCopy:
		default:
			return 0, false, false
		}
		n = x.a
	}
	return 0, false, false
}

// typed checks the kinds of an operation's operands.
func (m *module) typed(o syntax.Op, x, y *node, args int) bool {
	// Casts take any kind; every other operation wants numbers, of one sign unless it shifts.
	cast := o >= syntax.AsUInt && o <= syntax.AsReset
	shift := o == syntax.Dshl || o == syntax.Dshr || o == syntax.Dshlw

	// Resets count as numbers.
	number := func(k kind) bool { return k != kClock && k != kAnalog }
	switch {
	case cast && x.kind == kAnalog, !cast && !number(x.kind), args > 1 && !number(y.kind):
		bad := x.kind
		if number(bad) {
			bad = y.kind
		}
		m.fail("%v of a value of type %v", o, bad)
		return false
	case args > 1 && !shift && (x.kind == kSInt) != (y.kind == kSInt):
		m.fail("%v of a UInt and an SInt", o)
		return false
	case shift && y.kind == kSInt:
		m.fail("%v by an SInt", o)
		return false
	case (o == syntax.AsClock || o == syntax.AsAsyncReset || o == syntax.AsReset) && x.width > 1:
		m.fail("%v of %d bits", o, x.width)
		return false
	}
	return true
}

// badWidths describes the error in an operation's constants, given the operand's width (-1
// if unknown).
func badWidths(row *syntax.ExprRow, w, result int32) string {
	switch {
	case result > maxWidth:
		return row.Op.String() + " gives " + itoa(result) + " bits; " + itoa(maxWidth) + " at most"
	case w < 0:
	case row.Op == syntax.Bits && row.C >= w:
		return "bit " + itoa(row.C) + " of " + itoa(w)
	case (row.Op == syntax.Head || row.Op == syntax.Tail) && row.C > w:
		return row.Op.String() + " takes " + itoa(row.C) + " bits of " + itoa(w)
	}

	// This needs no width.
	if row.Op == syntax.Bits && row.C < row.D {
		return "bits " + itoa(row.C) + " down to " + itoa(row.D)
	}
	return ""
}

// catAll is cat of any number of operands.
func (m *module) catAll(args []syntax.Expr) int32 {
	parts := make([]int32, len(args))
	for i, a := range args {
		parts[i] = m.ground(a)
		if k := m.nodes[parts[i]].kind; k == kClock || k == kAnalog {
			m.fail("cat of a value of type %v", k)
			return m.bit(0)
		}
	}
	n := m.cat(parts)

	// The sum of the widths is known only now.
	if m.nodes[n].width > maxWidth {
		m.fail("cat gives %d bits; %d at most", m.nodes[n].width, maxWidth)
		return m.bit(0)
	}
	return n
}

// resultKind is the kind of an operation's result, given its first operand's kind.
func resultKind(o syntax.Op, x kind) kind {
	signed := kUInt
	if x == kSInt {
		signed = kSInt
	}
	switch o {
	case syntax.Add, syntax.Sub, syntax.Mul, syntax.Div, syntax.Rem, syntax.Pad, syntax.Shl, syntax.Shr, syntax.Dshl, syntax.Dshr,
		syntax.Addw, syntax.Subw, syntax.Dshlw:
		return signed
	case syntax.AsSInt, syntax.Cvt, syntax.Neg:
		return kSInt
	case syntax.AsClock:
		return kClock
	case syntax.AsAsyncReset:
		return kAsync
	case syntax.AsReset:
		return kReset
	}
	return kUInt
}

// primWidth is the width of an operation's result by the FIRRTL specification, -1 if it is
// not yet known. x and y are the operands' widths, c and d the constants. Cat is handled by
// cat.
func (l *lowering) primWidth(o syntax.Op, k kind, x, y, c, d int32) int32 {
	// These do not depend on the operands' widths.
	switch o {
	case syntax.Lt, syntax.Leq, syntax.Gt, syntax.Geq, syntax.Eq, syntax.Neq, syntax.Andr, syntax.Orr, syntax.Xorr,
		syntax.AsClock, syntax.AsAsyncReset, syntax.AsReset:
		return 1
	case syntax.Bits:
		return c - d + 1
	case syntax.Head:
		return c
	}

	// All others do.
	if x < 0 || y < 0 {
		return -1
	}

	switch o {
	case syntax.Add, syntax.Sub:
		return max(x, y) + 1
	case syntax.Mul:
		return x + y
	case syntax.Div, syntax.Cvt:
		if (k == kSInt) == (o == syntax.Div) {
			return x + 1
		}
		return x
	case syntax.Rem:
		return min(x, y)
	case syntax.Pad:
		return max(x, c)
	case syntax.Shl:
		return min(maxWidth+1, x+min(c, maxWidth+1))
	case syntax.Shr:
		low := int32(1)
		if k != kSInt && l.c.Version.AtLeast(4, 0) {
			low = 0
		}
		return max(x-c, low)

	case syntax.Dshl:
		// x + 2^20 bits are beyond maxWidth anyway.
		if y > 20 {
			return maxWidth + 1
		}
		return x + 1<<y - 1
	case syntax.Neg:
		return x + 1
	case syntax.And, syntax.Or, syntax.Xor, syntax.Addw, syntax.Subw:
		return max(x, y)
	case syntax.Tail:
		return max(0, x-c)
	}
	return x // AsUInt, AsSInt, Dshr, Dshlw, Not
}
