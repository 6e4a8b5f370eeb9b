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

// encoding is what encodeNarrow and encodeWide go by; they are in assembly, which
// knows the places of the fields.
type encoding struct {
	at        unsafe.Pointer // the lane in the first tile
	same      unsafe.Pointer // its byte of same
	tile      uintptr        // bytes from tile to tile
	sameTile  uintptr        // likewise of same
	tiles     uint64
	table     *[1 << tileRows]tileCode
	to        unsafe.Pointer // the end of the column
	carry     uint32         // the number of a change in the first row of the next tile
	sparse    uint32         // not 0: most tiles bring no change
	shift     uint32         // of a value, for its highest bit to be the highest; one less for values of one bit
	step      uint32         // from row to row, of numbers
	valueSize uint64         // bytes of a value; 0: it is in the number
	sameShift uint32         // where the lane's bits are in its byte
	short     unsafe.Pointer // Short of the column
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

// encoding is how a lane of values of so many bits is encoded.
func (r *rows) encoding(lane, bits int) (e encoding) {
	size := (bits + 7) / 8
	e.shift = uint32(8<<r.shift - bits)
	if bits == 1 {
		size, e.shift = 0, 25 // to be above the lowest bit of the highest byte
	}
	if r.shift == 2 {
		e.table = &tileCodes[size]
	}
	half := lane << (r.shift - 2) // there are four bits of same for 16 bytes
	e.at, e.tile = r.row(0).lane(lane), uintptr(r.tileBytes())
	e.same, e.sameTile = unsafe.Add(unsafe.Pointer(unsafe.SliceData(r.same)), half/2), uintptr(r.blocks)
	e.sameShift = uint32(half % 2 * 4)
	e.step, e.valueSize = uint32(numberStep(size)), uint64(size)
	return e
}

// encode is rows.encode by vectors, for whole tiles. sparse says that most tiles
// bring no change.
func (e *encoding) encode(c *Column, tiles int, first uint32, sparse bool) {
	data := unsafe.Pointer(unsafe.SliceData(c.Data))
	e.to, e.short = unsafe.Add(data, len(c.Data)), unsafe.Add(data, c.Short)
	e.tiles = uint64(tiles)
	unit := e.step / (2 * eventStep) // 1 or 2: numbers are so many times twice the distance
	e.carry = (first - eventStep - c.Last) << unit
	e.sparse = 0
	if sparse {
		e.sparse = 1
	}
	if e.table == nil {
		encodeWide(e)
	} else {
		encodeNarrow(e)
	}
	c.Data, c.Short = c.Data[:uintptr(e.to)-uintptr(data)], int(uintptr(e.short)-uintptr(data))
	c.Last = first + eventStep*uint32(tileRows*tiles-1) - e.carry>>unit
	e.to, e.short = nil, nil
}
