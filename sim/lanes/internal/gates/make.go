package gates

import "slices"

// And returns a ∧ b.
func (g *Graph) And(a, b Lit) Lit {
	if g.Fanin == 3 {
		return g.Any(a, b, None, And)
	}

	// Ordered operands make equal gates equal.
	if a > b {
		a, b = b, a
	}
	switch {
	case a == False || a == b^1:
		return False
	case a == True || a == b:
		return b
	}

	// Absorption: one operand is a conjunction that contains the other, or its complement.
	for range 2 {
		if bt := &g.N[b.Node()]; bt.Fn == And && (bt.A == a || bt.B == a) {
			if !b.Neg() {
				return b
			}
			return g.And(a, (bt.A ^ bt.B ^ a).Not())
		} else if bt.Fn == And && !b.Neg() && (bt.A == a^1 || bt.B == a^1) {
			return False
		}
		a, b = b, a
	}
	return g.add(Gate{a, b, None, And})
}

// Or returns a ∨ b.
func (g *Graph) Or(a, b Lit) Lit { return g.And(a^1, b^1) ^ 1 }

// Xor returns a ≠ b.
func (g *Graph) Xor(a, b Lit) Lit {
	if g.Fanin == 3 {
		return g.Any(a, b, None, Xor)
	}

	// Negations move to the result.
	neg := (a ^ b) & 1
	a, b = a&^1, b&^1
	if a > b {
		a, b = b, a
	}

	switch {
	case a == b:
		return neg
	case a == False:
		return b ^ neg
	}
	// An operand that is itself an XOR with the other cancels it.
	for range 2 {
		if bt := &g.N[b.Node()]; bt.Fn == Xor && (bt.A == a || bt.B == a) {
			return bt.A ^ bt.B ^ a ^ neg
		}
		a, b = b, a
	}
	return g.add(Gate{a, b, None, Xor}) ^ neg
}

// Mux returns t if s, else e.
func (g *Graph) Mux(s, t, e Lit) Lit {
	switch {
	case t == e:
		return t
	case g.Fanin == 3:
		return g.Any(s, t, e, mux)
	case s <= True:
		if s == True {
			return t
		}
		return e
	case t == e^1:
		return g.Xor(s, e)
	case t <= True || t == s || t == s^1: // t is 1 or s: OR; t is 0 or ¬s: AND
		if t == True || t == s {
			return g.Or(s, e)
		}
		return g.And(s^1, e)
	case e <= True || e == s || e == s^1:
		if e == True || e == s^1 {
			return g.Or(s^1, t)
		}
		return g.And(s, t)
	}
	return g.Xor(e, g.And(s, g.Xor(t, e)))
}

// Sum returns the XOR of three literals.
func (g *Graph) Sum(a, b, c Lit) Lit {
	if g.Fanin == 3 {
		return g.Any(a, b, c, odd)
	}
	return g.Xor(g.Xor(a, b), c)
}

// Major returns the majority of three literals.
func (g *Graph) Major(a, b, c Lit) Lit {
	if g.Fanin == 3 {
		return g.Any(a, b, c, maj)
	}
	// Equal or opposite operands, and constants, need less than the full gate.
	switch {
	case a == b || b == c:
		return b
	case a == c:
		return a
	case a == b^1:
		return c
	case b == c^1:
		return a
	case a == c^1:
		return b
	case a <= True:
		a, c = c, a
	case b <= True:
		b, c = c, b
	}

	switch c {
	case False:
		return g.And(a, b)
	case True:
		return g.Or(a, b)
	}

	// The majority is a, unless b and c both differ from a.
	return g.Xor(a, g.And(g.Xor(a, b), g.Xor(a, c)))
}

// Any returns the function of a, b and c with table fn, indexed as in Gate. Operands that fn
// does not depend on may be None. For graphs of three operands.
func (g *Graph) Any(a, b, c Lit, fn uint8) Lit {
	in := [3]Lit{a, b, c}

	// The variables are the distinct nodes, largest first, so that equal functions are shared.
	var vars [3]int32
	n := 0
	for _, x := range in {
		if x <= True || slices.Contains(vars[:n], x.Node()) {
			continue
		}
		at := n
		for ; at > 0 && vars[at-1] < x.Node(); at-- {
			vars[at] = vars[at-1]
		}
		vars[at] = x.Node()
		n++
	}

	// Each operand is a table of the variables, a constant one for a constant.
	var tables [3]uint8
	for k, x := range in {
		if x > True {
			tables[k] = patterns[slices.Index(vars[:n], x.Node())]
		}
		if x > None && x.Neg() {
			tables[k] = ^tables[k]
		}
	}
	return g.normal(vars, n, apply(fn, tables[0], tables[1], tables[2]))
}

// low3 has ones at the entries of a table where variable k is 0.
var low3 = [3]uint8{0x0f, 0x33, 0x55}

// normal drops ineffective variables, makes the function of all zeros 0, and makes the gate.
func (g *Graph) normal(vars [3]int32, n int, t uint8) Lit {
	for k := n - 1; k >= 0; k-- {
		// A variable has no effect if both halves of the table agree.
		sh := 4 >> k
		if (t>>sh^t)&low3[k] != 0 {
			continue
		}
		half := t & low3[k]
		t = half | half<<sh
		for q := k; q < n-1; q++ { // later variables move up
			t = swapped(t, q)
			vars[q] = vars[q+1]
		}
		n--
	}

	// Negate the function if it is 1 for all zeros.
	var neg Lit
	if t&1 != 0 {
		t, neg = ^t, 1
	}
	gt := Gate{None, None, None, t}
	at := [3]*Lit{&gt.A, &gt.B, &gt.C}
	for k := range n {
		*at[k] = Lit(vars[k]) << 1
	}

	switch {
	case n == 0:
		return neg
	case n == 1:
		return gt.A ^ neg
	}
	return g.add(gt) ^ neg
}

// swapped is a table with variables k and k+1 exchanged: entries at which the two differ change
// places.
func swapped(t uint8, k int) uint8 {
	if k == 0 {
		return t&0xc3 | t&0x0c<<2 | t&0x30>>2
	}
	return t&0x99 | t&0x22<<1 | t&0x44>>1
}
