package function

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"etch/hw/float"
)

// Function is an elementary function.
type Function string

// The functions. Sin and cos take their angle in turns: Sin of 0.25 is 1.
const (
	Exp      Function = "exp"
	Exp2     Function = "exp2"
	Log      Function = "log"
	Log2     Function = "log2"
	Log1p    Function = "log1p"
	Tanh     Function = "tanh"
	Sigmoid  Function = "sigmoid"
	Softplus Function = "softplus"
	Recip    Function = "recip"
	RSqrt    Function = "rsqrt"
	Sin      Function = "sin"
	Cos      Function = "cos"
)

// Functions lists the elementary functions in the order of their constants.
var Functions = []Function{Exp, Exp2, Log, Log2, Log1p, Tanh, Sigmoid, Softplus, Recip, RSqrt, Sin, Cos}

// Validate rejects names outside of [Functions].
func (f Function) Validate() error {
	if slices.Contains(Functions, f) {
		return nil
	}

	var names []string
	for _, g := range Functions {
		names = append(names, string(g))
	}
	return fmt.Errorf("function %q is none of %s", string(f), strings.Join(names, ", "))
}

// At is the function in float64, within a few units of its last place: for formats of up
// to 11 bits of precision no result lies closer to a midpoint than 2^-26 of theirs, so
// that rounding it is rounding the exact result, on every processor.
func (f Function) At(x float64) float64 {
	switch f {
	case Exp:
		return math.Exp(x)
	case Exp2:
		return math.Exp2(x)
	case Log:
		return math.Log(x)
	case Log2:
		return math.Log2(x)
	case Log1p:
		return math.Log1p(x)
	case Tanh:
		return math.Tanh(x)
	case Sigmoid:
		if x < 0 { // where 1 + exp(-x) would be infinite
			return math.Exp(x) / (1 + math.Exp(x))
		}
		return 1 / (1 + math.Exp(-x))
	case Softplus:
		return math.Max(x, 0) + math.Log1p(math.Exp(-math.Abs(x)))
	case Recip:
		return 1 / x
	case RSqrt:
		return 1 / math.Sqrt(x)
	case Sin:
		return sinTurns(x)
	}
	return cosTurns(x)
}

// sinTurns is sin(2πx). The angle is reduced to an eighth of a turn, exactly.
func sinTurns(x float64) float64 {
	if x == 0 || math.IsInf(x, 0) {
		return x - x + x*0 // a zero with its sign, NaN for an infinity
	}

	// Every step of the reduction is exact: the differences need no more bits than the operands.
	r := math.Abs(math.Mod(x, 1))
	sign := math.Copysign(1, x)
	if r >= 0.5 {
		r, sign = r-0.5, -sign
	}
	if r > 0.25 {
		r = 0.5 - r
	}

	// Past an eighth the complement is the lesser angle, for which the rounding of 2π matters less.
	if r > 0.125 {
		return sign * math.Cos(2*math.Pi*(0.25-r))
	}
	return sign * math.Sin(2*math.Pi*r)
}

// cosTurns is cos(2πx).
func cosTurns(x float64) float64 {
	r := math.Abs(math.Mod(x, 1))
	if r > 0.5 {
		r = 1 - r
	}

	sign := 1.0
	if r > 0.25 {
		r, sign = 0.5-r, -1
	}

	// By the complement the cosine of a quarter turn is exactly 0; math.Cos of a rounded π/2 is not.
	if r > 0.125 {
		return sign * math.Sin(2*math.Pi*(0.25-r))
	}
	return sign * math.Cos(2*math.Pi*r)
}

// Correct is the correctly rounded result for a code, to the nearest even. NaN gives
// NaN, as does an operand below the domain; a signed zero has the limit from its side.
func (f Function) Correct(format float.Format, code uint64) uint64 {
	y := f.At(format.Float64(code))
	if y != y {
		return format.NaN()
	}
	return format.Code(y)
}

// interval is the codes that are near enough to the result: in a format's codes
// neighbours differ by 1, so a distance in units of the last place is one of codes.
func (f Function) interval(format float.Format, code uint64, ulp float64) (lo, hi int64) {
	// One neighbour at most is near enough besides: it lies on the exact result's other side.
	c := int64(f.Correct(format, code))
	y := f.At(format.Float64(code))
	if ulp <= 0.5 || y != y || y == 0 || math.IsInf(format.Float64(uint64(c)), 0) || format.IsZero(uint64(c)) {
		return c, c
	}

	for _, other := range []int64{c - 1, c + 1} {
		v := format.Float64(uint64(other))
		if other >= 0 && !math.IsInf(v, 0) && v == v && v*y > 0 && math.Abs(v-y) <= ulp*spacing(format, y) {
			lo, hi = min(c, other), max(c, other)
			return lo, hi
		}
	}
	return c, c
}

// spacing is the distance between the numbers of a format around y.
func spacing(format float.Format, y float64) float64 {
	_, e := math.Frexp(y)
	return math.Ldexp(1, max(e-1, format.MinExp())-format.Frac)
}
