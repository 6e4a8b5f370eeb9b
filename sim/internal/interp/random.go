package interp

import (
	"etch/ir/bits"
	"etch/sim/internal/program"
)

// PowerUp sets all state to its initial values and all inputs to 0.
func (s *State) PowerUp() {
	// The image has the constants and initial values; everything else starts as 0.
	clear(s.V)
	copy(s.V, s.P.Image)
	for i := range s.P.Mems {
		s.fillMemory(i)
	}

	// Random starts for state without initial value.
	if s.Seeded {
		for i := range s.P.Regs {
			if r := &s.P.Regs[i]; !r.Init && !s.P.IsBoxed(r.Ref.Inst) {
				s.randomWord(r.Ref, r.Slot)
			}
		}
		for i := range s.P.Reads {
			if r := &s.P.Reads[i]; !s.P.IsBoxed(r.Ref.Inst) {
				s.randomWord(r.Ref, r.Slot)
			}
		}
	}
}

// randomWord sets a node's words from the seed and its name.
func (s *State) randomWord(r program.Ref, slot uint32) {
	rnd := NewRandom(s.Seed, s.P.NodeName(r))
	rnd.fill(s.V[slot:], s.P.Mod(r.Inst).Width(r.ID))
}

// fillMemory stores the initial contents of a memory.
func (s *State) fillMemory(i int) {
	at, words := &s.P.Mems[i], s.Mems[i]
	mem := &s.P.Mod(at.Inst).Mems[at.At]
	if at.Slot > 0 {
		s.fillLarge(int32(i), mem)
		return
	}

	clear(words)
	if mem.Init != nil {
		for k, v := range mem.Init {
			v.CopyTo(words[k*at.Words:])
		}
		return
	}

	// State inside of a black box is not random.
	if s.Seeded && !s.P.IsBoxed(at.Inst) {
		rnd := NewRandom(s.Seed, program.Join(s.P.Path(at.Inst), mem.Name))
		for k := 0; k < len(words); k += at.Words {
			rnd.fill(words[k:], at.Width)
		}
	}
}

// random is the generator SplitMix64 (Steele, Lea, Flood 2014), started from a seed and a name:
// a register's start does not depend on the rest of the design.
type random struct{ state uint64 }

// NewRandom begins the sequence of a seed and a name.
func NewRandom(seed uint64, name string) *random {
	const offset, prime = 0xcbf29ce484222325, 0x100000001b3 // FNV-1a
	h := uint64(offset)
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * prime
	}

	// The name enters through the seed's first word.
	r := &random{seed}
	r.state = r.Next() ^ h
	return r
}

// Next is the next word of the sequence.
func (r *random) Next() uint64 {
	r.state += 0x9e3779b97f4a7c15
	z := r.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// fill sets the words of a value of width bits.
func (r *random) fill(dst []uint64, width int) {
	dst = dst[:bits.WordCount(width)]
	for i := range dst {
		dst[i] = r.Next()
	}
	bits.MaskWords(dst, width)
}
