package pads

import (
	"strconv"

	"etch/ir"
	"etch/ir/bits"
)

func itoa(n int) string { return strconv.Itoa(n) }

// resolve gives the node of a net its value: the or of all enabled drivers, and of the pull
// if there is none.
func (w *lowered) resolve(net int) {
	m, sources := w.m, w.sources[net]
	id := m.Nets[net].Node
	n := *m.Node(id)
	width := int(n.Width)

	var terms []ir.ID
	zero := m.Const(bits.Zero(width), n.Pos)
	for _, s := range sources {
		terms = append(terms, m.Add(ir.Node{Op: ir.Mux, Type: n.Type, Width: n.Width, Pos: s.pos}, s.enable, s.value, zero))
	}
	if w.pulls[net] == ir.PullUp {
		ones := m.Const(bits.Ones(width), n.Pos)
		terms = append(terms, m.Add(ir.Node{Op: ir.Mux, Type: n.Type, Width: n.Width, Pos: n.Pos}, w.any(sources, n.Pos), zero, ones))
	}

	value := zero
	if len(terms) == 1 {
		value = terms[0]
	} else if len(terms) > 1 {
		value = m.Add(ir.Node{Op: ir.Or, Type: n.Type, Width: n.Width, Pos: n.Pos}, terms...)
	}

	// The net's node becomes a wire of that value, so that its readers stay.
	m.SetArgs(id, ir.Wire, value)
	m.Node(id).Aux = 0
	w.conflicts(m.NameOf(id), sources)
}

// any is high while one of the sources drives.
func (w *lowered) any(sources []source, pos ir.Pos) ir.ID {
	switch len(sources) {
	case 0:
		return w.m.Const(bits.Zero(1), pos)
	case 1:
		return sources[0].enable
	}
	enables := make([]ir.ID, len(sources))
	for i, s := range sources {
		enables[i] = s.enable
	}
	return w.bit(ir.Or, pos, enables...)
}

// bit adds a node of one bit.
func (w *lowered) bit(op ir.Op, pos ir.Pos, args ...ir.ID) ir.ID {
	return w.m.Add(ir.Node{Op: op, Type: ir.TypeID(ir.Bool), Width: 1, Pos: pos}, args...)
}
