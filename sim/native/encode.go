package native

import "unsafe"

// eventStep is from the number of an event to that of the next one.
const eventStep = 2

// encode adds what changed of a lane in the first n rows to its column: the value
// in row 1 is that of event first.
func (r *rows) encode(c *Column, lane, bits, n int, first uint32) {
	for at := 0; at < n; at += tileRows {
		m := r.laneSame(at/tileRows, lane) ^ unchanged
		for k := at; m != 0; k, m = k+1, m>>1 {
			if m&1 != 0 {
				c.Add(first+eventStep*uint32(k-1), r.row(k).value(lane), bits)
			}
		}
	}
}

// laneCode is how changes of a lane are encoded, and batch those of which lanes
// are: what encodeNarrow and encodeWide go by. They are in assembly, which knows
// the places of the fields, and those of a Column.
type laneCode struct {
	at        unsafe.Pointer // the lane in the first tile
	table     *[1 << tileRows]tileCode
	column    uintptr // where its column is among them, in bytes
	same      uint32  // where its byte of same is in that of a tile
	sameBits  uint32  // which bits of the byte are the lane's: from where on, and in the next byte how many
	shift     uint32  // of a value, for its highest bit to be the highest; one less for values of one bit
	step      uint32  // from row to row, of numbers
	unit      uint32  // numbers are distances shifted so far
	sparse    uint32  // 1: few rows brought a change when one did
	valueSize uint32  // bytes of a value; 0: it is in the number
	size      uint32  // those of most changes
}

type batch struct {
	columns  unsafe.Pointer
	same     unsafe.Pointer
	quiet    unsafe.Pointer // like same of a tile: ones for a lane without changes
	tile     uintptr        // bytes from tile to tile
	sameTile uintptr        // likewise of same
	tiles    uint64
	first    uint32 // number of the row in front: twice that is the carry without a change
	last     uint32 // that of the row behind
}

// tileCode is what a tile in which certain values changed becomes: of values of
// up to 32 bits, shifted to the top. A vector of numbers and values behind each
// other is made by two instructions; a fourth value of 32 bits comes behind it.
type tileCode struct {
	values  [16]byte // by byte: which one of the tile it is; 0x80 for none
	numbers [16]byte // by byte: what is to be added
	size    uint64   // bytes
	base    uint32   // the next carry is this and,
	keep    uint32   // of the bits that are here, the last one
	limit   uint32   // from that carry on, a multiple of 2 and for bits of 4, the first number takes more than seven bits
	_       [12]byte
}

// tileCodes are by bytes of a value, 0 for a bit, and by the values that did not
// change.
var tileCodes = func() (all [5][1 << tileRows]tileCode) {
	for size := range all {
		for same := range all[size] {
			all[size][same] = newTileCode(size, same)
		}
	}
	return all
}()

// numberStep is what the number of a change grows by from row to row.
func numberStep(size int) int {
	if size == 0 {
		return 4 * eventStep
	}
	return 2 * eventStep
}

func newTileCode(size, same int) (t tileCode) {
	step := numberStep(size)
	for i := range t.values {
		t.values[i] = 0x80
	}
	put := func(value, number byte) {
		if int(t.size) < len(t.values) {
			t.values[t.size], t.numbers[t.size] = value, number
		}
		t.size++
	}
	before := 0
	t.base, t.keep, t.limit = uint32(tileRows*step), 1<<32-1, 1<<32-1
	for k := range tileRows {
		if same>>k&1 != 0 {
			continue
		}
		top := byte(4*k + 3)
		number := step * (k - before)
		if t.size == 0 {
			t.limit = uint32(0x80 - number)
		}
		if size == 0 {
			put(top, byte(number))
		} else {
			put(0x80, byte(number))
		}
		for i := range size {
			put(top-byte(i), 0)
		}
		before = k
		t.base, t.keep = uint32((tileRows-k)*step), 0
	}
	return t
}

// code is how a lane of values of so many bits is encoded into a column.
func (r *rows) code(lane, bits, column int) (c laneCode) {
	size := (bits + 7) / 8
	c.shift = uint32(8<<r.shift - bits)
	if bits == 1 {
		size, c.shift = 0, 25 // to be above the lowest bit of the highest byte
	}
	if r.shift == 2 {
		c.table = &tileCodes[size]
	}
	half := lane << (r.shift - 2) // there are four bits of same for 16 bytes
	c.at, c.same, c.sameBits = r.row(0).lane(lane), uint32(half/2), uint32(half%2*4|4<<8)
	c.step, c.valueSize, c.size = uint32(numberStep(size)), uint32(size), uint32(1+size)
	c.unit = c.step / (2 * eventStep) // 1 or 2
	c.column = uintptr(column) * unsafe.Sizeof(Column{})
	return c
}

// encodeVectors is encode for all lanes, by vectors.
func (r *rows) encodeVectors(lanes []laneCode, columns []Column, n int, first uint32) {
	if len(lanes) == 0 {
		return
	}
	tiles := (n + tileRows - 1) / tileRows
	r.findQuiet(tiles)
	b := batch{columns: unsafe.Pointer(unsafe.SliceData(columns)), same: unsafe.Pointer(unsafe.SliceData(r.same)),
		quiet: unsafe.Pointer(unsafe.SliceData(r.quiet)), tile: uintptr(r.tileBytes()), sameTile: uintptr(r.blocks),
		tiles: uint64(tiles), first: first - eventStep, last: first + eventStep*uint32(tileRows*tiles-1)}
	if r.shift == 3 {
		encodeWide(&lanes[0], len(lanes), &b)
	} else {
		encodeNarrow(&lanes[0], len(lanes), &b)
	}
}
