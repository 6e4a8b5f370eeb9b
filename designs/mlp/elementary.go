package mlp

import (
	"math"
	"math/rand/v2"
)

// Package math's exponential, logarithm and hyperbolic tangent differ in the last
// bit between architectures, and a last bit grows into another run. These round
// every product, and are a little faster for being less careful: they are within
// 1e-15 of the result, or of 1 for the tangent.

const (
	ln2Hi = 0x1.62e42feep-1 // its upper 32 bits: k·ln2Hi is exact for every exponent k
	ln2Lo = math.Ln2 - ln2Hi
)

// Exp is e^x; 0 below −708 and +Inf above 709.
func Exp(x float64) float64 {
	switch {
	case x != x:
		return x
	case x < -708:
		return 0
	case x > 709:
		return math.Inf(1)
	}

	// e^x = 2^k·e^r with |r| ≤ ln 2/2. Cody and Waite's reduction subtracts ln 2 in two parts, so
	// that r keeps its low bits.
	k := math.Floor(float64(x*(1/math.Ln2)) + 0.5)
	r := (x - float64(k*ln2Hi)) - float64(k*ln2Lo)

	// Taylor's series to r^13 by Estrin's scheme: sums of pairs, of pairs of pairs and
	// so on, which do not wait for each other as Horner's do.
	r2 := float64(r * r)
	r4 := float64(r2 * r2)
	low := (1 + r) + float64(r2*(1.0/2+float64(r*(1.0/6))))
	middle := (1.0/24 + float64(r*(1.0/120))) + float64(r2*(1.0/720+float64(r*(1.0/5040))))
	high := (1.0/40320 + float64(r*(1.0/362880))) + float64(r2*(1.0/3628800+float64(r*(1.0/39916800))))
	high += float64(r4 * (1.0/479001600 + float64(r*(1.0/6227020800))))
	sum := (low + float64(r4*middle)) + float64(float64(r4*r4)*high)

	// k lies in −1021…1023: the exponent field of a normal number.
	return float64(sum * math.Float64frombits(uint64(int64(k)+1023)<<52))
}

// Tanh is the hyperbolic tangent.
func Tanh(x float64) float64 {
	// The exponential of −2|x| cannot overflow.
	e := Exp(-2 * math.Abs(x))
	return math.Copysign((1-e)/(1+e), x)
}

// Log is the natural logarithm of a positive, normal, finite x.
func Log(x float64) float64 {
	m, k := math.Frexp(x)

	// With m in [√½, √2) the series below converges fast.
	if m < math.Sqrt2/2 {
		m, k = 2*m, k-1
	}

	// 2·artanh(s) with |s| ≤ 0.172, as a series in s²
	s := (m - 1) / (m + 1)
	z, sum := float64(s*s), 0.0
	for d := 21.0; d >= 1; d -= 2 {
		sum = float64(sum*z) + 1/d
	}
	return float64(float64(k)*ln2Hi) + (float64(float64(k)*ln2Lo) + float64(2*s*sum))
}

// Normal draws from the standard normal distribution by Marsaglia's polar method.
func Normal(r *rand.Rand) float64 {
	for {
		u, v := 2*float64(r.Float64())-1, 2*float64(r.Float64())-1
		if q := float64(u*u) + float64(v*v); q > 0 && q < 1 {
			return float64(u * math.Sqrt(-2*Log(q)/q))
		}
	}
}
