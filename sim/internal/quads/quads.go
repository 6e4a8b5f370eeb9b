package quads

import "unsafe"

// Pack is four words as a quad; they have at most 16 bits.
func Pack(w *[4]uint64) uint64 { return w[0] | w[1]<<16 | w[2]<<32 | w[3]<<48 }

// top is the highest bit of each lane.
const top = 0x8000_8000_8000_8000

// Plus adds the lanes of two quads, without a carry between them.
func Plus(x, y uint64) uint64 { return (x&^top + y&^top) ^ (x^y)&top }

// Minus subtracts lanes, without a borrow between them.
func Minus(x, y uint64) uint64 { return (x | top) - y&^top ^ (x^^y)&top }

// Expected is the expected values of a list of quads.
type Expected struct {
	Next []uint64 // the values
	Step []uint64 // the expected change of the lanes of a quad
	Mask []uint64 // all bits of the lanes that count; words of other lanes may have any value
	Was  []uint64 // Next before the last Move

	blocks int // of the list, the last one with spare quads
}

// NewExpected is a list of n quads, all zero, with spare ones up to a whole block behind it.
func NewExpected(n int) Expected {
	list := func() []uint64 { return make([]uint64, n, n+block-1) }
	return Expected{list(), list(), list(), list(), (n + block - 1) / block}
}

// Most is the largest number of quads of one Move.
const Most = 64

// block is the number of quads that move compares at once.
const block = 4

// Move takes the values of quads i to end-1, which lie one behind the other from words on, and moves
// them on: Next is the values plus Step. The result has a bit for each quad whose values were not
// as expected, the lowest for quad i. At most [Most] quads.
func (e *Expected) Move(i, end int, words unsafe.Pointer) (unlike uint64) {
	next, step, mask, was := e.Next[i:end], e.Step[i:end], e.Mask[i:end], e.Was[i:end]

	// Whole blocks by vector instructions, where there are any.
	k := 0
	if wide && len(next) >= block {
		k = len(next) &^ (block - 1)
		unlike = move(words, &next[0], &step[0], &mask[0], &was[0], k/block)
	}

	// The rest of the list one by one.
	for ; k < len(next); k++ {
		x := Pack((*[4]uint64)(unsafe.Add(words, k*int(unsafe.Sizeof([4]uint64{}))))) & mask[k]
		if x != next[k] {
			unlike |= 1 << k
		}
		was[k], next[k] = next[k], Plus(x, step[k])
	}
	return unlike
}

// Words is the number of words that MoveAll of n quads reads: those of whole blocks.
func Words(n int) int { return (n + block - 1) / block * block * inQuad }

// inQuad is the number of words in a quad.
const inQuad = 4

// Wide reports whether there is MoveAll on this machine.
func Wide() bool { return wide }

// MoveAll is Move of the whole list, 1 to [Most] quads, none of them left over from whole blocks:
// the spare quads have no lanes, so the words behind those of the list may have any value.
func (e *Expected) MoveAll(words unsafe.Pointer) (unlike uint64) { return moveAll(words, e) }

// MoveOne is Move of a quad with values x.
func (e *Expected) MoveOne(i int, x uint64) (unlike bool) {
	unlike = x != e.Next[i]
	e.Was[i], e.Next[i] = e.Next[i], Plus(x, e.Step[i])
	return unlike
}

// Values is those that the last Move took of a quad.
func (e *Expected) Values(i int) uint64 { return Minus(e.Next[i], e.Step[i]) }

// Rest takes the steps back, of quads that have moved on, and sets them to 0.
func (e *Expected) Rest() {
	for i := range e.Next {
		e.Next[i] = e.Values(i)
	}
	clear(e.Step)
}
