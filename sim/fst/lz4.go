package fst

import (
	"encoding/binary"
	"math/bits"
)

// lz4 packs by the block format of LZ4: pieces of literal bytes, each followed by
// a copy of bytes that came before.
type lz4 struct {
	seen [1 << lz4Bits]int32 // by hash of lz4Key bytes: base + place where they were last
	base int32               // places below it are of other data
}

const (
	lz4Bits    = 12
	lz4Least   = 4         // bytes of the shortest copy that the format has
	lz4Key     = 5         // bytes of the shortest copy that is made: of four there is little to gain
	lz4Tail    = 5         // bytes at the end that are literal
	lz4Margin  = 12        // a copy begins at least so many bytes before the end
	lz4Far     = 1<<16 - 1 // longest distance
	lz4Restart = 1 << 30   // places do not grow beyond
	lz4Over    = 16        // bytes that may be written, and overwritten, behind the end
)

// append appends data, packed, to dst. Data comes in units of step bytes, most of
// it: copies are looked for anywhere in the unit behind the copy before, and where
// a unit begins.
func (z *lz4) append(dst, data []byte, step int) []byte {
	if int(z.base)+len(data) > lz4Restart || z.base == 0 {
		z.seen, z.base = [1 << lz4Bits]int32{}, 1
	}
	w := pieces{reserved(dst, len(data)+len(data)/255+2*lz4Over), len(dst)}
	literal := 0 // what is not written yet begins here
	for at := 0; at+lz4Margin <= len(data); {
		key := binary.LittleEndian.Uint64(data[at:]) << (64 - 8*lz4Key)
		slot := &z.seen[key*0x9e3779b97f4a7c15>>(64-lz4Bits)]
		from := int(*slot - z.base)
		*slot = z.base + int32(at)
		if from < 0 || at-from > lz4Far || binary.LittleEndian.Uint64(data[from:])<<(64-8*lz4Key) != key {
			at = onward(at, at-literal, step)
			continue
		}
		n := lz4Key + common(data[from+lz4Key:], data[at+lz4Key:len(data)-lz4Tail])
		w.piece(data, literal, at, at-from, n)
		at += n
		literal = at
	}
	z.base += int32(len(data))
	w.piece(data, literal, len(data), 0, 0)
	return w.to[:w.n]
}

// onward is where a copy is looked for after place at, run bytes behind the last
// one: the further, the faster, since some data does not pack.
func onward(at, run, step int) int {
	switch {
	case run+1 < step:
		return at + 1
	case run < step:
		return (at + step) / step * step
	}
	return at + (1+run>>6/step)*step
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
	i := 0
	for ; i+8 <= len(y); i += 8 {
		if d := binary.LittleEndian.Uint64(x[i:]) ^ binary.LittleEndian.Uint64(y[i:]); d != 0 {
			return i + bits.TrailingZeros64(d)/8
		}
	}
	for i < len(y) && x[i] == y[i] {
		i++
	}
	return i
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
