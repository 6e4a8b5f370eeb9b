package bits

import "math/bits"

// bigMulWords is the length from which Value's products go through math/big,
// whose multiplication is subquadratic; MulWords itself never allocates.
const bigMulWords = 48

// MulWords sets dst to the product mod 2^width of the unsigned numbers x and
// y, each taken whole (all its words). dst must not overlap x or y.
func MulWords(dst, x, y []uint64, width int) {
	n := WordCount(width)
	dst, x, y = dst[:n], trim(x), trim(y)
	// Schoolbook: for each word of x, a row of y times that word, added at its place. Words
	// past the width are not computed.
	clear(dst)
	for i, xi := range x {
		if i >= n {
			break
		}

		if xi == 0 {
			continue
		}
		row := y[:min(len(y), n-i)]
		carry := mulAdd(dst[i:], row, xi)
		if i+len(row) < n {
			dst[i+len(row)] = carry
		}
	}

	MaskWords(dst, width)
}

// MulSWords sets dst to the product mod 2^width of the two's complement
// numbers x of xw bits and y of yw bits. dst must not overlap x or y.
func MulSWords(dst, x, y []uint64, xw, yw, width int) {
	x, y = x[:WordCount(xw)], y[:WordCount(yw)]
	MulWords(dst, x, y, width)
	// A negative x stands for x - 2^xw, so the product must lose y·2^xw, and likewise for
	// y. If both are negative, it gains 2^(xw+yw).
	xn, yn := signWords(x, xw), signWords(y, yw)
	if xn {
		subShifted(dst, y, xw, width)
	}

	if yn {
		subShifted(dst, x, yw, width)
	}

	if at := xw + yw; xn && yn && at < width {
		c := uint64(1) << (uint(at) & 63)
		for i := at >> 6; i < WordCount(width); i++ {
			dst[i], c = bits.Add64(dst[i], c, 0)
		}
	}

	MaskWords(dst, width)
}

// mulAdd adds row*m to dst[:len(row)] and returns the carry word.
func mulAdd(dst, row []uint64, m uint64) (carry uint64) {
	dst = dst[:len(row)]
	for j, r := range row {
		// m·r + dst[j] + carry fits two words: (2^64-1)^2 + 2(2^64-1) = 2^128-1.
		hi, lo := bits.Mul64(m, r)
		var c uint64
		lo, c = bits.Add64(lo, dst[j], 0)
		hi += c
		lo, c = bits.Add64(lo, carry, 0)
		dst[j], carry = lo, hi+c
	}
	return carry
}

// subShifted subtracts x<<by from dst, in the words of width.
func subShifted(dst, x []uint64, by, width int) {
	k, s := by>>6, uint(by)&63
	var prev, b uint64
	// Words past the end of x are zero, but still take the borrow.
	for i := k; i < WordCount(width); i++ {
		var cur uint64
		if i-k < len(x) {
			cur = x[i-k]
		}
		dst[i], b = bits.Sub64(dst[i], cur<<s|prev>>(64-s), b)
		prev = cur
	}
}

// trim drops the zero words at the top.
func trim(x []uint64) []uint64 {
	for len(x) > 0 && x[len(x)-1] == 0 {
		x = x[:len(x)-1]
	}
	return x
}
