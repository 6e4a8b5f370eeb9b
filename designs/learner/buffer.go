package learner

import (
	"math/bits"

	"etch/hw"
	"etch/hw/arith"
)

// word is codes side by side.
type word = hw.Vec[hw.UInt]

// lanes are the words of the samples that go side by side.
type lanes = hw.Vec[word]

// buffer holds the outputs of a stage, for several samples, until other stages have read them. A word
// of its memory is as wide as the wider one of the writer's tile and the readers', and is divided
// into chunks of the narrower one: a narrow writer writes one chunk, a narrow reader selects one.
type buffer struct {
	mem                        *hw.Memory[hw.Vec[lanes]] // by chunk, lane, element
	m                          *hw.Module
	samples, words             int
	writing                    hw.Bit  // a word is written
	writeAt                    hw.UInt // its address
	watched                    bool
	chunk, writeEach, readEach int // elements of a chunk; chunks of a write, of a read
}

// newBuffer makes a buffer of size elements a sample, written in tiles of write elements
// and read in tiles of read; one of the two divides the other.
func (c common) newBuffer(m *hw.Module, name string, code hw.UInt, samples, lanesOf, size, write, read int) *buffer {
	chunk, wide := min(write, read), max(write, read)
	b := &buffer{watched: c.watched, m: m.Scope(name), samples: samples, words: tilesOf(size, wide), chunk: chunk, writeEach: write / chunk, readEach: read / chunk}
	shape := hw.VecOf(wide/chunk, hw.VecOf(lanesOf, hw.VecOf(chunk, code)))
	b.mem = hw.Mem(m, name, samples<<bits.Len(uint(b.words-1)), shape)
	return b
}

// address is where a sample's word lies.
func (b *buffer) address(sample, at hw.UInt) hw.UInt {
	// The sample's number above the word's; it wraps, which makes a ring of the buffer.
	s, w := bits.Len(uint(b.samples-1)), bits.Len(uint(b.words-1))
	if s == 0 {
		hw.Unused(b.m, sample)
	}

	// A part of one value has no bits.
	switch {
	case s == 0 && w == 0:
		return hw.Zeros(1)
	case s == 0:
		return arith.Resize(at, w)
	case w == 0:
		return sample.Trunc(s)
	}
	return hw.Cat(sample.Trunc(s), arith.Resize(at, w))
}

// write stores a tile of each lane at the clock edge, where valid.
func (b *buffer) write(valid hw.Bit, sample, tile hw.UInt, values lanes) {
	// A written tile at least as wide as a read tile is a whole word.
	each := b.readEach / b.writeEach
	if each <= 1 {
		b.writing, b.writeAt = valid, b.address(sample, tile)
		b.m.When(valid, func() { b.mem.Write(b.writeAt, split(values, b.chunk)) })
		return
	}

	// Narrower ones fill a word chunk by chunk, by a mask.
	at, part := divide(tile, each, each*b.words)
	b.writing, b.writeAt = valid, b.address(sample, at)
	data, mask := make(hw.Vec[lanes], each), make([]hw.Bit, each)
	for i := range data {
		data[i], mask[i] = values, part.Is(i)
	}
	b.m.When(valid, func() { b.mem.WriteMask(b.writeAt, data, hw.FromBits(mask...)) })
}

// read addresses a tile of each lane; it is there a cycle later. A word that is read as
// it is written has no value: where valid, that is a mistake of the schedule, which the
// package's tests watch for (no proof by induction is short enough).
func (b *buffer) read(name string, valid hw.Bit, sample, tile hw.UInt) lanes {
	each := b.writeEach / b.readEach
	at, part := tile, hw.UInt{}
	if each > 1 {
		at, part = divide(tile, each, each*b.words)
	}

	address := b.address(sample, at)
	if b.watched {
		b.m.Assert(valid.And(b.writing).Implies(address.Ne(b.writeAt)), "%d is read as it is written", address)
	}

	// Of a word wider than a tile the part is chosen behind the memory.
	chunks := b.mem.SyncRead(name, address, hw.Undefined)
	if each <= 1 {
		return join(chunks)
	}
	return chunks.At(hw.Delay(b.m, name+"_part", part, 1))
}

// split cuts the words of all lanes into chunks.
func split(values lanes, chunk int) (chunks hw.Vec[lanes]) {
	for low := 0; low < len(values[0]); low += chunk {
		var c lanes
		for _, v := range values {
			c = append(c, v[low:low+chunk])
		}
		chunks = append(chunks, c)
	}
	return chunks
}

// join is the inverse of split.
func join(chunks hw.Vec[lanes]) lanes {
	all := make(lanes, len(chunks[0]))
	for _, c := range chunks {
		for lane, v := range c {
			all[lane] = append(all[lane], v...)
		}
	}
	return all
}

// divide is quotient and rest of x, which is below limit, by a constant: bits of it, or
// a table.
func divide(x hw.UInt, by, limit int) (quotient, rest hw.UInt) {
	// A power of two takes no logic.
	n := bits.Len(uint(by - 1))
	if by == 1<<n {
		switch {
		case by == 1:
			return x, hw.Zeros(1)
		case limit <= by:
			return hw.Zeros(1), arith.Resize(x, n)
		}
		return x.Range(x.Width()-1, n), x.Trunc(n)
	}

	quotients, rests := map[int]hw.UInt{}, map[int]hw.UInt{}
	q := hw.AddressOf((limit + by - 1) / by)
	for v := range min(limit, 1<<x.Width()) {
		quotients[v], rests[v] = q.Lit(v/by), hw.AddressOf(by).Lit(v%by)
	}
	return hw.Choose(x, q.Lit(0), quotients), hw.Choose(x, hw.AddressOf(by).Lit(0), rests)
}
