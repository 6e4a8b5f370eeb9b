package model

import (
	"math"
	"math/bits"
)

// LogFraction is the number of fraction bits of logarithms.
const LogFraction = 20

// segmentBits: tables have 64 segments of straight lines.
const segmentBits = 6

// Segment is a straight line over 2^(LogFraction-6) steps: Base + Slope·r >> 14, in
// units of 2^-20.
type Segment struct{ Base, Slope int64 }

// LogTable is log2(1 + f) and ExpTable 2^f − 1, for f in [0, 1): of each segment the
// chord, moved by half of its largest distance from the curve, so that errors are as
// large above as below: 2.2·10^-5 and 1.5·10^-5.
var (
	LogTable = segments(func(f float64) float64 { return math.Log2(1 + f) })
	ExpTable = segments(func(f float64) float64 { return math.Exp2(f) - 1 })
)

func segments(f func(float64) float64) (table [1 << segmentBits]Segment) {
	const n, one = 1 << segmentBits, 1 << LogFraction
	for i := range table {
		low, high := f(float64(i)/n), f(float64(i+1)/n)
		middle := f((float64(i)+0.5)/n) - (low+high)/2
		table[i].Base = int64(math.Round((low + middle/2) * one))
		table[i].Slope = int64(math.Round((high - low) * one))
	}

	// Neither end leaves the range: a value has 20 bits.
	const low = 1<<(LogFraction-segmentBits) - 1
	table[0].Base = max(table[0].Base, 0)
	last := &table[n-1]
	last.Base = min(last.Base, one-1-last.Slope*low>>(LogFraction-segmentBits))
	return table
}

// line is the value of a table at a fraction of 20 bits.
func line(table *[1 << segmentBits]Segment, f uint64) int64 {
	const low = LogFraction - segmentBits
	s := table[f>>low]
	return s.Base + s.Slope*int64(f&(1<<low-1))>>low
}

// Log2 is the logarithm of x ≥ 1 with 20 fraction bits. Bits of x below its 21 highest
// do not count.
func Log2(x uint64) int64 {
	e := bits.Len64(x) - 1

	// The 20 bits behind the leading one.
	f := x << (63 - e) << 1 >> (64 - LogFraction)
	return int64(e)<<LogFraction + line(&LogTable, f)
}

// Exp2 is the mantissa of 2^y, in [1, 2) with 20 fraction bits, and its exponent; y
// has 20 fraction bits.
func Exp2(y int64) (mantissa uint64, exponent int) {
	f := uint64(y) & (1<<LogFraction - 1)
	return 1<<LogFraction + uint64(line(&ExpTable, f)), int(y >> LogFraction)
}

// ErrorFraction is the number of fraction bits of an error |δ| and of ε, which have
// 32 bits.
const ErrorFraction = 16

// Exponents turn errors into priorities, and priorities into weights. All three may
// change at any time.
type Exponents struct {
	Alpha   uint32 // 0 to 1 in units of 2^-16
	Beta    uint32 // 0 to 1 in units of 2^-16
	Epsilon uint32 // in units of 2^-ErrorFraction
}

// Fixed is x in units of 2^-16, rounded.
func Fixed(x float64) uint32 { return uint32(math.Round(x * (1 << 16))) }

// Priority is (|δ| + ε)^α, rounded to a code of p from 1 to the largest; |δ| + ε is at
// most 2^32 − 1.
func (e Exponents) Priority(p Params, delta uint32) uint64 {
	sum := min(uint64(delta)+uint64(e.Epsilon), math.MaxUint32)
	if sum == 0 {
		sum = 1 // 2^-16: there is no logarithm of 0
	}

	// α·log2(|δ|+ε), rounded; the fraction bits of a code move the point.
	log := Log2(sum) - ErrorFraction<<LogFraction
	y := (int64(e.Alpha)*log+1<<15)>>16 + int64(p.Fraction)<<LogFraction
	mantissa, exponent := Exp2(y)
	limit := uint64(1)<<p.Leaf - 1

	// Exponents out of the range of codes need no shift.
	switch {
	case exponent >= p.Leaf:
		return limit
	case exponent < -1:
		return 1
	}
	return max(1, min(limit, rounded(mantissa, LogFraction-exponent)))

}

// WeightFraction is the number of fraction bits of a weight: 1.0 is 2^16.
const WeightFraction = 16

// Weight is (least/p)^β with 16 fraction bits, and 1 where p is below least; both are
// at least 1.
func (e Exponents) Weight(least, p uint64) uint64 {
	if p <= least {
		return 1 << WeightFraction
	}
	y := -((int64(e.Beta)*(Log2(p)-Log2(least)) + 1<<15) >> 16)
	mantissa, exponent := Exp2(y)
	return rounded(mantissa, LogFraction-WeightFraction-exponent)
}

// rounded is x / 2^by, half up.
func rounded(x uint64, by int) uint64 {
	switch {
	case by <= 0:
		return x << -by
	case by > 40:
		return 0
	}
	return (x + 1<<(by-1)) >> by
}
