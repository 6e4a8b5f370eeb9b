package record

import "encoding/binary"

// AppendDigits appends the lowest bits of a value as digits, highest bit first: eight at a time,
// from a table.
func AppendDigits(b []byte, value []uint64, bits int) []byte {
	at := len(b)
	b = room(b, bits)
	for bits > 0 {
		n := (bits-1)%8 + 1 // digits in the highest byte left
		bits -= n
		eight := digits[byte(value[bits/64]>>(bits%64))]
		binary.LittleEndian.PutUint64(b[at:], eight>>(64-8*n))
		at += n
	}
	return b[:at]
}

// room returns b extended by n bytes, and eight more for a write beyond the end.
func room(b []byte, n int) []byte {
	if n += len(b); cap(b) < n+8 {
		b = append(make([]byte, 0, 2*n+64), b...)
	}
	return b[:n+8]
}

// digits has the eight digits of every byte as a word; the highest digit is in the lowest byte.
var digits = func() (all [256]uint64) {
	for x := range all {
		for i := range 8 {
			all[x] |= uint64('0'+x>>(7-i)&1) << (8 * i)
		}
	}
	return all
}()
