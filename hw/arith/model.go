package arith

import (
	"cmp"
	"math"
	"math/big"
	"math/bits"
)

// Divided is the output of the model of a division.
type Divided struct {
	Quotient, Remainder        *big.Int
	Negative, Overflow, ByZero bool
}

// Divide is the model of the circuits for numbers in their ranges.
func (d Division[T]) Divide(numerator, divisor *big.Int) Divided {
	// Go's QuoRem truncates towards zero, as the circuits do.
	n := new(big.Int).Lsh(numerator, uint(d.Fraction))
	r := Divided{Negative: n.Sign() < 0 != (divisor.Sign() < 0), ByZero: divisor.Sign() == 0}
	if !r.ByZero {
		r.Quotient, r.Remainder = new(big.Int).QuoRem(n, divisor, new(big.Int))
	}

	// Overflow gives the end of the range on the quotient's side.
	if r.ByZero || r.Quotient.BitLen() > d.digits() {
		greatest := new(big.Int).Lsh(big.NewInt(1), uint(d.digits()))
		r.Quotient, r.Remainder, r.Overflow = greatest.Sub(greatest, big.NewInt(1)), new(big.Int), true
		if r.Negative {
			r.Quotient.Neg(r.Quotient)
		}
	}
	return r
}

// Fast tells whether Divide64 serves: all widths, and the fraction's, are at most
// 64 bits.
func (d Division[T]) Fast() bool {
	return max(d.Numerator, d.Divisor, d.Fraction, d.QuotientWidth()) <= 64
}

// Divide64 is Divide in machine words, for a division that is Fast. Numbers with a
// sign are extended to 64 bits in two's complement, as by uint64(int64(x)).
func (d Division[T]) Divide64(numerator, divisor uint64) (quotient, remainder uint64, overflow bool) {
	var below, byBelow bool
	if signed[T]() {
		numerator, below = magnitude64(numerator)
		divisor, byBelow = magnitude64(divisor)
	}

	// One division of two words by one, unless the quotient would overflow: then Div64 panics, so
	// ask first.
	high, low := shiftLeft(numerator, d.Fraction)
	greatest := uint64(1)<<d.digits() - 1
	if overflow = high >= divisor; !overflow { // also where the divisor is 0
		quotient, remainder = bits.Div64(high, low, divisor)
		overflow = quotient > greatest
	}

	if overflow {
		quotient, remainder = greatest, 0
	}

	if below != byBelow {
		quotient = -quotient
	}

	if below {
		remainder = -remainder
	}
	return quotient, remainder, overflow
}

// magnitude64 is |x| of a number in two's complement and whether it is below 0.
func magnitude64(x uint64) (uint64, bool) {
	if int64(x) < 0 {
		return -x, true
	}
	return x, false
}

// shiftLeft is x · 2^n in two words, n up to 127.
func shiftLeft(x uint64, n int) (high, low uint64) {
	if n > 64 {
		return x << (n - 64), 0
	}
	return x >> (64 - n), x << n
}

// Root is the model of the circuits for a radicand in its range.
func (r SquareRoot) Root(radicand *big.Int) (root, remainder *big.Int) {
	n := new(big.Int).Lsh(radicand, uint(2*r.Fraction))
	root = new(big.Int).Sqrt(n)
	return root, n.Sub(n, new(big.Int).Mul(root, root))
}

// Fast tells whether Root64 serves: the radicand has at most 64 bits and the root,
// with its fraction, at most 63.
func (r SquareRoot) Fast() bool { return r.Radicand <= 64 && r.RootWidth() <= 63 }

// Root64 is Root in machine words, for a root that is Fast.
func (r SquareRoot) Root64(radicand uint64) (root, remainder uint64) {
	high, low := shiftLeft(radicand, 2*r.Fraction)
	root = sqrt(high, low)
	return root, low - root*root // below 2^64, so the high words do not matter
}

// sqrt is the root of two words below 2^126: an estimate, a step of Newton's, which
// brings it within 1, and a last correction.
func sqrt(high, low uint64) uint64 {
	if high == 0 && low == 0 {
		return 0
	}

	// Float64 gives 53 bits; Newton's step doubles them, and the loops mend the last unit.
	x := uint64(math.Sqrt(math.Ldexp(float64(high), 64) + float64(low)))
	q, _ := bits.Div64(high, low, x)
	x = x/2 + q/2 + x&q&1
	for square(x, high, low) > 0 {
		x--
	}
	for square(x+1, high, low) <= 0 {
		x++
	}
	return x
}

// square compares x² with two words.
func square(x, high, low uint64) int {
	h, l := bits.Mul64(x, x)
	return cmp.Or(cmp.Compare(h, high), cmp.Compare(l, low))
}

// Raw is the model of [Result.Num]: a raw value of one fraction bit more than the
// quotient has.
func (x Divided) Raw() *big.Int {
	return sticky(x.Quotient, x.Negative, x.Remainder)
}

// sticky is twice a number rounded towards zero, which in truth lies on the side
// of rest, and 1 where rest is not 0.
func sticky(v *big.Int, negative bool, rest *big.Int) *big.Int {
	out := new(big.Int).Lsh(v, 1)
	switch {
	case rest.Sign() == 0:
	case negative:
		out.Sub(out, big.NewInt(1))
	default:
		out.Add(out, big.NewInt(1))
	}
	return out
}
