package float

import (
	"math"
	"math/bits"
)

// Width is the number of bits.
func (f Format) Width() int { return 1 + f.Exp + f.Frac }

// Bias is the exponent field of 1.
func (f Format) Bias() int { return 1<<(f.Exp-1) - 1 }

// MinExp is the exponent of the least normal number, 2^MinExp.
func (f Format) MinExp() int { return 1 - f.Bias() }

// MaxExp is the exponent of the greatest numbers, which are below 2^(MaxExp+1).
func (f Format) MaxExp() int {
	if f.Codes == IEEE {
		return f.Bias()
	}
	return f.Bias() + 1
}

func (f Format) signBit() uint64        { return 1 << (f.Exp + f.Frac) }
func (f Format) topExp() int            { return 1<<f.Exp - 1 }
func (f Format) expOf(x uint64) int     { return int(x>>f.Frac) & f.topExp() }
func (f Format) fracOf(x uint64) uint64 { return x & (1<<f.Frac - 1) }

func (f Format) sign(neg bool) uint64 {
	if neg {
		return f.signBit()
	}
	return 0
}

// NaN is the code of the one NaN that operations give. A Finite format has none:
// there it is the greatest number, and its operations raise Invalid with it.
func (f Format) NaN() uint64 {
	// The quiet bit alone, as IEEE 754 and RISC-V have the default NaN.
	switch f.Codes {
	case IEEE:
		return f.Inf(false) | 1<<(f.Frac-1)
	case OnlyNaN:
		return f.signBit() - 1
	}
	return f.Greatest(false)
}

// Inf is the code of an infinity; in a format without one, of its substitute:
// NaN where there is one and the format does not saturate, else the greatest number.
func (f Format) Inf(neg bool) uint64 {
	// OCP leaves the choice to the converter: NaN as E4M3 without saturation, or the greatest.
	switch {
	case f.Codes == IEEE:
		return f.sign(neg) | uint64(f.topExp())<<f.Frac
	case f.Codes == OnlyNaN && !f.Saturate:
		return f.NaN()
	}
	return f.Greatest(neg)
}

// Greatest is the code of the greatest finite number, or of the least.
func (f Format) Greatest(neg bool) uint64 {
	// All ones below the sign, less the codes that the format keeps for other things.
	all := f.signBit() - 1
	switch f.Codes {
	case IEEE:
		all -= 1 << f.Frac
	case OnlyNaN:
		all--
	}
	return f.sign(neg) | all
}

// Least is the code of the least positive number that the format has.
func (f Format) Least() uint64 {
	if f.Flush {
		return 1 << f.Frac
	}
	return 1
}

// One is the code of 1.
func (f Format) One() uint64 { return uint64(f.Bias()) << f.Frac }

// IsNaN reports whether x is a NaN.
func (f Format) IsNaN(x uint64) bool {
	// IEEE: the exponent field is all ones, and an infinity has no fraction.
	switch f.Codes {
	case IEEE:
		return f.expOf(x) == f.topExp() && f.fracOf(x) != 0
	case OnlyNaN:
		return x&^f.signBit() == f.NaN()
	}
	return false
}

// IsSignaling reports whether x is a NaN of which operations raise Invalid.
func (f Format) IsSignaling(x uint64) bool {
	return f.Codes == IEEE && f.IsNaN(x) && x>>(f.Frac-1)&1 == 0
}

// IsInf reports whether x is an infinity.
func (f Format) IsInf(x uint64) bool {
	return f.Codes == IEEE && f.expOf(x) == f.topExp() && f.fracOf(x) == 0
}

// IsZero reports whether x is +0 or −0, or subnormal in a format that flushes.
func (f Format) IsZero(x uint64) bool {
	return x&^f.signBit() == 0 || f.Flush && f.expOf(x) == 0
}

// IsSubnormal reports whether x is a number below the least normal one, and not zero.
func (f Format) IsSubnormal(x uint64) bool { return f.expOf(x) == 0 && !f.IsZero(x) }

// IsNeg reports whether the sign of x is set.
func (f Format) IsNeg(x uint64) bool { return x&f.signBit() != 0 }

// Neg is x with the other sign; NaN's sign is changed too.
func (f Format) Neg(x uint64) uint64 { return x ^ f.signBit() }

// Abs is x without its sign.
func (f Format) Abs(x uint64) uint64 { return x &^ f.signBit() }

// parts is a finite number as sig · 2^exp.
func (f Format) parts(x uint64) (sig uint64, exp int) {
	// A subnormal number has the exponent of the least normal one and no hidden bit.
	e, m := f.expOf(x), f.fracOf(x)
	switch {
	case e != 0:
		m |= 1 << f.Frac
	case f.Flush:
		return 0, f.MinExp() - f.Frac
	default:
		e = 1
	}
	return m, e - f.Bias() - f.Frac
}

// Float64 is the value of x, exactly.
func (f Format) Float64(x uint64) float64 {
	switch {
	case f.IsNaN(x):
		return math.NaN()
	case f.IsInf(x):
		return math.Inf(1 - 2*int(x>>(f.Exp+f.Frac)))
	}

	// A float64 holds every number: 53 bits, 11 of exponent, and subnormal numbers as deep.
	sig, exp := f.parts(x)
	v := math.Ldexp(float64(sig), exp)
	if f.IsNeg(x) {
		return math.Copysign(v, -1)
	}
	return v
}

// FromFloat64 is the code of v rounded.
func (f Format) FromFloat64(v float64, r Rounding) (uint64, Flags) {
	return F64.Convert(math.Float64bits(v), f, r)
}

// Code is the code nearest to v, ties to even.
func (f Format) Code(v float64) uint64 {
	x, _ := f.FromFloat64(v, NearestEven)
	return x
}

// order is x as an integer that grows with the value, both zeros apart.
func (f Format) order(x uint64) int64 {
	// Sign and magnitude to two's complement; the 1 keeps -0 below +0.
	if f.IsNeg(x) {
		return -int64(x&^f.signBit()) - 1
	}
	return int64(x)
}

// zeroFlushed turns a subnormal x into a zero of its sign, in a format that flushes.
func (f Format) zeroFlushed(x uint64) uint64 {
	if f.IsZero(x) {
		return x & f.signBit()
	}
	return x
}

func bitLen(x uint64) int { return 64 - bits.LeadingZeros64(x) }
