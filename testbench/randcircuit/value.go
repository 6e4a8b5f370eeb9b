package randcircuit

import (
	"math/rand/v2"

	"etch/ir/bits"
)

// Value draws a value for an input: small, large, special or any.
func Value(rng *rand.Rand, w int) bits.Value {
	words := make([]uint64, bits.WordCount(w))
	for i := range words {
		words[i] = rng.Uint64()
	}
	v := bits.FromWords(w, words)

	// Corners in six of eight draws: any value would seldom be one of them.
	switch rng.IntN(8) {
	case 0:
		return bits.Zero(w)
	case 1:
		return bits.Ones(w)
	case 2:
		return bits.New(w, rng.Uint64()&7)
	case 3:
		return bits.New(w, rng.Uint64()&7).Not()
	case 4:
		return v.Shr(uint64(rng.IntN(w)))
	case 5:
		return bits.Zero(w).SetBit(w-1, 1)
	}
	return v
}
