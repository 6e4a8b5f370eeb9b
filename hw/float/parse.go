package float

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// Parse is the code nearest to a decimal, ties to even, or that of nan, inf and -inf.
// A number past the range is an error, and the greatest in a format that saturates; a NaN and
// an infinity that the format lacks are errors in every one. The decimal is rounded once.
func (f Format) Parse(text string) (uint64, error) {
	// As a float64 first: for the grammar, the specials, and numbers far out of range. Go's hexadecimal
	// floats and digit separators are left out, as 0x begins a code where decimals are read.
	v, err := strconv.ParseFloat(text, 64)
	if err != nil && !isRange(err) || strings.ContainsAny(text, "xX_") {
		return 0, fmt.Errorf("%q is not a number", text)
	}

	// A number past float64's range is past every format's.
	switch {
	case math.IsNaN(v) && f.Codes != Finite:
		return f.NaN(), nil
	case math.IsInf(v, 0) && err == nil && f.Codes == IEEE:
		return f.Inf(v < 0), nil
	case math.IsInf(v, 0) && err != nil && f.Saturate:
		return f.Greatest(v < 0), nil
	case math.IsNaN(v), math.IsInf(v, 0):
		return 0, fmt.Errorf("%s does not fit %v, whose greatest number is %v", text, f, f.Float64(f.Greatest(false)))
	case v == 0: // or far less than any number
		return f.sign(math.Signbit(v)), nil
	}

	// The quotient of two integers, to as many bits as rounding needs.
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return 0, fmt.Errorf("%q is not a number", text)
	}
	k := max(0, 1200+r.Denom().BitLen()-r.Num().BitLen())
	n := new(big.Int).Lsh(new(big.Int).Abs(r.Num()), uint(k))
	q, rest := n.QuoRem(n, r.Denom(), new(big.Int))

	// No flag says that a decimal is inexact: most are.
	code, flags := f.Round(r.Sign() < 0, q, -k, rest.Sign() != 0, NearestEven)
	if flags&Overflow != 0 && !f.Saturate {
		return 0, fmt.Errorf("%s does not fit %v, whose greatest number is %v", text, f, f.Float64(f.Greatest(false)))
	}
	return code, nil
}

func isRange(err error) bool {
	n, ok := err.(*strconv.NumError)
	return ok && n.Err == strconv.ErrRange
}
