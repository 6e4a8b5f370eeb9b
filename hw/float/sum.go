package float

import "math/big"

// Sum is an exact sum of products (Kulisch), rounded once, in any order: the model of
// the exact accumulators.
type Sum struct {
	f        Format
	total    *big.Int // in units of the square of the least number
	pos, neg bool     // infinities that came in
	nan      bool
	flags    Flags
	scale    int // the sum is 2^scale times that
}

// NewSum is an empty sum, which is +0.
func NewSum(f Format) *Sum { return &Sum{f: f, total: new(big.Int)} }

// AddProduct adds x · y.
func (s *Sum) AddProduct(x, y uint64) {
	f := s.f
	bad := f.IsInf(x) && f.IsZero(y) || f.IsZero(x) && f.IsInf(y)
	neg := f.IsNeg(x) != f.IsNeg(y)

	// The sum is exact: products are integers over one scale, and specials are remembered as
	// flags.
	switch {
	case f.IsNaN(x) || f.IsNaN(y) || bad:
		s.nan = true
		if bad || f.IsSignaling(x) || f.IsSignaling(y) {
			s.flags |= Invalid
		}
	case f.IsInf(x) || f.IsInf(y):
		s.neg = s.neg || neg
		s.pos = s.pos || !neg
	default:
		a, b := f.number(x), f.number(y)
		p := new(big.Int).Mul(a.big(), b.big())
		p.Lsh(p, uint(a.exp+b.exp-s.exp()))
		if neg {
			p.Neg(p)
		}
		s.total.Add(s.total, p)
	}
}

// exp is the exponent of the total's unit.
func (s *Sum) exp() int { return 2 * (s.f.MinExp() - s.f.Frac) }

// Round is the sum in the format. An exact sum of 0 is +0; infinities of both signs are
// NaN and raise Invalid, which stays raised for a product that was invalid.
func (s *Sum) Round(r Rounding) (uint64, Flags) { return s.RoundTo(s.f, r) }

// RoundTo is the sum in another format, which holds the infinities and NaNs of the
// operands'; see [Format.Holds].
func (s *Sum) RoundTo(g Format, r Rounding) (uint64, Flags) {
	// The order in which specials came does not matter: NaN first, then infinities of both signs.
	switch {
	case s.nan:
		return g.NaN(), s.flags
	case s.pos && s.neg:
		return g.NaN(), s.flags | Invalid
	case s.pos || s.neg:
		return g.Inf(s.neg), s.flags
	}
	return g.Round(s.total.Sign() < 0, new(big.Int).Abs(s.total), s.exp()+s.scale, false, r)
}
