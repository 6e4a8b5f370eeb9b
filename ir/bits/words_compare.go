package bits

import (
	"cmp"
	"math/bits"
)

// EqualWords reports whether the width bits of x and y are the same.
func EqualWords(x, y []uint64, width int) bool {
	n := WordCount(width)
	x, y = x[:n], y[:n]
	for i := range x {
		if x[i] != y[i] {
			return false
		}
	}
	return true
}

// CmpWords compares x and y of width bits as unsigned numbers and returns -1,
// 0 or +1.
func CmpWords(x, y []uint64, width int) int {
	n := WordCount(width)
	// The highest word that differs decides.
	x, y = x[:n], y[:n]
	for i := n - 1; i >= 0; i-- {
		if x[i] != y[i] {
			return cmp.Compare(x[i], y[i])
		}
	}
	return 0
}

// CmpSWords compares x and y of width bits as two's complement numbers and
// returns -1, 0 or +1.
func CmpSWords(x, y []uint64, width int) int {
	xn, yn := signWords(x, width), signWords(y, width)
	switch {
	case xn && !yn:
		return -1
	case yn && !xn:
		return +1
	}
	return CmpWords(x, y, width) // of equal sign the order is the unsigned one
}

// PopCountWords returns the number of bits of x that are set.
func PopCountWords(x []uint64, width int) int {
	n := 0
	for _, w := range x[:WordCount(width)] {
		n += bits.OnesCount64(w)
	}
	return n
}

// RedXorWords returns the parity of x.
func RedXorWords(x []uint64, width int) uint64 {
	// The parity of a vector is that of the exclusive or of its words.
	var all uint64
	for _, w := range x[:WordCount(width)] {
		all ^= w
	}
	return uint64(bits.OnesCount64(all)) & 1
}

// IsZeroWords reports whether no bit of x is set.
func IsZeroWords(x []uint64, width int) bool {
	for _, w := range x[:WordCount(width)] {
		if w != 0 {
			return false
		}
	}
	return true
}

// IsOnesWords reports whether every one of the width bits of x is set.
func IsOnesWords(x []uint64, width int) bool {
	if width == 0 {
		return true
		// All words but the last are full.
	}
	last := (width - 1) >> 6
	for _, w := range x[:last] {
		if w != ^uint64(0) {
			return false
		}
	}
	return x[last] == topMask(width)
}

// signWords returns whether the top bit of x, of width bits, is set; false
// for width 0.
func signWords(x []uint64, width int) bool {
	return width > 0 && x[(width-1)>>6]>>(uint(width-1)&63)&1 == 1
}
