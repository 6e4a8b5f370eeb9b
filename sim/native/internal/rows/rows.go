package rows

import (
	"math/bits"
	"unsafe"
)

// Rows is the values of fields before each of some events and behind the last. Four rows are a
// tile, in which the four values of a field are side by side: so a vector of values is compared
// with the same vector one row earlier.
type Rows struct {
	Shift  uint8    // log2 of a value's bytes: 2 or 3
	Blocks int      // blocks of blockBytes per tile
	words  []int32  // by field: the outside number of its word, or -1 for padding
	mem    []uint64 // tiles; the last row of the first one holds the values before the first event
	same   []uint64 // one byte per block of the other tiles: bit k is set if value k equals that of the row before
	quiet  []uint64 // one byte per block: the AND over all tiles
}

const (
	TileRows   = 4
	blockBytes = 32
	blockWords = blockBytes / 8
	blockGroup = 8  // blocks per tile are a multiple of this, so that their bytes fill words of same
	unchanged  = 15 // four bits of same
)

// NewRows lays out rows for the given words.
func NewRows(shift uint8, words []int32) *Rows {
	r := &Rows{Shift: shift}

	// Blocks come in groups, so that their bytes fill words of same. Fields beyond the words are
	// padding.
	perGroup := blockGroup * blockBytes / r.FieldBytes()
	groups := (len(words) + perGroup - 1) / perGroup
	r.Blocks = groups * blockGroup
	r.words = append(r.words, words...)
	for len(r.words) < groups*perGroup {
		r.words = append(r.words, -1)
	}
	return r
}

// Reserve allocates tiles.
func (r *Rows) Reserve(tiles int) {
	r.mem = aligned((tiles + 1) * r.Blocks * blockWords)
	r.same = make([]uint64, tiles*r.Blocks/blockGroup+1) // slack: bytes are read by fours
	r.quiet = make([]uint64, r.Blocks/blockGroup)
}

// FieldBytes is the size of a field in a tile, in bytes.
func (r *Rows) FieldBytes() int { return TileRows << r.Shift }

// TileBytes is the distance between tiles, in bytes.
func (r *Rows) TileBytes() int { return r.Blocks * blockBytes }

// Row addresses row i; row -1 is before the first event.
func (r *Rows) Row(i int) Row {
	i += TileRows
	at := unsafe.Pointer(unsafe.SliceData(r.mem))
	return Row{unsafe.Add(at, i/TileRows*r.TileBytes()+i%TileRows<<r.Shift), r.Shift}
}

// Row is a row of values, by field.
type Row struct {
	At    unsafe.Pointer
	shift uint8 // as in rows
}

func (r Row) field(i int) unsafe.Pointer { return unsafe.Add(r.At, i*TileRows<<r.shift) }

// Value is a field of 32 or 64 bits, as the rows are wide.
func (r Row) Value(field int) uint64 {
	if r.shift == 2 {
		return uint64(*(*uint32)(r.field(field)))
	}
	return *(*uint64)(r.field(field))
}

// Set stores the value of a field.
func (r Row) Set(field int, x uint64) {
	if r.shift == 2 {
		*(*uint32)(r.field(field)) = uint32(x)
	} else {
		*(*uint64)(r.field(field)) = x
	}
}

// Compare fills in same for the first n rows. Rows behind them count as unchanged.
func (r *Rows) Compare(n int, vectors bool) {
	tiles := (n + TileRows - 1) / TileRows
	if tiles*r.Blocks == 0 {
		return
	}

	if vectors {
		r.compareVectors(tiles)
	} else {
		r.compareValues(tiles)
	}

	if n%TileRows != 0 {
		behind := uint64(unchanged<<(n%TileRows)&unchanged) * 0x1111111111111111
		last := r.same[(tiles-1)*r.Blocks/blockGroup:][:r.Blocks/blockGroup]
		for i := range last {
			last[i] |= behind
		}
	}
}

// compareValues is compare without vectors.
func (r *Rows) compareValues(tiles int) {
	words := r.TileBytes() / 8
	for i := range tiles * r.Blocks {
		// The last row of the block one tile earlier precedes the first row of this block.
		at := words + i*blockWords
		now, before := (*[blockWords]uint64)(r.mem[at:]), (*[blockWords]uint64)(r.mem[at-words:])
		var m uint64
		if r.Shift == 3 {
			m = unchanged<<4 | sameWords(now, before)
		} else {
			m = sameHalves(now[0], now[1], before[1]) | sameHalves(now[2], now[3], before[3])<<4
		}

		// One byte per block: replace it in its word of same.
		k := uint(i % blockGroup * 8)
		r.same[i/blockGroup] = r.same[i/blockGroup]&^(0xff<<k) | m<<k
	}
}

// sameWords is the bits of a block with one field of 8-byte values.
func sameWords(now, before *[blockWords]uint64) (m uint64) {
	last := before[blockWords-1]
	for k, x := range now {
		if x == last {
			m |= 1 << k
		}
		last = x
	}
	return m
}

// sameHalves is the bits of a field of 4-byte values in the words low and high; before is the
// word in front of them.
func sameHalves(low, high, before uint64) (m uint64) {
	d := low ^ (low<<32 | before>>32) // XOR of each value with its predecessor
	e := high ^ (high<<32 | low>>32)
	if d|e == 0 {
		return unchanged
	}

	for k, x := range [TileRows]uint32{uint32(d), uint32(d >> 32), uint32(e), uint32(e >> 32)} {
		if x == 0 {
			m |= 1 << k
		}
	}
	return m
}

// fieldSame is the bits of a field in a tile.
func (r *Rows) fieldSame(tile, field int) uint64 {
	k := field << (r.Shift - 2) // there are four bits per 16 bytes
	return r.same[tile*r.Blocks/blockGroup+k/16] >> (k % 16 * 4) & unchanged
}

// Changed calls f for each word whose value in a row differs from the row before.
func (r *Rows) Changed(row int, f func(word int32, value uint64)) {
	// One bit per field: that of the row, in each group of four.
	bit := uint64(0x1111111111111111) << (row % TileRows)
	values := r.Row(row)
	n := r.Blocks / blockGroup
	for i, m := range r.same[row/TileRows*n:][:n] {
		for m = ^m & bit; m != 0; m &= m - 1 {
			field := (16*i + bits.TrailingZeros64(m)/4) >> (r.Shift - 2)
			f(r.words[field], values.Value(field))
		}
	}
}

// findQuiet computes quiet over the first tiles.
func (r *Rows) findQuiet(tiles int) {
	groups := len(r.quiet)
	for i := range r.quiet {
		all := ^uint64(0)
		for at := i; at < tiles*groups; at += groups {
			all &= r.same[at]
		}
		r.quiet[i] = all
	}
}

// aligned is n words at a multiple of blockBytes.
func aligned(n int) []uint64 {
	// One block more than asked, to skip to the boundary.
	w := make([]uint64, n+blockWords)
	skip := -uintptr(unsafe.Pointer(&w[0])) & (blockBytes - 1) / 8
	return w[skip:][:n:n]
}
