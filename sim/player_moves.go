package sim

import "etch/sim/internal/quads"

// moves is the reader's side of a recording whose inputs move, see the comment in record_steps.go.
type moves struct {
	on    bool
	edges uint64 // entries of edges so far, and edges in a recording that moves
	lanes []lane // by word of the inputs
}

// lane is a word of the inputs.
type lane struct {
	quad  bool   // it has a lane in a quad, or else never moves
	step  uint16 // added before an edge
	low   uint16 // the lowest value, of one that wraps around
	size  uint16 // subtracted where it wraps around
	diff  uint16 // between its last two values
	named uint64 // one more than the edges before its last entry
}

// newMoves has no steps for inputs of some widths.
func newMoves(widths []uint8) moves {
	m := moves{lanes: make([]lane, len(widths))}
	for i, width := range widths {
		m.lanes[i].quad = width <= laneBits
	}
	return m
}

// named notes that a word has an entry that changes it from one value to another: where a lane of a
// recording that moves wraps around, or else its new step.
func (m *moves) named(word, was, x uint64) {
	l := &m.lanes[word]
	diff := uint16(x - was)
	switch {
	case !m.on || !l.quad:
	case l.named == m.edges:
		l.step, l.low, l.size = diff, 0, 0
	default:
		l.low, l.size = quads.WrapAt(uint16(was), l.step, uint16(x))
	}
	l.diff, l.named = diff, m.edges+1
}

// begin starts the moves of the words named since the last edge.
func (m *moves) begin() {
	m.on = true
	for i := range m.lanes {
		l := &m.lanes[i]
		if l.step, l.low, l.size = 0, 0, 0; l.quad && l.named == m.edges+1 {
			l.step = l.diff
		}
	}
}

// move moves the inputs before an edge, but for those named since the edge before. Error: one
// leaves the range of its width.
func (p *Player) move() error {
	m := &p.moves
	m.edges++
	if !m.on {
		return nil
	}
	v := p.s.m.St.V[p.s.m.P.Inputs.Lo:p.s.m.P.Inputs.Hi]
	for i := range m.lanes {
		l := &m.lanes[i]
		if l.step == 0 || l.named == m.edges {
			continue
		}
		v[i] = uint64(quads.Wrap(uint16(v[i])+l.step, l.low, l.size))
		if v[i]>>p.bits[i] != 0 {
			return errBadRun("input word %d moves to %d, which does not fit in its %d bits", i, v[i], p.bits[i])
		}
		p.s.m.Touch()
	}
	return nil
}
