// Package names holds the names that one text declares: each once, none a keyword. It knows
// which texts Verilog allows as a name and makes names of the others. Imports:
// backends/internal/reserved and the standard library.
package names

import (
	"hash/maphash"
	"strconv"

	"etch/backends/internal/reserved"
)

// ID is a name of a [Table]; 0 is none.
type ID uint32

// Table holds the names of one module, each once, in a few large allocations, since a
// flat module has hundreds of thousands. It is a hash table with open addressing and linear
// probing.
type Table struct {
	text  []byte
	ends  []uint32 // name i is text[ends[i-1]:ends[i]]
	slots []ID     // open addressing; a power of two
	seed  maphash.Seed
	again map[string]int // last number given to a stem that was taken
	buf   []byte
}

// Reset forgets all names and makes room for a number of them.
func (t *Table) Reset(expect int) {
	if t.ends == nil {
		t.seed = maphash.MakeSeed()
	}

	// The texts of names have about twelve characters.
	if cap(t.ends) < expect {
		t.text, t.ends = make([]byte, 0, 12*expect), make([]uint32, 0, expect+1)
	}
	t.text, t.ends, t.again = t.text[:0], append(t.ends[:0], 0), nil

	// At most half of the slots are used.
	size := 64
	for size < 2*expect {
		size *= 2
	}
	if size > cap(t.slots) {
		t.slots = make([]ID, size)
	} else {
		t.slots = t.slots[:size]
		clear(t.slots)
	}
}

// Get is the text of a name, valid until the next Reset.
func (t *Table) Get(id ID) []byte { return t.text[t.ends[id-1]:t.ends[id]] }

// find returns the slot that holds a name, or the empty slot where it belongs.
func (t *Table) find(name []byte) int {
	mask := len(t.slots) - 1
	for at := int(maphash.Bytes(t.seed, name)) & mask; ; at = (at + 1) & mask {
		if id := t.slots[at]; id == 0 || string(t.Get(id)) == string(name) {
			return at
		}
	}
}

// Add takes a name if it is free and no tool reserves it.
func (t *Table) Add(name []byte) (ID, bool) {
	if reserved.Verilog[string(name)] {
		return 0, false
	}

	// The name goes into the slot where it would be found.
	at := t.find(name)
	if t.slots[at] != 0 {
		return 0, false
	}

	t.text = append(t.text, name...)
	t.ends = append(t.ends, uint32(len(t.text)))

	// Name 0 ends at 0, so that the first real one is 1.
	id := ID(len(t.ends) - 1)
	t.slots[at] = id
	if 2*len(t.ends) > len(t.slots) {
		t.grow()
	}
	return id, true
}

// Has reports whether a name is taken.
func (t *Table) Has(name []byte) bool { return t.slots[t.find(name)] != 0 }

func (t *Table) grow() {
	t.slots = make([]ID, 2*len(t.slots))
	for id := ID(1); int(id) < len(t.ends); id++ {
		t.slots[t.find(t.Get(id))] = id
	}
}

// Claim takes a name made from stem: stem itself, a keyword with _ appended, or else the
// stem with the lowest free number from 2 on.
func (t *Table) Claim(stem string) ID {
	t.buf = AppendLegal(t.buf[:0], stem)
	if reserved.Verilog[string(t.buf)] {
		t.buf = append(t.buf, '_')
	}
	if id, ok := t.Add(t.buf); ok {
		return id
	}

	// The last number is remembered, so that many equal stems do not take quadratic time.
	if t.again == nil {
		t.again = map[string]int{}
	}
	n, key := len(t.buf), string(t.buf)
	for k := max(t.again[key], 1) + 1; ; k++ {
		t.buf = strconv.AppendInt(append(t.buf[:n], '_'), int64(k), 10)
		if id, ok := t.Add(t.buf); ok {
			t.again[key] = k
			return id
		}
	}
}

// Bind claims a user's name for an owner that has none: a legal one in a first round, others
// in a second, so that only these give way.
func (t *Table) Bind(to *ID, name string, legal bool) {
	switch {
	case *to != 0 || name == "":
	case !legal:
		*to = t.Claim(name)
	case IsLegal(name):
		*to, _ = t.Add([]byte(name))
	}
}

// IsLegal reports whether Verilog allows s as a name.
func IsLegal(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isWord(s[i], i == 0) {
			return false
		}
	}
	return s != "" && !reserved.Verilog[s]
}

func isWord(c byte, first bool) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || !first && (c >= '0' && c <= '9' || c == '$')
}

// Legal is a name made of s, see [AppendLegal].
func Legal(s string) string { return string(AppendLegal(nil, s)) }

// AppendLegal appends s with every character that Verilog does not allow in a name replaced
// by an underscore. Closing brackets are dropped: lane[0].data is lane_0_data.
func AppendLegal(dst []byte, s string) []byte {
	// A name is not empty, and begins with neither a digit nor $.
	if len(s) == 0 || s[0] == ']' || s[0] >= '0' && s[0] <= '9' || s[0] == '$' {
		dst = append(dst, '_')
	}
	for _, c := range []byte(s) {
		switch {
		case isWord(c, false):
			dst = append(dst, c)
		case c != ']':
			dst = append(dst, '_')
		}
	}
	return dst
}
