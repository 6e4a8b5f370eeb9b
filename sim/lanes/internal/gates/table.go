package gates

// A table of m variables, at most 6, is indexed by the variables' values as bits, variable 0
// lowest.

// low has ones at the indices where variable k is 0.
var low = [6]uint64{0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f, 0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff}

// full is the table of m variables that is always 1.
func full(m int) uint64 { return ^uint64(0) >> (64 - 1<<m) }

// cofactor is table t of m variables with variable v set to val: a table of m-1.
func cofactor(t uint64, m, v, val int) uint64 {
	t = t >> (val << v) & low[v]
	for s := v; s < m-1; s++ { // close the gaps
		t |= t >> (1 << s)
		if s+1 < 6 {
			t &= low[s+1]
		}
	}
	return t & full(m-1)
}

// depends reports whether table t of m variables depends on variable v.
func depends(t uint64, v int) bool { return (t>>(1<<v)^t)&low[v] != 0 }

// without is in without element v.
func without(in []Lit, v int) []Lit {
	out := make([]Lit, 0, 6)
	out = append(out, in[:v]...)
	return append(out, in[v+1:]...)
}

// Lut returns bit Σ in[k]·2^k of a table; in has at most six literals.
func (g *Graph) Lut(table uint64, in []Lit) Lit {
	// Fold constants, repeated nodes and ineffective variables.
	in = append(make([]Lit, 0, 6), in...)
	table &= full(len(in))
	for v := len(in) - 1; v >= 0; v-- {
		x := in[v]
		switch at := same(in[:v], x); {
		case x <= True:
			table = cofactor(table, len(in), v, int(x))
		case at >= 0: // the same node again: only combinations with equal values remain
			table = joined(table, len(in), at, v, in[at] != x)
		case !depends(table, v):
			table = cofactor(table, len(in), v, 0)
		default:
			continue
		}
		in = append(in[:v], in[v+1:]...)
	}

	// Folding may have made other variables ineffective.
	for v := len(in) - 1; v >= 0; v-- {
		if !depends(table, v) {
			table = cofactor(table, len(in), v, 0)
			in = append(in[:v], in[v+1:]...)
		}
	}

	tablesOnce.Do(makeTables)
	if g.Fanin == 3 {
		return g.lut3(table, in)
	}
	return g.lut2(table, in)
}

// same is the index of x or its negation in in, or -1.
func same(in []Lit, x Lit) int {
	for k, y := range in {
		if x|1 == y|1 {
			return k
		}
	}
	return -1
}

// joined is table t of m variables with variable v replaced by variable at < v, or by its
// negation.
func joined(t uint64, m, at, v int, opposite bool) uint64 {
	t0, t1 := cofactor(t, m, v, 0), cofactor(t, m, v, 1)
	if opposite {
		t0, t1 = t1, t0
	}

	// Where variable at is 0, v is 0 too, or 1 if it is the opposite.
	return t0&low[at] | t1&^low[at]&full(m-1)
}
