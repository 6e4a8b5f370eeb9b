package float

import (
	"math/big"

	"etch/hw/fixed"
)

// FromInt is v · 2^exp in the format: an integer, or a fixed-point number whose exp is
// minus its fraction bits.
func (f Format) FromInt(v *big.Int, exp int, r Rounding) (uint64, Flags) {
	return f.Round(v.Sign() < 0, new(big.Int).Abs(v), exp, false, r)
}

// ToFixed is x as the raw number of a fixed-point format, rounded; to an integer of
// Width bits where Frac is 0. A number past the range becomes the nearest end of it,
// NaN the greatest; both raise Invalid and nothing else. An unsigned format has the
// range 0 to 2^Width - 1.
func (f Format) ToFixed(x uint64, to fixed.Format, unsigned bool, r Rounding) (*big.Int, Flags) {
	// The range is that of the raw number: no fraction bits in it.
	least, greatest := to.Limits(fixed.Saturate)
	if unsigned {
		least, greatest = new(big.Int), new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(to.Width)), big.NewInt(1))
	}

	// NaN and infinities first; the range is tested after rounding, as IEEE 754 asks.
	switch {
	case f.IsNaN(x), f.IsInf(x) && !f.IsNeg(x):
		return greatest, Invalid
	case f.IsInf(x):
		return least, Invalid
	}

	// Rounded to an integer first, as both ends of the range are.
	n := f.number(x)
	v, inexact := cut(n.neg, n.big(), n.exp, false, -to.Frac, r)
	if n.neg {
		v.Neg(v)
	}

	switch {
	case v.Cmp(least) < 0:
		return least, Invalid
	case v.Cmp(greatest) > 0:
		return greatest, Invalid
	case inexact:
		return v, Inexact
	}
	return v, 0
}

// RoundToInt is x rounded to an integer, as a number of the format; a zero keeps the
// sign of x.
func (f Format) RoundToInt(x uint64, r Rounding) (uint64, Flags) {
	switch {
	case f.IsNaN(x):
		return f.nan(x)
	case f.IsInf(x):
		return x, 0
	}

	// A number whose last place is 1 or more is an integer as it stands.
	n := f.number(x)
	if n.exp >= 0 {
		return f.zeroFlushed(x), 0
	}

	// The second rounding is exact, as the integer has at most Frac + 1 bits or is a power of two;
	// but where the greatest number is no integer, as 7.5 of E2M3, it may overflow.
	v, inexact := cut(n.neg, n.big(), n.exp, false, 0, r)
	y, flags := f.Round(n.neg, v, 0, false, r)
	if inexact {
		flags |= Inexact
	}
	return y, flags
}

// Scalb is x · 2^n.
func (f Format) Scalb(x uint64, n int, r Rounding) (uint64, Flags) {
	switch {
	case f.IsNaN(x):
		return f.nan(x)
	case f.IsInf(x):
		return x, 0
	}

	// Rounded once, from the exact number: multiplying by powers of two in steps would round twice
	// among subnormal numbers.
	a := f.number(x)
	return f.Round(a.neg, a.big(), a.exp+n, false, r)
}
