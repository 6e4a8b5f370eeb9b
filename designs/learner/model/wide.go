package model

import "math/bits"

// wide is an integer of 128 bits in two's complement: an exact sum of products of
// floating-point numbers, which is too long for a word.
type wide struct{ hi, lo uint64 }

// product is a · b.
func product(a, b int64) wide {
	hi, lo := bits.Mul64(uint64(a), uint64(b))

	// The product of the words as unsigned numbers has 2^64 times the other factor too much
	// for each negative one.
	hi -= uint64(a>>63)&uint64(b) + uint64(b>>63)&uint64(a)
	return wide{hi, lo}
}

func (x wide) add(y wide) wide {
	lo, carry := bits.Add64(x.lo, y.lo, 0)
	hi, _ := bits.Add64(x.hi, y.hi, carry)
	return wide{hi, lo}
}

// shl is x · 2^n, for n from 0 to 127.
func (x wide) shl(n int) wide {
	if n >= 64 {
		return wide{x.lo << (n - 64), 0}
	}
	return wide{x.hi<<n | x.lo>>(64-n), x.lo << n}
}

// magnitude is |x| without a sign.
func (x wide) magnitude() (m wide, neg bool) {
	if int64(x.hi) >= 0 {
		return x, false
	}
	lo, borrow := bits.Sub64(0, x.lo, 0)
	hi, _ := bits.Sub64(0, x.hi, borrow)
	return wide{hi, lo}, true
}

// len is the number of bits of a magnitude.
func (x wide) len() int {
	if x.hi > 0 {
		return 64 + bits.Len64(x.hi)
	}
	return bits.Len64(x.lo)
}

// shr drops n bits of a magnitude, 0 to 127, of which 64 are left; it tells whether they
// come to less than half of the last one left, -1, to half, 0, or to more, 1.
func (x wide) shr(n int) (left uint64, half int) {
	if n == 0 {
		return x.lo, -1
	}

	// The dropped bits, moved to the top of 128, beside a half there.
	rest := x.shl(128 - n)
	if n < 64 {
		left = x.lo>>n | x.hi<<(64-n)
	} else {
		left = x.hi >> (n - 64)
	}
	const top = 1 << 63

	switch {
	case rest.hi < top:
		return left, -1
	case rest == wide{top, 0}:
		return left, 0
	}
	return left, 1
}
