package train

import (
	"math"
	"math/rand/v2"
)

// uniform draws from ±1. Float64 returns a product; it is rounded before it
// meets the subtraction.
func uniform(r *rand.Rand) float64 { return 2*float64(r.Float64()) - 1 }

// normal draws from the standard normal distribution by Marsaglia's polar
// method. rand.NormFloat64 would do but for its rare calls of package math,
// whose last bit differs between architectures.
func normal(r *rand.Rand) float64 {
	for {
		u, v := uniform(r), uniform(r)
		q := float64(u*u) + float64(v*v)
		if q > 0 && q < 1 {
			return float64(u * math.Sqrt(-2*log(q)/q))
		}
	}
}

// ln2Hi has few enough bits that k·ln2Hi is exact for every exponent k.
const (
	ln2Hi = 0x1.62e42fefap-1
	ln2Lo = math.Ln2 - ln2Hi
)

// log returns the natural logarithm of a positive, normal, finite x with the
// same bits on every architecture (see model.Exp for its inverse).
func log(x float64) float64 {
	// Reduce to m in [√½, √2) with x = m·2^k.
	m, k := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, k = 2*m, k-1
	}

	// log m = 2·artanh(s) with |s| ≤ 0.1716, as a series in s².
	s := (m - 1) / (m + 1)
	z := float64(s * s)
	sum := 0.0
	for d := 23.0; d >= 3; d -= 2 {
		sum = float64((sum + 1/d) * z)
	}

	// Small terms are added first.
	tail := float64(float64(k)*ln2Lo) + float64(2*s*sum)
	return float64(float64(k)*ln2Hi) + (2*s + tail)
}
