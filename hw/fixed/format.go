package fixed

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
)

// Format is a two's-complement format: a raw integer r of Width bits stands for
// r · 2^-Frac.
type Format struct {
	Width int `help:"bits in all, the sign included" range:"0..2^20"`
	// A negative Frac drops integer bits, one greater than Width is all below one.
	Frac int `help:"fraction bits" range:"-1048576..2^20"`
}

// Rounding is the rule for fraction bits that are dropped.
type Rounding int

// The rounding modes.
const (
	Floor      Rounding = iota // towards minus infinity: the bits are cut off
	Ceil                       // towards plus infinity
	TowardZero                 // towards zero
	HalfUp                     // nearest, ties towards plus infinity
	HalfDown                   // nearest, ties towards minus infinity
	HalfEven                   // nearest, ties to even
	HalfAway                   // nearest, ties away from zero
)

var roundingNames = [...]string{"floor", "ceil", "toward-zero", "half-up", "half-down", "half-even", "half-away"}

// String is the mode's name.
func (r Rounding) String() string { return nameOf(roundingNames[:], int(r)) }

// UnmarshalText reads a mode's name.
func (r *Rounding) UnmarshalText(text []byte) error {
	at, err := byName("rounding", roundingNames[:], string(text))
	*r = Rounding(at)
	return err
}

// nameOf is the name of a mode, or the number of one that does not exist.
func nameOf(names []string, at int) string {
	if at < 0 || at >= len(names) {
		return fmt.Sprint(at)
	}
	return names[at]
}

func byName(what string, names []string, name string) (int, error) {
	if at := slices.Index(names, name); at >= 0 {
		return at, nil
	}
	return 0, fmt.Errorf("%s %q is none of %s", what, name, strings.Join(names, ", "))
}

// Overflow is the rule for values outside the range.
type Overflow int

// The overflow modes.
const (
	Wrap              Overflow = iota // modulo the range
	Saturate                          // nearest end of the range
	SaturateSymmetric                 // as Saturate, but the least value is minus the greatest
)

var overflowNames = [...]string{"wrap", "saturate", "saturate-symmetric"}

// String is the mode's name.
func (o Overflow) String() string { return overflowNames[o] }

// UnmarshalText reads a mode's name.
func (o *Overflow) UnmarshalText(text []byte) error {
	at, err := byName("overflow", overflowNames[:], string(text))
	*o = Overflow(at)
	return err
}

// String is "Q4.12".
func (f Format) String() string { return fmt.Sprintf("Q%d.%d", f.Width-f.Frac, f.Frac) }

// Limits are the least and the greatest raw value.
func (f Format) Limits(o Overflow) (least, greatest *big.Int) {
	greatest = new(big.Int).Lsh(big.NewInt(1), uint(f.Width-1))
	least = new(big.Int).Neg(greatest)
	greatest = new(big.Int).Sub(greatest, big.NewInt(1))
	if o == SaturateSymmetric {
		least.Neg(greatest)
	}
	return least, greatest
}

// Fit brings a raw value with frac fraction bits into f: the model of
// [Num.Fit].
func (f Format) Fit(raw *big.Int, frac int, r Rounding, o Overflow) *big.Int {
	// Align the points: to the left this is exact.
	v := new(big.Int).Set(raw)
	if drop := frac - f.Frac; drop > 0 {
		v = roundShift(v, uint(drop), r)
	} else {
		v.Lsh(v, uint(-drop))
	}

	// Then the range. Wrapping is a remainder, moved from 0..span to the signed range.
	least, greatest := f.Limits(o)
	switch {
	case o == Wrap:
		span := new(big.Int).Lsh(big.NewInt(1), uint(f.Width))
		if v.Mod(v, span); v.Cmp(greatest) > 0 {
			v.Sub(v, span)
		}
	case v.Cmp(greatest) > 0:
		v = greatest
	case v.Cmp(least) < 0:
		v = least
	}
	return v
}

// FitInt is [Format.Fit] for formats of up to 64 bits.
func (f Format) FitInt(raw int64, frac int, r Rounding, o Overflow) int64 {
	return f.Fit(big.NewInt(raw), frac, r, o).Int64()
}

// roundShift is v / 2^n rounded: twice the value is compared with the odd
// multiples of 2^n, which are the ties.
func roundShift(v *big.Int, n uint, r Rounding) *big.Int {
	unit := new(big.Int).Lsh(big.NewInt(1), n)

	// DivMod rounds towards minus infinity, as Floor and the cutting of bits do.
	q, rem := new(big.Int).DivMod(v, unit, new(big.Int)) // floor, 0 ≤ rem
	half := new(big.Int).Rsh(unit, 1).Cmp(rem)           // +1 below the tie, 0 at it, -1 above
	up := false
	switch r {
	case Ceil:
		up = rem.Sign() > 0
	case TowardZero:
		up = v.Sign() < 0 && rem.Sign() > 0
	case HalfUp:
		up = half <= 0
	case HalfDown:
		up = half < 0
	case HalfEven:
		up = half < 0 || half == 0 && q.Bit(0) == 1
	case HalfAway:
		up = half < 0 || half == 0 && v.Sign() > 0
	}

	if up {
		q.Add(q, big.NewInt(1))
	}
	return q
}

// Raw is the raw value of f nearest to v, ties away from zero, saturated; 0 for
// a NaN.
func (f Format) Raw(v float64) int64 {
	// The comparison is made in float64, where a limit of 63 bits rounds up to a power of two: a
	// value at it must not be converted.
	scaled := math.Round(math.Ldexp(v, f.Frac))
	least, greatest := f.Limits(Saturate)
	lo, _ := new(big.Float).SetInt(least).Float64()
	hi, _ := new(big.Float).SetInt(greatest).Float64()
	switch {
	case math.IsNaN(v):
		return 0
	case scaled >= hi:
		return greatest.Int64()
	case scaled <= lo:
		return least.Int64()
	}
	return int64(scaled)
}

// Float is the number that a raw value stands for.
func (f Format) Float(raw int64) float64 { return math.Ldexp(float64(raw), -f.Frac) }
