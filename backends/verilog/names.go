package verilog

import (
	"hash/maphash"
	"strconv"

	"etch/backends/internal/reserved"
)

// nameID is a name of a nameTable; 0 is none.
type nameID uint32

// nameTable holds the names of one module, each once, in a few large allocations, since a
// flat module has hundreds of thousands. It is a hash table with open addressing and linear
// probing.
type nameTable struct {
	text  []byte
	ends  []uint32 // name i is text[ends[i-1]:ends[i]]
	slots []nameID // open addressing; a power of two
	seed  maphash.Seed
	again map[string]int // last number given to a stem that was taken
	buf   []byte
}

func (t *nameTable) reset(expect int) {
	if t.ends == nil {
		t.seed = maphash.MakeSeed()
	}
	t.text, t.ends, t.again = t.text[:0], append(t.ends[:0], 0), nil
	// At most half of the slots are used.
	size := 64
	for size < 2*expect {
		size *= 2
	}
	if size > cap(t.slots) {
		t.slots = make([]nameID, size)
	} else {
		t.slots = t.slots[:size]
		clear(t.slots)
	}
}

// get is the text of a name, valid until the next one is added.
func (t *nameTable) get(id nameID) []byte { return t.text[t.ends[id-1]:t.ends[id]] }

// find returns the slot that holds a name, or the empty slot where it belongs.
func (t *nameTable) find(name []byte) int {
	mask := len(t.slots) - 1
	for at := int(maphash.Bytes(t.seed, name)) & mask; ; at = (at + 1) & mask {
		if id := t.slots[at]; id == 0 || string(t.get(id)) == string(name) {
			return at
		}
	}
}

// add takes a name if it is free and no tool reserves it.
func (t *nameTable) add(name []byte) (nameID, bool) {
	if reserved.Verilog[string(name)] {
		return 0, false
	}
	at := t.find(name)
	if t.slots[at] != 0 {
		return 0, false
	}

	t.text = append(t.text, name...)
	t.ends = append(t.ends, uint32(len(t.text)))
	id := nameID(len(t.ends) - 1)
	t.slots[at] = id
	if 2*len(t.ends) > len(t.slots) {
		t.grow()
	}
	return id, true
}

func (t *nameTable) grow() {
	t.slots = make([]nameID, 2*len(t.slots))
	for id := nameID(1); int(id) < len(t.ends); id++ {
		t.slots[t.find(t.get(id))] = id
	}
}

// claim takes a name made from stem: stem itself, a keyword with _ appended, or else the
// stem with the lowest free number from 2 on.
func (t *nameTable) claim(stem []byte) nameID {
	t.buf = appendLegal(t.buf[:0], stem)
	if reserved.Verilog[string(t.buf)] {
		t.buf = append(t.buf, '_')
	}
	if id, ok := t.add(t.buf); ok {
		return id
	}

	// The last number is remembered, so that many equal stems do not take quadratic time.
	if t.again == nil {
		t.again = map[string]int{}
	}
	n, key := len(t.buf), string(t.buf)
	for k := max(t.again[key], 1) + 1; ; k++ {
		t.buf = strconv.AppendInt(append(t.buf[:n], '_'), int64(k), 10)
		if id, ok := t.add(t.buf); ok {
			t.again[key] = k
			return id
		}
	}
}

// isLegal reports whether Verilog allows s as a name.
func isLegal(s string) bool {
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

// appendLegal appends s with every character that Verilog does not allow in a name replaced
// by an underscore. Closing brackets are dropped: lane[0].data is lane_0_data.
func appendLegal(dst, s []byte) []byte {
	// A name is not empty, and begins with neither a digit nor $.
	if len(s) == 0 || s[0] == ']' || s[0] >= '0' && s[0] <= '9' || s[0] == '$' {
		dst = append(dst, '_')
	}
	for _, c := range s {
		switch {
		case isWord(c, false):
			dst = append(dst, c)
		case c != ']':
			dst = append(dst, '_')
		}
	}
	return dst
}
