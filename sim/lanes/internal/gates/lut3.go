package gates

// makeCost3 computes, for every table of 4 variables, the number of three-operand gates: 0 for a
// constant or variable, 1 for at most three variables. 2 if an outer gate suffices over an inner
// gate of three variables, the fourth variable, and one of the three. Otherwise 3 (a mux of
// two).
func makeCost3() {
	cost3, top3 = make([]uint8, 1<<16), make([]uint8, 1<<16)
	for t := range cost3 {
		// Count the variables that matter.
		vars := 0
		for v := range 4 {
			if depends(uint64(t), v) {
				vars++
			}
		}

		switch {
		case vars <= 1:
		case vars <= 3:
			cost3[t] = 1
		default:
			// Try every outside variable with every variable in both gates.
			cost3[t] = 3
			for k := range 12 {
				f0, f1 := cofactor(uint64(t), 4, k/3, 0), cofactor(uint64(t), 4, k/3, 1)
				if _, ok := inner(f0, f1, k%3); ok {
					cost3[t], top3[t] = 2, uint8(k/3*4+k%3)
					break
				}
			}
		}
	}
}

// inner finds one function of three variables such that, for each value of variable x, both f0
// and f1 are a constant, the function, or its negation.
func inner(f0, f1 uint64, x int) (r uint64, ok bool) {
	for val := range 2 {
		// With x fixed, both are tables of two variables.
		a, b := cofactor(f0, 3, x, val), cofactor(f1, 3, x, val)
		constA, constB := a == 0 || a == 15, b == 0 || b == 15
		var half uint64
		switch {
		case constA && constB:
		case constA:
			half = b
		case constB, a == b, a == b^15:
			half = a
		default:
			return 0, false
		}
		r |= spread(half, x, val)
	}
	return r, true
}

// spread is a table of two variables as part of one of three, where variable x is val.
func spread(half uint64, x, val int) (t uint64) {
	k := 0
	for i := range 8 {
		if i>>x&1 == val {
			t |= half >> k & 1 << i
			k++
		}
	}
	return t
}

// three makes a table of at most three variables.
func (g *Graph) three(t uint64, in []Lit) Lit {
	args := [3]Lit{False, False, False}
	for k, x := range in {
		args[2-k] = x
	}
	// Unused variables do not matter: repeat the table.
	for k := len(in); k < 3; k++ {
		t |= t << (1 << k)
	}
	return g.Any(args[0], args[1], args[2], uint8(t))
}

// four makes a table of four variables.
func (g *Graph) four(t uint64, in []Lit) Lit {
	for v := range 4 {
		if !depends(t, v) {
			return g.three(cofactor(t, 4, v, 0), without(in, v))
		}
	}

	if cost3[t] == 3 {
		return g.Mux(in[3], g.three(cofactor(t, 4, 3, 1), in[:3]), g.three(cofactor(t, 4, 3, 0), in[:3]))
	}

	// Two gates: the inner function, then the outer one from all combinations of d, x and r.
	d, x := int(top3[t]>>2), int(top3[t]&3)
	half := [2]uint64{cofactor(t, 4, d, 0), cofactor(t, 4, d, 1)}
	r, _ := inner(half[0], half[1], x)
	rest := without(in, d)
	var fn uint8 // of d, x, r

	for i := range 8 {
		dv, xv, rv := i>>2, i>>1&1, uint64(i&1)
		f, of := cofactor(half[dv], 3, x, xv), cofactor(r, 3, x, xv)
		v := rv // f equals r
		switch {
		case f == 0:
			v = 0
		case f == 15:
			v = 1
		case f != of:
			v = rv ^ 1
		}
		fn |= uint8(v) << i
	}

	return g.Any(in[d], rest[x], g.three(r, rest), fn)
}

// choice says which two of a table's halves f0, f1 and their XOR are made.
type choice uint8

const (
	halves choice = iota
	zeroAndX
	oneAndX
	same01
)

// best3 finds the cheapest variable by which to split a table of 5 or 6.
func best3(t uint64, m int) (cost, v int, how choice) {
	cost = 1 << 30
	for x := range m {
		// Any two of f0, f1 and f0 ^ f1 give the third by one gate.
		f0, f1 := cofactor(t, m, x, 0), cofactor(t, m, x, 1)
		c0 := gates3(f0, m-1)
		if f0 == f1 {
			return c0, x, same01
		}
		c1, cx := gates3(f1, m-1), gates3(f0^f1, m-1)
		for k, c := range [3]int{1 + c0 + c1, 1 + c0 + cx, 1 + c1 + cx} {
			if c < cost {
				cost, v, how = c, x, choice(k)
			}
		}
	}
	return cost, v, how
}

// gates3 is the number of three-operand gates for a table of m variables.
func gates3(t uint64, m int) int {
	if m == 4 {
		return int(cost3[t])
	}
	c, _, _ := best3(t, m)
	return c
}

// lut3 makes a table from three-operand gates.
func (g *Graph) lut3(t uint64, in []Lit) Lit {
	m := len(in)
	switch {
	case m <= 3:
		return g.three(t, in)
	case m == 4:
		return g.four(t, in)
	}

	_, v, how := best3(t, m)
	f0, f1, x, rest := cofactor(t, m, v, 0), cofactor(t, m, v, 1), in[v], without(in, v)
	switch how {
	case same01:
		return g.lut3(f0, rest)
	case zeroAndX: // f0 ^ x·d
		return g.Any(g.lut3(f0, rest), x, g.lut3(f0^f1, rest), 0x78)
	case oneAndX: // f1 ^ ¬x·d
		return g.Any(g.lut3(f1, rest), x, g.lut3(f0^f1, rest), 0xd2)
	}
	return g.Mux(x, g.lut3(f1, rest), g.lut3(f0, rest))
}
