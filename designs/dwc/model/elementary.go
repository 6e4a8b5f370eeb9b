package model

import "math"

// The standard library's Exp and Tanh use assembly or fused multiply-adds on
// some architectures, so their last bit differs between machines. A ROM word
// must not, hence these: plain float64 operations, every product rounded.

const (
	log2e = 1 / math.Ln2
	// ln2Hi keeps the upper 32 bits of ln 2, so k·ln2Hi is exact for |k| < 2^20.
	ln2Hi = 0x1.62e42feep-1
	ln2Lo = math.Ln2 - ln2Hi
)

// factorials holds 1/k! for k = 2..14, the Taylor coefficients of e^r − 1.
var factorials = [...]float64{
	1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040, 1.0 / 40320,
	1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600,
	1.0 / 6227020800, 1.0 / 87178291200,
}

// Exp returns e^x with the same bits on every architecture, within one unit in
// the last place.
func Exp(x float64) float64 {
	switch {
	case math.IsNaN(x):
		return x
	case x > 709.782712893384: // ln of the largest float64
		return math.Inf(1)
	case x < -745.2: // below ln of half the smallest float64
		return 0
	}

	p, k := expm1Reduced(x)
	return math.Ldexp(1+p, k)
}

// Tanh returns the hyperbolic tangent of x with the same bits on every
// architecture, within two units in the last place. It is odd.
func Tanh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case math.IsNaN(x) || a < 0x1p-28:
		return x
	case a > 22: // 1 − tanh(22) is far below half an ulp of 1
		return math.Copysign(1, x)
	}

	// tanh a = (e^2a − 1)/(e^2a + 1). The numerator keeps the digits of a small a.
	p, k := expm1Reduced(2 * a)
	e := math.Ldexp(p, k) + (math.Ldexp(1, k) - 1) // e^2a − 1
	return math.Copysign(e/(e+2), x)
}

// expm1Reduced returns p and k with e^x = 2^k·(1+p) and |p| < 0.42.
func expm1Reduced(x float64) (p float64, k int) {
	// Cody and Waite's reduction: x = n·ln 2 + r with |r| ≤ ln 2/2.
	n := math.Round(x * log2e)
	hi := x - float64(n*ln2Hi)
	lo := float64(n * ln2Lo)
	r := hi - lo
	rest := (hi - r) - lo // the part that rounding r lost

	// Horner's rule for q = (e^r − 1 − r)/r². The lost part adds rest·e^r, of which rest·(1+r) is
	// enough.
	q := 0.0
	for i := len(factorials) - 1; i >= 0; i-- {
		q = float64(q*r) + factorials[i]
	}
	p = float64(float64(r*r)*q) + (rest + float64(rest*r))
	return r + p, int(n)
}
