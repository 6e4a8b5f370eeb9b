package interp

import (
	"fmt"

	"etch/ir/bits"
	"etch/sim/internal/program"
)

// boxInputs appends the values of a box's inputs.
func (s *State) boxInputs(b *program.Box, to []bits.Value) []bits.Value {
	for i := range b.Ins {
		in := &b.Ins[i]
		to = append(to, s.Value(in.Slot, in.Width))
	}
	return to
}

// evalGroup computes the outputs of one group.
func (s *State) evalGroup(g *program.BoxGroup) {
	b := &s.P.Boxes[g.Box]
	in := s.boxInputs(b, make([]bits.Value, 0, len(b.Ins)))
	out := make([]bits.Value, len(b.Outs))
	s.Models[g.Box].Eval(in, out)

	// A Model that breaks its widths is a programming error.
	for _, o := range g.Outs {
		port := &b.Outs[o]
		if out[o].Width() != port.Width {
			m := s.P.Mod(b.Inst)
			panic(fmt.Sprintf("sim: the Model of black box %s (instance %s) gives %d bits for output %s of %d",
				m.Name, s.P.Path(b.Inst), out[o].Width(), m.Ports[port.Port].Name, port.Width))
		}
		out[o].CopyTo(s.V[port.Slot:])
	}
}
