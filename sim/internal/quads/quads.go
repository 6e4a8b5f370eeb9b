package quads

import "unsafe"

// Pack is four words as a quad; they have at most 16 bits.
func Pack(w *[4]uint64) uint64 { return w[0] | w[1]<<16 | w[2]<<32 | w[3]<<48 }

// top is the highest bit of each field.
const top = 0x8000_8000_8000_8000

// Plus adds the fields of two quads, without a carry between them.
func Plus(x, y uint64) uint64 { return (x&^top + y&^top) ^ (x^y)&top }

// Minus subtracts fields, without a borrow between them.
func Minus(x, y uint64) uint64 { return (x | top) - y&^top ^ (x^^y)&top }

// Expected is a list of quads whose next values can be foretold. A field counts by its step; one that
// wraps around has a size besides, the number of values it counts through, and the lowest of them.
type Expected struct {
	blocks []block // the last one with spare quads
}

// block is neighbouring quads with all there is of them in one place, since a recording touches it
// once in a cycle, behind code that leaves little in the nearest cache.
type block struct {
	now [inBlock]uint64 // the values that the last Move took
	was [inBlock]uint64 // those of the Move before

	// The next value of a field is the smaller of was + on and was + around, plus low, see Wrap.
	on     [inBlock]uint64 // the step less the lowest value
	around [inBlock]uint64 // that less the size; the same for a field that does not wrap around
	low    [inBlock]uint64 // the lowest value of a field that wraps around, or else 0

	mask [inBlock]uint64 // all bits of the fields that count; words of other fields may have any value
}

const (
	inBlock = 4 // quads in a block
	inQuad  = 4 // words in a quad
)

// Most is the largest number of quads of one Move.
const Most = 64

// NewExpected is a list of quads, all zero, of which those bits count that are set in masks.
func NewExpected(masks []uint64) Expected {
	e := Expected{make([]block, (len(masks)+inBlock-1)/inBlock)}
	for i, mask := range masks {
		e.blocks[i/inBlock].mask[i%inBlock] = mask
	}
	return e
}

// at is the block of a quad and its place there.
func (e *Expected) at(i int) (b *block, k int) { return &e.blocks[i/inBlock], i % inBlock }

// Last is the values that the last two Moves took of a quad.
func (e *Expected) Last(i int) (now, was uint64) {
	b, k := e.at(i)
	return b.now[k], b.was[k]
}

// Step is the expected change of the fields of a quad.
func (e *Expected) Step(i int) uint64 {
	b, k := e.at(i)
	return Plus(b.on[k], b.low[k])
}

// SetNow takes values of a quad for those of the last Move.
func (e *Expected) SetNow(i int, x uint64) {
	b, k := e.at(i)
	b.now[k] = x
}

// SetStep gives fields of a quad, all of whose bits are set in fields, a step. They do not wrap around.
func (e *Expected) SetStep(i int, step, fields uint64) {
	b, k := e.at(i)
	b.on[k] = b.on[k]&^fields | step&fields
	b.around[k] = b.around[k]&^fields | step&fields
	b.low[k] &^= fields
}

// WrapAround takes fields of a quad, which were not as expected in the last Move, for ones that have
// wrapped around, see [WrapAt].
func (e *Expected) WrapAround(i int, fields uint64) {
	b, k := e.at(i)
	step := e.Step(i)
	for at := 0; at < 64; at += fieldBits {
		if fields>>at&1 == 0 {
			continue
		}

		step := uint16(step >> at)
		low, size := WrapAt(uint16(b.was[k]>>at), step, uint16(b.now[k]>>at))
		setField(&b.on[k], at, step-low)
		setField(&b.around[k], at, step-low-size)
		setField(&b.low[k], at, low)
	}
}

// setField sets the field of a quad from a bit on.
func setField(quad *uint64, at int, x uint16) { *quad = *quad&^(0xffff<<at) | uint64(x)<<at }

// fieldBits is the width of a field.
const fieldBits = 16

// Move takes the values of quads i to end-1, which lie one behind the other from words on. The
// result has a bit for each quad whose values were not as expected, the lowest for quad i. At most
// [Most] quads.
func (e *Expected) Move(i, end int, words unsafe.Pointer) (unlike uint64) {
	for k := 0; i+k < end; {
		behind := unsafe.Add(words, k*inQuad*wordSize)

		// Whole blocks by vector instructions, where there are any, the others one by one.
		if blocks := (end - i - k) / inBlock; wide && blocks > 0 && (i+k)%inBlock == 0 {
			unlike |= move(behind, &e.blocks[(i+k)/inBlock], blocks) << k
			k += blocks * inBlock
			continue
		}

		b, at := e.at(i + k)
		if e.MoveOne(i+k, Pack((*[inQuad]uint64)(behind))&b.mask[at]) {
			unlike |= 1 << k
		}
		k++
	}
	return unlike
}

// wordSize is that of a word in bytes.
const wordSize = int(unsafe.Sizeof(uint64(0)))

// Words is the number of words that MoveAll of n quads reads: those of whole blocks.
func Words(n int) int { return (n + inBlock - 1) / inBlock * inBlock * inQuad }

// Wide reports whether there is MoveAll on this machine.
func Wide() bool { return wide }

// MoveAll is Move of the whole list, 1 to [Most] quads, none of them left over from whole blocks:
// the spare quads have no fields, so the words behind those of the list may have any value.
func (e *Expected) MoveAll(words unsafe.Pointer) (unlike uint64) {
	return move(words, unsafe.SliceData(e.blocks), len(e.blocks))
}

// MoveOne is Move of a quad with values x.
func (e *Expected) MoveOne(i int, x uint64) (unlike bool) {
	b, k := e.at(i)
	b.was[k], b.now[k] = b.now[k], x
	return x != b.foretold(k)
}

// Foretold is the values that the last Move expected of a quad: each field one step on.
func (e *Expected) Foretold(i int) uint64 {
	b, k := e.at(i)
	return b.foretold(k)
}

func (b *block) foretold(k int) uint64 {
	on, around := Plus(b.was[k], b.on[k]), Plus(b.was[k], b.around[k])

	// Fields that do not wrap around have two equal values, so mostly nothing is to be compared.
	for at := 0; at < 64 && on != around; at += fieldBits {
		setField(&on, at, min(uint16(on>>at), uint16(around>>at)))
		setField(&around, at, uint16(on>>at))
	}
	return Plus(on, b.low[k])
}

// Rest ends all counting: from here on each quad is expected to keep its values.
func (e *Expected) Rest() {
	for i := range e.blocks {
		b := &e.blocks[i]
		b.on, b.around, b.low = [inBlock]uint64{}, [inBlock]uint64{}, [inBlock]uint64{}
	}
}
