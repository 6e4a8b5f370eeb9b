package gates

import "sync"

// split is a decomposition of a table into two-operand gates.
type split struct {
	form form
	v, w uint8 // the variables
	h    uint8 // pair: the function of v and w, at bit v + 2·w
}

// form is a way to eliminate a variable v, or two, from a table f with halves f0 and f1; x is
// their XOR.
type form uint8

const (
	constant form = iota
	skip          // f0, equal to f1
	literal       // v or its negation
	andOr         // one half is constant
	exor          // the halves are complements
	choose        // v ? f1 : f0
	zeroX         // f0 ^ v·x
	oneX          // f1 ^ ¬v·x
	pair          // F(h(v, w), …)
)

var (
	tablesOnce sync.Once
	cost2      [5][]uint8 // by number of variables up to 4, and table: gates of two operands
	cost3      []uint8    // by table of 4 variables: gates of three operands
	top3       []uint8    // for cost 2: the variable outside of the inner gate · 4 + the one in both gates
)

// makeTables computes the cost tables, from few variables to many.
func makeTables() {
	for m := range cost2 {
		// The costs of m variables use those of m - 1.
		cost2[m] = make([]uint8, 1<<(1<<m))
		for t := range cost2[m] {
			c, _ := best2(uint64(t), m)
			cost2[m][t] = uint8(c)
		}
	}
	makeCost3()
}

// gates2 is the number of two-operand gates for a table of m variables.
func gates2(t uint64, m int) int {
	if m <= 4 {
		return int(cost2[m][t])
	}
	c, _ := best2(t, m)
	return c
}

// best2 finds the cheapest decomposition of a table of m variables, by trying every variable.
func best2(t uint64, m int) (cost int, s split) {
	// A constant takes no gate.
	if t == 0 || t == full(m) {
		return 0, split{}
	}

	cost = 1 << 30
	try := func(c int, f form, v int) {
		if c < cost {
			cost, s = c, split{form: f, v: uint8(v)}
		}
	}

	// f0 and f1 are the cofactors of Shannon's expansion by v. A relation between them spares gates:
	// equal, v is no input; complementary, f0 ^ v; one constant, an and or an or. Otherwise one of
	// the positive and negative Davio expansions or a multiplexer of three gates is the cheapest.
	// Inversions cost nothing.
	ones := full(m - 1)
	for v := range m {
		f0, f1 := cofactor(t, m, v, 0), cofactor(t, m, v, 1)
		const0, const1 := f0 == 0 || f0 == ones, f1 == 0 || f1 == ones
		switch {
		case f0 == f1:
			return gates2(f0, m-1), split{form: skip, v: uint8(v)}
		case const0 && const1:
			return 0, split{form: literal, v: uint8(v)}
		case const0:
			try(1+gates2(f1, m-1), andOr, v)
		case const1:
			try(1+gates2(f0, m-1), andOr, v)
		case f0 == f1^ones:
			try(1+gates2(f0, m-1), exor, v)
		default:
			c0, c1, cx := gates2(f0, m-1), gates2(f1, m-1), gates2(f0^f1, m-1)
			try(2+c0+cx, zeroX, v)
			try(2+c1+cx, oneX, v)
			try(3+c0+c1, choose, v)
		}
	}

	// Expansions by one variable miss functions of a pair, such as (a^b)·c with a and b in one gate. The
	// search over pairs is for small tables only, whose costs are tabulated.
	if m <= 4 {
		bestPair(t, m, &cost, &s)
	}
	return cost, s
}

// bestPair looks for two variables that matter only through one function of both.
func bestPair(t uint64, m int, cost *int, s *split) {
	for w := 1; w < m; w++ {
		// The four quarters must take at most two different tables.
		w0, w1 := cofactor(t, m, w, 0), cofactor(t, m, w, 1)
		for v := range w {
			quarter := [4]uint64{cofactor(w0, m-1, v, 0), cofactor(w0, m-1, v, 1), cofactor(w1, m-1, v, 0), cofactor(w1, m-1, v, 1)}
			h, other, ok := uint8(0), quarter[0], true
			for k, q := range quarter {
				switch {
				case q == quarter[0]:
				case other == quarter[0] || q == other:
					other = q
					h |= 1 << k
				default:
					ok = false
				}
			}

			// With two variables in all, the pair is the table itself.
			if ok && m > 2 {
				if c := 1 + gates2(stacked(quarter[0], other, m-2), m-1); c < *cost {
					*cost, *s = c, split{pair, uint8(v), uint8(w), h}
				}
			}
		}
	}
}

// stacked is the table of m+1 variables whose last variable selects f1 over f0.
func stacked(f0, f1 uint64, m int) uint64 { return f0 | f1<<(1<<m) }

// lut2 makes a table from two-operand gates.
func (g *Graph) lut2(t uint64, in []Lit) Lit {
	m := len(in)
	_, s := best2(t, m)

	if s.form == constant {
		return Lit(t & 1)
	}
	if s.form == pair {
		return g.pair2(t, in, s)
	}

	// Split by v: the halves f0 and f1 are tables of the other variables.
	v := int(s.v)
	f0, f1, x, rest := cofactor(t, m, v, 0), cofactor(t, m, v, 1), in[v], without(in, v)
	sub := func(f uint64) Lit { return g.lut2(f, rest) }
	switch s.form {
	case skip:
		return sub(f0)
	case literal:
		return x ^ Lit(f0&1)
	case exor:
		return g.Xor(x, sub(f0))
	case zeroX:
		return g.Xor(sub(f0), g.And(x, sub(f0^f1)))
	case oneX:
		return g.Xor(sub(f1), g.And(x^1, sub(f0^f1)))
	}

	// The forms andOr and choose: Mux makes one gate if a half is constant.
	return g.Mux(x, sub(f1), sub(f0))
}

// pair2 replaces two variables by a gate of both.
func (g *Graph) pair2(t uint64, in []Lit, s split) Lit {
	m, v, w := len(in), int(s.v), int(s.w)

	// Quarter k has v = k&1 and w = k>>1.
	at := func(k int) uint64 { return cofactor(cofactor(t, m, w, k>>1), m-1, v, k&1) }
	// other is a quarter in which the function h is 1.
	other := 0
	for s.h>>other&1 == 0 {
		other++
	}

	rest := without(without(in, w), v)
	h := g.lut2(uint64(s.h), []Lit{in[v], in[w]})
	return g.lut2(stacked(at(0), at(other), m-2), append(rest, h))
}
