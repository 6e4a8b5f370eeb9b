package ir

import (
	"math"
	"strconv"

	"etch/ir/bits"
)

// TopCodes is the meaning of the codes of a [Float] whose exponent field is all ones.
type TopCodes uint8

// The meanings.
const (
	TopIEEE    TopCodes = iota // infinities and NaNs
	TopOnlyNaN                 // numbers, except that all ones is NaN
	TopFinite                  // numbers
)

// TopCodesNames are the names in the text form, by value.
var TopCodesNames = [...]string{"ieee", "onlynan", "finite"}

// String is the name in the text form.
func (c TopCodes) String() string { return TopCodesNames[c] }

// FloatOf is the number that a value of a Float type encodes. Values have at most 64 bits;
// the result is exact for formats up to double precision.
func (t Type) FloatOf(v bits.Value) float64 {
	x := v.Uint64()
	frac := x & (1<<t.Frac - 1)
	top := uint64(1)<<t.Exp - 1

	exp := x >> t.Frac & top
	mag := float64(frac)
	// The greatest exponent is special in most formats. Exponent 0 marks a subnormal
	// number: no hidden one, and the scale of exponent 1. The bias is 2^(Exp-1) - 1.
	switch {
	case exp == top && t.Top == TopIEEE && frac == 0:
		mag = math.Inf(1)
	case exp == top && (t.Top == TopIEEE || t.Top == TopOnlyNaN && frac == 1<<t.Frac-1):
		return math.NaN()
	default:
		if exp != 0 {
			mag += float64(uint64(1) << t.Frac)
		}
		mag = math.Ldexp(mag, int(max(exp, 1))-(1<<(t.Exp-1)-1)-t.Frac)
	}

	if x>>(t.Exp+t.Frac)&1 == 1 {
		return -mag
	}
	return mag
}

// floatText is the decimal text of a number: an integer below a million in full, else the
// shortest decimal that is nearer to the number than to any other of the format; NaN, +Inf
// or -Inf.
func (t Type) floatText(v bits.Value) string {
	x := t.FloatOf(v)
	if x == 0 && v.Uint64() != 0 {
		return "-0"
	}
	if math.Trunc(x) == x && math.Abs(x) < 1e6 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}

	// The shortest of the decimals with 1, 2, … digits that lies within half the spacing.
	// At 17 digits a double is exact.
	for digits := 1; digits < 17; digits++ {
		text := strconv.FormatFloat(x, 'g', digits, 64)
		if y, err := strconv.ParseFloat(text, 64); err != nil || math.Abs(y-x) < t.spacing(x)/2 {
			return text
		}
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// spacing is the distance from a number to its nearest neighbour.
func (t Type) spacing(x float64) float64 {
	if math.IsInf(x, 0) || x != x {
		return math.Inf(1)
	}

	// Spacing is 2^-Frac of the number's power of two, and at least that of the subnormals.
	_, e := math.Frexp(x)
	least := 2 - 1<<(t.Exp-1)
	if m, _ := math.Frexp(math.Abs(x)); m == 0.5 && e-1 > least { // below a power of two numbers are closer
		e--
	}
	return math.Ldexp(1, max(e-1, least)-t.Frac)
}
