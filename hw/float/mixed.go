package float

import "math/big"

// MulTo is x · y in the format g, rounded once. An infinity of f is one of g, which
// needs the codes for it; see [Format.Holds].
func (f Format) MulTo(x, y uint64, g Format, r Rounding) (uint64, Flags) {
	// A sum of one product: exact, then rounded to g.
	s := NewSum(f)
	s.AddProduct(x, y)
	v, flags := s.RoundTo(g, r)

	if s.total.Sign() == 0 && !s.nan && !s.pos && !s.neg { // a product has a sign where it is zero
		return g.sign(f.IsNeg(x) != f.IsNeg(y)), 0
	}
	return v, flags
}

// Holds tells whether g has codes for the infinities and NaNs of f. Operations from one
// format to another want that of the result; [Format.Convert] does not.
func (g Format) Holds(f Format) bool {
	return f.Codes == Finite || g.Codes == IEEE || f.Codes == OnlyNaN && g.Codes == OnlyNaN
}

// Running is a sum of products in floating point, in ascending order: the model of
// accumulators that round in every step.
type Running struct {
	f, sum Format
	r      Rounding
	total  uint64
	flags  Flags
}

// NewRunning is an empty sum, which is +0, of products of numbers of f. Products and
// sums are rounded to the format sum.
func NewRunning(f, sum Format, r Rounding) *Running { return &Running{f: f, sum: sum, r: r} }

// AddProduct adds x · y: the product is rounded, and the sum.
func (s *Running) AddProduct(x, y uint64) {
	p, raised := s.f.MulTo(x, y, s.sum, s.r)
	s.flags |= raised
	s.total, raised = s.sum.Add(s.total, p, s.r)
	s.flags |= raised
}

// Total is the sum in its own format, and the flags that were raised since it was empty.
func (s *Running) Total() (uint64, Flags) { return s.total, s.flags }

// Round is the sum in the format of the operands, with all flags that were raised.
func (s *Running) Round() (uint64, Flags) {
	if s.sum == s.f {
		return s.total, s.flags
	}
	y, raised := s.sum.Convert(s.total, s.f, s.r)
	return y, s.flags | raised
}

// Window is an exact sum of products cut to a range, rounded once: the model of windowed
// accumulators. Each product is cut towards zero to a multiple of 2^Low, which raises
// Inexact. A product or a sum whose magnitude is 2^High or more is past the range: the
// sum stays an overflow of that sign until it is empty again.
type Window struct {
	Sum
	low, high     int
	lost          bool // something was cut off
	over, overNeg bool
}

// NewWindow is an empty sum, which is +0, of the bits from 2^low to below 2^high.
func NewWindow(f Format, low, high int) *Window {
	return &Window{Sum: *NewSum(f), low: low, high: high}
}

// AddProduct adds x · y.
func (w *Window) AddProduct(x, y uint64) {
	// Infinities and NaNs are those of the exact sum; only the bits of the product are cut.
	one := NewSum(w.f)
	one.AddProduct(x, y)
	w.nan, w.pos, w.neg, w.flags = w.nan || one.nan, w.pos || one.pos, w.neg || one.neg, w.flags|one.flags

	// The total is in units of 2^low.
	p, d := one.total, w.low-one.exp()
	if d > 0 {
		cut := new(big.Int).Quo(p, new(big.Int).Lsh(big.NewInt(1), uint(d)))
		w.lost = w.lost || new(big.Int).Lsh(cut, uint(d)).Cmp(p) != 0
		p = cut
	} else {
		p.Lsh(p, uint(-d))
	}

	// A product past the range decides the sign before it is added, and the first overflow stays:
	// a later product cannot bring the sum back.
	limit := new(big.Int).Lsh(big.NewInt(1), uint(w.high-w.low))
	if w.over {
		return
	}
	if p.CmpAbs(limit) >= 0 {
		w.over, w.overNeg = true, p.Sign() < 0
		return
	}

	// The range is two's complement's: -2^High is inside.
	w.total.Add(w.total, p)
	if w.total.Cmp(limit) >= 0 || w.total.Cmp(new(big.Int).Neg(limit)) < 0 {
		w.over, w.overNeg = true, w.total.Sign() < 0
	}
}

// RoundTo is the sum in a format.
func (w *Window) RoundTo(g Format, r Rounding) (uint64, Flags) {
	if w.nan || w.pos || w.neg {
		return w.Sum.RoundTo(g, r)
	}
	if w.over {
		return g.overflow(w.overNeg, r), Overflow | Inexact
	}

	// A cut product makes the sum inexact even where the rest of it is exact.
	y, flags := g.Round(w.total.Sign() < 0, new(big.Int).Abs(w.total), w.low, false, r)
	if w.lost {
		flags |= Inexact
	}
	return y, flags
}

// Round is the sum in the format of the operands.
func (w *Window) Round(r Rounding) (uint64, Flags) { return w.RoundTo(w.f, r) }

// NaNScale is the block scale that makes a whole block NaN; others stand for
// 2^(scale - ScaleBias).
const (
	NaNScale  = 255
	ScaleBias = 127
)

// Dot is the exact sum of the products of x and y in the format g, rounded once.
func (f Format) Dot(x, y []uint64, g Format, r Rounding) (uint64, Flags) {
	s := NewSum(f)
	for i := range x {
		s.AddProduct(x[i], y[i])
	}
	return s.RoundTo(g, r)
}

// BlockDot is the product of two blocks of the OCP Microscaling formats, in the format g:
// 2^(scaleX + scaleY - 2·ScaleBias) · Σ x·y, exact, rounded once; NaN where a scale is
// NaNScale.
func (f Format) BlockDot(x, y []uint64, scaleX, scaleY uint8, g Format, r Rounding) (uint64, Flags) {
	s := NewSum(f)
	for i := range x {
		s.AddProduct(x[i], y[i])
	}

	// The scales are powers of two: they move the exponent of the sum and round nothing.
	s.nan = s.nan || scaleX == NaNScale || scaleY == NaNScale
	s.scale = int(scaleX) + int(scaleY) - 2*ScaleBias
	return s.RoundTo(g, r)
}
