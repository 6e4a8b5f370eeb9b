package native

import "encoding/binary"

// Column is the changes of one word, one behind the other: a number in groups of
// seven bits, low ones first, all but the last with a one above them; and the
// value, its highest bit first, in as many bytes as it takes, the last one filled
// up with zeros. The number is twice the distance from the event of the change
// before. A value of one bit is part of the number instead: twice the sum of the
// value and twice the distance.
type Column struct {
	Data []byte
	Last uint32 // number of the event of the last change
	// Short is where in Data the last byte of the last number begins that took more
	// than one, 0 if there is none: from there on all changes take as many bytes.
	Short int
}

// ChangeBytes is the most that a change takes in a Column.
const ChangeBytes = 5 + 8

// Add adds a change at an event, for which there is room; a value has 1 to 64
// bits.
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
	if bits > 1 {
		at := len(d)
		d = d[:at+8]
		binary.BigEndian.PutUint64(d[at:], value<<(64-bits))
		d = d[:at+(bits+7)/8]
	}
	c.Data = d
}

// Grow makes room for n changes. Of columns that grow side by side, number i
// begins at another place in a page of memory than its neighbours: all of them
// would meet in a few lines of the processor's cache.
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
