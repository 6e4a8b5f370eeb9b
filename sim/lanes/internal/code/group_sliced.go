package code

// slicedState is a state in the form Sliced: bit k of a word is in the word's vector k, and the
// instance's number is the bit's place there.
type slicedState struct{ store }

func newSlicedState(l *Layout, t Target) *slicedState { return &slicedState{newStore(l, t)} }

// Word implements [State].
func (s *slicedState) Word(r, lane int) uint64 {
	return s.bits(int(s.l.Reg[r])*s.words, int(s.l.width[r]), lane)
}

// SetWord implements [State].
func (s *slicedState) SetWord(r, lane int, v uint64) {
	s.setBits(int(s.l.Reg[r])*s.words, int(s.l.width[r]), lane, v)
}

// bits is one instance's number of w bits, whose vectors begin at a word of the state.
func (s *slicedState) bits(at, w, lane int) (v uint64) {
	at += lane / 64
	for k := range w {
		v |= s.state[at+k*s.words] >> (lane % 64) & 1 << k
	}
	return v
}

// setBits sets one instance's number of w bits, whose vectors begin at a word of the state.
func (s *slicedState) setBits(at, w, lane int, v uint64) {
	at += lane / 64
	for k := range w {
		p := &s.state[at+k*s.words]
		*p = *p&^(1<<(lane%64)) | v>>k&1<<(lane%64)
	}
}

// FillWord implements [State].
func (s *slicedState) FillWord(r int, v uint64) {
	// Vector k is bit k of v, for all instances.
	slots := s.slots(r)
	for k := range int(s.l.width[r]) {
		for i := range s.words {
			slots[k*s.words+i] = -(v >> k & 1)
		}
	}
}

// SetWords implements [State].
func (s *slicedState) SetWords(r int, v []uint64) {
	// 64 instances at a time, by transposing a square of bits.
	slots, w := s.slots(r), int(s.l.width[r])
	for i := 0; 64*i < len(v); i++ {
		var square [64]uint64
		k := copy(square[:], v[64*i:])
		bitsOf(&square, w)
		mask := ^uint64(0) >> (64 - k)
		for b := range w {
			p := &slots[b*s.words+i]
			*p = *p&^mask | square[b]&mask
		}
	}
}

// Words implements [State].
func (s *slicedState) Words(r int, dst []uint64) {
	// Collect 64 instances of every bit, and transpose.
	slots, w := s.slots(r), int(s.l.width[r])
	for i := 0; 64*i < len(dst); i++ {
		var square [64]uint64
		for b := range w {
			square[b] = slots[b*s.words+i]
		}
		numbersOf(&square, w)
		copy(dst[64*i:], square[:])
	}
}

// Mem implements [State].
func (s *slicedState) Mem(m, row, lane int) uint64 {
	if x := &s.l.mems[m]; x.slot >= 0 {
		return s.bits(s.rowAt(x, row), int(x.W), lane)
	}
	return s.store.Mem(m, row, lane)
}

// SetMem implements [State].
func (s *slicedState) SetMem(m, row, lane int, v uint64) {
	if x := &s.l.mems[m]; x.slot >= 0 {
		s.setBits(s.rowAt(x, row), int(x.W), lane, v)
		return
	}
	s.store.SetMem(m, row, lane, v)
}

// rowAt is the word of the state at which a row of a memory begins whose words are bits of the
// state.
func (s *slicedState) rowAt(x *memory, row int) int { return (int(x.slot) + row*int(x.W)) * s.words }

// Activate is the State's: one bit marks an instance.
func (s *slicedState) Activate(n int) {
	at := int(s.l.active) * s.words
	for i := range s.words {
		s.state[at+i] = 0
		if n > 64*i {
			s.state[at+i] = ^uint64(0) >> (64 - min(64, n-64*i))
		}
	}
}
