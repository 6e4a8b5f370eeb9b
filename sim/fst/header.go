package fst

import (
	"encoding/binary"
	"math"
)

// The kinds of blocks that the Writer uses. A block is its kind, its length in eight bytes,
// which count themselves, and its content.
const (
	kindHeader    = 0
	kindGeometry  = 3
	kindHierarchy = 4 // packed by gzip
	kindChanges   = 8 // with chains shared by several nets
	kindSkip      = 255
)

// header is the content of the first block. Its times are there at the end only: without them a
// reader takes the file for one that is still being written.
type header struct {
	first, last uint64 // times
	scopes      uint64
	vars        uint64
	nets        uint64
	blocks      uint64 // of changes
	scale       int8   // a power of ten
}

// The widths of the header's texts.
const (
	versionBytes = 128
	dateBytes    = 119
)

// encode returns the header block. It has the number e, by which readers tell the byte order of
// floating-point numbers. The date is left out, for equal runs to give equal files.
func (h *header) encode() []byte {
	b := open(nil, kindHeader)
	b = appendUint64s(b, h.first, h.last)
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(math.E))
	b = appendUint64s(b, blockBytes, h.scopes, h.vars, h.nets, h.blocks)
	b = append(b, byte(h.scale))
	b = append(b, make([]byte, versionBytes+dateBytes)...)
	copy(b[len(b)-versionBytes-dateBytes:], "etch")
	const verilog, timeZero = 0, 0
	return closed(appendUint64s(append(b, verilog), timeZero))
}

// open begins a block in the memory of b; closed fills in the length.
func open(b []byte, kind byte) []byte { return append(b[:0], kind, 0, 0, 0, 0, 0, 0, 0, 0) }

// closed fills in the length of a block.
func closed(b []byte) []byte {
	binary.BigEndian.PutUint64(b[1:], uint64(len(b)-1))
	return b
}

func appendUint64s(b []byte, values ...uint64) []byte {
	for _, v := range values {
		b = binary.BigEndian.AppendUint64(b, v)
	}
	return b
}

// appendSigned appends a signed LEB128 number: groups of seven bits, the low ones first, of
// which the last one carries the sign.
func appendSigned(b []byte, v int64) []byte {
	for v < -64 || v > 63 {
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v)&0x7f)
}
