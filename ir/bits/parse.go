package bits

import (
	"fmt"
	"math/big"
	"math/bits"
	"strings"
)

// Parse reads a sized literal: a width in decimal, an apostrophe, a base and digits. String
// writes the canonical form "8'hff"; Parse also reads "8'b00001111" and "8'd255". It is
// strict, so that a value has one hexadecimal text: hexadecimal digits are lower-case, and
// only binary digits may have leading zeros, up to the width. A value that needs more bits
// than the width is an error, and so is a width above MaxWidth. Width 0 is "0'h0".
func Parse(s string) (Value, error) {
	num, rest, ok := strings.Cut(s, "'")
	if !ok || len(rest) < 2 {
		return Value{}, parseError(s, "is not WIDTH'hDIGITS")
	}

	w, why := parseWidth(num)
	if why != "" {
		return Value{}, parseError(s, why)
	}

	// The readers of digits also check that they are canonical and fit the width.
	var v Value
	switch base, digits := rest[0], rest[1:]; base {
	case 'h':
		v, why = parsePower(w, digits, 4)
	case 'b':
		v, why = parsePower(w, digits, 1)
	case 'd':
		v, why = parseDec(w, digits)
	default:
		why = "has a base other than h, b and d"
	}

	if why != "" {
		return Value{}, parseError(s, why)
	}

	return v, nil
}

// parseError quotes at most the start of s, which may be megabytes.
func parseError(s, why string) error {
	const most = 40
	if len(s) > most {
		return fmt.Errorf("bits: %q... (%d bytes) %s", s[:most], len(s), why)
	}
	return fmt.Errorf("bits: %q %s", s, why)
}

// parseWidth reads a width; why describes the error, "" if there is none.
func parseWidth(num string) (w int32, why string) {
	if why := digitsError(num, 10, false); why != "" {
		return 0, "has a bad width: it " + why
	}
	// The bound is checked at each digit, so that the sum cannot overflow.
	for _, c := range []byte(num) {
		if w = 10*w + int32(c-'0'); w > MaxWidth {
			return 0, fmt.Sprintf("is wider than %d bits", MaxWidth)
		}
	}
	return w, ""
}

// parsePower reads digits of base 2^per, per being 1 or 4. It allocates nothing before the
// value is known to fit.
func parsePower(w int32, digits string, per int) (Value, string) {
	if why := digitsError(digits, 1<<per, per == 1); why != "" {
		return Value{}, why
	}
	// Each digit takes per bits, the first hexadecimal one only as many as it needs.
	need := per * len(digits)
	if per == 4 || w == 0 {
		need += bits.Len64(digitOf(digits[0])) - per
	}

	if need > int(w) {
		return Value{}, doesNotFit(w)
	}

	// From the last digit up. A digit never straddles two words, as per divides 64.
	ws := make([]uint64, WordCount(int(w)))
	for i, at := len(digits)-1, 0; i >= 0; i, at = i-1, at+per {
		if d := digitOf(digits[i]); d != 0 {
			ws[at>>6] |= d << (uint(at) & 63)
		}
	}
	return fromOwned(w, ws), ""
}

// parseDec reads decimal digits.
func parseDec(w int32, digits string) (Value, string) {
	if why := digitsError(digits, 10, false); why != "" {
		return Value{}, why
	}
	// 2^w has at most w·log10(2) + 1 digits, and log10(2) < 0.30103. The bound comes first,
	// as reading digits costs time.
	if int64(len(digits)) > int64(w)*30103/100000+1 {
		return Value{}, doesNotFit(w)
	}

	b := decimal(digits)
	if b.BitLen() > int(w) {
		return Value{}, doesNotFit(w)
	}
	return FromBig(int(w), b), ""
}

// decimal returns the number with these decimal digits. It splits long texts and joins the
// parts in pairs, as math/big's own reader takes quadratic time.
func decimal(digits string) *big.Int {
	const short = 2000
	b, _ := new(big.Int).SetString(digits[:len(digits)%short], 10)
	if b == nil { // no digits before the first whole chunk
		b = new(big.Int)
	}

	parts := []*big.Int{b} // most significant first
	for rest := digits[len(digits)%short:]; rest != ""; rest = rest[short:] {
		b, _ := new(big.Int).SetString(rest[:short], 10)
		parts = append(parts, b)
	}

	// Each round joins neighbours, from the low end, and squares the base.
	base := new(big.Int).Exp(big.NewInt(10), big.NewInt(short), nil)
	for len(parts) > 1 {
		odd := len(parts) % 2
		joined := parts[:odd]
		for i := odd; i < len(parts); i += 2 {
			high := parts[i]
			joined = append(joined, high.Add(high.Mul(high, base), parts[i+1]))
		}

		if parts = joined; len(parts) > 1 {
			base.Mul(base, base)
		}
	}
	return parts[0]
}

// digitsError describes the error in digits of a base, "" if there is none.
func digitsError(digits string, base uint64, zeros bool) string {
	if digits == "" {
		return "has no digits"
	}

	for i := range len(digits) {
		if digitOf(digits[i]) >= base {
			return fmt.Sprintf("has %q where a digit of base %d (lower case) belongs", digits[i], base)
		}
	}
	if !zeros && len(digits) > 1 && digits[0] == '0' {
		return "has leading zeros"
	}
	return ""
}

// digitOf returns the value of a digit, 16 if c is none.
func digitOf(c byte) uint64 {
	switch {
	case c >= '0' && c <= '9':
		return uint64(c - '0')
	case c >= 'a' && c <= 'f':
		return uint64(c-'a') + 10
	}
	return 16
}

// doesNotFit says that the number exceeds the width.
func doesNotFit(w int32) string { return fmt.Sprintf("does not fit in %d bits", w) }
