package fst

import "encoding/binary"

// lz4 packs by the block format of LZ4: pieces of literal bytes, each followed by
// a copy of bytes that came before.
type lz4 struct {
	seen [1 << lz4Bits]int32 // by hash of four bytes: base + place where they were last
	base int32               // places below it are of other data
}

const (
	lz4Bits    = 12
	lz4Least   = 4         // bytes of the shortest copy
	lz4Tail    = 5         // bytes at the end that are literal
	lz4Margin  = 12        // a copy begins at least so many bytes before the end
	lz4Far     = 1<<16 - 1 // longest distance
	lz4Restart = 1 << 30   // places do not grow beyond
)

// append appends data, packed, to dst.
func (z *lz4) append(dst, data []byte) []byte {
	if int(z.base)+len(data) > lz4Restart || z.base == 0 {
		z.seen, z.base = [1 << lz4Bits]int32{}, 1
	}
	literal := 0 // what is not written yet begins here
	for at := 0; at+lz4Margin <= len(data); {
		four := binary.LittleEndian.Uint32(data[at:])
		slot := &z.seen[four*2654435761>>(32-lz4Bits)]
		from := int(*slot - z.base)
		*slot = z.base + int32(at)
		if from < 0 || at-from > lz4Far || binary.LittleEndian.Uint32(data[from:]) != four {
			at += 1 + (at-literal)>>6 // faster through what does not pack
			continue
		}
		n := lz4Least + common(data[from+lz4Least:], data[at+lz4Least:len(data)-lz4Tail])
		dst = appendPiece(dst, data[literal:at], at-from, n)
		at += n
		literal = at
	}
	z.base += int32(len(data))
	return appendPiece(dst, data[literal:], 0, 0)
}

// common is how many bytes at the begin of x and y are the same.
func common(x, y []byte) int {
	n := min(len(x), len(y))
	i := 0
	for ; i+8 <= n; i += 8 {
		if binary.LittleEndian.Uint64(x[i:]) != binary.LittleEndian.Uint64(y[i:]) {
			break
		}
	}
	for i < n && x[i] == y[i] {
		i++
	}
	return i
}

// appendPiece appends literal bytes and a copy of n bytes from a distance back;
// the last piece has none. Lengths of which four bits are not enough go on in
// bytes.
func appendPiece(dst, literal []byte, back, n int) []byte {
	token := len(dst)
	dst = append(dst, byte(min(len(literal), 15)<<4))
	dst = appendLength(dst, len(literal))
	dst = append(dst, literal...)
	if n == 0 {
		return dst
	}
	dst[token] |= byte(min(n-lz4Least, 15))
	dst = binary.LittleEndian.AppendUint16(dst, uint16(back))
	return appendLength(dst, n-lz4Least)
}

// appendLength appends the part of a length that exceeds four bits.
func appendLength(dst []byte, n int) []byte {
	if n < 15 {
		return dst
	}
	for n -= 15; n >= 255; n -= 255 {
		dst = append(dst, 255)
	}
	return append(dst, byte(n))
}
