package rows

import "unsafe"

// eventStep is the distance between the numbers of successive events.
const eventStep = 2

// Encode appends the changes of a field in the first n rows to its column. The value in row 1 is
// that of event first.
// One bit per row of a tile says whether the field changed.
func (r *Rows) Encode(c *Column, field, bits, n int, first uint32) {
	for at := 0; at < n; at += TileRows {
		m := r.fieldSame(at/TileRows, field) ^ unchanged
		for k := at; m != 0; k, m = k+1, m>>1 {
			if m&1 != 0 {
				c.Add(first+eventStep*uint32(k-1), r.Row(k).Value(field), bits)
			}
		}
	}
}

// FieldCode describes the encoding of one field's changes, batch the rows to encode: the arguments
// of encodeNarrow and encodeWide. Both are in assembly and rely on the offsets of these fields,
// and of a Column's.
type FieldCode struct {
	at        unsafe.Pointer // the field in the first tile
	table     *[1 << TileRows]tileCode
	column    uintptr // offset of the column in batch.columns, in bytes
	same      uint32  // offset of its byte in the same-bytes of a tile
	sameBits  uint32  // position of the field's bits in that byte, and in the next byte their number
	shift     uint32  // left shift that brings a value's highest bit to the top; one less for one-bit values
	step      uint32  // increment of numbers from row to row
	unit      uint32  // left shift of a distance in numbers
	sparse    uint32  // 1: changes were rare when there were any
	valueSize uint32  // bytes of a value; 0: it is part of the number
	size      uint32  // bytes of most changes
}

type batch struct {
	columns  unsafe.Pointer
	same     unsafe.Pointer
	quiet    unsafe.Pointer // like same of one tile: ones for a field without changes
	tile     uintptr        // bytes from tile to tile
	sameTile uintptr        // bytes of same from tile to tile
	tiles    uint64
	first    uint32 // number of the row before the first: twice that is the carry without a change
	last     uint32 // number of the row behind the last
}

// tileCode is the encoding of a tile in which certain rows changed, for values of up to 32 bits
// shifted to the top. Two instructions (shuffle and add) produce a vector of numbers and values
// in turn. A fourth 32-bit value does not fit and follows behind.
type tileCode struct {
	values  [16]byte // by byte: the source byte in the tile; 0x80 for none
	numbers [16]byte // by byte: the summand
	size    uint64   // bytes
	base    uint32   // the next carry is base plus …
	keep    uint32   // … the present carry under this mask
	limit   uint32   // from this carry on the first number takes two bytes; a multiple of 2, and of 4 for bits
	_       [12]byte
}

// tileCodes is indexed by the bytes of a value, 0 for a bit, and by the mask of unchanged rows.
var tileCodes = func() (all [5][1 << TileRows]tileCode) {
	for size := range all {
		for same := range all[size] {
			all[size][same] = newTileCode(size, same)
		}
	}
	return all
}()

// numberStep is the increment of a change's number from row to row.
func numberStep(size int) int {
	if size == 0 {
		return 4 * eventStep
	}
	return 2 * eventStep
}

// newTileCode is the encoding for values of size bytes in a tile whose rows in the mask same did
// not change.
func newTileCode(size, same int) (t tileCode) {
	step := numberStep(size)

	// 0x80 makes the shuffle give 0.
	for i := range t.values {
		t.values[i] = 0x80
	}
	put := func(value, number byte) {
		if int(t.size) < len(t.values) {
			t.values[t.size], t.numbers[t.size] = value, number
		}
		t.size++
	}

	// Numbers count from the previous change; the first one from the carry, which is added at
	// run time.
	before := 0
	t.base, t.keep, t.limit = uint32(TileRows*step), 1<<32-1, 1<<32-1
	for k := range TileRows {
		if same>>k&1 != 0 {
			continue
		}

		// A value stands at the top of its four bytes and is written highest byte first.
		top := byte(4*k + 3)

		number := step * (k - before)
		if t.size == 0 {
			t.limit = uint32(0x80 - number)
		}

		// A bit is added to its number; a wider value follows it.
		if size == 0 {
			put(top, byte(number))
		} else {
			put(0x80, byte(number))
		}
		for i := range size {
			put(top-byte(i), 0)
		}

		before = k
		t.base, t.keep = uint32((TileRows-k)*step), 0
	}
	return t
}

// Code is the encoding of a field of bits-wide values into a column.
func (r *Rows) Code(field, bits, column int) (c FieldCode) {
	size := (bits + 7) / 8
	c.shift = uint32(8<<r.Shift - bits)

	if bits == 1 {
		size, c.shift = 0, 25 // to be above the lowest bit of the highest byte
	}
	if r.Shift == 2 {
		c.table = &tileCodes[size]
	}
	half := field << (r.Shift - 2) // same has four bits per 16 bytes
	c.at, c.same, c.sameBits = r.Row(0).field(field), uint32(half/2), uint32(half%2*4|4<<8)
	c.step, c.valueSize, c.size = uint32(numberStep(size)), uint32(size), uint32(1+size)
	c.unit = c.step / (2 * eventStep) // 1 or 2
	c.column = uintptr(column) * unsafe.Sizeof(Column{})
	return c
}

// EncodeVectors is [Rows.Encode] of many fields by vector instructions, which only amd64 has.
func (r *Rows) EncodeVectors(fields []FieldCode, columns []Column, n int, first uint32) {
	if len(fields) == 0 {
		return
	}

	// rows.same and rows.quiet are filled before: the assembly only reads them.
	tiles := (n + TileRows - 1) / TileRows
	r.findQuiet(tiles)
	b := batch{columns: unsafe.Pointer(unsafe.SliceData(columns)), same: unsafe.Pointer(unsafe.SliceData(r.same)),
		quiet: unsafe.Pointer(unsafe.SliceData(r.quiet)), tile: uintptr(r.TileBytes()), sameTile: uintptr(r.Blocks),
		tiles: uint64(tiles), first: first - eventStep, last: first + eventStep*uint32(TileRows*tiles-1)}
	if r.Shift == 3 {
		encodeWide(&fields[0], len(fields), &b)
	} else {
		encodeNarrow(&fields[0], len(fields), &b)
	}
}
