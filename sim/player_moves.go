package sim

import "etch/sim/internal/quads"

// moves is the reader's side of a recording whose inputs move, see the comment in record_steps.go.
type moves struct {
	on     bool
	edges  uint64  // entries of edges so far, and edges in a recording that moves
	fields []field // by word of the inputs
}

// field is a word of the inputs.
type field struct {
	quad  bool   // it has a field in a quad, or else never moves
	step  uint16 // added before an edge
	low   uint16 // the lowest value, of one that wraps around
	size  uint16 // subtracted where it wraps around
	diff  uint16 // between its last two values
	named uint64 // one more than the edges before its last entry
}

// newMoves has no steps for inputs of some widths.
func newMoves(widths []uint8) moves {
	m := moves{fields: make([]field, len(widths))}
	for i, width := range widths {
		m.fields[i].quad = width <= fieldBits
	}
	return m
}

// named notes that a word has an entry that changes it from one value to another: where a field of a
// recording that moves wraps around, or else its new step.
func (m *moves) named(word, was, x uint64) {
	f := &m.fields[word]
	diff := uint16(x - was)
	switch {
	case !m.on || !f.quad:
	case f.named == m.edges:
		f.step, f.low, f.size = diff, 0, 0
	default:
		f.low, f.size = quads.WrapAt(uint16(was), f.step, uint16(x))
	}
	f.diff, f.named = diff, m.edges+1
}

// begin starts the moves of the words named since the last edge.
func (m *moves) begin() {
	m.on = true
	for i := range m.fields {
		f := &m.fields[i]
		if f.step, f.low, f.size = 0, 0, 0; f.quad && f.named == m.edges+1 {
			f.step = f.diff
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
	for i := range m.fields {
		f := &m.fields[i]
		if f.step == 0 || f.named == m.edges {
			continue
		}
		v[i] = uint64(quads.Wrap(uint16(v[i])+f.step, f.low, f.size))
		if v[i]>>p.bits[i] != 0 {
			return errBadRun("input word %d moves to %d, which does not fit in its %d bits", i, v[i], p.bits[i])
		}
		p.s.m.Touch()
	}
	return nil
}
