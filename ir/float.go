package ir

import (
	"math"
	"strconv"

	"etch/ir/bits"
)

// TopCodes says which numbers the codes of a [Float] with the greatest exponent field are.
type TopCodes uint8

// The meanings.
const (
	TopIEEE    TopCodes = iota // infinities and NaNs
	TopOnlyNaN                 // numbers, but for all ones, which is NaN
	TopFinite                  // numbers
)

// TopCodesNames are the names in the text form, by value.
var TopCodesNames = [...]string{"ieee", "onlynan", "finite"}

// String is the name in the text form.
func (c TopCodes) String() string { return TopCodesNames[c] }

// FloatOf is the number that a value of at most 64 bits of a Float type stands for.
func (t Type) FloatOf(v bits.Value) float64 {
	x := v.Uint64()
	frac := x & (1<<t.Frac - 1)
	top := uint64(1)<<t.Exp - 1
	exp := x >> t.Frac & top
	mag := float64(frac)
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

// floatText is an integer below a million in full, and of other numbers the shortest
// decimal that is nearer to them than to any other of the format; NaN, +Inf or -Inf.
func (t Type) floatText(v bits.Value) string {
	x := t.FloatOf(v)
	if x == 0 && v.Uint64() != 0 {
		return "-0"
	}
	if math.Trunc(x) == x && math.Abs(x) < 1e6 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}

	// One digit more than log10 of 2^(Frac+1), rounded up, tells all numbers apart.
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
	_, e := math.Frexp(x)
	least := 2 - 1<<(t.Exp-1)
	if m, _ := math.Frexp(math.Abs(x)); m == 0.5 && e-1 > least { // below a power of two numbers are closer
		e--
	}
	return math.Ldexp(1, max(e-1, least)-t.Frac)
}
