package fst

import (
	"encoding/binary"
	"math/bits"
)

// lz4 packs by the block format of LZ4: pieces of literal bytes, each followed by
// a copy of bytes that came before.
type lz4 struct {
	seen [1 << lz4Bits]int32 // by hash of some bytes: where they were last
}

const (
	lz4Bits   = 12
	lz4Least  = 4         // bytes of the shortest copy that the format has
	lz4Tail   = 5         // bytes at the end that are literal
	lz4Margin = 13        // a copy begins at least so many bytes before the end
	lz4Far    = 1<<16 - 1 // longest distance
	lz4Run    = 256       // literal bytes for a unit that is not looked at
	lz4Over   = 16        // bytes that may be written, and overwritten, behind the end
)

// lz4Key is how many bytes of the shortest copy that is made are looked up, up to
// 8. One unit of up to five bytes alone is little gain for the time it takes; in
// larger ones all but the last byte may be those of a counter.
func lz4Key(step int) int {
	if step <= 5 {
		return 8
	}
	return min(step-1, 8)
}

// append appends data, packed, to dst. Data comes in units of step bytes: from
// place short on in nothing else, and copies are looked for where units begin
// only, which is most of the work; a copy that is found goes back as far as it can.
// Before that they are looked for anywhere in the unit behind the copy before, too.
func (z *lz4) append(dst, data []byte, step, short int) []byte {
	keyBytes := lz4Key(step)
	cut := 64 - 8*keyBytes
	places := min(bits.Len(uint(len(data))), lz4Bits)
	seen, hash := z.seen[:1<<places], 64-places
	clear(seen)
	w := pieces{reserved(dst, len(data)+len(data)/255+2*lz4Over), len(dst)}
	literal, at := 0, 1 // what is not written yet begins at literal
	if short == 0 {
		at = step
	}
	for at+lz4Margin <= len(data) {
		key := binary.LittleEndian.Uint64(data[at:]) << (cut & 63)
		slot := &seen[key*0x9e3779b97f4a7c15>>(hash&63)]
		from := int(*slot)
		*slot = int32(at)
		if binary.LittleEndian.Uint64(data[from:])<<(cut&63) != key || at-from > lz4Far {
			at = onward(at, at-literal, step, short)
			continue
		}
		n := keyBytes + common(data[from+keyBytes:], data[at+keyBytes:len(data)-lz4Tail])
		for at > literal && from > 0 && data[at-1] == data[from-1] {
			at, from, n = at-1, from-1, n+1
		}
		w.piece(data, literal, at, at-from, n)
		at += n
		literal = at
		if at > short {
			at = short + int(uint32(at-short+step-1)/uint32(step))*step
		}
	}
	w.piece(data, literal, len(data), 0, 0)
	return w.to[:w.n]
}

// onward is where a copy is looked for after place at, run bytes behind the last
// one: the further, the faster, since some data does not pack.
func onward(at, run, step, short int) int {
	next := at + step
	if run >= lz4Run {
		next += run / lz4Run * step
	}
	if at >= short {
		return next
	}
	if run+1 < step {
		return at + 1
	}
	return min(next, short)
}

// reserved returns dst with all of its room, which is at least n bytes.
func reserved(dst []byte, n int) []byte {
	if cap(dst)-len(dst) < n {
		dst = append(make([]byte, 0, max(2*cap(dst), len(dst)+n)), dst...)
	}
	return dst[:cap(dst)]
}

// common is how many bytes at the begin of x and y are the same; x is not the
// shorter one.
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

// pieces is packed data that is being written: n bytes of to.
type pieces struct {
	to []byte
	n  int
}

// piece writes the literal bytes data[literal:at] and a copy of n bytes from a
// distance back; the last piece has none. Lengths of which four bits are not
// enough go on in bytes.
func (w *pieces) piece(data []byte, literal, at, back, n int) {
	run, token := at-literal, w.n
	w.to[token] = byte(min(run, 15) << 4)
	w.n++
	if run >= 15 {
		w.length(run - 15)
	}
	if run <= lz4Over && literal+lz4Over <= len(data) {
		*(*[lz4Over]byte)(w.to[w.n:]) = [lz4Over]byte(data[literal:])
	} else {
		copy(w.to[w.n:], data[literal:at])
	}
	w.n += run
	if n == 0 {
		return
	}
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
