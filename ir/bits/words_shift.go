package bits

// ShlWords sets dst to x << n mod 2^width; 0 where n >= width. dst may be x.
func ShlWords(dst, x []uint64, n uint64, width int) {
	count := WordCount(width)
	dst, x = dst[:count], x[:count]

	if n >= uint64(width) {
		clear(dst)
		return
	}
	// k whole words and s bits. dst may be x: go from the top down.
	k, s := int(n>>6), uint(n)&63
	for i := count - 1; i > k; i-- {
		dst[i] = x[i-k]<<s | x[i-k-1]>>(64-s)
	}
	dst[k] = x[0] << s
	clear(dst[:k])
	MaskWords(dst, width)
}

// ShrWords sets dst to x >> n, zeros coming in; 0 where n >= width. dst may
// be x.
func ShrWords(dst, x []uint64, n uint64, width int) {
	count := WordCount(width)
	dst, x = dst[:count], x[:count]
	if n >= uint64(width) {
		clear(dst)
		return
	}

	// k whole words and s bits. dst may be x: go from the bottom up.
	k, s := int(n>>6), uint(n)&63
	last := count - k - 1
	for i := 0; i < last; i++ {
		dst[i] = x[i+k]>>s | x[i+k+1]<<(64-s)
	}
	dst[last] = x[count-1] >> s
	clear(dst[last+1:])
}

// ShrSWords sets dst to x >> n, copies of the top bit of x coming in. dst may
// be x.
func ShrSWords(dst, x []uint64, n uint64, width int) {
	// The sign is read first, as dst may be x.
	neg := signWords(x, width)
	ShrWords(dst, x, n, width)
	if neg {
		keep := width - int(min(n, uint64(width)))
		onesAbove(dst, keep, width)
	}
}

// onesAbove sets bits from to width-1 of dst.
func onesAbove(dst []uint64, from, width int) {
	if from >= width {
		return
	}
	// The rest of the first word, then whole words.
	i := from >> 6
	dst[i] |= ^uint64(0) << (uint(from) & 63)
	fillWords(dst[i+1:WordCount(width)], ^uint64(0))
	MaskWords(dst, width)
}

func fillWords(dst []uint64, w uint64) {
	for i := range dst {
		dst[i] = w
	}
}
