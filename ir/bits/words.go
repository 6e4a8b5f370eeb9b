package bits

import "math/bits"

// WordCount returns the number of 64-bit words that hold width bits.
func WordCount(width int) int { return (width + 63) >> 6 }

// topMask returns the ones of the last word of a vector of width > 0 bits.
func topMask(width int) uint64 { return ^uint64(0) >> (uint(-width) & 63) }

// MaskWords clears the bits of dst above width in its last word, the one that
// holds bit width-1.
func MaskWords(dst []uint64, width int) {
	if width > 0 {
		dst[(width-1)>>6] &= topMask(width)
	}
}

// AddWords sets dst to x + y mod 2^width. dst may be x or y.
func AddWords(dst, x, y []uint64, width int) {
	n := WordCount(width)
	// Equal lengths let the compiler drop the bound checks in the loop.
	dst, x, y = dst[:n], x[:n], y[:n]
	var c uint64
	for i := range dst {
		dst[i], c = bits.Add64(x[i], y[i], c)
	}
	MaskWords(dst, width)
}

// SubWords sets dst to x - y mod 2^width. dst may be x or y.
func SubWords(dst, x, y []uint64, width int) {
	n := WordCount(width)
	// Each word takes the borrow of the word below.
	dst, x, y = dst[:n], x[:n], y[:n]
	var b uint64
	for i := range dst {
		dst[i], b = bits.Sub64(x[i], y[i], b)
	}
	MaskWords(dst, width)
}

// NegWords sets dst to -x mod 2^width. dst may be x.
func NegWords(dst, x []uint64, width int) {
	n := WordCount(width)
	// 0 - x, with the borrow going up.
	dst, x = dst[:n], x[:n]
	var b uint64
	for i := range dst {
		dst[i], b = bits.Sub64(0, x[i], b)
	}
	MaskWords(dst, width)
}

// NotWords sets dst to the complement of x. dst may be x.
func NotWords(dst, x []uint64, width int) {
	n := WordCount(width)
	// The complement sets bits above the width: mask them.
	dst, x = dst[:n], x[:n]
	for i := range dst {
		dst[i] = ^x[i]
	}
	MaskWords(dst, width)
}

// AndWords sets dst to the bitwise and of x and y. dst may be x or y.
func AndWords(dst, x, y []uint64, width int) {
	n := WordCount(width)
	dst, x, y = dst[:n], x[:n], y[:n]
	// Bits above the width are zero in both sources, and stay so.
	for i := range dst {
		dst[i] = x[i] & y[i]
	}
}

// OrWords sets dst to the bitwise or of x and y. dst may be x or y.
func OrWords(dst, x, y []uint64, width int) {
	n := WordCount(width)
	dst, x, y = dst[:n], x[:n], y[:n]
	for i := range dst {
		dst[i] = x[i] | y[i]
	}
}

// XorWords sets dst to the bitwise exclusive or of x and y. dst may be x or y.
func XorWords(dst, x, y []uint64, width int) {
	n := WordCount(width)
	dst, x, y = dst[:n], x[:n], y[:n]
	for i := range dst {
		dst[i] = x[i] ^ y[i]
	}
}
