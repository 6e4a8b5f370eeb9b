package fst

import (
	"encoding/binary"
	"math/bits"
)

// lz4 packs data in the block format of LZ4: a sequence of pieces, each of literal bytes and a
// copy of bytes that came before. Matches are found by a hash table of the positions of some bytes,
// without chains, as in the fast mode of the reference.
type lz4 struct {
	seen [1 << lz4Bits]int32 // by hash: the last position of bytes with that hash
}

const (
	lz4Bits   = 12
	lz4Least  = 4         // the format's shortest copy, in bytes
	lz4Tail   = 5         // bytes at the end that the format wants literal
	lz4Margin = 13        // a copy begins at least so many bytes before the end
	lz4Far    = 1<<16 - 1 // the format's longest distance
	lz4Run    = 256       // after so many literal bytes in a row one unit is skipped between two searches
	lz4Over   = 16        // bytes that a copy of 16 may write beyond the end of the output
)

// lz4Key returns the number of bytes that are hashed, up to 8; it is the length of the shortest
// copy made. A copy of one unit of up to five bytes gains little for its time. Of larger units
// all but the last byte may repeat, that byte being a counter's.
func lz4Key(step int) int {
	if step <= 5 {
		return 8
	}
	return min(step-1, 8)
}

// append appends data, packed, to dst. The data are changes in units of step bytes; units before
// position short may be longer. Matches are searched only where units begin, which saves most of
// the work; a match that is found is extended backwards as far as it goes. Before short the
// search also covers all positions of the unit behind the copy before.
func (z *lz4) append(dst, data []byte, step, short int) []byte {
	keyBytes := lz4Key(step)

	// Few data get a small table, which is quicker to clear.
	cut := 64 - 8*keyBytes
	places := min(bits.Len(uint(len(data))), lz4Bits)
	seen, hash := z.seen[:1<<places], 64-places
	clear(seen)
	w := pieces{reserved(dst, len(data)+len(data)/255+2*lz4Over), len(dst)}
	literal, at := 0, 1 // data[literal:at] is not written yet
	if short == 0 {
		at = step
	}

	for at+lz4Margin <= len(data) {
		// Look up the bytes here, and store their position for later. The entry may be another
		// hash's or empty (0): only equal bytes count.
		key := binary.LittleEndian.Uint64(data[at:]) << (cut & 63)
		slot := &seen[key*0x9e3779b97f4a7c15>>(hash&63)]
		from := int(*slot)
		*slot = int32(at)
		if binary.LittleEndian.Uint64(data[from:])<<(cut&63) != key || at-from > lz4Far {
			at = onward(at, at-literal, step, short)
			continue
		}

		// A match: extend it to both sides and write it.
		n := keyBytes + common(data[from+keyBytes:], data[at+keyBytes:len(data)-lz4Tail])
		for at > literal && from > 0 && data[at-1] == data[from-1] {
			at, from, n = at-1, from-1, n+1
		}
		w.piece(data, literal, at, at-from, n)
		at += n
		literal = at

		// Go on where a unit begins.
		if at > short {
			at = short + int(uint32(at-short+step-1)/uint32(step))*step
		}
	}
	w.piece(data, literal, len(data), 0, 0)
	return w.to[:w.n]
}

// onward returns the next position to search for a match after position at, run bytes behind the last
// copy. The step grows with run, since data that has not packed so far will hardly pack now.
func onward(at, run, step, short int) int {
	next := at + step
	if run >= lz4Run {
		next += run / lz4Run * step
	}

	// Before short the positions of units are unknown: every byte of the first unit is searched.
	if at >= short {
		return next
	}
	if run+1 < step {
		return at + 1
	}
	return min(next, short)
}

// reserved returns dst extended over its capacity, which is at least n bytes more than its
// length.
func reserved(dst []byte, n int) []byte {
	if cap(dst)-len(dst) < n {
		dst = append(make([]byte, 0, max(2*cap(dst), len(dst)+n)), dst...)
	}
	return dst[:cap(dst)]
}

// common returns the length of the common begin of x and y. x is at least as long as y.
func common(x, y []byte) int {
	n := len(y)
	for len(x) >= 16 && len(y) >= 16 {
		low := binary.LittleEndian.Uint64(x) ^ binary.LittleEndian.Uint64(y)
		high := binary.LittleEndian.Uint64(x[8:]) ^ binary.LittleEndian.Uint64(y[8:])
		switch {
		case low != 0:
			return n - len(y) + bits.TrailingZeros64(low)/8
		case high != 0:
			return n - len(y) + 8 + bits.TrailingZeros64(high)/8
		}
		x, y = x[16:], y[16:]
	}
	for len(x) > 0 && len(y) > 0 && x[0] == y[0] {
		x, y = x[1:], y[1:]
	}
	return n - len(y)
}

// pieces is the packed data being written: the first n bytes of to.
type pieces struct {
	to []byte
	n  int
}

// piece writes the literal bytes data[literal:at] and a copy of n bytes from a distance of back.
// The last piece has no copy. A token holds four bits of either length; 15 says that bytes with
// the rest follow.
func (w *pieces) piece(data []byte, literal, at, back, n int) {
	run, token := at-literal, w.n
	w.to[token] = byte(min(run, 15) << 4)
	w.n++
	if run >= 15 {
		w.length(run - 15)
	}

	// Short runs are copied as 16 bytes, whatever their length: the surplus is overwritten
	// later.
	if run <= lz4Over && literal+lz4Over <= len(data) {
		*(*[lz4Over]byte)(w.to[w.n:]) = [lz4Over]byte(data[literal:])
	} else {
		copy(w.to[w.n:], data[literal:at])
	}
	w.n += run
	if n == 0 {
		return
	}

	// The copy: distance, then length less the shortest one.
	binary.LittleEndian.PutUint16(w.to[w.n:], uint16(back))
	w.n += 2
	w.to[token] |= byte(min(n-lz4Least, 15))
	if n >= lz4Least+15 {
		w.length(n - lz4Least - 15)
	}
}

// length writes the part of a length that exceeds four bits.
func (w *pieces) length(n int) {
	for ; n >= 255; n -= 255 {
		w.to[w.n] = 255
		w.n++
	}
	w.to[w.n] = byte(n)
	w.n++
}
