package model

import (
	"fmt"
	"math"

	"etch/hw/fixed"
)

// MantissaBits is the width of a coefficient's mantissa without sign: with sign it
// is the narrow operand of a DSP block's multiplier.
const MantissaBits = 17

// maxShift bounds a coefficient's own shift: a coefficient nearer to 1 counts as 1.
const maxShift = 62

// Coefficient is a constant factor c from 0 to 1, kept as its complement 1 − c = Mantissa ·
// 2^−Shift. A factor near 1 is thus exact to 17 bits of its distance from 1, and 1 itself, whose
// mantissa is 0, takes no multiplier.
type Coefficient struct {
	Mantissa int64 // 0, or 2^16 to 2^17 − 1
	Shift    int
}

// Power is the coefficient nearest to c^n, for c from 0 to 1 and n ≥ 1.
func Power(c float64, n int) Coefficient {
	d := -math.Expm1(float64(n) * math.Log(c)) // 1 − c^n without cancellation
	if d <= 0 {
		return Coefficient{}
	}

	// Normalise to a mantissa of exactly MantissaBits; rounding up to the next power of two needs
	// one more shift.
	_, exp := math.Frexp(d) // d in [2^(exp−1), 2^exp)
	k := Coefficient{Shift: MantissaBits - exp}
	k.Mantissa = int64(math.Round(math.Ldexp(d, k.Shift)))
	if k.Mantissa == 1<<MantissaBits {
		k.Mantissa, k.Shift = k.Mantissa/2, k.Shift-1
	}

	if k.Shift > maxShift {
		return Coefficient{}
	}
	return k
}

// One tells whether the coefficient is 1.
func (k Coefficient) One() bool { return k.Mantissa == 0 }

// Complement is 1 − c.
func (k Coefficient) Complement() float64 { return math.Ldexp(float64(k.Mantissa), -k.Shift) }

// Float is the coefficient's value, as near as a float64 has it.
func (k Coefficient) Float() float64 { return 1 - k.Complement() }

// String is "1 − 83886·2^−23".
func (k Coefficient) String() string {
	if k.One() {
		return "1"
	}
	return fmt.Sprintf("1 − %d·2^−%d", k.Mantissa, k.Shift)
}

// Format is the format of the mantissa as a fixed-point constant.
func (k Coefficient) Format() fixed.Format {
	return fixed.Format{Width: MantissaBits + 1, Frac: k.Shift}
}

// Times is c·x for a raw number of up to 45 bits: x − (1−c)·x, the product rounded
// to x's own last bit, ties up.
func (k Coefficient) Times(x int64) int64 {
	if k.One() {
		return x
	}
	return x - (x*k.Mantissa>>(k.Shift-1)+1)>>1
}
