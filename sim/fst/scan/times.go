package scan

import (
	"encoding/binary"
	"slices"
)

// times is the list of times of a block as the file has it: each is the distance from the one before,
// a varint. A file of one fast net has tens of millions in a block, of a byte each; as numbers of
// eight bytes they would take more memory than all else together.
type times struct {
	text  []byte
	n     uint64
	marks []timeMark
}

// timeMark is a mark in the text: the time there, and the offset behind it.
type timeMark struct {
	time uint64
	at   uint32
}

// timesBetween is the number of times from a mark to the next.
const timesBetween = 256

// newTimes reads the text of n times once, and leaves marks.
func newTimes(r *reader, n uint64) times {
	t := times{text: r.b, n: n, marks: make([]timeMark, 0, n/timesBetween+1)}
	now := uint64(0)
	for i := range n {
		if now += r.varint(); i%timesBetween == 0 {
			t.marks = append(t.marks, timeMark{now, uint32(len(t.text) - len(r.b))})
		}
		if r.err != nil {
			break
		}
	}
	return t
}

// size is the bytes of memory that the list takes.
func (t *times) size() int64 { return int64(cap(t.text) + 16*cap(t.marks)) }

// clock reads times of a list in rising order.
type clock struct {
	t     *times
	index uint64
	timeMark
}

// clock returns one that stands at the first time, of which there must be one.
func (t *times) clock() clock { return clock{t: t, timeMark: t.marks[0]} }

// to goes on to a time by its number.
func (c *clock) to(index uint64) uint64 {
	// From the last mark before it, if that saves a part of the way.
	if mark := index / timesBetween; mark > c.index/timesBetween {
		c.index, c.timeMark = mark*timesBetween, c.t.marks[mark]
	}
	for ; c.index < index; c.index++ {
		distance, n := binary.Uvarint(c.t.text[c.at:])
		c.time, c.at = c.time+distance, c.at+uint32(n)
	}
	return c.time
}

// fit gives up the room that an unpacked part has left over.
func fit(b []byte) []byte {
	if cap(b)-len(b) > len(b)/8 {
		return slices.Clone(b)
	}
	return b
}
