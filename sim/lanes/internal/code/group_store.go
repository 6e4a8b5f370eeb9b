package code

import "etch/sim/native/vector"

// store is the memory of a state in one form: vectors of words, then memories whose words are
// elements. Machine code gets the addresses of both.
type store struct {
	l     *Layout
	lanes int
	words int // 64-bit words of a vector
	state []uint64
	mems  []uint64
}

// newStore returns a store with all state 0 and the constant tables in place.
func newStore(l *Layout, t Target) store {
	s := store{l: l, lanes: l.Lanes(t), words: t.Words}
	n := l.Slots * t.Words
	all := aligned(n + (l.memBytes(s.lanes)+7)/8)
	s.state, s.mems = all[:n:n], all[n:]

	// Constant tables are stored once for all instances.
	for i := range l.mems {
		if m := &l.mems[i]; m.table != nil && l.stored(m) {
			for k, x := range m.table {
				s.putElem(l.offset(m, s.lanes)+k*m.elem, m.elem, x)
			}
		}
	}
	return s
}

func (s *store) raw() *store { return s }

// AppendRaw appends the vectors of word r.
func (s *store) AppendRaw(dst []uint64, r int) []uint64 { return append(dst, s.slots(r)...) }

// slots is the vectors of word r.
func (s *store) slots(r int) []uint64 {
	at := int(s.l.Reg[r]) * s.words
	return s.state[at:][:s.l.slots(s.l.width[r])*s.words]
}

// grow makes room for words of state. The old ones keep their values.
func (s *store) grow(words int) {
	if len(s.state) < words {
		old := s.state
		s.state = aligned(words)
		copy(s.state, old)
	}
}

// Mem returns word row of memory m of one instance.
func (s *store) Mem(m, row, lane int) uint64 {
	x := &s.l.mems[m]
	if x.table != nil { // in sliced form it may be gates only
		return x.table[row]
	}
	at := s.elemAt(x, row, lane)
	return s.mems[at/8] >> (at % 8 * 8) & (1<<x.W - 1)
}

// SetMem sets word row of memory m of one instance to value.
func (s *store) SetMem(m, row, lane int, value uint64) {
	x := &s.l.mems[m]
	s.putElem(s.elemAt(x, row, lane), x.elem, value)
}

// elemAt is the offset of a memory word of one instance, in bytes.
func (s *store) elemAt(x *memory, row, lane int) int {
	if s.l.rows(x) {
		return s.l.offset(x, s.lanes) + row*s.lanes*x.elem + vector.ByteOf(lane, 8*x.elem, 8*s.words)
	}
	return s.l.offset(x, s.lanes) + (lane*x.stride+row)*x.elem
}

// putElem stores an element of size bytes at an offset.
func (s *store) putElem(at, size int, value uint64) {
	p, sh := &s.mems[at/8], at%8*8
	mask := ^uint64(0) >> (64 - 8*size) << sh
	*p = *p&^mask | value<<sh&mask
}
