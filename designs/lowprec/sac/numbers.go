package sac

import (
	"math"

	"etch/designs/float/function"
	"etch/designs/lowprec"
	"etch/hw/float"
)

// numbers rounds to a format, to the nearest even. For a precision of at most 11 bits operations in
// float32 and one more rounding are correctly rounded, and in float32 itself nothing is to be
// done. In between, where a moment has a format of its own, operations are in float64.
type numbers struct {
	format float.Format
	plain  bool // float32: nothing is to be done
	double bool // operations in float64
	slices float.Slices

	shift      uint32  // fraction bits that go
	half, mask uint32  // half of the last place, less one; the bits that stay
	low, span  uint32  // codes of float32 from the least normal number to the first that overflows
	magic      float32 // its last place is the spacing of subnormal numbers
	blocks     blockConstants
}

func newNumbers(f float.Format) *numbers {
	s, _ := f.Slices()
	n := &numbers{format: f, slices: s, plain: f == float.F32, double: f.Frac > 10 && f != float.F32, shift: uint32(23 - f.Frac)}
	if n.plain {
		return n
	}

	// Rounding of a normal number is an addition to its code in float32 and a mask; one unsigned
	// comparison with the bounds tells whether a number is normal.
	n.half, n.mask = 1<<(n.shift-1)-1, ^uint32(1<<n.shift-1)
	n.low = math.Float32bits(float32(math.Ldexp(1, f.MinExp())))
	over := math.Ldexp(1, f.MaxExp()+1) - math.Ldexp(1, f.MaxExp()-f.Frac-1)
	n.span = math.Float32bits(float32(over)) - n.low

	// Added and subtracted, the number with that last place rounds subnormal ones.
	n.magic = float32(math.Ldexp(1, f.MinExp()-f.Frac+23))
	n.blocks = n.blockConstants()
	return n
}

// own is the numbers of a moment: n itself where the moment has the common format.
func (n *numbers) own(o lowprec.Own) *numbers {
	if f := float.Format(o); o != (lowprec.Own{}) && f != n.format {
		return newNumbers(f)
	}
	return n
}

// r rounds a float32.
func (n *numbers) r(x float32) float32 {
	// To the nearest even: half of the last place, less one, and one more where the last bit is
	// odd.
	b := math.Float32bits(x)
	if b&^(1<<31)-n.low < n.span {
		return math.Float32frombits((b + n.half + b>>n.shift&1) & n.mask)
	}
	return n.edge(x)
}

// edge rounds a number that r has not: NaN, zero, subnormal, or past the range.
func (n *numbers) edge(x float32) float32 {
	a := float32(math.Abs(float64(x)))
	switch {
	case n.plain || x != x || x == 0:
		return x

	// Subnormal or zero, with its sign kept.
	case math.Float32bits(a) < n.low:
		return float32(math.Copysign(float64(float32(a+n.magic)-n.magic), float64(x)))
	}
	return float32(math.Copysign(math.Inf(1), float64(x)))
}

// wide rounds a float64.
func (n *numbers) wide(v float64) float32 {
	if n.plain {
		return float32(v)
	}
	return n.slices.Of(v)
}

// hypot is √(x²+y²), rounded once.
func (n *numbers) hypot(x, y float32) float32 {
	a, b := float64(x), float64(y)
	if !n.plain && a <= 65504 && b <= 65504 {
		// Squares of 22 bits: where their sum is not exact in float64 it is so nearly a
		// square that the root is the greater number's, to 2^-30.
		return n.slices.Of(math.Sqrt(a*a + b*b))
	}

	var out [1]float32
	n.slices.Hypot(out[:], []float32{x}, []float32{y})
	return out[0]
}

// apply is an elementary function.
func (n *numbers) apply(f function.Function, x float32) float32 { return n.wide(f.At(float64(x))) }

// code is the format's code of a value.
func (n *numbers) code(x float32) uint16 { return uint16(n.slices.Code(x)) }

// finite reports whether all numbers are.
func finite(list []float32) bool {
	for _, x := range list {
		if math.Float32bits(x)>>23&0xff == 0xff {
			return false
		}
	}
	return true
}
