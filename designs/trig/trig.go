// Package trig is the sine and cosine of float64 with the same bits on every
// architecture, for the physics of the tasks that designs are trained on.
package trig

import "math"

// π/2 in two parts: k·halfPiHi is exact for |k| < 2^24.
const (
	halfPiHi    = 0x1.921fb54p+0
	halfPiLo    = math.Pi/2 - halfPiHi
	maxQuarters = 1 << 20
)

// sinSeries and cosSeries are Taylor coefficients, highest order first, enough
// for |r| ≤ π/4.
var (
	sinSeries = [...]float64{
		1.0 / 355687428096000, -1.0 / 1307674368000, 1.0 / 6227020800,
		-1.0 / 39916800, 1.0 / 362880, -1.0 / 5040, 1.0 / 120, -1.0 / 6,
	}
	cosSeries = [...]float64{
		1.0 / 20922789888000, -1.0 / 87178291200, 1.0 / 479001600,
		-1.0 / 3628800, 1.0 / 40320, -1.0 / 720, 1.0 / 24, -0.5,
	}
)

// Sincos is math.Sincos with the same bits on every architecture. Package math
// leaves room for fused multiply-adds and assembly, and a last-bit difference
// in the physics would grow into another trained controller.
//
// It returns the sine and the cosine of x. Beyond |x| = 2^20·π/2 the
// argument is first reduced modulo the float64 nearest 2π, which loses
// accuracy but not reproducibility.
func Sincos(x float64) (sin, cos float64) {
	if math.Abs(x) > maxQuarters*math.Pi/2 {
		x = math.Mod(x, 2*math.Pi)
	}
	if x != x || math.IsInf(x, 0) {
		return math.NaN(), math.NaN()
	}

	// Reduce to a quarter, with π/2 in two parts (Cody and Waite, 1980), then evaluate both series
	// by Horner's scheme.
	k := math.Round(x * (2 / math.Pi))
	r := (x - float64(k*halfPiHi)) - float64(k*halfPiLo)
	z := float64(r * r)
	s, c := sinSeries[0], cosSeries[0]
	for i := 1; i < len(sinSeries); i++ {
		s = float64(s*z) + sinSeries[i]
		c = float64(c*z) + cosSeries[i]
	}
	s = r + float64(r*float64(s*z))
	c = 1 + float64(c*z)

	// The quarter chooses the series and the sign.
	switch int64(k) & 3 {
	case 0:
		return s, c
	case 1:
		return c, -s
	case 2:
		return -s, -c
	default:
		return -c, s
	}
}
