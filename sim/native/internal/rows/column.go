package rows

import "encoding/binary"

// Column is the changes of one word, one after the other: a varint (seven bits per byte, low
// bits first, the top bit set in all bytes but the last), then the value, highest bit first,
// padded with zero bits to whole bytes. The varint is twice the distance in events from the
// previous change. A one-bit value is part of the varint instead: twice the sum of the value and
// twice the distance.
type Column struct {
	Data []byte
	Last uint32 // event number of the last change
	// Short is the offset behind the last varint continuation byte, 0 if there is none: from
	// there on all changes have the same length.
	Short int
}

// ChangeBytes is the largest size of a change in a Column.
const ChangeBytes = 5 + 8

// Add appends a change at an event. bits is the value's width, 1 to 64. The Column must have
// room (Grow).
func (c *Column) Add(event uint32, value uint64, bits int) {
	d := c.Data
	n := uint64(event-c.Last) << 1
	c.Last = event
	if bits == 1 {
		n = n<<1 | value<<1
	}
	for ; n >= 0x80; n >>= 7 {
		d = append(d, byte(n)|0x80)
		c.Short = len(d)
	}
	d = append(d, byte(n))

	// Write eight bytes at once, then cut to the value's size.
	if bits > 1 {
		at := len(d)
		d = d[:at+8]
		binary.BigEndian.PutUint64(d[at:], value<<(64-bits))
		d = d[:at+(bits+7)/8]
	}
	c.Data = d
}

// Grow makes room for n changes. i is the column's number among columns that grow side by side:
// each starts at a different offset in a page, because equal offsets would compete for the same
// few cache lines.
func (c *Column) Grow(n, i int) {
	n = n*ChangeBytes + columnOver
	if have := len(c.Data); cap(c.Data)-have < n {
		data := make([]byte, max(2*cap(c.Data), have+n)+columnPage)
		c.Data = append(data[i*columnSkew%columnPage:][:0], c.Data...)
	}
}

const (
	columnPage = 4096
	columnSkew = 64
	columnOver = 32 // bytes that may be written behind the end
)
