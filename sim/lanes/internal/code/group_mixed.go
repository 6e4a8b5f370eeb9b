package code

import "etch/sim/native/vector"

// mixedState is a state in the form Mixed: a sliced state, and subgroups that hold the same instances
// in word form. Each word and memory is in one of the two, by the layout.
type mixedState struct {
	*mixedLayout
	sliced    *slicedState
	subgroups []*wordState
	states    []uint64 // of all subgroups, consecutive
	mems      []uint64
}

func newMixedState(l *Layout, t Target) *mixedState {
	s := &mixedState{mixedLayout: l.mixed, sliced: newSlicedState(l.mixed.of[Sliced], t)}
	one := newWordState(l.mixed.of[Words], t)
	size := (len(one.mems) + 7) &^ 7 // subgroups begin at cache lines
	s.mems = aligned(vector.Subgroups * size)

	// All subgroups lie at equal distances, so that one call can run them all.
	for k := range vector.Subgroups {
		p := &wordState{store{l: one.l, lanes: one.lanes, words: t.Words, mems: s.mems[k*size:][:size:size]}}
		copy(p.mems, one.mems)
		s.subgroups = append(s.subgroups, p)
	}
	s.resize(len(one.state))
	return s
}

func (s *mixedState) raw() *store { return nil }

// resize gives each subgroup so many words of state.
func (s *mixedState) resize(words int) {
	s.states = aligned(vector.Subgroups * words)
	for k, p := range s.subgroups {
		old := p.state
		p.state = s.states[k*words:][:words:words]
		copy(p.state, old)
	}
}

// room makes room behind the state for the values that pass between the stages of a program.
func (s *mixedState) room(extra [2]int) {
	s.sliced.grow((s.of[Sliced].Slots + extra[Sliced]) * s.sliced.words)

	// Subgroups grow together, since they stay at equal distances.
	if words := (s.of[Words].Slots + extra[Words]) * s.sliced.words; len(s.subgroups[0].state) < words {
		s.resize(words)
	}
}

// home is the state that holds an instance's values of form f, and the instance's number there.
func (s *mixedState) home(f Form, lane int) (State, int) {
	if f == Sliced {
		return s.sliced, lane
	}
	k := s.subgroups[0].lanes
	return s.subgroups[lane/k], lane % k
}

// Word implements [State].
func (s *mixedState) Word(r, lane int) uint64 {
	h, k := s.home(s.word[r], lane)
	return h.Word(r, k)
}

// SetWord implements [State].
func (s *mixedState) SetWord(r, lane int, v uint64) {
	h, k := s.home(s.word[r], lane)
	h.SetWord(r, k, v)
}

// Mem implements [State].
func (s *mixedState) Mem(m, row, lane int) uint64 {
	h, k := s.home(s.mem[m], lane)
	return h.Mem(m, row, k)
}

// SetMem implements [State].
func (s *mixedState) SetMem(m, row, lane int, v uint64) {
	h, k := s.home(s.mem[m], lane)
	h.SetMem(m, row, k, v)
}

// FillWord implements [State].
func (s *mixedState) FillWord(r int, v uint64) {
	s.homes(s.word[r], func(h State, _, _ int) { h.FillWord(r, v) })
}

// Words implements [State].
func (s *mixedState) Words(r int, dst []uint64) {
	s.homes(s.word[r], func(h State, first, n int) { h.Words(r, within(dst, first, n)) })
}

// SetWords implements [State].
func (s *mixedState) SetWords(r int, v []uint64) {
	s.homes(s.word[r], func(h State, first, n int) { h.SetWords(r, within(v, first, n)) })
}

// AppendRaw implements [State].
func (s *mixedState) AppendRaw(dst []uint64, r int) []uint64 {
	s.homes(s.word[r], func(h State, _, _ int) { dst = h.AppendRaw(dst, r) })
	return dst
}

// Activate is the State's: stops are in sliced form.
func (s *mixedState) Activate(n int) { s.sliced.Activate(n) }

// homes calls h for all states that hold values of form f, with the number of the first of their
// n instances.
func (s *mixedState) homes(f Form, h func(home State, first, n int)) {
	if f == Sliced {
		h(s.sliced, 0, s.sliced.lanes)
		return
	}
	for k, p := range s.subgroups {
		h(p, k*p.lanes, p.lanes)
	}
}

// within is the up to n elements of v from first on.
func within(v []uint64, first, n int) []uint64 {
	first = min(first, len(v))
	return v[first:min(first+n, len(v))]
}
