package sim

import (
	"encoding/binary"
	"math/bits"
)

// A bench that sets every port in every cycle spends the time of a recording here, so four
// neighbouring words of up to 16 bits, a quad, are compared and written as one word of four lanes.
//
// The entry of a quad is a number with the quad and a mask of the lanes that have changed, and
// two bytes for each of these; that of a single word is its number and as many bytes as it has. A
// single lane is written as a word, which is shorter: so a set takes at most 4 bytes up to 4,096
// words of inputs.

// code is the form of the entry of a set of a word.
type code struct {
	head  uint64 // its number as a varint
	shift uint8  // bits of head
	value uint8  // bytes of the value
	size  uint8  // bytes of both
}

// quad is four words of the inputs, from first on.
type quad struct {
	last  uint64 // the four values last recorded, 16 bits each
	head  uint64 // the number of an entry of all lanes, as a varint
	size  uint32 // bytes of head
	first uint32
}

const (
	inQuad   = 4
	allLanes = 1<<inQuad - 1
	laneTop  = 0x8000_8000_8000_8000 // the highest bit of each lane
)

// codeOf returns the form of sets of word i.
func codeOf(i int, width uint8) code {
	head, n := varint(uint64(i)<<2 | tagSet)
	c := code{head: head, shift: uint8(8 * n), value: (width + 7) / 8}
	c.size = uint8(n) + c.value
	return c
}

// varint is a number's first 8 bytes as a varint, and its length.
func varint(x uint64) (head uint64, n int) {
	var b [16]byte
	n = binary.PutUvarint(b[:], x)
	return binary.LittleEndian.Uint64(b[:]), n
}

// quadNumber is the number of the entry of a quad whose lanes in mask have changed.
func quadNumber(first uint32, mask uint64) uint64 {
	return (uint64(first)/inQuad<<inQuad|mask)<<2 | tagQuad
}

// layOut divides the words of the inputs, by their bits, into quads and others.
func (r *Recording) layOut(widths []uint8) {
	for i, width := range widths {
		r.codes = append(r.codes, codeOf(i, width))
	}

	// Four words of at most 16 bits, the first a multiple of four, are a quad: one number names it.
	for i := 0; i < len(widths); {
		if i%inQuad == 0 && i+inQuad <= len(widths) && max(widths[i], widths[i+1], widths[i+2], widths[i+3]) <= 16 {
			head, n := varint(quadNumber(uint32(i), allLanes))
			r.quads = append(r.quads, quad{head: head, size: uint32(n), first: uint32(i)})
			i += inQuad
			continue
		}
		r.others = append(r.others, uint32(i))
		i++
	}
}

// remember takes values as recorded.
func (r *Recording) remember(now []uint64) {
	copy(r.inputs, now)
	for i := range r.quads {
		q := &r.quads[i]
		q.last = packed((*[inQuad]uint64)(now[q.first:]))
	}
}

// packed is the four words of a quad in one.
func packed(w *[inQuad]uint64) uint64 {
	return w[0] | w[1]<<16 | w[2]<<32 | w[3]<<48
}

// flush records the inputs that have changed.
func (r *Recording) flush() {
	s := r.s

	// The version changes with every set, so equal versions mean that there is nothing to write.
	if s.version == r.seen {
		return
	}
	r.seen = s.version
	now := s.st.V[s.p.Inputs.Lo:s.p.Inputs.Hi]
	w := setWriter{r: r}

	// The sum carries into a lane's top bit unless the lane is 0; with the lane's own top bit that
	// shows which lanes have changed. Mostly all have, and then nothing else is to be decided.
	for i := range r.quads {
		q := &r.quads[i]
		x := packed((*[inQuad]uint64)(now[q.first:]))
		d := x ^ q.last
		if d == 0 {
			continue
		}
		q.last = x
		if w.to == nil {
			w.begin()
		}
		if changed := (d&^laneTop + ^uint64(laneTop) | d) & laneTop; changed != laneTop {
			w.some(q, x, changed)
			continue
		}
		to := (*[16]byte)(w.to[w.n:])
		binary.LittleEndian.PutUint64(to[:], q.head)
		binary.LittleEndian.PutUint64(to[q.size&7:], x)
		w.n += int(q.size) + 8
	}

	// Words of no quad are compared one by one.
	for _, i := range r.others {
		if x := now[i]; x != r.inputs[i] {
			r.inputs[i] = x
			if w.to == nil {
				w.begin()
			}
			w.word(int(i), x)
		}
	}
	if w.to != nil {
		r.newer.entries = w.to[:w.n]
	}
}

// mostSet is the largest number of bytes of the entry of a set, a number and a word, with those
// that the stores of an entry may write behind it.
const mostSet = binary.MaxVarintLen64 + 16

// setWriter writes entries of sets. There is room for those of all inputs.
type setWriter struct {
	r  *Recording
	to []byte // nil: nothing is written yet
	n  int
}

// begin ends the edges before, and makes room.
func (w *setWriter) begin() {
	r := w.r
	r.endEdges()
	r.room(len(r.inputs)*mostSet + 16)
	w.to, w.n = r.newer.entries[:cap(r.newer.entries)], len(r.newer.entries)
}

// some writes a quad of which some lanes have changed: their top bits are set.
func (w *setWriter) some(q *quad, x, changed uint64) {
	// A single lane is an ordinary set of its word.
	if changed&(changed-1) == 0 {
		at := bits.TrailingZeros64(changed) &^ 15
		w.word(int(q.first)+at/16, x>>at&0xffff)
		return
	}

	// The product moves bits 0, 16, 32, 48 to 48, 49, 50, 51.
	mask := changed >> 15 * (1<<48 | 1<<33 | 1<<18 | 1<<3) >> 48 & allLanes
	w.n += binary.PutUvarint(w.to[w.n:], quadNumber(q.first, mask))
	for ; mask > 0; mask &= mask - 1 {
		binary.LittleEndian.PutUint16(w.to[w.n:], uint16(x>>(16*bits.TrailingZeros64(mask))))
		w.n += 2
	}
}

// word writes the value of a word. One store takes an entry of up to 8 bytes, its number and value
// together.
func (w *setWriter) word(i int, x uint64) {
	c := &w.r.codes[i]
	if c.size > 8 {
		w.n += binary.PutUvarint(w.to[w.n:], uint64(i)<<2|tagSet)
		binary.LittleEndian.PutUint64(w.to[w.n:], x)
		w.n += int(c.value)
		return
	}
	binary.LittleEndian.PutUint64(w.to[w.n:], x<<c.shift|c.head)
	w.n += int(c.size)
}
