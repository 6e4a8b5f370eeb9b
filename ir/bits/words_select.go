package bits

// SliceWords sets dst, of width bits, to bits lo to lo+width-1 of x; lo >= 0,
// and bits beyond the last word of x read 0. dst may be x.
func SliceWords(dst, x []uint64, lo, width int) {
	dst = dst[:WordCount(width)]
	// A word of dst takes from two words of x, except at the end of x.
	k, s := lo>>6, uint(lo)&63
	whole := max(0, min(len(dst), len(x)-k-1)) // these take from two words of x
	for i := range whole {
		dst[i] = x[i+k]>>s | x[i+k+1]<<(64-s)
	}

	// The last word of x has nothing above it; further words are zero.
	if whole < len(dst) {
		rest := dst[whole:]
		var last uint64
		if whole+k < len(x) {
			last = x[whole+k] >> s
		}
		clear(rest)
		rest[0] = last
	}

	MaskWords(dst, width)
}

// PutWords writes the low width bits of x into dst at bit lo >= 0 and keeps
// the other bits of dst, which must hold lo+width bits. dst must not overlap x.
func PutWords(dst, x []uint64, lo, width int) {
	k, s := lo>>6, uint(lo)&63
	// Word by word: clear the field in dst with the mask, then put the bits in. A word of x
	// may straddle two words of dst.
	for i := 0; width > 0; i++ {
		m := ^uint64(0) >> uint(64-min(width, 64))
		w := x[i] & m
		dst[k] = dst[k]&^(m<<s) | w<<s
		if high := m >> (64 - s); high != 0 {
			dst[k+1] = dst[k+1]&^high | w>>(64-s)
		}
		k, width = k+1, width-64
	}
}

// SExtWords sets dst, of to bits, to the two's complement number x of from
// bits, 0 <= from <= to. dst may be x.
func SExtWords(dst, x []uint64, from, to int) {
	n := WordCount(from)
	dst = dst[:WordCount(to)]
	// The sign is read first, as dst may be x.
	neg := signWords(x, from)
	copy(dst, x[:n])
	clear(dst[n:])
	if neg {
		onesAbove(dst, from, to)
	}
}
