package code

import (
	"etch/sim/native/vector"
	"etch/sim/net"
)

// wordState is a state in the form Words: a word is an element of one, two or four vectors.
// Elements that share a 64-bit word of a vector belong to neighbouring instances.
type wordState struct{ store }

func newWordState(l *Layout, t Target) *wordState { return &wordState{newStore(l, t)} }

// Word implements [State].
func (s *wordState) Word(r, lane int) uint64 {
	w := s.l.width[r]
	p, shift := s.wordWith(r, lane, elementOf(w))
	return *p >> shift & net.Mask(w)
}

// SetWord implements [State].
func (s *wordState) SetWord(r, lane int, v uint64) {
	w := s.l.width[r]
	es := elementOf(w)
	p, shift := s.wordWith(r, lane, es)
	mask := ^uint64(0) >> (64 - es) << shift
	*p = *p&^mask | asElement(v, w)<<shift&mask
}

// FillWord implements [State].
func (s *wordState) FillWord(r int, v uint64) {
	for lane := range s.lanes {
		s.SetWord(r, lane, v)
	}
}

// SetWords implements [State].
func (s *wordState) SetWords(r int, v []uint64) {
	w := s.l.width[r]
	es := elementOf(w)
	ones := ^uint64(0) >> (64 - es)

	// One 64-bit word of a vector at a time. Its elements beyond len(v) keep their values.
	for lane := 0; lane < len(v); lane += 64 / es {
		var x, mask uint64
		for k, e := range v[lane:min(lane+64/es, len(v))] {
			x |= asElement(e, w) & ones << (k * es)
			mask |= ones << (k * es)
		}
		p, _ := s.wordWith(r, lane, es)
		*p = *p&^mask | x
	}
}

// Words implements [State].
func (s *wordState) Words(r int, dst []uint64) {
	w := s.l.width[r]
	es := elementOf(w)
	for lane := 0; lane < len(dst); lane += 64 / es {
		p, _ := s.wordWith(r, lane, es)
		x := *p
		for k := range dst[lane:min(lane+64/es, len(dst))] {
			dst[lane+k] = x >> (k * es) & net.Mask(w)
		}
	}
}

// Activate is the State's: an element of 16 ones marks an instance.
func (s *wordState) Activate(n int) {
	at := int(s.l.active) * s.words
	for lane := range s.lanes {
		p, sh := &s.state[at+lane/4], lane%4*16
		*p = *p&^(0xffff<<sh) | asElement(uint64(truth(lane < n)), 1)<<sh
	}
}

// wordWith is the word of the state that holds the element of an instance, of es bits, of word
// r; shift is the element's position.
func (s *wordState) wordWith(r, lane, es int) (word *uint64, shift int) {
	vec, elem := vector.ElementAt(lane, es)
	bit := elem * es
	return &s.state[(int(s.l.Reg[r])+vec)*s.words+bit/64], bit % 64
}

// asElement is value v of a word of w bits as an element: a one-bit value is a mask.
func asElement(v uint64, w uint8) uint64 {
	if w == 1 {
		return -(v & 1) & 0xffff
	}
	return v
}
