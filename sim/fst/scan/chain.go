package scan

import (
	"encoding/binary"
	"fmt"
	"math"
	"sort"
	"strconv"
)

// Change is a new value of a net.
type Change struct {
	Time  uint64 // in units of 10^Scale seconds
	Value string
}

// Changes calls visit with the value of a net at a time, as a change at that time, and then with its
// changes after it up to another time, both included. Where a value is written again, or several times
// for one time, each is a change. The error of visit ends it and is returned. Without a value before
// the time, there is none to begin with.
func (f *File) Changes(net int, from, to uint64, visit func(Change) error) error {
	if net < 0 || net >= f.Nets {
		return fmt.Errorf("%s: there is no net %d of %d", f.name, net, f.Nets)
	}

	// The last block that begins at the time or before it has the value.
	first := sort.Search(len(f.blocks), func(i int) bool { return f.blocks[i].begin > from })
	first = max(first-1, 0)
	var before *Change

	// Blocks are ordered by time; the first one gives the value at the time, all later ones only
	// changes.
	for i := first; i < len(f.blocks) && (i == first || f.blocks[i].begin <= to); i++ {
		x, err := f.load(i)
		if err != nil {
			return err
		}
		if i == first {
			if v, ok := f.initial(x, net); ok && x.begin <= from {
				before = &Change{from, v}
			} else if ok && x.begin <= to {
				if err := visit(Change{x.begin, v}); err != nil {
					return err
				}
			}
		}

		err = f.chain(x, net, func(c Change) error {
			switch {
			// Changes at the time or before it only tell the value to begin with.
			case c.Time <= from:
				before = &Change{from, c.Value}
				return nil
			case c.Time > to:
				return nil
			case before != nil:
				if err := visit(*before); err != nil {
					return err
				}
				before = nil
			}
			return visit(c)
		})
		if err != nil {
			return err
		}
	}
	if before != nil {
		return visit(*before)
	}
	return nil
}

// At is the value of a net at a time, "" before its first.
func (f *File) At(net int, time uint64) (value string, err error) {
	err = f.Changes(net, time, time, func(c Change) error {
		value = c.Value
		return nil
	})
	return value, err
}

// initial is the value of a net at the begin of a block.
func (f *File) initial(x *loaded, net int) (string, bool) {
	// Texts have no value in a frame.
	if net+1 >= len(x.starts) || f.widths[net] == textWidth {
		return "", false
	}
	b := x.frame[x.starts[net]:x.starts[net+1]]
	if f.widths[net] == realWidth {
		return f.real(b), true
	}
	return string(b), true
}

// real is a double as a dump has it.
func (f *File) real(b []byte) string {
	bits := binary.BigEndian.Uint64(b)
	if f.little {
		bits = binary.LittleEndian.Uint64(b)
	}
	return strconv.FormatFloat(math.Float64frombits(bits), 'g', 16, 64)
}

// chain calls visit with all changes of a net in a block.
func (f *File) chain(x *loaded, net int, visit func(Change) error) error {
	if x.length[net] == 0 {
		return nil
	}
	at := x.chains + x.where[net]
	packed, err := f.read(at, x.length[net])
	if err != nil {
		return err
	}
	r := &reader{f: f, b: packed, at: at}

	// A size of 0 says that the chain is not packed.
	if size := r.varint(); size > 0 && r.err == nil {
		if size > MaxBlock {
			return f.fail(at, "changes of %d bytes; at most %d are read", size, MaxBlock)
		}
		if r.b, r.err = f.unpacked(at, x.pack, r.b, int64(size)); r.err != nil {
			return r.err
		}
	}

	// A change begins with its distance from the one before, in places of the list of times.
	index := uint64(0)
	var now clock
	if x.times.n > 0 {
		now = x.times.clock()
	}
	for len(r.b) > 0 && r.err == nil {
		distance, value := f.change(r, f.widths[net])
		if r.err != nil {
			break
		}
		if index += distance; distance > x.times.n || index >= x.times.n {
			return f.fail(at, "a change at time %d of %d", index, x.times.n)
		}
		if err := visit(Change{now.to(index), value}); err != nil {
			return err
		}
	}
	return r.err
}

// states are the values of one bit that are neither 0 nor 1.
const states = "xzhuwl-?"

// change reads a change of a net of so many bits.
func (f *File) change(r *reader, width uint32) (distance uint64, value string) {
	v := r.varint()
	switch width {
	// The value lies below the distance: one bit for 0 and 1, three for other states.
	case 1:
		if v&1 == 0 {
			return v >> 2, string('0' + byte(v>>1&1))
		}
		return v >> 4, states[v>>1&7 : v>>1&7+1]
	case realWidth:
		if b := r.bytes(8, "a real"); b != nil {
			value = f.real(b)
		}
		return v >> 1, value
	case textWidth:
		return v >> 1, string(r.bytes(r.varint(), "a text"))
	}

	// Digits, or bits from the highest on.
	if v&1 == 1 {
		return v >> 1, string(r.bytes(uint64(width), "a value"))
	}
	b := r.bytes(uint64(width+7)/8, "a value")
	if b == nil {
		return v >> 1, ""
	}
	digits := make([]byte, width)
	for i := range digits {
		digits[i] = '0' + b[i/8]>>(7-i%8)&1
	}
	return v >> 1, string(digits)
}
