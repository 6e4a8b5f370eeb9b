package drive

import (
	"maps"
	"slices"

	"etch/sim/native"
)

// Why is the reason that there is no machine code, or a fault of the compiler; nil without either.
func (s *Stepper) Why() error {
	// A fault of the compiler goes before the reason that it led to.
	if s.broken != nil {
		return s.broken
	}
	return s.refuse
}

// Faulty reports whether compiling has ended with a panic.
func (s *Stepper) Faulty() bool { return s.broken != nil }

// Codes describes the machine code of events, by set of clocks, in the order of their names.
func (s *Stepper) Codes() (all []native.Report) {
	for _, key := range slices.Sorted(maps.Keys(s.compiled)) { // the map's order must not show
		if c, ok := s.compiled[key].run.(native.Reporter); ok {
			all = append(all, c.Report())
		}
	}
	return all
}

// CycleEffort estimates an event of the edges in on; ok is false while it has no machine code.
func (s *Stepper) CycleEffort(on []byte) (effort float64, ok bool) {
	b := s.compiled[string(on)]
	if b == nil || b.run == nil {
		return 0, false
	}
	return b.run.CycleEffort(), true
}

// Words is the number of 64-bit words of the state with all that belongs to it.
func (s *Stepper) Words() int { return len(s.block) }
