package code

// fewBits is the width up to which numbers are split bit by bit instead of transposed.
const fewBits = 4

// bitsOf replaces 64 numbers of w bits by their bits: word k holds bit k of all numbers.
func bitsOf(x *[64]uint64, w int) {
	if w > fewBits {
		transpose64(x)
		return
	}

	var bits [fewBits]uint64
	for k, v := range x {
		for b := range bits[:w] {
			bits[b] |= v >> b & 1 << k
		}
	}
	copy(x[:], bits[:w])
}

// numbersOf is the inverse of bitsOf.
func numbersOf(x *[64]uint64, w int) {
	if w > fewBits {
		transpose64(x)
		return
	}

	bits := [fewBits]uint64(x[:])
	for k := range x {
		x[k] = 0
		for b, v := range bits[:w] {
			x[k] |= v >> k & 1 << b
		}
	}
}

// transpose64 exchanges bit i of word k with bit k of word i (Hacker's Delight, 7-3).
func transpose64(x *[64]uint64) {
	mask := uint64(0x00000000ffffffff)
	// Exchange blocks of half the size in each round.
	for s := 32; s > 0; s >>= 1 {
		for k := 0; k < 64; k = (k + s + 1) &^ s {
			t := (x[k]>>s ^ x[k+s]) & mask
			x[k+s] ^= t
			x[k] ^= t << s
		}
		mask ^= mask << (s / 2)
	}
}
