package model

import (
	"math"

	"etch/hw/fixed"
)

// tanhSegments are the linear pieces of [Tanh] over [0, tanhRange).
const (
	tanhSegments = 64
	tanhRange    = 4
	TanhBits     = 16 // fraction bits of the table
)

// tanhBase and tanhSlope are the pieces: base + slope·t for t from 0 to 1 within one.
var tanhBase, tanhSlope = tanhTable()

// TanhPieces are the pieces, with [TanhBits] fraction bits.
func TanhPieces() (base, slope [tanhSegments]int64) { return tanhBase, tanhSlope }

// tanhTable fits each piece so that its error is the same at the ends and in the
// middle, which halves it; the first one goes through 0, where tanh is odd.
func tanhTable() (base, slope [tanhSegments]int64) {
	// A chord lies below tanh, most in the middle: half of that distance goes to the base.
	at := func(x float64) float64 { return math.Tanh(x * tanhRange / tanhSegments) }
	for i := range base {
		a, b := at(float64(i)), at(float64(i+1))
		lift := (at(float64(i)+0.5) - (a+b)/2) / 2
		if i == 0 {
			lift = 0
		}
		base[i] = int64(math.Round(math.Ldexp(a+lift, TanhBits)))
		slope[i] = int64(math.Round(math.Ldexp(b-a, TanhBits)))
	}
	return base, slope
}

// Tanh is the hyperbolic tangent of a raw value in its own format, by a table of 64
// linear pieces over [0, 4), 1 beyond, odd. Its error is below 2^-10 beside the
// format's own.
func Tanh(f fixed.Format, x int64) int64 {
	e := engine{Formats: Formats{Activation: f}}
	return e.tanh(x)
}

// tanh is [Tanh] of an activation.
func (e *engine) tanh(x int64) int64 {
	// Odd: the sign is put aside, and the rest brought to the table's fraction bits.
	f := e.Activation
	const segment = TanhBits + 2 - 6 // bits within a piece: 4/64 is 2^-4
	sign := int64(1)
	if x < 0 {
		sign, x = -1, -x
	}
	if f.Frac < TanhBits {
		x <<= TanhBits - f.Frac
	} else {
		x >>= f.Frac - TanhBits
	}

	// The piece by the upper bits, the place in it by the lower ones.
	y := int64(1) << TanhBits
	if x < tanhRange<<TanhBits {
		i, t := x>>segment, x&(1<<segment-1)
		y = tanhBase[i] + tanhSlope[i]*t>>segment
	}

	var count uint64 // 1 may not fit the format; that is no saturation of learning
	return sign * e.fit(f, y, TanhBits, &count)
}
