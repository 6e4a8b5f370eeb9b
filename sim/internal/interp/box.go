package interp

import (
	"fmt"

	"etch/ir/bits"
	"etch/sim/internal/program"
)

// boxScratch is memory that evaluations of black boxes use again.
type boxScratch struct {
	in, out []bits.Value
}

// Look keeps the inputs that the Models of an event's boxes see at its edge. They are settled.
func (s *State) Look(w *Work) {
	for i := range w.ticks {
		t := &w.ticks[i]
		t.in = s.boxInputs(&s.P.Boxes[t.box], t.in[:0])
	}
}

// Tick shows the edge of an event to the Models, with the inputs of the last Look.
func (s *State) Tick(w *Work) {
	for i := range w.ticks {
		t := &w.ticks[i]
		s.Models[t.box].Tick(t.input, t.in)
	}
}

// boxInputs appends the values of a box's inputs.
func (s *State) boxInputs(b *program.Box, to []bits.Value) []bits.Value {
	for i := range b.Ins {
		in := &b.Ins[i]
		to = append(to, s.Value(in.Slot, in.Width))
	}
	return to
}

// EvalGroup computes the outputs of one group, whose inputs are settled.
func (s *State) EvalGroup(g *program.BoxGroup) {
	b := &s.P.Boxes[g.Box]
	in := s.boxInputs(b, s.box.in[:0])
	out := append(s.box.out[:0], make([]bits.Value, len(b.Outs))...)
	s.box.in, s.box.out = in, out
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
