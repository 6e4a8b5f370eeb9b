package float

import (
	"math"
	"math/bits"
)

// words computes in machine words, for formats of up to 32 bits: a significand has at
// most 30 bits, a product 60. Bits below a word are ORed into its lowest bit,
// which stands for it exactly as long as two bits and the random ones lie between
// that bit and the place where the number is rounded.
type words struct{ f Format }

// roundWord is [Format.Round] for significands of up to 63 bits.
func (f Format) roundWord(neg bool, sig uint64, exp int, sticky bool, r Rounding) (uint64, Flags) {
	if sig == 0 {
		return f.sign(neg), 0
	}

	// [2^e, 2^(e+1)) holds the number; subnormal ones have their last place above e's.
	e := exp + bitLen(sig) - 1
	last := max(e, f.MinExp()) - f.Frac
	v, inexact := cutWord(neg, sig, exp, sticky, last, r)

	// Only a number below the least normal one can be tiny, and only one next to it
	// needs a second look.
	tiny := e < f.MinExp()
	if tiny && e == f.MinExp()-1 {
		full, _ := cutWord(neg, sig, exp, sticky, e-f.Frac, r)
		tiny = bitLen(full) == f.Frac+1
	}
	return f.assemble(neg, v, last, inexact, tiny, r)
}

// cutWord is cut in machine words.
func cutWord(neg bool, sig uint64, exp int, sticky bool, last int, r Rounding) (v uint64, inexact bool) {
	// Beyond a word all bits are below half of the last place: jammed, they round as they would.
	d := last - exp
	if d <= 0 {
		return sig << -d, sticky
	}
	if d > 63 {
		sig, d = jam(sig, d-63), 63
	}

	v = sig >> d
	rest := sig - v<<d
	inexact = rest != 0 || sticky

	// Stochastic rounding adds random bits below the cut; the other modes compare with the middle.
	if k := r.Random(); k > 0 {
		top := rest >> max(0, d-k) << max(0, k-d)
		if top+r.random() >= 1<<k {
			v++
		}
		return v, inexact
	}

	// The same three facts as in cut, in words.
	half := 0
	switch middle := uint64(1) << (d - 1); {
	case rest < middle:
		half = -1
	case rest > middle || sticky:
		half = 1
	}
	if r.up(neg, v&1 == 1, half, inexact) {
		v++
	}
	return v, inexact
}

