package program

import "math/bits"

// Behind is the first word behind the state, its cover counters and the journal: the tables
// begin there.
func (p *Program) Behind() uint32 {
	_, _, end := p.StateWords()
	return end + p.Journal.Room()
}

// StateWords lays out the memories in the state, padded to powers of two, then the counters of
// covers. end is the first word behind all of these.
func (p *Program) StateWords() (at []uint32, covers, end uint32) {
	for _, m := range p.memAt {
		at = append(at, uint32(p.Words)+m)
	}
	covers = uint32(p.Words) + p.memTo
	return at, covers, covers + uint32(Pow2(max(1, p.Covers)))
}

// Room is the number of state words that a memory takes; a large one takes one, for its address.
func (m *Memory) Room() int {
	if m.Slot > 0 {
		return 1
	}
	return m.Span()
}

// Span is the number of words such that every address of the width that the depth needs is
// valid: rows and words per row are powers of two.
func (m *Memory) Span() int { return Pow2(Pow2(m.Depth) * m.Words) }

// Pow2 is the smallest power of two that is at least n.
func Pow2(n int) int { return 1 << bits.Len(uint(n-1)) }

// pack decides whether a memory is large, and how many bytes a slot of it has. Slots from from
// on are large.
func (m *Memory) pack(from int) bool {
	// Rounded up, and divided in place of multiplied, since a product could overflow.
	if m.Depth < (from+m.Words-1)/m.Words {
		return false
	}

	// A row of up to 32 bits has a slot of 1, 2 or 4 bytes; wider rows have 8 bytes for each word.
	if m.Slot = 8; m.Width <= 32 {
		m.Slot = max(1, 1<<bits.Len(uint(m.Width-1))/8)
	}
	return true
}

// Bytes is the size of a large memory, including every address that a read may form.
func (m *Memory) Bytes() int { return m.Span() * m.Slot }
