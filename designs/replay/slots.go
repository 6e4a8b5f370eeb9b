package replay

import "etch/hw"

// slots tells which slot the next insert fills and of which lap each slot is. The
// generation of a slot follows from that and needs no memory: slots below the head were
// filled in this lap, the others in the last.
type slots struct {
	Config
	head, lap hw.UInt
}

// slotsOf makes the registers.
func (c Config) slotsOf(m *hw.Module) slots {
	return slots{c, hw.Reg(m, "head", hw.Unsigned(c.indexWidth()), hw.U(0)), hw.Reg(m, "lap", hw.Unsigned(generationBits), hw.U(0))}
}

// step moves on behind an insert or a clear.
func (s slots) step(m *hw.Module, insert, clear hw.Bit) {
	last := s.head.Is(s.Capacity - 1)
	m.When(clear, func() {
		s.head.Set(s.head.Lit(0))
		s.lap.Set(s.lap.Inc())
	}).ElseWhen(insert, func() {
		s.head.Set(hw.Mux(last, s.head.Lit(0), s.head.Inc()))
		s.lap.SetIf(last, s.lap.Inc())
	})
}

// generation is the lap in which a slot was last filled.
func (s slots) generation(index hw.UInt) hw.UInt {
	return hw.Mux(index.Lt(s.head), s.lap, s.lap.Dec())
}