// jam is x · 2^-n with the bits that fall out ORed into the lowest bit.
func jam(x uint64, n int) uint64 {
	switch {
	case n <= 0:
		return x << -n
	case n > 63:
		return bit(x != 0)
	}
	return x>>n | bit(x<<(64-n) != 0)
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// wide is a number of 128 bits.
type wide struct{ hi, lo uint64 }

// place puts sig at 2^(exp-low) in a wide number, jammed where it is below.
func place(sig uint64, n int) wide {
	switch {
	case n >= 64:
		return wide{sig << (n - 64), 0}
	case n > 0:
		return wide{sig >> (64 - n), sig << n}
	}
	return wide{0, jam(sig, -n)}
}

// word is the top of a wide number in 63 bits, jammed, and by how much it was moved.
func (x wide) word() (sig uint64, shift int) {
	// A bit is kept free on top: roundWord takes 63.
	if x.hi == 0 {
		return jam(x.lo, 1), 1
	}
	n := bitLen(x.hi) + 1 // at most 63: sums stay below 2^126
	return x.hi<<(64-n) | x.lo>>n | bit(x.lo<<(64-n) != 0), n
}

func (w words) sum(x, y number, r Rounding) (uint64, Flags) {
	return w.add(x, y, r)
}

func (w words) product(x, y number, r Rounding) (uint64, Flags) {
	return w.f.roundWord(x.neg != y.neg, x.sig*y.sig, x.exp+y.exp, false, r)
}

func (w words) productSum(x, y, z number, r Rounding) (uint64, Flags) {
	return w.add(number{x.neg != y.neg, x.sig * y.sig, x.exp + y.exp}, z, r)
}

// add is x + y for significands of up to 60 bits, one of them up to 30. The one that
// reaches higher is put at the top of 128 bits; where the sum cancels, the other has
// all its bits there too.
func (w words) add(x, y number, r Rounding) (uint64, Flags) {
	// A zero takes an exponent near the other's, so that it does not push the other out of 128 bits.
	switch {
	case x.sig == 0 && y.sig == 0:
		return w.f.zeroSum(x.neg, y.neg, r), 0
	case x.sig == 0:
		x.exp = y.exp + bitLen(y.sig) - 60
	case y.sig == 0:
		y.exp = x.exp + bitLen(x.sig) - 60
	}

	// Both significands share one scale: the higher one ends at bit 124, so that a carry stays
	// inside.
	low := max(x.exp+bitLen(x.sig), y.exp+bitLen(y.sig)) - 124
	a, b := place(x.sig, x.exp-low), place(y.sig, y.exp-low)
	neg := x.neg
	var s wide
	// Unlike signs: the lesser magnitude from the greater, whose sign the result has.
	if x.neg == y.neg {
		var carry uint64
		s.lo, carry = bits.Add64(a.lo, b.lo, 0)
		s.hi, _ = bits.Add64(a.hi, b.hi, carry)
	} else {
		if a.hi < b.hi || a.hi == b.hi && a.lo < b.lo {
			a, b, neg = b, a, y.neg
		}
		var borrow uint64
		s.lo, borrow = bits.Sub64(a.lo, b.lo, 0)
		s.hi, _ = bits.Sub64(a.hi, b.hi, borrow)
	}

	// Exact cancellation: a jammed bit cannot make it, as it is left only far below the other.
	if s == (wide{}) {
		return w.f.sign(r == Down), 0
	}
	sig, n := s.word()
	return w.f.roundWord(neg, sig, low+n, false, r)
}

func (w words) quotient(x, y number, r Rounding) (uint64, Flags) {
	// One division of 128 bits by 64: the dividend below the normalised divisor, so that it cannot
	// overflow; the remainder is jammed into the quotient.
	n, d := 62-bitLen(x.sig), bits.LeadingZeros64(y.sig)
	q, rem := bits.Div64(x.sig<<n, 0, y.sig<<d)
	sig := q>>1 | q&1 | bit(rem != 0) // the quotient has 62 to 64 bits
	return w.f.roundWord(x.neg != y.neg, sig, x.exp-y.exp+d-n-63, false, r)
}

func (w words) root(x number, r Rounding) (uint64, Flags) {
	if r.Random() > 0 { // wants a longer root
		return exact{w.f}.root(x, r)
	}
	return w.rootOf(wide{x.sig << 32, 0}, x.exp-96, r)
}

// rootOf is the root of s · 2^exp, of whose bits there are more than 64.
func (w words) rootOf(s wide, exp int, r Rounding) (uint64, Flags) {
	// The radicand in the top 62 or 61 bits of a word, jammed; the root then has 31.
	n := bitLen(s.hi) + 2
	if (exp+n)&1 != 0 {
		n++
	}
	var x, rest uint64
	if n < 64 {
		x, rest = s.hi<<(64-n)|s.lo>>n, s.lo<<(64-n)
	} else {
		x, rest = s.hi>>(n-64), s.lo|s.hi<<(128-n)
	}

	// The processor's root of a rounded radicand is off by one at most, and is mended.
	root := uint64(math.Sqrt(float64(x)))
	for root*root > x {
		root--
	}
	for (root+1)*(root+1) <= x {
		root++
	}
	return w.f.roundWord(false, root, (exp+n)/2, root*root != x || rest != 0, r)
}

func (w words) hypot(x, y number, r Rounding) (uint64, Flags) {
	if r.Random() > 0 {
		return exact{w.f}.hypot(x, y, r)
	}

	// Squares have up to 60 bits, so that the sum of both is add's case without signs.
	a := number{false, x.sig * x.sig, 2 * x.exp}
	b := number{false, y.sig * y.sig, 2 * y.exp}
	switch {
	case a.sig == 0 && b.sig == 0:
		return 0, 0
	case a.sig == 0:
		a.exp = b.exp
	case b.sig == 0:
		b.exp = a.exp
	}
	low := max(a.exp+bitLen(a.sig), b.exp+bitLen(b.sig)) - 124

	// The square root needs an even exponent.
	low += low & 1
	p, q := place(a.sig, a.exp-low), place(b.sig, b.exp-low)
	var s wide
	var carry uint64
	s.lo, carry = bits.Add64(p.lo, q.lo, 0)
	s.hi, _ = bits.Add64(p.hi, q.hi, carry)
	return w.rootOf(s, low, r)
}
