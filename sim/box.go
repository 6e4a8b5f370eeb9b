package sim

import (
	"fmt"

	"etch/ir/bits"
)

// boxInputs appends the values of a box's inputs.
func (s *Sim) boxInputs(b *box, to []bits.Value) []bits.Value {
	for i := range b.ins {
		in := &b.ins[i]
		to = append(to, s.value(in.slot, in.width))
	}
	return to
}

// evalGroup computes the outputs of one group.
func (s *Sim) evalGroup(g *boxGroup) {
	b := &s.p.boxes[g.box]
	in := s.boxInputs(b, make([]bits.Value, 0, len(b.ins)))
	out := make([]bits.Value, len(b.outs))
	s.models[g.box].Eval(in, out)

	// A Model that breaks its widths is a programming error.
	for _, o := range g.outs {
		port := &b.outs[o]
		if out[o].Width() != port.width {
			m := s.p.mod(b.inst)
			panic(fmt.Sprintf("sim: the Model of black box %s (instance %s) gives %d bits for output %s of %d",
				m.Name, s.p.path(b.inst), out[o].Width(), m.Ports[port.port].Name, port.width))
		}
		out[o].CopyTo(s.v[port.slot:])
	}
}
