package sim

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"
	"unsafe"

	"etch/sim/internal/quads"
)

// A bench that sets every port in every cycle spends the time of a recording here, so four
// neighbouring words, a quad, are compared and written as one word of four fields. Words of more
// than 16 bits have no field.
//
// The entry of a quad is a number with the quad and a mask of the fields that have changed, and
// two bytes for each of these; that of a single word is its number and as many bytes as it has. A
// single field is written as a word, which is shorter: so a set takes at most 4 bytes up to 4,096
// words of inputs.

// code is the form of the entry of a set of a word.
type code struct {
	head  uint64 // its number as a varint
	shift uint8  // bits of head
	value uint8  // bytes of the value
	size  uint8  // bytes of both
}

// quad is four words of the inputs, from first on. Their values and steps are in Recording.expected.
type quad struct {
	bits  uint64 // all bits of the words that have a field
	first uint32
	end   int // of a direct quad: behind the quads that follow in the list and in memory
	entry entry
}

// entry is the last entry of a quad.
type entry struct {
	flush  uint64
	diff   uint64 // from the values before
	fields uint64 // all bits of those named
}

const (
	inQuad    = 4
	fieldBits = 16
	allFields = 1<<inQuad - 1
	allBits   = 1<<(inQuad*fieldBits) - 1
	fieldTop  = 0x8000_8000_8000_8000 // the highest bit of each field
	wordSize  = 8                     // bytes
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

// quadNumber is the number of the entry of a quad whose fields in mask have changed.
func quadNumber(first uint32, mask uint64) uint64 {
	return (uint64(first)/inQuad<<inQuad|mask)<<2 | tagQuad
}

// layOut divides the words of the inputs, by their bits, into quads and others; beyond them follow
// words of the simulator, up to end.
func (r *Recording) layOut(widths []uint8, end int) {
	for i, width := range widths {
		r.codes = append(r.codes, codeOf(i, width))
	}

	// One number names a quad, since its first word is a multiple of four.
	for i, width := range widths {
		if width > fieldBits {
			r.others = append(r.others, uint32(i))
			continue
		}
		first := uint32(i) / inQuad * inQuad
		if n := len(r.quads); n == 0 || r.quads[n-1].first != first {
			r.quads = append(r.quads, quad{first: first})
		}
		r.quads[len(r.quads)-1].bits |= 0xffff << (i % inQuad * fieldBits)
	}

	// The loop over direct quads, which come first, has nothing to decide.
	isDirect := func(q quad) bool { return q.bits&(q.bits+1) == 0 && int(q.first)+inQuad <= end }
	slices.SortStableFunc(r.quads, func(a, b quad) int {
		return cmp.Compare(flag(isDirect(b)), flag(isDirect(a)))
	})
	r.direct = 0
	for r.direct < len(r.quads) && isDirect(r.quads[r.direct]) {
		r.direct++
	}

	// Direct quads that are neighbours in memory are compared in one go.
	for i := r.direct - 1; i >= 0; i-- {
		q := &r.quads[i]
		if q.end = i + 1; q.end < r.direct && r.quads[q.end].first == q.first+inQuad {
			q.end = r.quads[q.end].end
		}
	}
	r.single = quads.Wide() && r.direct > 0 && r.direct == len(r.quads) && r.quads[0].end == r.direct && r.direct <= quads.Most && len(r.others) == 0 &&
		int(r.quads[0].first)+quads.Words(r.direct) <= end
	masks := make([]uint64, len(r.quads))
	for i, q := range r.quads {
		masks[i] = q.bits
	}
	r.expected = quads.NewExpected(masks)
	if r.single {
		r.first = wordSize * (uintptr(r.s.m.P.Inputs.Lo) + uintptr(r.quads[0].first))
	}
}

// remember takes values as recorded, of a recording that does not move.
func (r *Recording) remember(now []uint64) {
	copy(r.inputs, now)
	for i := range r.quads {
		r.expected.SetNow(i, r.quads[i].values(now))
	}
	r.expected.Rest()
}

// values is the words of a quad in one, 0 for those without a field.
func (q *quad) values(now []uint64) (x uint64) {
	for i := range inQuad {
		if q.bits>>(fieldBits*i)&1 != 0 {
			x |= now[int(q.first)+i] << (fieldBits * i)
		}
	}
	return x
}

// flush records the inputs that have changed, of a recording that does not move from here on.
func (r *Recording) flush() {
	r.rest()
	r.steady = 0
	r.inputsNow()
}

// inputsNow records the inputs that are not as expected: that have changed, or have not moved on.
func (r *Recording) inputsNow() {
	s := r.s
	r.named, r.again = 0, 0

	// The version changes with every set, so equal versions mean that there is nothing to write.
	if s.m.Version == r.seen {
		return
	}
	r.seen = s.m.Version
	r.flushes++
	now := s.m.St.V[s.m.P.Inputs.Lo:s.m.P.Inputs.Hi]

	// Neighbouring direct quads move together; mostly all of a recording that moves are as expected.
	w := setWriter{r: r, watch: r.moves || r.watches()}
	for i := 0; i < r.direct; {
		end := min(r.quads[i].end, i+quads.Most)
		w.unlike(i, r.moveDirect(i, end, now))
		i = end
	}

	// The words of other quads are picked, and those without a field are compared one by one.
	for i := r.direct; i < len(r.quads); i++ {
		if r.expected.MoveOne(i, r.quads[i].values(now)) {
			w.quad(i)
		}
	}
	for _, i := range r.others {
		if x := now[i]; x != r.inputs[i] {
			r.inputs[i] = x
			w.begin()
			w.word(int(i), x)
		}
	}
	if w.to != nil {
		r.newer.entries = w.to[:w.n]
	}
}

// moveDirect moves direct quads i to end-1, which are neighbours in memory, on to the values they
// have now. The result has a bit for each that was not as expected, the lowest for quad i.
func (r *Recording) moveDirect(i, end int, now []uint64) (unlike uint64) {
	at := unsafe.Add(unsafe.Pointer(unsafe.SliceData(now)), wordSize*uintptr(r.quads[i].first))
	return r.expected.Move(i, end, at)
}

// mostSet is the largest number of bytes of the entry of a set, a number and a word, with those
// that the stores of an entry may write behind it.
const mostSet = binary.MaxVarintLen64 + 16

// setWriter writes entries of sets. There is room for those of all inputs.
type setWriter struct {
	r     *Recording
	watch bool   // steps of quads may begin or change
	to    []byte // nil: nothing is written yet
	n     int
}

// begin ends the edges before, and makes room, once.
func (w *setWriter) begin() {
	if w.to != nil {
		return
	}
	r := w.r
	r.endEdges()
	r.room(len(r.inputs)*mostSet + 16)
	w.to, w.n = r.newer.entries[:cap(r.newer.entries)], len(r.newer.entries)
}

// unequal is the top bits of the fields in which two quads differ: the sum carries into the top bit
// unless the field is 0.
func unequal(x, y uint64) uint64 {
	d := x ^ y
	return (d&^fieldTop + ^uint64(fieldTop) | d) & fieldTop
}

// quad writes a quad whose values were not as expected.
func (w *setWriter) quad(i int) {
	w.begin()
	x, want := w.r.expected.Last(i)
	diff := quads.Minus(x, want)
	if w.r.moves {
		want = w.r.expected.Foretold(i)
	}

	fields := unequal(x, want)
	if w.watch {
		w.r.mention(i, diff, fields>>15*0xffff)
	}
	w.fields(&w.r.quads[i], x, fields)
}

// unlike writes the quads that have a bit in unlike, the lowest that of quad i.
func (w *setWriter) unlike(i int, unlike uint64) {
	for ; unlike != 0; unlike &= unlike - 1 {
		w.quad(i + bits.TrailingZeros64(unlike))
	}
}

// fields writes the fields of a quad whose top bits are set.
func (w *setWriter) fields(q *quad, x, tops uint64) {
	// A single field is an ordinary set of its word.
	if tops&(tops-1) == 0 {
		at := bits.TrailingZeros64(tops) &^ 15
		w.word(int(q.first)+at/16, x>>at&0xffff)
		return
	}

	// The product moves bits 0, 16, 32, 48 to 48, 49, 50, 51.
	mask := tops >> 15 * (1<<48 | 1<<33 | 1<<18 | 1<<3) >> 48 & allFields
	w.n += binary.PutUvarint(w.to[w.n:], quadNumber(q.first, mask))
	if mask == allFields {
		binary.LittleEndian.PutUint64(w.to[w.n:], x)
		w.n += 8
		return
	}
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
