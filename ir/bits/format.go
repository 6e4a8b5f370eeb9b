package bits

import (
	"strconv"
	"strings"
)

// String returns the canonical text of the value, width and hexadecimal
// digits as in Verilog: "8'hff", "5'h0". Parse reads it back.
func (v Value) String() string {
	buf := make([]byte, 0, 16+v.Len()/4)
	// Room for the width, the base and one digit per four bits.
	buf = strconv.AppendInt(buf, int64(v.w), 10)
	buf = append(buf, "'h"...)
	return string(v.AppendHex(buf))
}

// Hex returns the unsigned number in lower-case hexadecimal without leading
// zeros; "0" for zero.
func (v Value) Hex() string { return string(v.AppendHex(nil)) }

// AppendHex appends what Hex returns to dst.
func (v Value) AppendHex(dst []byte) []byte {
	if v.w <= 64 {
		return strconv.AppendUint(dst, v.lo, 16)
	}
	// The top word without leading zeros, the others with all 16 digits.
	top, ws := max(0, (v.Len()-1)>>6), *v.wide
	dst = strconv.AppendUint(dst, ws[top], 16)
	for i := top - 1; i >= 0; i-- {
		for s := 60; s >= 0; s -= 4 {
			dst = append(dst, "0123456789abcdef"[ws[i]>>uint(s)&15])
		}
	}
	return dst
}

// Bin returns exactly Width binary digits, the most significant first; "" for
// width 0.
func (v Value) Bin() string {
	var b strings.Builder
	b.Grow(int(v.w))
	for i := int(v.w) - 1; i >= 0; i-- {
		b.WriteByte('0' + byte(v.Bit(i)))
	}
	return b.String()
}

// Dec returns the unsigned number in decimal.
func (v Value) Dec() string {
	if v.w <= 64 {
		return strconv.FormatUint(v.lo, 10)
	}
	return v.Big().String()
}
