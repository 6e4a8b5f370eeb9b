package lanes

import (
	"etch/sim/lanes/vector"
	"etch/sim/net"
)

// setElement is SetWord in word form.
func (g *Group) setElement(r, lane int, v uint64) {
	w := g.l.width[r]
	at := int(g.l.Reg[r]) * g.words
	if w == 1 {
		g.put16(at, lane, -(v & 1))
		return
	}
	es := elementOf(w)
	vec, elem := vector.ElementAt(lane, es)
	bit := elem * es
	p := &g.state[at+vec*g.words+bit/64]
	mask := ^uint64(0) >> (64 - es) << (bit % 64)
	*p = *p&^mask | v<<(bit%64)&mask
}

// put16 sets an element of 16 bits of the vector at word at of the state.
func (g *Group) put16(at, lane int, v uint64) {
	p := &g.state[at+lane/4]
	sh := lane % 4 * 16
	*p = *p&^(0xffff<<sh) | v&0xffff<<sh
}

// element is Word in word form.
func (g *Group) element(r, lane int) uint64 {
	w := g.l.width[r]
	es := elementOf(w)
	vec, elem := vector.ElementAt(lane, es)
	bit := elem * es
	return g.state[int(g.l.Reg[r])*g.words+vec*g.words+bit/64] >> (bit % 64) & net.Mask(w)
}
