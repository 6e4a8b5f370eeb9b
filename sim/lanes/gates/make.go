package gates

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

	// Absorption: one operand is a conjunction with the other.
	for range 2 { // with something that b already is a conjunction of
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
	var vars [3]int32 // the distinct nodes
	n := 0
	var from [3]int // by operand: its variable, or -1 for a constant
	in := [3]Lit{a, b, c}
	// Each distinct node becomes a variable.
	for k, x := range in {
		if x <= True {
			from[k] = -1
			continue
		}
		at := 0
		for at < n && vars[at] != x.Node() {
			at++
		}
		if at == n {
			vars[n] = x.Node()
			n++
		}
		from[k] = at
	}

	// Sort the variables, largest first, so that equal functions are shared.
	for i := 1; i < n; i++ { // largest first
		for k := i; k > 0 && vars[k] > vars[k-1]; k-- {
			vars[k], vars[k-1] = vars[k-1], vars[k]
			for q := range from {
				switch from[q] {
				case k:
					from[q] = k - 1
				case k - 1:
					from[q] = k
				}
			}
		}
	}

	// Translate the table: an index of the variables gives the operands, negated where their
	// literals are.
	var t uint8 // over vars[0], vars[1], vars[2], indexed as Fn
	for i := range 8 {
		at := 0
		for k, x := range in {
			bit := 0
			if from[k] >= 0 {
				bit = i >> (2 - from[k]) & 1
			}
			if x > None && x.Neg() {
				bit ^= 1
			}
			at = at<<1 | bit
		}
		t |= fn >> at & 1 << i
	}

	return g.normal(vars, n, t)
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

// swapped is a table with variables k and k+1 exchanged.
func swapped(t uint8, k int) uint8 {
	hi, lo := uint8(4>>k), uint8(2>>k)
	var out uint8
	// Exchange the two bits of every index.
	for i := range uint8(8) {
		j := i &^ (hi | lo)
		if i&hi != 0 {
			j |= lo
		}
		if i&lo != 0 {
			j |= hi
		}
		out |= t >> j & 1 << i
	}
	return out
}
