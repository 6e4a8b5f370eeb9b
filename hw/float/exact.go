package float

import "math/big"

// exact computes in big integers, which hold every sum, product and quotient that is
// wanted.
type exact struct{ f Format }

func (x number) big() *big.Int { return new(big.Int).SetUint64(x.sig) }

func (e exact) sum(x, y number, r Rounding) (uint64, Flags) {
	return e.add(x.neg, x.big(), x.exp, y, r)
}

func (e exact) product(x, y number, r Rounding) (uint64, Flags) {
	return e.f.Round(x.neg != y.neg, new(big.Int).Mul(x.big(), y.big()), x.exp+y.exp, false, r)
}

func (e exact) productSum(x, y, z number, r Rounding) (uint64, Flags) {
	return e.add(x.neg != y.neg, new(big.Int).Mul(x.big(), y.big()), x.exp+y.exp, z, r)
}

// add is ±a · 2^exp + z.
func (e exact) add(neg bool, a *big.Int, exp int, z number, r Rounding) (uint64, Flags) {
	b := z.big()
	if a.Sign() == 0 && b.Sign() == 0 {
		return e.f.zeroSum(neg, z.neg, r), 0
	}

	// Both as integers over the lesser exponent: nothing is lost, however far apart they are.
	low := min(exp, z.exp)
	a.Lsh(a, uint(exp-low))
	b.Lsh(b, uint(z.exp-low))
	if neg {
		a.Neg(a)
	}
	if z.neg {
		b.Neg(b)
	}

	// x - x is +0 but when rounding down, whatever the signs of the operands.
	s := a.Add(a, b)
	if s.Sign() == 0 {
		return e.f.sign(r == Down), 0
	}
	return e.f.Round(s.Sign() < 0, new(big.Int).Abs(s), low, false, r)
}

// precision is the number of bits that a quotient or root needs beside the sticky one.
func (e exact) precision(r Rounding) int { return e.f.Frac + 4 + r.Random() }

func (e exact) quotient(x, y number, r Rounding) (uint64, Flags) {
	// The dividend is lengthened until the quotient has the bits that rounding looks at; the
	// remainder is the sticky bit.
	k := max(0, bitLen(y.sig)-bitLen(x.sig)+e.precision(r))
	n := x.big()
	q, rem := n.Lsh(n, uint(k)).QuoRem(n, y.big(), new(big.Int))
	return e.f.Round(x.neg != y.neg, q, x.exp-y.exp-k, rem.Sign() != 0, r)
}

func (e exact) root(x number, r Rounding) (uint64, Flags) {
	return e.rootOf(x.big(), x.exp, r)
}

// rootOf is the root of s · 2^exp: the exponent is made even, and s long enough.
func (e exact) rootOf(s *big.Int, exp int, r Rounding) (uint64, Flags) {
	// A root has half the bits of its radicand.
	k := max(0, 2*e.precision(r)-s.BitLen())
	k += (exp - k) & 1
	s = new(big.Int).Lsh(s, uint(k))

	root := new(big.Int).Sqrt(s)
	return e.f.Round(false, root, (exp-k)/2, new(big.Int).Mul(root, root).Cmp(s) != 0, r)
}

func (e exact) hypot(x, y number, r Rounding) (uint64, Flags) {
	// Over the lesser exponent both squares and their sum are integers: there is one rounding, that
	// of the root.
	low := min(x.exp, y.exp)
	a, b := x.big(), y.big()
	a.Lsh(a, uint(x.exp-low))
	b.Lsh(b, uint(y.exp-low))

	s := a.Mul(a, a)
	s.Add(s, b.Mul(b, b))
	if s.Sign() == 0 {
		return 0, 0
	}
	return e.rootOf(s, 2*low, r)
}
