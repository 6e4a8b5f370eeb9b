package float

import "math"

// Slices computes on float32 values that are numbers of a format, to the nearest
// even and without flags: the model for training in software. The format has at most
// 8 exponent bits and 23 fraction bits, IEEE codes, and neither flushes nor saturates.
//
// Sums, products, quotients and roots go through float64, whose 53 bits are at least
// twice 24 and 2 more, so that rounding twice and rounding once agree (Figueroa,
// "When is double rounding innocuous?", 1995). That is not so for FMA and Hypot: there
// the float64 is rounded to odd, after which a second rounding is exact (Boldo and
// Melquiond, "Emulation of FMA and correctly rounded sums", 2008).
type Slices struct {
	f        Format
	drop     int     // fraction bits of a float64 that go
	least    float64 // the spacing of subnormal numbers
	minimum  float64 // the least normal number
	overflow float64 // from here on numbers become infinite
}

// Slices is the arithmetic on float32; ok is false for a format that it lacks.
func (f Format) Slices() (s Slices, ok bool) {
	if f.Exp > 8 || f.Frac > 23 || f.Codes != IEEE || f.Flush || f.Saturate {
		return s, false
	}
	top := math.Ldexp(1, f.MaxExp()+1)
	return Slices{
		f: f, drop: 52 - f.Frac,
		least:    math.Ldexp(1, f.MinExp()-f.Frac),
		minimum:  math.Ldexp(1, f.MinExp()),
		overflow: top - math.Ldexp(1, f.MaxExp()-f.Frac-1),
	}, true
}

// Of is v in the format.
func (s Slices) Of(v float64) float32 {
	// NaN is below no bound: comparisons with it are false.
	a := math.Abs(v)
	switch {
	case a < s.minimum: // multiples of the spacing: exact, but for the rounding
		return float32(math.RoundToEven(v/s.least) * s.least)
	case a >= s.overflow: // infinities too
		return float32(math.Copysign(math.Inf(1), v))
	case v != v:
		return float32(v)
	}

	// To the nearest even in the code: half of the last place less one, and one more where it is
	// odd. A carry goes into the exponent by itself.
	b := math.Float64bits(v)
	b += 1<<(s.drop-1) - 1 + b>>s.drop&1
	return float32(math.Float64frombits(b &^ (1<<s.drop - 1)))
}

// Code is the format's code of a value.
func (s Slices) Code(v float32) uint64 {
	x, _ := F32.Convert(uint64(math.Float32bits(v)), s.f, NearestEven)
	return x
}

// Value is exact: float32 has every number of the formats of [Slices].
func (s Slices) Value(code uint64) float32 { return float32(s.f.Float64(code)) }

// Quantize rounds every element of x into dst.
func (s Slices) Quantize(dst, x []float32) {
	for i, v := range x {
		dst[i] = s.Of(float64(v))
	}
}

// Add is dst = x + y, element by element, as the methods after it are.
func (s Slices) Add(dst, x, y []float32) {
	for i := range dst {
		dst[i] = s.Of(float64(x[i]) + float64(y[i]))
	}
}

// Sub is dst = x - y.
func (s Slices) Sub(dst, x, y []float32) {
	for i := range dst {
		dst[i] = s.Of(float64(x[i]) - float64(y[i]))
	}
}

// Mul is dst = x · y.
func (s Slices) Mul(dst, x, y []float32) {
	for i := range dst {
		dst[i] = s.Of(float64(x[i]) * float64(y[i]))
	}
}

// Div is dst = x / y.
func (s Slices) Div(dst, x, y []float32) {
	for i := range dst {
		dst[i] = s.Of(float64(x[i]) / float64(y[i]))
	}
}

// Sqrt is dst = √x.
func (s Slices) Sqrt(dst, x []float32) {
	for i := range dst {
		dst[i] = s.Of(math.Sqrt(float64(x[i])))
	}
}

// FMA is dst = x · y + z.
func (s Slices) FMA(dst, x, y, z []float32) {
	for i := range dst {
		p := float64(x[i]) * float64(y[i]) // exact: 48 bits
		dst[i] = s.Of(oddSum(p, float64(z[i])))
	}
}

// Hypot is dst = √(x² + y²).
func (s Slices) Hypot(dst, x, y []float32) {
	// Squares of 24 bits are exact in float64; ∞ and NaN make an infinity.
	for i := range dst {
		a, b := float64(x[i]), float64(y[i])
		if math.IsInf(a, 0) || math.IsInf(b, 0) {
			dst[i] = float32(math.Inf(1))
			continue
		}
		dst[i] = s.Of(oddRoot(a*a, b*b))
	}
}

// twoSum is a + b as the nearest float64 and its error (Knuth).
func twoSum(a, b float64) (sum, rest float64) {
	// Six operations that hold for any order of magnitudes; Dekker's three want the greater first.
	sum = a + b
	c := sum - a
	return sum, (a - (sum - c)) + (b - c)
}

// odd is v, or where it is not exact the neighbour with an odd fraction on the side of
// the rest.
func odd(v, rest float64) float64 {
	// Neighbours in code are neighbours in value, the next code being further from 0.
	b := math.Float64bits(v)
	if rest == 0 || rest != rest || b&1 == 1 {
		return v
	}
	if (rest > 0) == (v > 0) {
		return math.Float64frombits(b + 1)
	}
	return math.Float64frombits(b - 1)
}

// oddSum is a + b rounded to odd.
func oddSum(a, b float64) float64 { return odd(twoSum(a, b)) }

// oddRoot is √(a + b) rounded to odd.
func oddRoot(a, b float64) float64 {
	// The remainder of the root, exact by a fused operation, and the rounding error of the sum: of
	// both together only the sign counts.
	sum, rest := twoSum(a, b)
	root := math.Sqrt(sum)
	if root == 0 {
		return root
	}
	return odd(root, math.FMA(-root, root, sum)+rest)
}
