package sim

import "math/bits"

// behind is the first word behind the state, its cover counters and the journal: the tables
// begin there.
func (p *program) behind() uint32 {
	_, _, end := p.stateWords()
	return end + p.journal.room()
}

// stateWords lays out the memories in the state, padded to powers of two, then the counters of
// covers. end is the first word behind all of these.
func (p *program) stateWords() (at []uint32, covers, end uint32) {
	for _, m := range p.memAt {
		at = append(at, uint32(p.words)+m)
	}
	covers = uint32(p.words) + p.memTo
	return at, covers, covers + uint32(pow2(max(1, p.covers)))
}

// room is the number of state words that a memory takes; a large one takes one, for its address.
func (m *memory) room() int {
	if m.slot > 0 {
		return 1
	}
	return m.span()
}

// span is the number of words such that every address of the width that the depth needs is
// valid: rows and words per row are powers of two.
func (m *memory) span() int { return pow2(pow2(m.depth) * m.words) }

func pow2(n int) int { return 1 << bits.Len(uint(n-1)) }

// pack decides whether a memory is large, and how many bytes a slot of it has. Slots from from
// on are large.
func (m *memory) pack(from int) bool {
	if m.depth < (from+m.words-1)/m.words {
		return false
	}
	if m.slot = 8; m.width <= 32 {
		m.slot = max(1, 1<<bits.Len(uint(m.width-1))/8)
	}
	return true
}

// bytes is the size of a large memory, including every address that a read may form.
func (m *memory) bytes() int { return m.span() * m.slot }
