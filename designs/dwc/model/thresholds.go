package model

import (
	"fmt"
	"math"
	"math/big"
	"sync"
)

// Bounds on B, the number of thresholds of a dimension.
const (
	MinB = 3
	MaxB = 4095
)

// CheckB reports whether b can be a number of thresholds of the kinds Own and
// Imported: odd, MinB..MaxB.
func CheckB(b int) error {
	if b < MinB || b > MaxB || b%2 == 0 {
		return fmt.Errorf("%d is not an odd number in %d..%d", b, MinB, MaxB)
	}
	return nil
}

// checkLength is CheckB for the kinds that a formula makes; the others may have
// any number of thresholds.
func (k ThresholdKind) checkLength(b int) error {
	if k != Custom && k != Physical {
		return CheckB(b)
	}
	if b < 1 || b > MaxB {
		return fmt.Errorf("%d is out of range 1..%d", b, MaxB)
	}
	return nil
}

// quantilePrec is the working precision of the quantiles, in bits. The results
// are rounded once, to 53 or 24 bits, so they are the same everywhere.
const quantilePrec = 128

// rootTwoPi returns √(2π).
var rootTwoPi = sync.OnceValue(func() *big.Float {
	pi, _, _ := big.ParseFloat("3.14159265358979323846264338327950288419716939937511", 10, quantilePrec, big.ToNearestEven)
	return pi.Sqrt(pi.Mul(pi, big.NewFloat(2)))
})

// ownCache and importedCache hold rows by B: Validate asks for them each time.
var ownCache, importedCache sync.Map

// OwnThresholds returns the B thresholds of our own models, ascending: the
// Gaussian quantiles τ = s·Φ⁻¹(p) for p in {i/B, i = 1..B−1} ∪ {½}, stretched by
// s = 10/Φ⁻¹((B−1)/B) (the paper's eq. 4). Each is the real number rounded once
// to float64, so −10, 0 and +10 are exact and the rest is mirrored. It panics
// unless CheckB(b) is nil.
func OwnThresholds(b int) []float64 {
	if err := CheckB(b); err != nil {
		panic("model: OwnThresholds: " + err.Error())
	}

	// Callers get copies: rows in the cache must not change.
	if t, ok := ownCache.Load(b); ok {
		return append([]float64(nil), t.([]float64)...)
	}

	// The quantiles lie around 0 in pairs: half of them are worked out, and none is rounded twice.
	t := make([]float64, b)
	last := normalQuantile(big.NewRat(int64(b-1), int64(b)))
	for i := b/2 + 1; i < b; i++ {
		z := normalQuantile(big.NewRat(int64(i), int64(b)))
		z.Mul(z, big.NewFloat(10)).Quo(z, last)
		t[i], _ = z.Float64()
		t[b-1-i] = -t[i]
	}
	ownCache.Store(b, t)
	return append([]float64(nil), t...)
}

// ImportedThresholds returns the B thresholds that the authors' scripts train
// with, ascending: their float32 expression step by step, every step rounded
// to nearest (their devices' inverse error functions are off by up to a few
// units in the last place, each in its own way). The ends need not be ±10
// exactly: at B = 31 the first is −10.000002, below the clip and so always
// exceeded. It panics unless CheckB(b) is nil.
func ImportedThresholds(b int) []float32 {
	if err := CheckB(b); err != nil {
		panic("model: ImportedThresholds: " + err.Error())
	}

	if t, ok := importedCache.Load(b); ok {
		return append([]float32(nil), t.([]float32)...)
	}

	// Every operation is rounded to float32, as PyTorch does, or thresholds would differ in
	// their last bits.
	const sqrt2 = float32(math.Sqrt2)
	t := make([]float32, 0, b)
	add := func(p float32) {
		y := float32(2*p) - 1
		t = append(t, float32(erfinv32(y)*sqrt2))
	}

	// Quantiles of the normal distribution, the median exactly 0.
	for i := 1; i <= b/2; i++ {
		add(float32(i) / float32(b))
	}
	add(0.5)
	for i := b/2 + 1; i < b; i++ {
		add(float32(i) / float32(b))
	}

	// The outermost ones lie at ±10.
	scale := 10 / t[b-1]
	for i := range t {
		t[i] = float32(scale * t[i])
	}
	importedCache.Store(b, append([]float32(nil), t...))
	return t
}

// erfinv32 returns the inverse error function of y, |y| < 1, rounded to nearest.
func erfinv32(y float32) float32 {
	p := new(big.Rat).SetFloat64((float64(y) + 1) / 2) // exact: y has 24 bits
	z := normalQuantile(p)
	z.Quo(z, new(big.Float).SetPrec(quantilePrec).Sqrt(big.NewFloat(2).SetPrec(quantilePrec)))
	v, _ := z.Float32()
	return v
}

// normalQuantile returns Φ⁻¹(p) to more than 100 bits, for p not nearer to 0 or
// 1 than 1/MaxB. Each Newton step from the float64 value adds 50 correct bits;
// the slope, in float64, only sets the pace.
func normalQuantile(p *big.Rat) *big.Float {
	// The distances of p and Φ from ½ are small where z is, so no digits cancel.
	half := new(big.Rat).Sub(p, big.NewRat(1, 2))
	target := new(big.Float).SetPrec(quantilePrec).SetRat(half)
	h, _ := target.Float64()
	x := math.Sqrt2 * math.Erfinv(2*h)

	// Newton's method from the float64 value.
	z := new(big.Float).SetPrec(quantilePrec).SetFloat64(x)
	slope := big.NewFloat(math.Exp(-x*x/2) / math.Sqrt(2*math.Pi))
	for range 2 {
		d := normalCDF(z)
		d.Sub(d, target).Quo(d, slope)
		z.Sub(z, d)
	}
	return z
}

// normalCDF returns Φ(z) − ½ by its Maclaurin series
// Σ (−1)^k z^(2k+1) / (2^k k! (2k+1)) / √(2π).
func normalCDF(z *big.Float) *big.Float {
	num := func() *big.Float { return new(big.Float).SetPrec(quantilePrec) }
	z2 := num().Mul(z, z)
	power := num().Set(z) // (−1)^k z^(2k+1) / (2^k k!)

	// Until a term is below the last bit of the sum.
	sum, term, odd := num().Set(z), num(), num()
	for k := int64(1); k < 2000; k++ {
		power.Mul(power, z2).Quo(power, odd.SetInt64(-2*k))
		term.Quo(power, odd.SetInt64(2*k+1))
		if term.Sign() == 0 || term.MantExp(nil) < sum.MantExp(nil)-quantilePrec {
			break
		}
		sum.Add(sum, term)
	}
	return sum.Quo(sum, rootTwoPi())
}
