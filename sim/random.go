package sim

import (
	"etch/ir/bits"
	"etch/sim/internal/program"
)

// powerUp sets all state to its initial values and all inputs to 0.
func (s *state) powerUp() {
	clear(s.v)
	copy(s.v, s.p.Image)
	for i := range s.p.Mems {
		s.fillMemory(i)
	}

	// Random starts for state without initial value.
	if s.seeded {
		for i := range s.p.Regs {
			if r := &s.p.Regs[i]; !r.Init && !s.p.IsBoxed(r.Ref.Inst) {
				s.randomWord(r.Ref, r.Slot)
			}
		}
		for i := range s.p.Reads {
			if r := &s.p.Reads[i]; !s.p.IsBoxed(r.Ref.Inst) {
				s.randomWord(r.Ref, r.Slot)
			}
		}
	}
}

// randomWord sets a node's words from the seed and its name.
func (s *state) randomWord(r program.Ref, slot uint32) {
	rnd := newRandom(s.seed, s.p.NodeName(r))
	rnd.fill(s.v[slot:], s.p.Mod(r.Inst).Width(r.ID))
}

// fillMemory stores the initial contents of a memory.
func (s *state) fillMemory(i int) {
	at, words := &s.p.Mems[i], s.mems[i]
	mem := &s.p.Mod(at.Inst).Mems[at.At]
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

	if s.seeded && !s.p.IsBoxed(at.Inst) {
		rnd := newRandom(s.seed, program.Join(s.p.Path(at.Inst), mem.Name))
		for k := 0; k < len(words); k += at.Words {
			rnd.fill(words[k:], at.Width)
		}
	}
}

// random is the generator SplitMix64 (Steele, Lea, Flood 2014), started from a seed and a name:
// a register's start does not depend on the rest of the design.
type random struct{ state uint64 }

func newRandom(seed uint64, name string) *random {
	const offset, prime = 0xcbf29ce484222325, 0x100000001b3 // FNV-1a
	h := uint64(offset)
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * prime
	}

	r := &random{seed}
	r.state = r.next() ^ h
	return r
}

func (r *random) next() uint64 {
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
		dst[i] = r.next()
	}
	bits.MaskWords(dst, width)
}
