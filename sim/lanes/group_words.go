package lanes

import (
	"etch/sim/lanes/vector"
	"etch/sim/net"
)

// In word form, elements that share a 64-bit word of a vector belong to neighbouring instances.

// wordWith is the word of the state that holds the element of an instance, of es bits, of word
// r; shift is the element's position.
func (g *Group) wordWith(r, lane, es int) (word *uint64, shift int) {
	vec, elem := vector.ElementAt(lane, es)
	bit := elem * es
	return &g.state[(int(g.l.Reg[r])+vec)*g.words+bit/64], bit % 64
}

// asElement is value v of a word of w bits as an element: a one-bit value is a mask.
func asElement(v uint64, w uint8) uint64 {
	if w == 1 {
		return -(v & 1) & 0xffff
	}
	return v
}

// put16 sets a 16-bit element of the vector at word at of the state.
func (g *Group) put16(at, lane int, v uint64) {
	p := &g.state[at+lane/4]
	sh := lane % 4 * 16
	*p = *p&^(0xffff<<sh) | v&0xffff<<sh
}

// setElement is SetWord in word form.
func (g *Group) setElement(r, lane int, v uint64) {
	w := g.l.width[r]
	es := elementOf(w)
	p, shift := g.wordWith(r, lane, es)
	mask := ^uint64(0) >> (64 - es) << shift
	*p = *p&^mask | asElement(v, w)<<shift&mask
}

// element is Word in word form.
func (g *Group) element(r, lane int) uint64 {
	w := g.l.width[r]
	p, shift := g.wordWith(r, lane, elementOf(w))
	return *p >> shift & net.Mask(w)
}

// setElements is SetWords in word form, one 64-bit word of a vector at a time.
func (g *Group) setElements(r int, v []uint64) {
	w := g.l.width[r]
	es := elementOf(w)
	ones := ^uint64(0) >> (64 - es)
	// Elements of the word beyond len(v) keep their values.
	for lane := 0; lane < len(v); lane += 64 / es {
		var x, mask uint64
		for k, e := range v[lane:min(lane+64/es, len(v))] {
			x |= asElement(e, w) & ones << (k * es)
			mask |= ones << (k * es)
		}
		p, _ := g.wordWith(r, lane, es)
		*p = *p&^mask | x
	}
}

// elements is Words in word form.
func (g *Group) elements(r int, dst []uint64) {
	w := g.l.width[r]
	es := elementOf(w)
	for lane := 0; lane < len(dst); lane += 64 / es {
		p, _ := g.wordWith(r, lane, es)
		x := *p
		for k := range dst[lane:min(lane+64/es, len(dst))] {
			dst[lane+k] = x >> (k * es) & net.Mask(w)
		}
	}
}
