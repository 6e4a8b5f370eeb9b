package bits

import (
	"fmt"
	"math/bits"
)

// MaxWidth is the widest value the package makes: 2^24 bits, 2 MiB.
// Constructors and operations asked for more panic; Parse returns an error.
const MaxWidth = 1 << 24

// Value is an immutable two-state bit vector of a fixed width, 0 to MaxWidth
// bits. Bit 0 is the least significant. Bits above the width are always zero.
// The zero Value is the value of width 0. Values of up to 64 bits do not
// allocate. Compare with Equal; == does not compile.
//
// It takes 24 bytes, as the compiler keeps structs of up to four words in
// registers: with the slice itself inside, operations take five times as long.
type Value struct {
	_    [0]func() // no ==, which would compare pointers
	w    int32
	lo   uint64    // word 0, for every width
	wide *[]uint64 // every word, least significant first; nil unless w > 64
}

// Width returns the width in bits.
func (v Value) Width() int { return int(v.w) }

// Words returns a copy of the value as WordCount(Width) little-endian words.
func (v Value) Words() []uint64 {
	ws := make([]uint64, WordCount(int(v.w)))
	v.CopyTo(ws)
	return ws
}

// CopyTo writes the value's WordCount(Width) words to the start of dst, which
// must have room for them. It does not allocate.
func (v Value) CopyTo(dst []uint64) {
	var one [1]uint64
	ws := v.words(&one)
	copy(dst[:len(ws)], ws)
}

// Word returns word i, that is bits 64i to 64i+63; words outside read 0.
func (v Value) Word(i int) uint64 {
	switch {
	case i == 0:
		return v.lo
	case i > 0 && v.wide != nil && i < len(*v.wide):
		return (*v.wide)[i]
	}
	return 0
}

// Bit returns bit i, 0 or 1; bits outside the value read 0.
func (v Value) Bit(i int) uint64 {
	switch {
	case i < 0 || i >= int(v.w):
		return 0
	case i < 64:
		return v.lo >> uint(i) & 1
	}
	return (*v.wide)[i>>6] >> (uint(i) & 63) & 1
}

// SetBit returns a copy with bit i set to the lowest bit of b. An i outside
// the value changes nothing.
func (v Value) SetBit(i int, b uint64) Value {
	if i < 0 || i >= int(v.w) {
		return v
	}

	bit, set := uint64(1)<<(uint(i)&63), (b&1)<<(uint(i)&63)
	if v.w <= 64 {
		return Value{w: v.w, lo: v.lo&^bit | set}
	}

	ws := newWide(v.w)
	copy(*ws, *v.wide)
	(*ws)[i>>6] = (*ws)[i>>6]&^bit | set
	return owned(v.w, ws)
}

// words returns the value's words for reading; a narrow value's are put in one.
func (v Value) words(one *[1]uint64) []uint64 {
	switch {
	case v.w > 64:
		return *v.wide
	case v.w == 0:
		return nil
	}
	one[0] = v.lo
	return one[:]
}

// newWide returns zero words for a value of w > 64 bits; up to 256 bits the
// slice and its words are one allocation.
func newWide(w int32) *[]uint64 {
	n := WordCount(int(w))
	// The slice header and up to four words lie in one object.
	if n <= 4 {
		b := new(struct {
			ws  []uint64
			arr [4]uint64
		})
		b.ws = b.arr[:n:n]
		return &b.ws
	}
	ws := make([]uint64, n)
	return &ws
}

// owned makes a value wider than 64 bits of words that nobody else holds and
// whose bits above the width are zero.
func owned(w int32, ws *[]uint64) Value { return Value{w: w, lo: (*ws)[0], wide: ws} }

// negative reports whether the top bit is set.
func (v Value) negative() bool { return v.Bit(int(v.w)-1) == 1 }

// mask returns a word of w ones; w is 0 to 64.
func mask(w int32) uint64 { return ^uint64(0) >> uint(64-w) }

// signExtend returns the low w bits of x, 0 <= w <= 64, sign-extended to 64.
func signExtend(x uint64, w int32) int64 {
	s := uint(64 - w)
	return int64(x<<s) >> s
}

// checkWidth returns width as stored, or panics if no value can have it.
func checkWidth(width int) int32 {
	if width < 0 || width > MaxWidth {
		badWidth(width)
	}
	return int32(width)
}

// same panics unless the operands of op have equal widths.
func same(op string, v, u *Value) {
	if v.w != u.w {
		mismatch(op, v.w, u.w)
	}
}

//go:noinline
func badWidth(width int) {
	panic(fmt.Sprintf("bits: width %d is outside 0 to %d", width, MaxWidth))
}

//go:noinline
func mismatch(op string, v, u int32) {
	panic(fmt.Sprintf("bits: %s of widths %d and %d", op, v, u))
}

// Len returns the position of the highest set bit plus one; 0 for zero.
func (v Value) Len() int {
	if v.w <= 64 {
		return bits.Len64(v.lo)
	}
	// Values above 64 bits may still have zero words at the top.
	top := trim(*v.wide)
	if len(top) == 0 {
		return 0
	}
	return 64*(len(top)-1) + bits.Len64(top[len(top)-1])
}
