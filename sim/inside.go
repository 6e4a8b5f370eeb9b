package sim

import (
	"errors"

	"etch/ir"
	"etch/sim/internal/drive"
)

// Functions for package lanes. Users cannot call most of them: they have no Stepper.

// Of makes the simulator that m runs. It is for package lanes: users call New.
func Of(m *drive.Stepper) *Sim {
	s := &Sim{m: m, names: map[*ir.Module]*scopeNames{}}
	s.results.m = m
	m.Listener = &s.results
	for i, port := range m.P.Design.Top.Ports {
		s.top = append(s.top, s.signal(0, port.Node, int32(i)))
	}
	return s
}

// LoadState copies inputs, registers and memories from a lane of the same design. Errors: it is of
// another design, or has another WithPacking. It is for package lanes: users call Lanes.Copy.
func (s *Sim) LoadState(from *drive.Stepper) error {
	to := s.m
	if to.P.Source != from.P.Source || to.P.Leaves != from.P.Leaves {
		return errors.New("sim: the simulator is of another design")
	}
	if to.P.Pack != from.P.Pack {
		return errors.New("sim: the simulator has another WithPacking")
	}

	// Combinational values follow from the leaves and need no copy.
	copy(to.St.V[:to.P.Leaves], from.St.V)
	for i, m := range from.St.Mems {
		copy(to.St.Mems[i], m)
	}
	to.St.Large.Load(from.St.Large.Copy())
	to.Touch()

	// A recording cannot replay a state that came from outside, so it begins again.
	if s.recording != nil {
		s.recording.begin(nil)
	}
	return nil
}

// RunEvents runs n cycles of the clocks marked in on, a byte for each edge, as Step and Tick do. It
// is for package lanes.
func (s *Sim) RunEvents(on []byte, n int) {
	copy(s.m.On, on)
	s.byHand(n)
}
